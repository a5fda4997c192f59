"""Lists of universal rules: which tag may govern which, known before any text is read.

A rule says that words of one category may depend on words of another, such as
Verb -> Noun. Categories are not tags: `Verb` is `VERB` in both universal inventories, but
`Conjunction` is `CONJ` among the 12 tags and in UD version 1, and `CCONJ` in UD version 2.
A list knows what its categories cover, so that one list serves all inventories.

There are four lists: the 13 rules and the 20 English rules of Naseem et al. (2010), their
adaptation to Universal Dependencies by Noji et al. (2016), and the head rules of the parser
UDP, Martínez Alonso et al. (2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.errors import SystemsError
from treegauge.wording import unknown_name

ROOT = "Root"
"""The category that only the artificial root is in."""

Side = Literal["left", "right"]

TAG_SPELLINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"CONJ": ("CONJ", "CCONJ"), "CCONJ": ("CONJ", "CCONJ"), "PUNCT": ("PUNCT", ".")}
)
"""Tags that another inventory or another version of UD spells differently."""


def spellings(tags: Iterable[str]) -> frozenset[str]:
    """Return tags together with what other inventories call them.

    >>> sorted(spellings(["CONJ", "NOUN"]))
    ['CCONJ', 'CONJ', 'NOUN']
    """
    return frozenset(name for tag in tags for name in TAG_SPELLINGS.get(tag, (tag,)))


@dataclass(frozen=True)
class Rule:
    """A dependent's category may depend on a head's; on one side of it alone if one is given."""

    head: str
    dependent: str
    side: Side | None = None
    """Where the dependent stands, seen from its head."""

    def __str__(self) -> str:
        side = f" ({self.side})" if self.side else ""
        return f"{self.head} -> {self.dependent}{side}"


@dataclass(frozen=True)
class RuleList:
    """Rules, and the tags that their categories cover.

    Attributes
    ----------
    categories : mapping from str to a set of str
        A category that is missing here covers the tag of its own name.
    """

    name: str
    rules: tuple[Rule, ...]
    categories: Mapping[str, frozenset[str]]

    def __len__(self) -> int:
        return len(self.rules)

    def covers(self, category: str) -> frozenset[str]:
        """Return the tags in a category."""
        return self.categories.get(category, frozenset({category}))


def rule_matrix(
    rules: RuleList, tags: Sequence[str], *, side: Side | None = None
) -> NDArray[np.bool_]:
    """Return which tags may depend on which.

    Parameters
    ----------
    rules : RuleList
    tags : sequence of str
        The inventory, such as the vocabulary of a tag column; T of them. A tag that no rule
        speaks of is in no rule.
    side : "left" or "right", optional
        Keep to the rules that hold for dependents on this side of the head.

    Returns
    -------
    bool array of T + 1 rows and T columns
        `matrix[head, dependent]` by position in `tags`; the last row, -1, is the root's.

    Examples
    --------
    >>> rule_matrix(find_rules("naseem"), ["NOUN", "VERB"]).astype(int).tolist()
    [[1, 0], [1, 1], [0, 1]]
    """
    matrix = np.zeros((len(tags) + 1, len(tags)), np.bool_)
    for rule in rules.rules:
        if side is not None and rule.side not in (None, side):
            continue
        dependents = np.array([tag in rules.covers(rule.dependent) for tag in tags], np.bool_)
        if rule.head == ROOT:
            matrix[-1] |= dependents
        else:
            heads = np.array([tag in rules.covers(rule.head) for tag in tags], np.bool_)
            matrix[:-1] |= np.outer(heads, dependents)
    return matrix


def find_rules(name: str) -> RuleList:
    """Return a list of rules by name.

    >>> [len(find_rules(name)) for name in RULE_LISTS]
    [13, 20, 13, 14, 24]
    """
    if name not in RULE_LISTS:
        raise SystemsError(unknown_name("list of rules", name, RULE_LISTS))
    return RULE_LISTS[name]


# ---------------------------------------------------------------------- the lists


def _either_side(table: Mapping[str, str]) -> tuple[Rule, ...]:
    """Read a table from heads to the dependents they may have, in words."""
    return tuple(
        Rule(head, dependent)
        for head, dependents in table.items()
        for dependent in dependents.split()
    )


def _directed(text: str) -> tuple[Rule, ...]:
    """Read `MD->VB` and `JJ<-NNS`: the arrow points from the head to its dependent."""
    rules = []
    for rule in text.split():
        if "->" in rule:
            head, dependent = rule.split("->")
            rules.append(Rule(head, dependent, "right"))
        else:
            dependent, head = rule.split("<-")
            rules.append(Rule(head, dependent, "left"))
    return tuple(rules)


def _categories(table: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    return MappingProxyType({name: spellings(tags.split()) for name, tags in table.items()})


_UNIVERSAL = {
    "Verb": "VERB",
    "Auxiliary": "AUX",
    "Noun": "NOUN PROPN",
    "Pronoun": "PRON",
    "Adjective": "ADJ",
    "Adverb": "ADV",
    "Determiner": "DET",
    "Numeral": "NUM",
    "Adposition": "ADP",
    "Conjunction": "CONJ",
}

NASEEM = RuleList(
    "naseem",
    _either_side(
        {
            ROOT: "Auxiliary Verb",
            "Auxiliary": "Verb",
            "Verb": "Noun Pronoun Adverb Verb",
            "Noun": "Adjective Determiner Numeral Noun",
            "Adposition": "Noun",
            "Adjective": "Adverb",
        }
    ),
    _categories(_UNIVERSAL),
)
"""Naseem et al. (2010), table 1. The 12 tags have no auxiliaries apart from verbs, for which
Root -> Verb and Verb -> Verb say the same."""

NASEEM_ENGLISH = RuleList(
    "naseem-english",
    tuple(
        # What the root governs stands on neither side of it.
        Rule(ROOT, rule.dependent) if rule.head == "ROOT" else rule
        for rule in _directed(
            "MD->VB POS<-NN JJ<-NNS NNP<-POS ROOT->MD ROOT->VBD ROOT->VBP ROOT->VBZ TO->VB VBN->IN "
            "NNS<-VBD PRP<-VBD VBD->TO VBD->VBN NNS<-VBP PRP<-VBP VBP->VBN PRP<-VBZ NN<-VBZ "
            "VBZ->VBN"
        )
    ),
    MappingProxyType({}),
)
"""The English rules of Naseem et al. (2010), over tags of the Penn Treebank."""

NOJI = RuleList(
    "noji",
    _either_side(
        {
            ROOT: "Verb Noun",
            "Verb": "Noun Adverb Verb Auxiliary",
            "Noun": "Adjective Determiner Numeral Noun Conjunction Auxiliary",
            "Adjective": "Adverb",
        }
    ),
    _categories({**_UNIVERSAL, "Noun": "NOUN PROPN PRON"}),
)
"""Noji et al. (2016): the rules for the content heads of Universal Dependencies."""

NOJI_ADP = RuleList("noji+adp", (*NOJI.rules, Rule("Noun", "Adposition")), NOJI.categories)
"""The same with the adpositions that UD hangs on nouns."""

UDP = RuleList(
    "udp",
    _either_side(
        {
            "NOUN": "ADP ADJ NOUN NUM DET PROPN CONJ",
            "PROPN": "ADP ADJ NOUN NUM DET PROPN",
            "VERB": "PROPN NOUN PRON AUX ADV VERB SCONJ CONJ",
            "ADJ": "ADV CONJ",
            "ADV": "CONJ",
        }
    ),
    _categories({"CONJ": "CONJ"}),
)
"""Martínez Alonso et al. (2017), with the rules for conjunctions of their program."""

RULE_LISTS: Mapping[str, RuleList] = MappingProxyType(
    {rules.name: rules for rules in (NASEEM, NASEEM_ENGLISH, NOJI, NOJI_ADP, UDP)}
)
"""All lists by name."""
