"""The numbers of marks on labels; what each says is told where it is made."""

from __future__ import annotations

MARK_BASE = 64
OWN, CHAIN, FIRST, SHARED, KEPT, HEAD, INNER, FROM_GROUP = range(1, 9)
DEPTHS = 9
"""How many groups around one word a mark can tell apart."""
