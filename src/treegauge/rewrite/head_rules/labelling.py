"""Relations between words, told from function tags and categories.

The labels are those that Johansson and Nugues (2007) made for English and that the shared tasks of
2007 and 2008 took over. A relation belongs to a child of a phrase and the child that heads it:
first come the function tags of the child (`SBJ`, `TMP` …), then its category and the phrase around
it (a noun phrase in a verb phrase without any tag is an object).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treegauge.formats.brackets import Node, Phrase, Trace
from treegauge.rewrite.head_rules.tables import PUNCTUATION, category

ROOT = "ROOT"

_GRAMMATICAL = {
    "SBJ": "SBJ",
    "OBJ": "OBJ",  # not a tag of the treebank: the subject of a small clause that was split
    "OPRD": "OPRD",  # likewise, its predicate
    "LGS": "LGS",
    "PRD": "PRD",
    "VOC": "VOC",
}
_ADVERBIAL = frozenset({"ADV", "TMP", "LOC", "DIR", "MNR", "PRP", "EXT", "DTV", "BNF", "PUT"})

_CLAUSES = frozenset({"S", "SBAR", "SINV", "SQ", "SBARQ"})
_WH = frozenset({"WHNP", "WHPP", "WHADVP", "WHADJP"})
_VERBAL = frozenset({"VP", "RRC", "FRAG", *_CLAUSES})
_NOMINAL = frozenset({"NP", "NX", "NML", "NAC", "WHNP", "QP"})
_ADJECTIVAL = frozenset({"ADJP", "ADVP", "WHADJP", "WHADVP", "PRT", "CONJP"})
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "TO", "AUX", "AUXG"})
_PREPOSITIONS = frozenset({"IN", "TO", "VBG", "VBN", "RP", "FW"})
_CONJUNCTIONS = frozenset({"CC", "CONJP"})
_NAMES = frozenset({"NNP", "NNPS"})
_TITLES = frozenset({"Mr.", "Mrs.", "Ms.", "Miss", "Dr.", "Prof.", "Sir"})


@dataclass(frozen=True)
class Labelling:
    """How fine relations are.

    Attributes
    ----------
    adverbials : bool
        `LOC`, `TMP` and so on, and `ADV` for what has no tag; otherwise `ADV` for what has a tag
        and `VMOD` for what has none.
    nominals : bool
        `NAME`, `TITLE`, `SUFFIX` and `APPO`; otherwise all of them are `NMOD`.
    object_predicates : bool
        `OPRD` for infinitives without a subject (wants *to go*); otherwise they are `OBJ`.
    """

    adverbials: bool = True
    nominals: bool = True
    object_predicates: bool = False

    def relation(self, phrase: Phrase, head: int, child: int, traces: Mapping[int, Trace]) -> str:
        """Return the relation of a child of a phrase to the child that heads the phrase."""
        node = phrase.children[child]
        label = category(node.label)
        if label in PUNCTUATION:
            return "P"
        if label == "PRN":
            return "PRN"
        if label in _CONJUNCTIONS:
            before = [sister.label for sister in phrase.children[:child]]
            return "DEP" if PUNCTUATION.issuperset(before) else "CC"
        if phrase.label in {"PP", "WHPP"} and _is_complement(phrase, head, child):
            return "PMOD"
        if isinstance(node, Phrase):
            if tagged := self._by_functions(_functions(node)):
                return tagged
            moved = "TPC" in node.functions or label.startswith("WH")
            if moved and node.index in traces:
                return self._by_trace(traces[node.index])
        if _is_coordinated(phrase, head, child):
            return "COORD"
        if phrase.label in _NOMINAL:
            return self._in_noun_phrase(phrase, head, child)
        if phrase.label in {"PP", "WHPP"}:
            return self._adverbial
        if phrase.label in _VERBAL:
            return self._in_clause(phrase, head, child)
        return "AMOD" if phrase.label in _ADJECTIVAL else "DEP"

    @property
    def _adverbial(self) -> str:
        return "ADV" if self.adverbials else "VMOD"

    def _by_functions(self, functions: tuple[str, ...]) -> str:
        for function in functions:
            if function in _GRAMMATICAL:
                return _GRAMMATICAL[function]
        for function in functions:
            if function in _ADVERBIAL:
                return function if self.adverbials else "ADV"
        return ""

    def _by_trace(self, trace: Trace) -> str:
        """Return what a moved phrase would be where it came from."""
        if tagged := self._by_functions(trace.functions):
            return tagged
        if trace.parent == "VP" and trace.label in _NOMINAL | _CLAUSES:
            return "OBJ"
        return "DEP" if trace.parent in {"PP", "WHPP"} else self._adverbial

    def _in_noun_phrase(self, phrase: Phrase, head: int, child: int) -> str:
        if not self.nominals:
            return "NMOD"
        node, governor = phrase.children[child], phrase.children[head]
        if node.label == "POS":
            return "SUFFIX"
        if not isinstance(node, Phrase):
            is_name = node.label in _NAMES and governor.label in _NAMES and child < head
            if is_name:
                return "TITLE" if node.form in _TITLES else "NAME"
            return "NMOD"
        before = phrase.children[child - 1].label if child else ""
        is_aside = before in {",", ":", "-LRB-"} and head < child
        return "APPO" if is_aside and node.label == governor.label == "NP" else "NMOD"

    def _in_clause(self, phrase: Phrase, head: int, child: int) -> str:
        node, governor = phrase.children[child], phrase.children[head]
        label, above = category(node.label), category(governor.label)
        if phrase.label == "SBAR" and (
            label in {"IN", "DT"} or (above in {"IN", "DT"} | _WH and label in _CLAUSES | {"FRAG"})
        ):
            return "SUB"
        if label == "VP" and above in _VERBS:
            return "IM" if above == "TO" else "VC"
        if label in _VERBS and above == "VP":
            return "IM" if label == "TO" else "VC"
        if label == "PRT" or (label == "RP" and above in _VERBS):
            return "PRT"
        if above not in _VERBS and phrase.label == "VP":
            return "DEP"
        if label in _NOMINAL:
            is_object = phrase.label in {"VP", "SQ", "SINV"}
            return "OBJ" if is_object else "SBJ" if phrase.label == "S" and child < head else "DEP"
        if label in _CLAUSES:
            if phrase.label not in {"VP", "SINV"}:
                return self._adverbial
            return "OPRD" if self.object_predicates and _is_infinitive(node) else "OBJ"
        return self._adverbial


def _functions(phrase: Phrase) -> tuple[str, ...]:
    """Return the function tags of a phrase, and that of the logical subject inside a by-phrase."""
    if phrase.label == "PP":
        for child in phrase.children:
            if isinstance(child, Phrase) and "LGS" in child.functions:
                return ("LGS", *phrase.functions)
    return phrase.functions


def _is_complement(phrase: Phrase, head: int, child: int) -> bool:
    """Return whether two children are a preposition and its complement, whichever is the head."""
    first, second = sorted((head, child))
    preposition, complement = phrase.children[first], phrase.children[second]
    return (
        not isinstance(preposition, Phrase)
        and isinstance(complement, Phrase)
        and category(preposition.label) in _PREPOSITIONS
    )


def _is_infinitive(node: Node) -> bool:
    """Return whether a clause begins with `to`, without a subject of its own."""
    if not isinstance(node, Phrase) or node.label != "S":
        return False
    first = next((child for child in node.children if isinstance(child, Phrase)), None)
    return first is not None and first.label == "VP" and first.children[0].label == "TO"


def _is_coordinated(phrase: Phrase, head: int, child: int) -> bool:
    """Return whether two children are of one kind, with a conjunction among those of the kind."""
    labels = [category(node.label) for node in phrase.children]
    kind = _VERBS if labels[head] in _VERBS else {labels[head]}
    if labels[child] not in kind:
        return False
    alike = [place for place, label in enumerate(labels) if label in kind]
    return not _CONJUNCTIONS.isdisjoint(labels[alike[0] : alike[-1]])
