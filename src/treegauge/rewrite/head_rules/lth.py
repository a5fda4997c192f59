"""Head rules after the LTH converter (Johansson and Nugues 2007), with its options.

The table is that of Yamada and Matsumoto but for the rows below: function words are heads or not,
as the options say; a clause without a verb is headed by its predicate; the first of several noun
phrases is the head, so that appositions hang on what they explain. Coordination is not left to
the table (`coordination.py`).

What the original does and this one does not: phrases stay where they stand, so that all trees are
projective (the original hangs moved phrases on the word that they were moved from), and tokens are
not split at slashes or hyphens.

References
----------
Richard Johansson and Pierre Nugues (2007). Extended Constituent-to-Dependency Conversion for
English. NODALIDA.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treegauge.formats.brackets import Node, Phrase
from treegauge.rewrite.head_rules.arrangement import Arrangement
from treegauge.rewrite.head_rules.coordination import (
    CONJUNCTIONS,
    conjuncts_of,
    coordinated,
    join_modifiers,
)
from treegauge.rewrite.head_rules.labelling import Labelling
from treegauge.rewrite.head_rules.options import OPTION_SETS, LthOptions
from treegauge.rewrite.head_rules.tables import HeadTable, Rule, any_of, in_turn
from treegauge.rewrite.head_rules.traversal import phrases_bottom_up
from treegauge.rewrite.head_rules.yamada_matsumoto import TABLE as YAMADA_MATSUMOTO

_PREDICATE = "*-PRD"
"""How the table names a child with the function tag PRD, whatever its label."""

_WITH_PREDICATES = frozenset({"S", "SINV", "SQ", "VP"})
_WH = "WHNP WHPP WHADVP WHADJP"
_INFINITE = frozenset({"TO", "VB", "VBG", "VBN"})


class Lth:
    """The rules under one set of options."""

    def __init__(self, options: LthOptions | str = OPTION_SETS["standard"]) -> None:
        self.options = LthOptions.parse(options) if isinstance(options, str) else options
        self.labelling = Labelling(
            adverbials=self.options.adverbials == "fine",
            nominals=self.options.nominals == "fine",
            object_predicates=self.options.small_clauses == "split",
        )
        self._table = table(self.options)
        self._arranged: dict[tuple[str, tuple[str, ...]], Arrangement] = {}

    def prepare(self, root: Phrase) -> Phrase:
        """Split small clauses, if the options say so."""
        return with_split_clauses(root) if self.options.small_clauses == "split" else root

    def arrange(self, phrase: Phrase) -> Arrangement:
        """Choose the head of a phrase, and arrange what is coordinated in it."""
        has_predicates = phrase.label in _WITH_PREDICATES
        labels = tuple(
            [
                _PREDICATE
                if has_predicates and isinstance(child, Phrase) and "PRD" in child.functions
                else child.label
                for child in phrase.children
            ]
        )
        key = phrase.label, labels
        if key not in self._arranged:
            self._arranged[key] = self._arrange(phrase.label, labels)
        return self._arranged[key]

    def _arrange(self, label: str, labels: tuple[str, ...]) -> Arrangement:
        head = self._table.find(label, labels)
        if CONJUNCTIONS.isdisjoint(labels):
            return Arrangement.star(head, len(labels))
        conjuncts = conjuncts_of(label, labels, head)
        style = self.options.coordination
        arrangement = (
            coordinated(labels, conjuncts, style)
            if conjuncts
            else Arrangement.star(head, len(labels))
        )
        return join_modifiers(arrangement, labels, style)


def table(options: LthOptions) -> HeadTable:
    """Return the table of head rules for some options."""

    def chosen(switch: str, labels: str) -> str:
        return labels if getattr(options, switch) == "head" else ""

    verbs = "VBD VBN MD VBZ VB VBG VBP"
    finite = "VBZ VBD VBP VB MD"
    if options.auxiliaries == "head":
        verb_phrase, inverted = f"{verbs} VP", f"{finite} VP"
    else:
        verb_phrase, inverted = f"VP {verbs}", f"VP {finite}"
    clauses = "S SQ SINV SBAR FRAG"
    subordinate = f"{chosen('wh', _WH)} {chosen('subordinators', 'IN DT')} {clauses} IN DT {_WH}"
    prepositional = (
        in_turn("left", "IN TO VBG VBN RP FW")
        if options.prepositions == "head"
        else (
            *any_of("right", "NP NX NAC WHNP S SBAR SBARQ UCP QP NN NNS NNP NNPS CD PRP DT"),
            *in_turn("right", "PP ADJP ADVP JJ RB IN TO VBG VBN RP FW"),
        )
    )
    noun_phrase: Rule = (
        *any_of("right", chosen("possessives", "POS")),
        *any_of("right", "NN NNS NNP NNPS NX NML"),
        *any_of("left", "NP"),
        *in_turn("right", "JJR $ CD JJ JJS RB QP"),
    )
    return HeadTable(
        {
            **YAMADA_MATSUMOTO.rules,
            "FRAG": (
                *any_of("left", "NN NNS NNP NNPS NP"),
                *any_of("left", f"{_WH} WDT WP WRB"),
                *any_of("left", "SBAR"),
                *any_of("left", "PP IN"),
                *any_of("left", "ADJP JJ"),
                *in_turn("left", "ADVP RB"),
            ),
            "NP": noun_phrase,
            "NX": noun_phrase,
            "NML": noun_phrase,
            "NAC": noun_phrase,
            "PP": prepositional,
            "WHPP": prepositional,
            "PRN": (
                *any_of("left", "S SBAR SINV SQ SBARQ"),
                *any_of("left", "NN NNS NNP NNPS NP NX"),
                *any_of("left", f"{_WH} WDT WP WRB"),
                *any_of("left", "PP IN"),
                *any_of("left", "ADJP JJ"),
                *in_turn("left", "ADVP RB"),
            ),
            "QP": in_turn("right", "$ NNS NN CD QP JJ JJR JJS IN RB DT"),
            "S": in_turn("right", f"VP {_PREDICATE} S SBAR ADJP UCP NP"),
            "SBAR": in_turn("right", subordinate),
            "SINV": in_turn("right", f"{inverted} {_PREDICATE} S SINV ADJP NP"),
            "SQ": in_turn("right", f"{inverted} {_PREDICATE} SQ"),
            "VP": in_turn(
                "left",
                f"{chosen('infinitives', 'TO')} {verb_phrase} {_PREDICATE} ADJP NN NNS NP",
            ),
            "WHNP": (
                *any_of("right", "NN NNS NNP NNPS NX"),
                *in_turn("right", "WDT WP WP$ WHADJP WHPP WHNP"),
            ),
            "X": in_turn("left", ""),
        },
        default=YAMADA_MATSUMOTO.default,
    )


def with_split_clauses(root: Phrase) -> Phrase:
    """Return a tree in which small and infinite clauses are part of the verb phrase above.

    (VP consider (S (NP-SBJ him) (NP-PRD a fool))): *him* becomes an object of *consider*, and
    *fool* an object predicate. A clause with a finite verb, or with a function, stays whole.
    """
    changed: dict[int, Phrase] = {}
    for phrase in phrases_bottom_up(root):
        children: list[Node] = []
        for child in phrase.children:
            inside = changed.get(id(child), child) if isinstance(child, Phrase) else child
            children += _split(inside) if phrase.label == "VP" else [inside]
        is_same = len(children) == len(phrase.children) and all(
            new is old for new, old in zip(children, phrase.children, strict=True)
        )
        if not is_same:
            changed[id(phrase)] = replace(phrase, children=tuple(children))
    return changed.get(id(root), root)


def _split(clause: Node) -> list[Node]:
    """Return the parts of a small or infinite clause, or the clause itself if it is none."""
    if not isinstance(clause, Phrase) or clause.label != "S" or clause.functions:
        return [clause]
    subject = _only(clause, lambda child: "SBJ" in child.functions)
    verbs = _only(clause, lambda child: child.label == "VP")
    predicate = _only(clause, lambda child: "PRD" in child.functions) if verbs is None else verbs
    if predicate is None or (verbs is not None and verbs.children[0].label not in _INFINITE):
        return [clause]
    if subject is None:
        return [replace(clause, functions=("OPRD",))] if verbs is None else [clause]
    roles = {id(subject): ("OBJ",), id(predicate): ("OPRD",)}
    return [
        replace(child, functions=roles[id(child)])
        if isinstance(child, Phrase) and id(child) in roles
        else child
        for child in clause.children
    ]


def _only(clause: Phrase, is_wanted: Callable[[Phrase], bool]) -> Phrase | None:
    """Return the one phrase in a clause that is wanted, None if there is not exactly one."""
    phrases = [child for child in clause.children if isinstance(child, Phrase) and is_wanted(child)]
    return phrases[0] if len(phrases) == 1 else None
