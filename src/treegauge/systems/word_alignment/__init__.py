"""Word alignment: which words of two sentences translate each other.

`read_bitext` gives a `Bitext`; `DiagonalAligner` and `JumpAligner` learn one direction of it;
`align` learns both and gives the links on which they agree, or can be made to.
"""

from treegauge.systems.word_alignment.bitext import Bitext, Side, read_bitext
from treegauge.systems.word_alignment.diagonal_aligner import DiagonalAligner
from treegauge.systems.word_alignment.jump_aligner import JumpAligner
from treegauge.systems.word_alignment.links import (
    Links,
    align,
    grow_diag_final,
)
from treegauge.systems.word_alignment.toy_bitext import toy_bitext

__all__ = [
    "Bitext",
    "DiagonalAligner",
    "JumpAligner",
    "Links",
    "Side",
    "align",
    "grow_diag_final",
    "read_bitext",
    "toy_bitext",
]
