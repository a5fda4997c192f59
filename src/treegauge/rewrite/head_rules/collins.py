"""The head rules of Collins (1999, appendix A).

They go back to Magerman (1995). A phrase has one list of labels, looked for one after the other
from one side; noun phrases have rules of their own. In a coordination the head moves from behind
the conjunction to what stands before it, so the first of two conjuncts is the head.

Collins does not mention `NX`, nor labels of later treebanks: `NX` and `NML` are treated as noun
phrases here, all others take their leftmost child.

References
----------
Michael Collins (1999). Head-Driven Statistical Models for Natural Language Parsing. PhD thesis,
University of Pennsylvania.
"""

from __future__ import annotations

from treegauge.rewrite.head_rules.arrangement import StarScheme
from treegauge.rewrite.head_rules.tables import (
    PUNCTUATION,
    HeadTable,
    any_of,
    in_turn,
)

_NOUN_PHRASE = (
    *any_of("right", "NN NNP NNPS NNS NX POS JJR"),
    *any_of("left", "NP"),
    *any_of("right", "$ ADJP PRN"),
    *any_of("right", "CD"),
    *any_of("right", "JJ JJS RB QP"),
    *in_turn("right", ""),
)

TABLE = HeadTable(
    {
        "ADJP": in_turn(
            "left",
            "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
        ),
        "ADVP": in_turn("right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
        "CONJP": in_turn("right", "CC RB IN"),
        "FRAG": in_turn("right", ""),
        "INTJ": in_turn("left", ""),
        "LST": in_turn("right", "LS :"),
        "NAC": in_turn(
            "left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"
        ),
        "NP": _NOUN_PHRASE,
        "NX": _NOUN_PHRASE,
        "NML": _NOUN_PHRASE,
        "PP": in_turn("right", "IN TO VBG VBN RP FW"),
        "PRN": in_turn("left", ""),
        "PRT": in_turn("right", "RP"),
        "QP": in_turn("left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
        "RRC": in_turn("right", "VP NP ADVP ADJP PP"),
        "S": in_turn("left", "TO IN VP S SBAR ADJP UCP NP"),
        "SBAR": in_turn("left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
        "SBARQ": in_turn("left", "SQ S SINV SBARQ FRAG"),
        "SINV": in_turn("left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
        "SQ": in_turn("left", "VBZ VBD VBP VB MD VP SQ"),
        "UCP": in_turn("right", ""),
        "VP": in_turn("left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
        "WHADJP": in_turn("left", "CC WRB JJ ADJP"),
        "WHADVP": in_turn("right", "CC WRB"),
        "WHNP": in_turn("left", "WDT WP WP$ WHADJP WHPP WHNP"),
        "WHPP": in_turn("right", "IN TO FW"),
    },
    default=in_turn("left", ""),
)  # fmt: skip


class Collins(StarScheme):
    """Collins's rules."""

    def head(self, label: str, children: tuple[str, ...]) -> int:
        """Return which child heads a phrase."""
        return before_conjunction(children, TABLE.find(label, children))


def before_conjunction(labels: tuple[str, ...], head: int) -> int:
    """Return the conjunct before the conjunction that a head stands behind, if it does so.

    Collins counts children after punctuation was raised out of the way, so it is passed over.

    >>> before_conjunction(("NP", ",", "CC", "NP"), 3), before_conjunction(("CC", "NP"), 1)
    (0, 1)
    """
    before = [place for place in range(head) if labels[place] not in PUNCTUATION]
    if len(before) >= 2 and labels[before[-1]] == "CC":
        return before[-2]
    return head
