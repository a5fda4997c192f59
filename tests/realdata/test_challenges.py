"""Challenges on real treebanks: blind packs, and packs that licensees rebuild."""

from __future__ import annotations

import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.challenges import (
    ChallengeFolder,
    fill,
    new_challenge,
    pack_challenge,
    read_pack,
    read_submission,
    task_of_pack,
)
from treegauge.challenges.packs import write_zip

pytestmark = pytest.mark.realdata

TREEBANKS = ("da_ddt", "tr_imst")


def test_packs_of_real_treebanks_are_blind_and_can_be_rebuilt(shared, tmp_path):
    catalogue = Catalogue([shared / "treebanks"])
    new_challenge(tmp_path / "real", "ud", TREEBANKS, catalogue)
    pack_challenge(ChallengeFolder(tmp_path / "real"), tmp_path / "packs", catalogue)
    pack = read_pack(tmp_path / "packs/real-parsing-test.zip", "test")
    task = task_of_pack(pack)
    for name in TREEBANKS:
        path = shared / "treebanks" / name / "test.conllu.xz"
        gold = tg.read(path, findings=tg.Findings())
        blind = task.treebanks[name]
        assert list(blind.form) == list(gold.form)
        assert list(blind.upos) == list(gold.upos)
        assert not blind.has_heads
        assert not len(blind.side_lines)
        for column in ("deprel", "misc", "deps"):
            assert not blind.columns[column].is_annotated
    assert not list(read_submission(tmp_path / "packs/real-parsing-example.zip", task).findings)

    about = tmp_path / "real/challenge.toml"
    about.write_text(about.read_text().replace("redistribute = true", "redistribute = false"))
    pack_challenge(ChallengeFolder(tmp_path / "real"), tmp_path / "licensed", catalogue)
    licensed = read_pack(tmp_path / "licensed/real-parsing-test.zip", "test")
    filled = fill(licensed, shared / "treebanks")
    assert {name: filled[name] for name in pack.names} == {n: pack.read(n) for n in pack.names}
    write_zip(tmp_path / "filled.zip", filled)
    assert task_of_pack(read_pack(tmp_path / "filled.zip")).word_ids == task.word_ids
