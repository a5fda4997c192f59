"""A style is a handful of switches, each of which says which of two words is the head."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from treegauge.rewrite.errors import RewriteError
from treegauge.settings import Settings, parse_preset

FunctionWord = Literal["dependent", "head"]
FirstOrLast = Literal["first", "last"]


@dataclass(frozen=True)
class Style(Settings):
    """An annotation style: which word is the head, per construction. The default is UD.

    Attributes
    ----------
    adpositions, auxiliaries, copulas, determiners, subordinators : "dependent" or "head"
        The word with the relation `case`, `aux` (also `aux:pass`), `cop`, `det`, `mark`.
    coordination : "first", "chain", "conjunction" or "last"
        All conjuncts depend on the first one; each on the one before it; all on the last
        conjunction; all on the last conjunct.
    names : "first" or "last"
        The head of names and other flat expressions (`flat`).
    fixed : "first" or "last"
        The head of fixed expressions (`fixed`).
    compounds : "annotated", "first" or "last"
        The head of compounds (`compound` without a subtype, and `compound:nn`), which differs
        between the languages of UD.

    Raises
    ------
    RewriteError
        If a value does not fit.

    Examples
    --------
    >>> Style.parse("functional,coordination=first").name
    'ud,adpositions=head,auxiliaries=head,copulas=head,subordinators=head'
    >>> Style.parse("prague") == BUNDLES["prague"]
    True
    """

    adpositions: FunctionWord = "dependent"
    auxiliaries: FunctionWord = "dependent"
    copulas: FunctionWord = "dependent"
    determiners: FunctionWord = "dependent"
    subordinators: FunctionWord = "dependent"
    coordination: Literal["first", "chain", "conjunction", "last"] = "first"
    names: FirstOrLast = "first"
    fixed: FirstOrLast = "first"
    compounds: Literal["annotated", "first", "last"] = "annotated"

    def __post_init__(self) -> None:
        self.check(place="style", error=RewriteError)

    @classmethod
    def parse(cls, text: str) -> Style:
        """Return the style that a text describes.

        Parameters
        ----------
        text : str
            A style of `BUNDLES`, changes of UD, or a style and changes of it, separated by commas:
            `prague`, `names=last`, `functional,coordination=first`.

        Returns
        -------
        Style
            The style.

        Raises
        ------
        RewriteError
            If the style or a setting does not exist, or a value does not fit.
        """
        return parse_preset(text, BUNDLES, noun="style", place="style", error=RewriteError)

    @property
    def name(self) -> str:
        """The name of the style if it has one, otherwise `ud` and what differs from it."""
        bundles = (name for name, bundle in BUNDLES.items() if self == bundle)
        return next(bundles, f"ud,{self.changes()}")


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
