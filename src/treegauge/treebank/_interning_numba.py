"""Kernels that turn byte slices into integer codes."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

# Like FNV-1a, but eight bytes a multiplication instead of one, which is the greater part of
# the time it takes to read a file; the shifts bring the high bits down to the table's mask.
_OFFSET = np.int64(-3750763034362895579)
_PRIME = np.int64(-7046029254386353131)


@kernel
def _hash_slice(block, first, last):
    value = _OFFSET ^ (last - first)
    i = first
    while i < last:
        word = np.int64(0)
        for j in range(i, min(i + 8, last)):
            word = (word << 8) | np.int64(block[j])
        value = (value ^ word) * _PRIME
        value ^= value >> 32
        i += 8
    return value ^ (value >> 17)


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
            if hashes[code] == value and starts[code + 1] - starts[code] == length:
                known = starts[code]
                j = 0
                while j < length and data[known + j] == block[begin + j]:
                    j += 1
                if j == length:
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
def gather_slices(data, starts, order, out_data, out_starts):
    """Copy the slices listed in `order` one behind the other."""
    position = 0
    out_starts[0] = 0
    for i in range(len(order)):
        for j in range(starts[order[i]], starts[order[i] + 1]):
            out_data[position] = data[j]
            position += 1
        out_starts[i + 1] = position
