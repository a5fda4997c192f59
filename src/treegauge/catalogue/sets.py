"""Named sets of treebanks: the built-in ones, and those that users write in a TOML file.

    [sets]
    germanic = ["da_ddt", "nl_alpino", "sv_talbanken_v2"]
    small = ["germanic", "toy:svo"]

A member is anything that names a treebank, or another set.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treegauge.catalogue.errors import CatalogueError
from treegauge.formats import read_text

BUILT_IN_SETS: Mapping[str, tuple[str, ...]] = {
    # What stands for the ten treebanks of the PASCAL challenge, Gelling et al. (2012).
    "pascal10": (
        "ar_padt",
        "eu_bdt",
        "cs_cac",
        "da_ddt",
        "en_childes",
        "en_ewt",
        "nl_alpino",
        "pt_bosque",
        "sl_ssj",
        "sv_talbanken_v2",
    ),
    # What stands for the 13 treebanks of CoNLL-X, Buchholz and Marsi (2006).
    "conll2006": (
        "ar_padt",
        "bg_btb",
        "zh_gsd",
        "cs_cac",
        "da_ddt",
        "nl_alpino",
        "de_gsd",
        "ja_gsd",
        "pt_bosque",
        "sl_ssj",
        "es_ancora",
        "sv_talbanken_v2",
        "tr_imst",
    ),
    # What stands for the ten treebanks of CoNLL 2007, Nivre et al. (2007). The Basque one is its
    # own; the English one is of the same newspaper.
    "conll2007": (
        "ar_padt",
        "eu_conll2007",
        "ca_ancora",
        "zh_gsd",
        "cs_cac",
        "en_wsj_sample",
        "el_gdt",
        "hu_szeged",
        "it_isdt",
        "tr_imst",
    ),
    # The 14 texts of Gulordava and Merlo (2016): Ancient Greek has Herodotus and the New Testament.
    "word-order14": (
        "pl_lfg",
        "it_isdt",
        "fi_tdt",
        "es_gsd",
        "fr_gsd",
        "en_ewt",
        "bg_btb",
        "la_vulgate",
        "nl_alpino",
        "de_gsd",
        "la_cicero",
        "fa_seraji",
        "grc_proiel",
    ),
    # The 25 languages of Agić, Plank and Søgaard (2017), in the order of their Table 1.
    "tagger25": (
        "bg_btb",
        "cs_cac",
        "da_ddt",
        "de_gsd",
        "el_gdt",
        "en_ewt",
        "es_gsd",
        "eu_bdt",
        "fa_seraji",
        "fi_tdt",
        "fr_gsd",
        "ga_idt",
        "grc_proiel",
        "he_htb",
        "hi_hdtb",
        "hr_set",
        "hu_szeged",
        "it_isdt",
        "la_proiel",
        "nl_alpino",
        "no_bokmaal",
        "pl_lfg",
        "pt_bosque",
        "ro_rrt",
        "sv_talbanken_v2",
    ),
}
"""Sets that everybody has, so that a target can name one."""


def read_sets(path: str | Path) -> dict[str, tuple[str, ...]]:
    """Read the sets of a TOML file; a file without a table `sets` has none.

    Raises
    ------
    CatalogueError
        If the file cannot be read, is no TOML, or a set is not a list of names.
    """
    try:
        content = tomllib.loads(read_text(path, what="TOML", error=CatalogueError))
    except (ValueError, RecursionError) as error:  # not TOML, or brackets without an end
        raise CatalogueError(f"{path}: [sets] not TOML: {error}") from None
    table = content.get("sets", {})
    if not isinstance(table, dict):
        raise _broken(path, "sets", "a table of sets", table)
    for name, members in table.items():
        _check(path, name, members)
    return {name: tuple(members) for name, members in table.items()}


def _check(path: str | Path, name: str, members: Any) -> None:
    if name in BUILT_IN_SETS:
        raise CatalogueError(
            f"{path}: [sets] {name} is a built-in set\n"
            "  results under its name must mean the same everywhere; give yours another name"
        )
    if not isinstance(members, list) or not members:
        raise _broken(path, name, "a list of names", members)
    for member in members:
        if not isinstance(member, str) or not member:
            raise _broken(path, name, "names of treebanks or sets", member)


def _broken(path: str | Path, place: str, expected: str, found: Any) -> CatalogueError:
    return CatalogueError(
        f"{path}: [sets] {place}: expected {expected}, found {found!r}\n"
        '  a set is written as mine = ["en_ewt", "toy:svo"] below [sets]'
    )
