"""Features of arcs: the templates of McDonald, Crammer and Pereira (2005), and some more.

Every feature counts twice: with the direction of the arc, and with its direction and distance (1,
2, 3, 4 to 5, 6 to 10, more). The root stands nowhere: an arc from it has neither, but weights of
its own. So what holds for a text holds for its mirror image. The paper's features without
direction, and its finer distances, gave less on the development parts that were tried.

References
----------
McDonald, Crammer and Pereira (2005), Online large-margin training of dependency parsers. ACL
(table 1; prefixes of five characters).
McDonald, Lerman and Pereira (2006), Multilingual dependency analysis with a two-stage
discriminative parser. CoNLL (pairs of morphological features, coarse and fine tags).
"""

from __future__ import annotations

UNIGRAMS = ("w p |", "w |", "p |", "| w p", "| w", "| p", "l |", "| l", "p f |", "| p f")
BIGRAMS = (
    "w p | w p",
    "p | w p",
    "w | w p",
    "w p | p",
    "w p | w",
    "w | w",
    "p | p",
    "r p | r p",
    "p | r p",
    "r p | p",
    "r | r",
    "l | l",
    "p | l",
    "l | p",
    "l p | l p",
    "l | x",
    "x | l",
    "x | x",
    "x | p",
    "p | x",
    "x | w",
    "w | x",
    "p f | p f",
    "p f | p",
    "p | p f",
    "x f | x f",
    "p | s p",
    "s p | p",
)
AROUND = (
    "p p> | p< p",
    "p< p | p< p",
    "p p> | p p>",
    "p< p | p p>",
    "p p> | p",
    "p< p | p",
    "p | p< p",
    "p | p p>",
    "p< p p> | p",
    "p | p< p p>",
    "p< p p> | p< p p>",
    "x x> | x< x",
    "x< x | x< x",
    "x x> | x x>",
    "x< x | x x>",
    "x< x x> | x",
    "x | x< x x>",
    "w p> | p",
    "p< w | p",
    "p | w p>",
    "p | p< w",
)
TEMPLATES = UNIGRAMS + BIGRAMS + AROUND
"""Those that are made of the head's and the dependent's atoms alone."""

BETWEEN = "p | p"
"""What is joined with the tag of each word between, every tag once.

An arc from the root has the tags of the words before and after its dependent instead, apart: which
verb of a sentence is its root depends on the conjunctions and verbs around it.
"""
