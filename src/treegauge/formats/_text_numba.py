"""Kernels over raw text, many bytes at a time: where lines and fields end, and whether it is UTF-8.

A million words are a hundred megabytes of text; byte by byte, looking for tabs and line ends
took as long as everything that is done with what lies between them.
"""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import intrinsic, kernel

WINDOW = 64
"""Bytes that are looked at together; a set of them is a number with a bit for each."""

TAB, NEWLINE = 9, 10


def _bytes_of_window():
    """Return the type of a window: a vector of bytes."""
    from llvmlite import ir

    return ir.VectorType(ir.IntType(8), WINDOW)


def _as_bits(builder, truths):
    """Return a vector of truth values as a set."""
    from llvmlite import ir

    return builder.bitcast(truths, ir.IntType(64))


def _window(context, builder, signature, arguments, shift=0):
    """Load the bytes of an array from an index on."""
    from llvmlite import ir

    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    index = builder.add(arguments[1], ir.Constant(arguments[1].type, shift))
    place = builder.bitcast(builder.gep(array.data, [index]), _bytes_of_window().as_pointer())
    return builder.load(place, align=1)


def _compared(builder, relation, window, byte):
    """Compare each byte of a window with a byte."""
    from llvmlite import ir

    bytes_ = ir.Constant(_bytes_of_window(), [byte] * WINDOW)
    return builder.icmp_unsigned(relation, window, bytes_)


@intrinsic
def separators(_typingctx, array, _index):
    """Return which bytes of a window are tabs or line ends; the window must lie in the array."""
    from numba import types

    def find(context, builder, signature, arguments):
        window = _window(context, builder, signature, arguments)
        found = builder.or_(
            _compared(builder, "==", window, TAB), _compared(builder, "==", window, NEWLINE)
        )
        return _as_bits(builder, found)

    return types.uint64(array, types.intp), find


@intrinsic
def _line_ends(_typingctx, array, _index):
    """Return how many bytes of a window are line ends."""
    from numba import types

    def count(context, builder, signature, arguments):
        window = _window(context, builder, signature, arguments)
        return builder.ctpop(_as_bits(builder, _compared(builder, "==", window, NEWLINE)))

    return types.int64(array, types.intp), count


@intrinsic
def _misfits(_typingctx, array, _index):
    """Return which bytes of a window cannot follow the three before them; see `is_utf8`."""
    from numba import types

    def find(context, builder, signature, arguments):
        byte, before, second, third = (
            _window(context, builder, signature, arguments, -shift) for shift in range(4)
        )

        def pair(first, relation, limit):
            return builder.and_(
                _compared(builder, "==", before, first), _compared(builder, relation, byte, limit)
            )

        def any_of(*sets):
            found = sets[0]
            for other in sets[1:]:
                found = builder.or_(found, other)
            return found

        continues = builder.and_(
            _compared(builder, ">=", byte, 0x80), _compared(builder, "<", byte, 0xC0)
        )
        must_continue = any_of(
            _compared(builder, ">=", before, 0xC0),
            _compared(builder, ">=", second, 0xE0),
            _compared(builder, ">=", third, 0xF0),
        )
        flawed = any_of(
            builder.xor(continues, must_continue),
            _compared(builder, "==", byte, 0xC0),
            _compared(builder, "==", byte, 0xC1),
            _compared(builder, ">=", byte, 0xF5),
            pair(0xE0, "<", 0xA0),
            pair(0xED, ">=", 0xA0),
            pair(0xF0, "<", 0x90),
            pair(0xF4, ">=", 0x90),
        )
        return _as_bits(builder, flawed)

    return types.uint64(array, types.intp), find


@intrinsic
def lowest(_typingctx, _set):
    """Return the lowest number in a set that is not empty."""
    from llvmlite import ir
    from numba import types

    def count(_context, builder, _signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), count


@kernel
def count_line_ends(text):
    """Return how many lines end in a text."""
    count = 0
    at = 0
    while at + WINDOW <= len(text):
        count += _line_ends(text, at)
        at += WINDOW
    for i in range(at, len(text)):
        count += text[i] == NEWLINE
    return count


@kernel
def is_utf8(text):
    """Return whether a text is UTF-8, from its first to its last character (RFC 3629, section 4).

    A byte goes on with a character if, and only if, one before it began a character that is
    so long. Two bytes are enough to see what is written longer than need be (E0, F0), half of
    a surrogate pair (ED), and numbers that are too large (F4).
    """
    end = len(text)
    before = second = third = 0
    at = 0
    while at < end:
        if 3 <= at <= end - WINDOW:
            if _misfits(text, at) != 0:
                return False
            at += WINDOW
            before, second, third = text[at - 1], text[at - 2], text[at - 3]
            continue
        byte = text[at]
        continues = 0x80 <= byte < 0xC0
        must_continue = before >= 0xC0 or second >= 0xE0 or third >= 0xF0
        if (
            continues != must_continue
            or byte == 0xC0
            or byte == 0xC1
            or byte >= 0xF5
            or (before == 0xE0 and byte < 0xA0)
            or (before == 0xED and byte >= 0xA0)
            or (before == 0xF0 and byte < 0x90)
            or (before == 0xF4 and byte >= 0x90)
        ):
            return False
        before, second, third = byte, before, second
        at += 1
    return not (before >= 0xC0 or second >= 0xE0 or third >= 0xF0)
