"""What `transitions` gives to other rooms."""

from .derivations import (
    Derivation as Derivation,
    derive as derive,
    rebuild as rebuild,
)
from .errors import (
    TransitionError as TransitionError,
)
from .systems import (
    Root as Root,
    TransitionSystem as TransitionSystem,
)
