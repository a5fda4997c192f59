"""Kernels that turn byte slices into integer codes."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from treegauge.kernels import kernel

# Multiply and fold, eight bytes at a time; shifts bring the high bits down to the mask.
_OFFSET = np.int64(-3750763034362895579)
_PRIME = np.int64(-7046029254386353131)


@intrinsic
def _eight_bytes(_typingctx, array, _index):
    """Load eight bytes of a byte array as one number, wherever they begin.

    Byte by byte, hashing and comparing were the greater part of the time it takes to read a
    file. The caller sees to it that there are eight bytes.
    """

    def load(context, builder, signature, arguments):
        bytes_ = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(bytes_.data, [arguments[1]])
        word = builder.bitcast(place, ir.IntType(64).as_pointer())
        return builder.load(word, align=1)

    return types.int64(array, types.intp), load


@kernel
def _hash_slice(block, first, last):
    length = last - first
    value = _OFFSET ^ length
    if length >= 8:
        at = first
        while at + 8 < last:
            value = (value ^ _eight_bytes(block, at)) * _PRIME
            value ^= value >> 32
            at += 8
        # The last eight overlap those before.
        value = (value ^ _eight_bytes(block, last - 8)) * _PRIME
    else:
        word = np.int64(0)
        for i in range(first, last):
            word = (word << 8) | np.int64(block[i])
        value = (value ^ word) * _PRIME
    value ^= value >> 32
    return value ^ (value >> 17)


@kernel
def _is_same(a, a_first, b, b_first, length):
    if length >= 8:
        at = 0
        while at + 8 < length:
            if _eight_bytes(a, a_first + at) != _eight_bytes(b, b_first + at):
                return False
            at += 8
        return _eight_bytes(a, a_first + length - 8) == _eight_bytes(b, b_first + length - 8)
    for i in range(length):
        if a[a_first + i] != b[b_first + i]:
            return False
    return True


@kernel
def intern_slices(block, first, last, data, starts, hashes, slots, single, size, codes):
    """Look every slice up in an open-addressing table, adding the ones not seen before.

    Slices of one byte (`_` above all) are looked up directly in `single`. The caller
    guarantees room for all slices being new, so nothing grows in here. Returns the number
    of entries afterwards.
    """
    mask = len(slots) - 1
    for i in range(len(first)):
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
    return size


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


@kernel
def gather_slices(data, starts, order, out_data, out_starts):
    """Copy the slices listed in `order` one behind the other."""
    position = 0
    out_starts[0] = 0
    for i in range(len(order)):
        for j in range(starts[order[i]], starts[order[i] + 1]):
            out_data[position] = data[j]
            position += 1
        out_starts[i + 1] = position
