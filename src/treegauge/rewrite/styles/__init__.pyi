"""What `rewrite.styles` gives to others."""

from .conversion import (
    to_style as to_style,
)
from .relations import (
    ud_version as ud_version,
)
from .style import (
    BUNDLES as BUNDLES,
    Style as Style,
)
from .style_of_parts import (
    StyleOfParts as StyleOfParts,
)
