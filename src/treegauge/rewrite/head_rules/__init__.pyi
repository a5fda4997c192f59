"""What `rewrite.head_rules` gives to others."""

from .conversion import (
    SCHEMES as SCHEMES,
    choose_heads as choose_heads,
    dependencies as dependencies,
    scheme_of as scheme_of,
)
from .options import (
    OPTION_SETS as OPTION_SETS,
    LthOptions as LthOptions,
)
