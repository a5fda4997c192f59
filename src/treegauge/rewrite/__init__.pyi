"""What `rewrite` gives to other rooms."""

from .errors import (
    RewriteError as RewriteError,
)
from .styles import (
    BUNDLES as BUNDLES,
    Style as Style,
    to_style as to_style,
)
from .word_orders import (
    ORDERS as ORDERS,
    permute as permute,
    restore_order as restore_order,
)
