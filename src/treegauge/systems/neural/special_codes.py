"""Codes that stand for no value of a column; those of values begin behind them."""

from __future__ import annotations

PADDING, UNKNOWN, ROOT, FIRST = 0, 1, 2, 3
"""No value, a value that was not seen in training, the root, the first value of training."""
NO_TARGET = -1
"""The head and the relation of a root."""
