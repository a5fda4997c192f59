"""A style is a handful of switches, each of which says which of two words is the head."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from treegauge.rewrite.errors import RewriteError

_FUNCTION_WORD = ("dependent", "head")
_FIRST_OR_LAST = ("first", "last")

SWITCHES = MappingProxyType(
    {
        "adpositions": _FUNCTION_WORD,
        "auxiliaries": _FUNCTION_WORD,
        "copulas": _FUNCTION_WORD,
        "determiners": _FUNCTION_WORD,
        "subordinators": _FUNCTION_WORD,
        "coordination": ("first", "chain", "conjunction", "last"),
        "names": _FIRST_OR_LAST,
        "fixed": _FIRST_OR_LAST,
        "compounds": ("annotated", "first", "last"),
    }
)
"""Every switch with its values; the first is what Universal Dependencies do."""


@dataclass(frozen=True)
class Style:
    """Who is the head, construction by construction; without arguments, as in UD.

    Attributes
    ----------
    adpositions, auxiliaries, copulas, determiners, subordinators : "dependent" or "head"
        The word with the relation `case`, `aux` (also `aux:pass`), `cop`, `det`, `mark`.
    coordination : "first", "chain", "conjunction" or "last"
        All conjuncts on the first one; each on the one before it; all on the last conjunction;
        all on the last conjunct.
    names : "first" or "last"
        The head of names and other flat expressions (`flat`).
    fixed : "first" or "last"
        The head of fixed expressions (`fixed`).
    compounds : "annotated", "first" or "last"
        The head of compounds (`compound` without a subtype, and `compound:nn`), which is not
        the same word in all languages of UD.

    Examples
    --------
    >>> Style.parse("functional,coordination=first").name
    'ud,adpositions=head,auxiliaries=head,copulas=head,subordinators=head'
    >>> Style.parse("prague") == BUNDLES["prague"]
    True
    """

    adpositions: str = "dependent"
    auxiliaries: str = "dependent"
    copulas: str = "dependent"
    determiners: str = "dependent"
    subordinators: str = "dependent"
    coordination: str = "first"
    names: str = "first"
    fixed: str = "first"
    compounds: str = "annotated"

    def __post_init__(self) -> None:
        for name, values in SWITCHES.items():
            value = getattr(self, name)
            if value not in values:
                raise RewriteError(
                    f"{name}={value}: {_hint(value, values)}{name} is {_listed(values)}"
                )

    @classmethod
    def parse(cls, text: str) -> Style:
        """Read a bundle, switches, or a bundle and switches that change it, between commas."""
        style = cls()
        for place, part in enumerate(part.strip() for part in text.split(",")):
            switch, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals and place == 0 and switch in BUNDLES:
                style = BUNDLES[switch]
            elif not equals and switch in BUNDLES:
                raise RewriteError(
                    f"{switch} is a style, which can only be the first in {text!r}; what follows "
                    "are switches such as adpositions=head"
                )
            elif not equals:
                raise RewriteError(
                    f"no style {part!r}: {_hint(part, tuple(BUNDLES))}"
                    f"a style is {_listed(tuple(BUNDLES))}, first, and switches such as "
                    "adpositions=head, all between commas"
                )
            elif switch not in SWITCHES:
                raise RewriteError(
                    f"no switch {switch!r}: {_hint(switch, tuple(SWITCHES))}"
                    f"there are {', '.join(SWITCHES)}"
                )
            else:
                style = replace(style, **{switch: value})
        return style

    @property
    def name(self) -> str:
        """The bundle if it is one, otherwise `ud` and the switches that differ from it."""
        for name, bundle in BUNDLES.items():
            if self == bundle:
                return name
        switched = [
            f"{field.name}={getattr(self, field.name)}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return ",".join(["ud", *switched])


BUNDLES = MappingProxyType(
    {
        "ud": Style(),
        "functional": Style(
            adpositions="head",
            auxiliaries="head",
            copulas="head",
            subordinators="head",
            coordination="chain",
        ),
        # The name that the option sets for Penn brackets have for what UD does anyway.
        "lexical": Style(),
        "prague": Style(
            adpositions="head",
            copulas="head",
            subordinators="head",
            coordination="conjunction",
        ),
        "conll": Style(
            adpositions="head",
            auxiliaries="head",
            copulas="head",
            subordinators="head",
            coordination="chain",
            names="last",
            compounds="last",
        ),
    }
)
"""Styles with a name: after Surface-Syntactic UD, the Prague treebank and CoNLL-2007 English."""


def _listed(values: tuple[str, ...]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}"


def _hint(text: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(text, known, n=2)
    return f"did you mean {', '.join(near)}? " if near else ""
