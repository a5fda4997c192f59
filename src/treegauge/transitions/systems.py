"""The transition systems by name, and what each of them can do.

All have at most four moves, numbered alike: Shift, Left-Arc, Right-Arc, and a fourth one that
is Reduce, Swap or No-Arc.

References
----------
Nivre (2008), Algorithms for deterministic incremental dependency parsing. Computational
    Linguistics 34(4). Arc-standard, arc-eager, Covington's two.
Kuhlmann, Gómez-Rodríguez and Satta (2011), Dynamic programming algorithms for transition-based
    dependency parsers. ACL. Arc-hybrid.
Nivre (2009), Non-projective dependency parsing in expected linear time. ACL. Swap-eager.
Nivre, Kuhlmann and Hall (2009), An improved oracle for dependency parsing with online
    reordering. IWPT. Swap-lazy.
Ballesteros and Nivre (2013), Going to the roots of dependency parsing. Computational
    Linguistics 39(1). Where the root stands.
"""

from __future__ import annotations

import enum

from treegauge.transitions import _configuration_numba as kernels
from treegauge.transitions.errors import TransitionError
from treegauge.wording import unknown_name


class TransitionSystem(enum.IntEnum):
    """A transition system with its oracle.

    The numbers are what kernels know the systems by. Swap-eager and swap-lazy have the same
    moves and differ in their oracles alone.

    Examples
    --------
    >>> TransitionSystem.named("arc-eager").moves
    ('shift', 'left-arc', 'right-arc', 'reduce')
    >>> [system.spelling for system in TransitionSystem if system.covers_all_trees]
    ['swap-eager', 'swap-lazy', 'covington']
    """

    ARC_STANDARD = kernels.ARC_STANDARD
    ARC_EAGER = kernels.ARC_EAGER
    ARC_HYBRID = kernels.ARC_HYBRID
    SWAP_EAGER = kernels.SWAP_EAGER
    SWAP_LAZY = kernels.SWAP_LAZY
    COVINGTON_PROJECTIVE = kernels.COVINGTON_PROJECTIVE
    COVINGTON = kernels.COVINGTON

    @classmethod
    def named(cls, name: str) -> TransitionSystem:
        """Return the system of that name, such as `swap-lazy`."""
        known = {system.spelling: system for system in cls}
        if name not in known:
            raise TransitionError(unknown_name("transition system", name, known))
        return known[name]

    @property
    def spelling(self) -> str:
        """The name as users write it."""
        return self.name.lower().replace("_", "-")

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves, by their numbers."""
        if self in (self.ARC_STANDARD, self.ARC_HYBRID):
            return ("shift", "left-arc", "right-arc")
        if self is self.ARC_EAGER:
            return ("shift", "left-arc", "right-arc", "reduce")
        if self in (self.SWAP_EAGER, self.SWAP_LAZY):
            return ("shift", "left-arc", "right-arc", "swap")
        return ("shift", "left-arc", "right-arc", "no-arc")

    @property
    def covers_all_trees(self) -> bool:
        """Whether it derives every tree; the others derive the projective ones."""
        return self in (self.SWAP_EAGER, self.SWAP_LAZY, self.COVINGTON)

    @property
    def arcs_are_on_stack(self) -> bool:
        """Whether both ends of an arc are on the stack."""
        return self in (self.ARC_STANDARD, self.SWAP_EAGER, self.SWAP_LAZY)

    @property
    def has_dynamic_oracle(self) -> bool:
        """Whether the cost of moves is defined in every configuration."""
        return self in (self.ARC_STANDARD, self.ARC_EAGER, self.ARC_HYBRID, self.COVINGTON)

    @property
    def leaves_one_tree(self) -> bool:
        """Whether all words but one get a head by a move, so that `Root.NONE` means one root."""
        return self not in (self.ARC_EAGER, self.COVINGTON_PROJECTIVE, self.COVINGTON)


class Root(enum.IntEnum):
    """Where the artificial root stands when a derivation begins.

    Examples
    --------
    >>> Root.named("last")
    <Root.LAST: 1>
    """

    FIRST = kernels.ROOT_FIRST
    """At the bottom of the stack, before all words."""
    LAST = kernels.ROOT_LAST
    """At the end of the buffer, behind all words."""
    NONE = kernels.ROOT_NONE
    """Nowhere: words without a head at the end are roots."""

    @classmethod
    def named(cls, name: str) -> Root:
        """Return the place called `first`, `last` or `none`."""
        known = {root.name.lower(): root for root in cls}
        if name not in known:
            raise TransitionError(f"the root stands first, last or none; found {name!r}")
        return known[name]
