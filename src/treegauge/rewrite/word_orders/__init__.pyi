"""What `rewrite.word_orders` gives to others."""

from .permutation import (
    ORDERS as ORDERS,
    parse_order as parse_order,
    permute as permute,
    permute_selection as permute_selection,
)
from .reordering import (
    reorder as reorder,
    restore_order as restore_order,
)
