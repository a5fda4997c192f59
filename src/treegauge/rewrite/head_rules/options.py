"""The choices of the LTH conversion, and the sets of choices that have a name."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from treegauge.rewrite.errors import RewriteError

_FUNCTION_WORD = ("head", "dependent")

SWITCHES = MappingProxyType(
    {
        "prepositions": _FUNCTION_WORD,
        "subordinators": _FUNCTION_WORD,
        "infinitives": _FUNCTION_WORD,
        "auxiliaries": _FUNCTION_WORD,
        "possessives": _FUNCTION_WORD,
        "wh": _FUNCTION_WORD,
        "coordination": ("chain", "conjunction", "first"),
        "small_clauses": ("split", "whole"),
        "adverbials": ("fine", "plain"),
        "nominals": ("fine", "plain"),
    }
)
"""Every switch with its values."""


@dataclass(frozen=True)
class LthOptions:
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

    prepositions: str = "head"
    subordinators: str = "dependent"
    infinitives: str = "dependent"
    auxiliaries: str = "head"
    possessives: str = "dependent"
    wh: str = "dependent"
    coordination: str = "first"
    small_clauses: str = "whole"
    adverbials: str = "fine"
    nominals: str = "fine"

    def __post_init__(self) -> None:
        for field in fields(self):
            value, values = getattr(self, field.name), SWITCHES[field.name]
            if value not in values:
                raise RewriteError(f"{field.name}={value}: {field.name} is {' or '.join(values)}")

    @classmethod
    def parse(cls, text: str) -> LthOptions:
        """Read a set, or switches, or a set and switches that change it, between commas."""
        options = cls()
        for place, part in enumerate(text.split(",")):
            switch, equals, value = (piece.strip() for piece in part.partition("="))
            if equals and switch in SWITCHES:
                options = replace(options, **{switch: value})
            elif not equals and not place and switch in OPTION_SETS:
                options = OPTION_SETS[switch]
            else:
                known = [*SWITCHES] if equals else [*OPTION_SETS]
                near = difflib.get_close_matches(switch, known, n=2)
                hint = f"did you mean {', '.join(near)}? " if near else ""
                raise RewriteError(
                    f"no option {switch!r}: {hint}there are the sets {', '.join(OPTION_SETS)}, "
                    f"and the switches {', '.join(SWITCHES)}"
                )
        return options


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
