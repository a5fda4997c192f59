"""Universal tags by a map, and projective trees, for the treebanks of a paper."""

from __future__ import annotations

from pathlib import Path

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.papers.mapped_tags import with_coarse_tags, with_mapped_tags
from treegauge.papers.perplexity.measure import _prepared
from treegauge.papers.perplexity.paper import DerivationPerplexitySettings

WORDS = ((2, "A", "AA"), (0, "B", "BB"), (2, "B", "BB"))
LINES = [f"{i}\tw{i}\t_\t{c}\t{p}\t_\t{head}\tx\t_\t_\n" for i, (head, c, p) in enumerate(WORDS, 1)]


def write_conllx(folder: Path) -> None:
    folder.mkdir(parents=True)
    for part in ("train", "test"):
        (folder / f"{part}.conllx").write_text("".join(LINES) + "\n", encoding="utf-8")


def test_treebanks_without_universal_tags_get_them_from_a_map(tmp_path):
    write_conllx(tmp_path / "data" / "da_conll")
    (tmp_path / "own.map").write_text("BB\tVERB\n", encoding="utf-8")
    said: list[str] = []
    catalogue = Catalogue([tmp_path / "data"])
    mapped, names = with_mapped_tags(
        catalogue, ["da_conll", "toy:svo"], str(tmp_path / "own.map"), said.append
    )
    assert names == ("da_conll", "toy:svo")
    assert list(mapped.open("da_conll:test").upos) == ["X", "VERB", "VERB"]
    assert mapped.resolve("da_conll")[0].iso == catalogue.resolve("da_conll")[0].iso
    assert not catalogue.open("da_conll:test").upos.is_annotated
    assert mapped.open("toy:svo") == catalogue.open("toy:svo")
    assert said == [
        f"da_conll:{part}: X for 1 words that the map lacks: AA (1)" for part in ("train", "test")
    ]


def test_coarse_tags_stand_for_universal_tags_that_are_missing():
    bare = tg.parse("".join(LINES) + "\n", format="conllx")
    parts, are_coarse = with_coarse_tags({"test": bare})
    assert are_coarse
    assert list(parts["test"].upos) == ["A", "B", "B"]
    tagged = {"test": parts["test"]}
    assert with_coarse_tags(tagged) == (tagged, False)


def test_trees_of_perplexity_can_be_made_projective_first():
    # 1 hangs on 3, and 2 between them on the root: 1 moves up to 2, or 2 down.
    crossing = tg.parse("".join(LINES) + "\n", format="conllx").replace(head=[3, 0, 2])
    catalogue = Catalogue(treebanks={"x": {"train": crossing}})
    chosen = DerivationPerplexitySettings(treebanks=("x",), projectivise=True)
    made, coarse = _prepared(chosen, catalogue)
    assert catalogue.open("x:train").head.tolist() == [3, 0, 2]
    assert made.open("x:train").head.tolist() == [2, 0, 2]
    assert coarse == {"x"}
    assert list(made.open("x:train").upos) == ["A", "B", "B"]
    as_it_is, _ = _prepared(DerivationPerplexitySettings(treebanks=("toy:svo",)), catalogue)
    assert as_it_is.open("toy:svo") == catalogue.open("toy:svo")
