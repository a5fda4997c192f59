"""Kernels that turn byte slices into integer codes."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import intrinsic, kernel

# Multiply and fold, eight bytes at a time; shifts bring the high bits down to the mask.
_OFFSET = np.int64(-3750763034362895579)
_PRIME = np.int64(-7046029254386353131)
_LOW_HALF = np.int64((1 << 32) - 1)


@intrinsic
def _eight_bytes(_typingctx, array, _index):
    """Load eight bytes of a byte array as one number, wherever they begin.

    Byte by byte, hashing and comparing were the greater part of the time it takes to read a
    file. The caller sees to it that there are eight bytes.
    """
    from llvmlite import ir
    from numba import types

    def load(context, builder, signature, arguments):
        bytes_ = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(bytes_.data, [arguments[1]])
        word = builder.bitcast(place, ir.IntType(64).as_pointer())
        return builder.load(word, align=1)

    return types.int64(array, types.intp), load


@kernel
def _hash_slice(block, first, last):
    """Return a hash; different ones for different slices of the same length below eight."""
    length = last - first
    value = _OFFSET ^ length
    if length < 8:
        if first + 8 <= len(block):
            word = _eight_bytes(block, first) & ((np.int64(1) << (8 * length)) - 1)
        else:  # the first byte lowest, as above
            word = np.int64(0)
            for i in range(length):
                word |= np.int64(block[first + i]) << (8 * i)
        # Each step can be undone: the factor is odd, and the high half is left as it is.
        value = (value ^ word) * _PRIME
        return value ^ ((value >> 32) & _LOW_HALF)
    at = first
    while at + 8 < last:
        value = (value ^ _eight_bytes(block, at)) * _PRIME
        value ^= value >> 32
        at += 8
    # The last eight overlap those before.
    value = (value ^ _eight_bytes(block, last - 8)) * _PRIME
    value ^= value >> 32
    return value ^ (value >> 17)


@kernel
def _is_same(a, a_first, b, b_first, length):
    """Return whether slices of the same length and hash are the same."""
    if length < 8:
        return True
    at = 0
    while at + 8 < length:
        if _eight_bytes(a, a_first + at) != _eight_bytes(b, b_first + at):
            return False
        at += 8
    return _eight_bytes(a, a_first + length - 8) == _eight_bytes(b, b_first + length - 8)


@kernel
def intern_slices(block, first, last, data, starts, hashes, slots, single, size, codes, done):
    """Look slices up in an open-addressing table, adding the ones not seen before.

    Slices of one byte (`_` above all) are looked up directly in `single`. Begins with slice
    `done` and stops before a new one that there is no room for: nothing grows in here.
    Returns the number of entries afterwards, and how many slices are done.
    """
    mask = len(slots) - 1
    for i in range(done, len(first)):
        begin = first[i]
        length = last[i] - begin
        if length == 1 and single[block[begin]] >= 0:
            codes[i] = single[block[begin]]
            continue
        value = _hash_slice(block, begin, last[i])
        slot = value & mask
        while True:
            code = slots[slot]
            if code < 0:
                code = size
                target = starts[code]
                is_full = size == len(hashes) or 2 * size >= len(slots)
                if is_full or target + length > len(data):
                    return size, i
                for j in range(length):
                    data[target + j] = block[begin + j]
                starts[code + 1] = target + length
                hashes[code] = value
                slots[slot] = code
                size += 1
                break
            known = starts[code]
            if (
                hashes[code] == value
                and starts[code + 1] - known == length
                and _is_same(data, known, block, begin, length)
            ):
                break
            slot = (slot + 1) & mask
        codes[i] = code
        if length == 1:
            single[block[begin]] = code
    return size, len(first)


@kernel
def refill_slots(hashes, size, slots):
    """Enter the first `size` entries into an empty (all -1) table."""
    mask = len(slots) - 1
    for code in range(size):
        slot = hashes[code] & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = code


@kernel
def number_by_first_use(codes, new_code, order):
    """Renumber codes in the order of their first use; return how many are in use.

    `new_code` (all -1) maps old to new, `order` lists the old codes by new code.
    """
    used = 0
    for i in range(len(codes)):
        code = codes[i]
        if new_code[code] < 0:
            new_code[code] = used
            order[used] = code
            used += 1
    return used


@kernel
def is_numbered_by_first_use(codes, size):
    """Return whether codes are numbered in the order of first use, and all are in use."""
    used = 0
    for i in range(len(codes)):
        if codes[i] >= used:
            if codes[i] > used:
                return False
            used += 1
    return used == size
