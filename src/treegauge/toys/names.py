"""The toy languages by name; each is a page of TOML in the folder `languages`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from treegauge.toys.errors import ToyError
from treegauge.wording import unknown_name

if TYPE_CHECKING:
    from treegauge.toys.language import ToyLanguage

TOY_PREFIX = "toy:"
"""How the names of toy languages begin."""

_NAMES = ("toy:svo", "toy:sov", "toy:vso", "toy:free")
_INFLECTED = ("noun", "adjective", "determiner", "demonstrative", "pronoun", "verb")


class _Languages(Mapping[str, "ToyLanguage"]):
    """All toy languages, each read when it is first asked for."""

    def __getitem__(self, name: str) -> ToyLanguage:
        if name not in _NAMES:
            raise KeyError(name)
        return _read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


TOY_LANGUAGES: Mapping[str, ToyLanguage] = _Languages()
"""Every toy language by its name."""


def toy_language(name: str) -> ToyLanguage:
    """Return a toy language, or say which names are near.

    >>> toy_language("toy:sov").clause.split()[-1]
    'stop'
    """
    if name not in TOY_LANGUAGES:
        raise ToyError(unknown_name("toy language", name, TOY_LANGUAGES))
    return TOY_LANGUAGES[name]


@cache
def _read(name: str) -> ToyLanguage:
    import tomllib
    from importlib.resources import files

    from treegauge.toys.language import Displacement, ToyLanguage
    from treegauge.toys.morphology import Endings

    page = files("treegauge.toys").joinpath("languages", f"{name.removeprefix(TOY_PREFIX)}.toml")
    content = tomllib.loads(page.read_text("utf-8"))
    endings = {label: Endings(**table) for label, table in content.pop("endings").items()}
    for kind in _INFLECTED:
        content[kind] = tuple(endings[label] for label in content[kind])
    content["displacements"] = tuple(Displacement(**move) for move in content["displacements"])
    content["genders"] = tuple(content["genders"])
    return ToyLanguage(**content)
