"""Kernels that are compiled for what they are used with."""

from __future__ import annotations

from treegauge.kernel_variants import with_choices
from treegauge.kernels import kernel


@kernel
def _double(x):
    return 2 * x


@kernel
def _cannot_be_compiled(x):
    return x.no_number_has_this


@kernel
def _either(x):
    return _double(x) if x > 0 else _cannot_be_compiled(x)


@kernel
def _one_more(x):
    return _either(x) + 1


@kernel
def _two_more(x):
    return _one_more(x) + 1


@kernel
def _apart(x):
    return x


def test_only_what_is_chosen_is_compiled() -> None:
    chosen = with_choices(_two_more, {_either: _double}, "double")
    assert chosen(-3) == -4
    assert chosen.py_func.__qualname__ == "_two_more_double"
    assert chosen.__doc__ == _two_more.__doc__


def test_a_kernel_that_does_not_call_the_choice_stays() -> None:
    assert with_choices(_apart, {_either: _double}, "double") is _apart
    assert with_choices(_double, {_either: _double}, "double") is _double


def test_the_choice_itself_is_replaced() -> None:
    assert with_choices(_either, {_either: _double}, "double") is _double
