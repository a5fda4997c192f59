"""Features of siblings: what two neighbouring dependents on one side of a head are.

A template names atoms of the head, the inner sibling, which is nearer to the head, and the
dependent. Where the dependent is the first on its side, the inner sibling's atoms are the root's,
which is no sibling of anybody. Words that hang on the root have no such features.

Like features of arcs, every feature counts twice: with the direction of the arc, and with the
direction and the distance of the two siblings, or of the head and its first dependent.

References
----------
McDonald and Pereira (2006), Online learning of approximate dependency parsing algorithms. EACL
(section 4: tags of all three, and pairs of forms and tags of the siblings; here also one form
with two tags).
"""

from __future__ import annotations

SIBLING_PAIRS = (
    "| p | p",
    "| w | p",
    "| p | w",
    "| w | w",
    "| l | p",
    "| p | l",
    "| l | l",
)
"""Those of the siblings alone."""

SIBLING_TRIPLES = ("p | p | p", "w | p | p", "p | w | p", "p | p | w")
"""Those that read the head too; there are n^3 of each in a sentence of n words."""
