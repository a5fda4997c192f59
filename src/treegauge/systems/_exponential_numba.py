"""A kernel for the exponentials of many numbers, which a processor takes several at a time.

The library's function takes one number a call. Here

    exp(x) = 2^k exp(r),    k = the integer nearest to x / log 2,    |r| <= log(2) / 2

and exp(r) is its series up to r^13 / 13!; what is left out is less than the last bit. Results are
within two of the last bits, for every number the same whatever its neighbours are.
"""

# mypy: ignore-errors
from __future__ import annotations

import math

from treegauge.kernels import inlined_kernel, intrinsic

_SHIFT = 1.5 * 2.0**52
"""Added to a small number, this leaves its nearest integer in the last bits."""
_INVERSE = 1 / math.log(2)
_HIGH = 0.693145751953125
"""The first bits of log 2: a product with k has no error."""
_LOW = 1.42860682030941723212e-6
_LEAST, _MOST = -708.0, 709.0
"""Below, numbers are taken for 0; above, for exp(709)."""
_TERMS = tuple(1 / math.factorial(power) for power in range(14))


@intrinsic
def _power_of_two(_typingctx, _shifted):
    """Return 2^k for k + `_SHIFT`: k goes where a float has its exponent."""
    from llvmlite import ir
    from numba import types

    def build(_context, builder, _signature, arguments):
        bits = builder.bitcast(arguments[0], ir.IntType(64))
        exponent = builder.add(bits, ir.Constant(ir.IntType(64), 1023))
        moved = builder.shl(exponent, ir.Constant(ir.IntType(64), 52))
        return builder.bitcast(moved, ir.DoubleType())

    return types.float64(types.float64), build


@inlined_kernel
def exponential(x):
    """Return exp(x); a loop over an array of numbers takes several at a time."""
    # Numba's `max` and `min` ask whether numbers are numbers, one by one.
    inside = x if x > _LEAST else _LEAST  # noqa: FURB136
    inside = inside if inside < _MOST else _MOST  # noqa: FURB136
    shifted = inside * _INVERSE + _SHIFT
    k = shifted - _SHIFT
    r = (inside - k * _HIGH) - k * _LOW
    # In pairs, pairs of pairs, and so on: few products wait for one another.
    square = r * r
    fourth = square * square
    last = (_TERMS[8] + _TERMS[9] * r) + (_TERMS[10] + _TERMS[11] * r) * square
    last += (_TERMS[12] + _TERMS[13] * r) * fourth
    series = (_TERMS[4] + _TERMS[5] * r) + (_TERMS[6] + _TERMS[7] * r) * square
    series = series * fourth + last * (fourth * fourth)
    series += (_TERMS[2] + _TERMS[3] * r) * square
    series += _TERMS[0] + _TERMS[1] * r
    return series * _power_of_two(shifted) if x >= _LEAST else 0.0
