"""The toy languages by name."""

from __future__ import annotations

from treegauge.catalogue.errors import CatalogueError
from treegauge.catalogue.names import did_you_mean
from treegauge.catalogue.toy.free import FREE
from treegauge.catalogue.toy.language import ToyLanguage
from treegauge.catalogue.toy.sov import SOV
from treegauge.catalogue.toy.svo import SVO
from treegauge.catalogue.toy.vso import VSO

TOY_LANGUAGES = {language.name: language for language in (SVO, SOV, VSO, FREE)}
"""Every toy language by its name."""


def toy_language(name: str) -> ToyLanguage:
    """Return a toy language, or say which names are near.

    >>> toy_language("toy:sov").clause.split()[-1]
    'stop'
    """
    if name not in TOY_LANGUAGES:
        raise CatalogueError(
            f"unknown toy language {name!r}{did_you_mean(name, TOY_LANGUAGES)}\n"
            f"  there are {', '.join(TOY_LANGUAGES)}"
        )
    return TOY_LANGUAGES[name]
