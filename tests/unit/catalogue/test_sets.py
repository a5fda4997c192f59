from __future__ import annotations

from pathlib import Path

import pytest

from treegauge.catalogue import BUILT_IN_SETS, CatalogueError, read_sets


def test_pascal10() -> None:
    # Results were published under this name: whoever changes it needs another one.
    assert ", ".join(BUILT_IN_SETS["pascal10"]) == (
        "ar_padt, eu_bdt, cs_cac, da_ddt, en_childes, en_ewt, nl_alpino, pt_bosque, sl_ssj, "
        "sv_talbanken_v2"
    )


def test_sets_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[sets]\nmine = ["en_ewt", "toy:svo"]\n[report]\ncolour = "red"\n')
    assert read_sets(path) == {"mine": ("en_ewt", "toy:svo")}


def test_file_without_sets(tmp_path: Path) -> None:
    path = tmp_path / "treegauge.toml"
    path.write_text("")
    assert read_sets(path) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sets = 3", "sets: expected a table of sets, found 3"),
        ("[sets]\nmine = 'en_ewt'", "mine: expected a list of names, found 'en_ewt'"),
        ("[sets]\nmine = []", r"mine: expected a list of names, found \[\]"),
        ("[sets]\nmine = ['en_ewt', 3]", "mine: expected names of treebanks or sets, found 3"),
        ("[sets]\nmine = ['']", "mine: expected names of treebanks or sets, found ''"),
        ("[sets]\npascal10 = ['en_ewt']", "pascal10 is a built-in set"),
        ("[sets\nmine = ['en_ewt']", "not TOML: .*line 1"),
    ],
)
def test_broken_sets(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(CatalogueError, match=message) as raised:
        read_sets(path)
    assert str(raised.value).startswith(f"{path}: [sets]")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"none.toml: cannot be read: no such file"):
        read_sets(tmp_path / "none.toml")
