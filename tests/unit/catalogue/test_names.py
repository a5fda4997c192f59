from __future__ import annotations

import pytest

from treegauge.catalogue.languages import CODES, LANGUAGES
from treegauge.catalogue.names import Reference, name_key, short_name, split_long_name, split_part


@pytest.mark.parametrize(
    ("text", "name", "release", "part"),
    [
        ("en_ewt", "en_ewt", "", None),
        ("en_ewt:dev", "en_ewt", "", "dev"),
        ("en_ewt@2.16", "en_ewt", "2.16", None),
        ("en_ewt@v2.16:train", "en_ewt", "2.16", "train"),
        ("toy:svo", "toy:svo", "", None),
        ("toy:svo:train", "toy:svo", "", "train"),
        # No part is called so: the colon belongs to the name, and nobody will know it.
        ("en_ewt:valid", "en_ewt:valid", "", None),
    ],
)
def test_references(text: str, name: str, release: str, part: str | None) -> None:
    assert Reference.parse(text) == Reference(name, release, part)


def test_parts_are_taken_off_paths_as_well() -> None:
    assert split_part("./data/mine:dev") == ("./data/mine", "dev")
    assert split_part("./data/mine.conllu") == ("./data/mine.conllu", None)


@pytest.mark.parametrize(
    ("long", "halves", "short"),
    [
        ("UD_English-EWT", ("English", "EWT"), "en_ewt"),
        ("UD_Ancient_Greek-PROIEL", ("Ancient Greek", "PROIEL"), "grc_proiel"),
        ("UD_Portuguese-Bosque", ("Portuguese", "Bosque"), "pt_bosque"),
        # Before release 2.2 the first treebank of a language had no name of its own.
        ("UD_English", ("English", ""), "en"),
        ("SUD_English-EWT", ("English", "EWT"), "en_ewt"),
        ("UD_Klingon-Hamlet", ("Klingon", "Hamlet"), None),
        ("en_ewt", None, None),
        ("STUD_English-EWT", None, None),
    ],
)
def test_long_and_short_names(long: str, halves: tuple[str, str] | None, short: str | None) -> None:
    assert split_long_name(long) == halves
    assert short_name(long) == short


def test_spellings_of_one_name() -> None:
    assert name_key("UD_English-EWT") == name_key("ud_english_ewt") == name_key("UD English EWT")
    assert name_key("EN_EWT") == name_key("en-ewt") == "en_ewt"


def test_languages_and_codes_are_one_to_one() -> None:
    assert len(CODES) == len(LANGUAGES) > 100
    assert LANGUAGES["cu"] == "Old Church Slavonic"
    assert all(code.isalpha() and 2 <= len(code) <= 3 for code in LANGUAGES)
