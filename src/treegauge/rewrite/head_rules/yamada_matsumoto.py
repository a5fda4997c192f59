"""The head rules of Yamada and Matsumoto (2003), as the program Penn2Malt made them known.

The table is Collins's with most directions turned round: what is coordinated or stands in
apposition is headed by its last member, and `to` is no head of an infinitive. There is no rule for
coordination. Labels that the table lacks take their rightmost child.

References
----------
Hiroyasu Yamada and Yuji Matsumoto (2003). Statistical Dependency Analysis with Support Vector
Machines. IWPT.
"""

from __future__ import annotations

from treegauge.rewrite.head_rules.arrangement import StarScheme
from treegauge.rewrite.head_rules.tables import HeadTable, any_of, in_turn

_NOUN_PHRASE = (
    *any_of("right", "POS NN NNP NNPS NNS"),
    *in_turn("right", "NX JJR CD JJ JJS RB QP NP"),
)

TABLE = HeadTable(
    {
        "ADJP": in_turn(
            "right",
            "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
        ),
        "ADVP": in_turn("left", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
        "CONJP": in_turn("left", "CC RB IN"),
        "FRAG": in_turn("left", ""),
        "INTJ": in_turn("right", ""),
        "LST": in_turn("left", "LS :"),
        "NAC": (
            *any_of("right", "NN NNS NNP NNPS"),
            *in_turn("right", "NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
        ),
        "NP": _NOUN_PHRASE,
        "NX": _NOUN_PHRASE,
        "NML": _NOUN_PHRASE,
        "PP": in_turn("left", "IN TO VBG VBN RP FW"),
        "PRN": in_turn("right", ""),
        "PRT": in_turn("left", "RP"),
        "QP": in_turn("right", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
        "RRC": in_turn("left", "VP NP ADVP ADJP PP"),
        "S": in_turn("right", "TO IN VP S SBAR ADJP UCP NP"),
        "SBAR": in_turn("right", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
        "SBARQ": in_turn("right", "SQ S SINV SBARQ FRAG"),
        "SINV": in_turn("right", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
        "SQ": in_turn("right", "VBZ VBD VBP VB MD VP SQ"),
        "UCP": in_turn("left", ""),
        "VP": in_turn("left", "VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
        "WHADJP": in_turn("right", "CC WRB JJ ADJP"),
        "WHADVP": in_turn("left", "CC WRB"),
        "WHNP": in_turn("right", "WDT WP WP$ WHADJP WHPP WHNP"),
        "WHPP": in_turn("left", "IN TO FW"),
    },
    default=in_turn("right", ""),
)  # fmt: skip


class YamadaMatsumoto(StarScheme):
    """Yamada and Matsumoto's rules."""

    def head(self, label: str, children: tuple[str, ...]) -> int:
        """Return which child heads a phrase."""
        return TABLE.find(label, children)
