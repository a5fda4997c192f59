"""The toy languages by name."""

from __future__ import annotations

from treegauge.toys.errors import ToyError
from treegauge.toys.free import FREE
from treegauge.toys.language import ToyLanguage
from treegauge.toys.sov import SOV
from treegauge.toys.svo import SVO
from treegauge.toys.vso import VSO
from treegauge.wording import unknown_name

TOY_PREFIX = "toy:"
"""How the names of toy languages begin."""

TOY_LANGUAGES = {language.name: language for language in (SVO, SOV, VSO, FREE)}
"""Every toy language by its name."""


def toy_language(name: str) -> ToyLanguage:
    """Return a toy language, or say which names are near.

    >>> toy_language("toy:sov").clause.split()[-1]
    'stop'
    """
    if name not in TOY_LANGUAGES:
        raise ToyError(unknown_name("toy language", name, TOY_LANGUAGES))
    return TOY_LANGUAGES[name]
