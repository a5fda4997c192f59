"""The choices of the LTH conversion, and the sets of choices that have a name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from treegauge.rewrite.errors import RewriteError
from treegauge.settings import Settings, parse_preset

FunctionWord = Literal["head", "dependent"]
Fineness = Literal["fine", "plain"]


@dataclass(frozen=True)
class LthOptions(Settings):
    """Who is the head, and how fine relations are; without arguments, the set `standard`.

    Attributes
    ----------
    prepositions, subordinators, infinitives, auxiliaries, possessives, wh : "head" or "dependent"
        The preposition of a prepositional phrase; the conjunction of a subordinate clause; the
        `to` of an infinitive; auxiliaries and modals; the `'s` of a possessive; the interrogative
        or relative phrase of a clause.
    coordination : "chain", "conjunction" or "first"
        Each conjunct on the conjunction before it; all on the last conjunction; all on the first
        conjunct.
    small_clauses : "split" or "whole"
        Whether the subject of a small or infinite clause becomes an object of the verb above.
    adverbials, nominals : "fine" or "plain"
        See `Labelling`.

    Examples
    --------
    >>> LthOptions.parse("standard,prepositions=dependent").prepositions
    'dependent'
    >>> LthOptions.parse("lexical") == OPTION_SETS["lexical"]
    True
    """

    prepositions: FunctionWord = "head"
    subordinators: FunctionWord = "dependent"
    infinitives: FunctionWord = "dependent"
    auxiliaries: FunctionWord = "head"
    possessives: FunctionWord = "dependent"
    wh: FunctionWord = "dependent"
    coordination: Literal["chain", "conjunction", "first"] = "first"
    small_clauses: Literal["split", "whole"] = "whole"
    adverbials: Fineness = "fine"
    nominals: Fineness = "fine"

    def __post_init__(self) -> None:
        self.check(place="lth", error=RewriteError)

    @classmethod
    def parse(cls, text: str) -> LthOptions:
        """Read a set, or switches, or a set and switches that change it, between commas."""
        return parse_preset(
            text, OPTION_SETS, noun="set of options", place="lth", error=RewriteError
        )


_CONLL2007 = LthOptions(coordination="conjunction", adverbials="plain", nominals="plain")

OPTION_SETS = MappingProxyType(
    {
        "standard": LthOptions(),
        "oldLTH": LthOptions(prepositions="dependent", nominals="plain"),
        "conll2007": _CONLL2007,
        "functional": replace(
            _CONLL2007, subordinators="head", infinitives="head", possessives="head", wh="head"
        ),
        "lexical": replace(_CONLL2007, prepositions="dependent"),
        "conll2008": LthOptions(
            subordinators="head", infinitives="head", coordination="chain", small_clauses="split"
        ),
    }
)
"""The five conversions of the Penn Treebank that the PASCAL challenge scored against, and one more.

What the challenge's `standard` is, its figures say (Gelling et al. 2012, Table 5): right-branching
trees get 20.4 against it and 20.3 against `conll2007`, so neither subordinators nor `to` are likely
heads in it, as they are in the later `conll2008`; and its relations include both `COORD` and `CC`.
`functional` and `lexical` are `conll2007` with all, and with none, of the function words as heads.
"""
