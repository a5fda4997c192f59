"""How non-terminals, rules and restaurants are numbered.

The split-head grammar of Blunsom and Cohn (2010); a head generates its dependents from the
outermost to the innermost, left and right apart (`^` for the side, h for the head's tag):

    S      -> L[h] R[h]                 the root of the sentence
    L[h]   -> stop | L^[h]              no dependent yet
    L'[h]  -> stop | L^[h]              there are dependents already
    L^[h]  -> L[c] R[c] L'[h]           a dependent c, and the rest of the side

and the same for R with left and right exchanged. S is number 0; the non-terminals of tag t are
1 + 8 t + kind. The last two kinds are only used by fragments, to write a node of three
children as two nodes of two (they are no rules and nobody sits there).

Level 1 has a restaurant of fragments for each non-terminal, level 2 one of rules, level 3
one of dependents for each side, which forgets the head.
"""

from __future__ import annotations

from typing import NamedTuple

KINDS = 8
"""Numbers for each tag."""
ATTACH = 2
"""Kind of a left attachment; kinds 0 and 1 are decisions without and with dependents."""
SIDE = 3
"""Distance from a kind on the left to its like on the right."""
REST = 6
"""Kind of what follows the first child of a left attachment; 7 on the right."""
KIND_NAMES = ("L", "L'", "L^", "R", "R'", "R^")
STOP, GO = 0, 1


class Layout(NamedTuple):
    """Where things are for a number of tags."""

    n_tags: int

    @property
    def n_nonterminals(self) -> int:
        """Numbers of non-terminals."""
        return 1 + KINDS * self.n_tags

    @property
    def width(self) -> int:
        """Numbers of rules for each non-terminal."""
        return max(self.n_tags, 2)

    @property
    def first_dependent(self) -> int:
        """The first dish of level 3; before it are those of level 2."""
        return self.n_nonterminals * self.width

    @property
    def first_fragment(self) -> int:
        """The first dish of level 1."""
        return self.first_dependent + 2 * self.n_tags

    @property
    def n_restaurants(self) -> int:
        """Restaurants of all levels: fragments, rules, dependents."""
        return 2 * self.n_nonterminals + 2

    def nonterminal(self, tag: int, kind: int) -> int:
        """Return the number of a kind of a tag."""
        return 1 + KINDS * tag + kind
