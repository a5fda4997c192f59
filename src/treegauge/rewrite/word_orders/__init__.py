"""Artificial word orders: the same trees, other sentences."""

from treegauge.rewrite.word_orders.permutation import (
    ORDERS,
    parse_order,
    permute,
    permute_selection,
)
from treegauge.rewrite.word_orders.reordering import reorder, restore_order

__all__ = [
    "ORDERS",
    "parse_order",
    "permute",
    "permute_selection",
    "reorder",
    "restore_order",
]
