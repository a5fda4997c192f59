"""Features of relations: what the tree around an arc looks like, once all heads are known.

Besides the atoms of words (`word_atoms`), a dependent has these of the tree; `0` where there is
no such word:

| atom | what it is |
| :-- | :-- |
| `side` | left or right of its head, or below the root |
| `far` | its distance from the head, 1, 2, 3, 4, 5, 6 to 10, more |
| `up` | the tag of its head's head |
| `<sib`, `sib>` | the tags of the nearest siblings before and after it |
| `<sibw`, `sib>w` | their forms |
| `kid<`, `>kid` | the tags of its first and its last dependent |
| `kid<w`, `>kidw` | their forms |
| `kids` | how many dependents it has on its left and on its right, up to three each |
| `sibs` | how many siblings are before and after it, up to three each |

References
----------
McDonald, Lerman and Pereira (2006), Multilingual dependency analysis with a two-stage
discriminative parser. CoNLL (section 3: siblings, neighbours, numbers of dependents).
"""

from __future__ import annotations

from treegauge.systems.parsers.graph.word_atoms import ATOMS

TREE_ATOMS = (
    "side",
    "far",
    "up",
    "<sib",
    "sib>",
    "<sibw",
    "sib>w",
    "kid<",
    ">kid",
    "kid<w",
    ">kidw",
    "kids",
    "sibs",
)
ALL_ATOMS = (*ATOMS, *TREE_ATOMS)

_OF_TREE = (
    "| side",
    "p | p side far",
    "p | p side up",
    "p | p side <sib",
    "p | p side sib>",
    "p | p side <sib sib>",
    "p | p side kid<",
    "p | p side >kid",
    "p | p side kid< >kid",
    "p | p side kids",
    "p | p side sibs",
    "p | p side sibs kids",
    "p | p side kid<w",
    "p | p side >kidw",
    "p f | p f side",
    "p f | p f side sibs",
    "p x | p x side",
    "p l | p kid<w side",
    "l | l kid<w side",
    "p | p side <sibw",
    "p | p side sib>w",
    "l | p side <sibw",
    "l | p side kid<",
)
_OF_WORDS = (
    "w p | w p side",
    "p | w p side",
    "w p | p side",
    "w | w side",
    "l | l side",
    "| w side",
    "| l side",
    "w | side",
    "l | side",
    "p | l side",
    "l p | p side",
    "p | s side",
    "s | p side",
    "s | s side",
    "p | r side",
    "| p f side",
    "| x side",
    "x | x side",
    "x | w side",
    "p | w side kids",
    "l p | p f side",
    "l p | x side",
    "p< p p> | p< p p> side",
    "p | p< p p> side",
    "p< p p> | p side",
    "x | x< x x> side",
    "| w p< p> side",
    "p | l p< side",
    "p | l p> side",
)
RELATION_TEMPLATES = _OF_TREE + _OF_WORDS
