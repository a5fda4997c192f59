"""Scores of submissions: the numbers of `evaluate`, always the same bytes, never mixed."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.unit.challenges.marked_challenge import MARKS, pack_small, write_submission as marked
from tests.unit.challenges.small_challenge import (
    IN_PHASE,
    gold_of,
    make_folder,
    submission_of,
    write_gold,
    write_submission,
)
from treegauge.challenges import ChallengeFolder, score_submissions
from treegauge.challenges.reading_process import (
    RefusedSubmissionError,
    decoded_submission,
    encoded_submission,
    read_apart,
)
from treegauge.challenges.result_files import LONG_TABLE, read_receipts
from treegauge.challenges.site import make_board
from treegauge.metrics import preset
from treegauge.results.long_table import read_long_table

METHODS = ("left-branching", "right-branching", "random")


@pytest.fixture(scope="module")
def place(tmp_path_factory, reads_here) -> Path:
    """A folder with three submissions, all scored."""
    place = tmp_path_factory.mktemp("scored")
    folder = make_folder(place / "small")
    sources = [submission_of(place / name, name, team=f"team {name}") for name in METHODS]
    scoring = score_submissions(folder, sources, now=IN_PHASE)
    assert not scoring.refused
    return place


def results_of(place: Path) -> dict[str, bytes]:
    home = place / "small/results"
    return {
        path.relative_to(home).as_posix(): path.read_bytes() for path in sorted(home.glob("*/*"))
    }


def test_scores_are_those_of_evaluate(place):
    documents = [json.loads(text) for name, text in results_of(place).items() if "json" in name]
    assert {one["submission"]["system"] for one in documents} == set(METHODS)
    for document in documents:
        values = []
        for treebank in ("svo", "sov"):
            gold = gold_of(treebank)
            system = tg.make_system(document["submission"]["system"]).annotate(gold)
            expected = tg.evaluate(
                gold,
                system,
                metrics=["uas", "ned"],
                conventions=preset("pascal"),
                by="edge_length",
                interval_kind="percentile",
            )
            found = document["treebanks"][treebank]["standards"]["gold"]
            for metric in ("uas", "ned"):
                assert found["scores"][metric]["value"] == expected[metric].value
                assert found["scores"][metric]["low"] == expected[metric].low
            cells = found["strata"]["edge_length"]["cells"]
            (of_expected,) = expected.strata[0].systems.values()
            assert [cell["value"] for cell in cells] == [one.value for one in of_expected]
            counts = found["sentences"]
            assert sum(counts["right"]) / sum(counts["whole"]) == found["scores"]["uas"]["value"]
            values.append(found["scores"]["uas"]["value"])
        average = document["averages"]["standards"]["gold"]["uas"]
        assert average["value"] == pytest.approx(fmean(values))
        assert average["low"] <= average["value"] <= average["high"]


def test_the_same_bytes_in_whatever_order(place, tmp_path, reads_here):
    folder = make_folder(tmp_path / "small")
    for name in reversed(METHODS):
        score_submissions(folder, [place / name], now=IN_PHASE)
    assert results_of(tmp_path) == results_of(place)


def test_the_long_table_has_every_number(place):
    (scorer,) = {name.partition("/")[0] for name in results_of(place)}
    table = read_long_table(place / "small/results" / scorer / LONG_TABLE)
    whole = table.filter((table["by"] == "") & (table["metric"] == "uas"))
    assert sorted(whole["treebank"].unique()) == ["sov", "svo"]
    assert len(whole) == 2 * len(METHODS)
    assert set(table["by"].unique()) == {"", "edge_length", "relation"}


def test_changed_gold_never_meets_old_results(place, tmp_path, reads_here):
    shutil.copytree(place / "small", tmp_path / "small")
    before = results_of(tmp_path)
    changed = {name: gold_of(name) for name in ("svo", "sov")}
    head = changed["svo"].head.copy()
    head[0] = 0 if head[0] else 2
    changed["svo"] = changed["svo"].replace(head=head)
    write_gold(tmp_path / "small", changed)
    folder = ChallengeFolder(tmp_path / "small")
    # Old results are not on the new board, and nobody is told that they are.
    board = make_board(folder, IN_PHASE, trials=100)
    assert board.outdated == len(METHODS)
    assert not board.tracks[0].entries
    assert not board.tracks[0].waiting
    score_submissions(folder, [place / "random"], now=IN_PHASE)
    after = results_of(tmp_path)
    assert {name: after[name] for name in before} == before
    assert len({name.partition("/")[0] for name in after}) == 2
    # The submission came when it came first.
    assert len(read_receipts(folder.submissions)) == len(METHODS)


def test_a_wrong_submission_is_refused_and_the_rest_is_scored(place, tmp_path, reads_here):
    folder = make_folder(tmp_path / "small")
    shorter = gold_of("svo")[:-1]
    wrong = write_submission(tmp_path / "wrong", {"svo": shorter})
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    other = submission_of(tmp_path / "other", "random", track="parsing")
    scoring = score_submissions(
        folder, [wrong, nothing, other, tmp_path / "gone", place / "random"], now=IN_PHASE
    )
    assert "sentence" in scoring.refused[str(wrong)]
    assert "system.toml" in scoring.refused[str(nothing)]
    assert "'parsing'" in scoring.refused[str(other)]
    assert "gone" in scoring.refused[str(tmp_path / "gone")]
    assert [one.said("system") for one in scoring.scored] == ["random"]


def test_clusters_are_compared_by_resampled_averages(tmp_path, reads_here):
    folder = make_folder(tmp_path / "small")
    tagged = {}
    for name in ("svo", "sov"):
        gold = gold_of(name)
        tagged[name] = gold.replace(columns={"upos": gold.form.map(lambda form: form[-1])})
    source = write_submission(tmp_path / "ours", tagged, track="pos")
    (scored,) = score_submissions(folder, [source], now=IN_PHASE).scored
    evidence = scored.evidence("many_to_one", ["svo", "sov"])
    assert len(evidence.averages) == 10_000
    average = scored.average("many_to_one")
    assert evidence.observed == average["value"]
    assert abs(evidence.averages.mean() - average["value"]) < 0.05


# ---------------------------------------------------------------------- the reader and gold


def test_the_reader_is_another_process_and_never_gets_gold(tmp_path):
    pack_small(tmp_path)
    folder = ChallengeFolder(tmp_path / "small")
    gold = folder.read_gold()
    assert "GOLDTAG" in list(gold.gold("en").upos)  # or this test tests nothing
    for track, hidden in (("pos", MARKS), ("dependencies", ("GOLDREL", "GOLDMISC", "GOLDDEPS"))):
        sent = pickle.dumps(gold.task(track))
        assert [mark for mark in hidden if mark.encode() in sent] == []
    read = read_apart(marked(tmp_path / "ours"), gold.task("dependencies"))
    assert read.about["team"] == "us"
    assert read.treebanks["en"].head.tolist() == [0, 1, 0, 1, 2, 3, 0, 1]


def test_a_reader_that_takes_too_long_is_ended(tmp_path):
    pack_small(tmp_path)
    task = ChallengeFolder(tmp_path / "small").read_gold().task("dependencies")
    with pytest.raises(RefusedSubmissionError, match=r"more than 0\.01 seconds"):
        read_apart(marked(tmp_path / "ours"), task, seconds=0.01)


@pytest.fixture(scope="module")
def small_task(tmp_path_factory):
    place = tmp_path_factory.mktemp("task")
    pack_small(place)
    task = ChallengeFolder(place / "small").read_gold().task("dependencies")
    return task, encoded_submission(str(marked(place / "ours")), task)


@examples(200)
@given(st.binary(max_size=40))
def test_bytes_of_a_broken_reader_are_refused(small_task, content):
    with pytest.raises(RefusedSubmissionError):
        decoded_submission(content, small_task[0], "ours")


@examples(200)
@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_changed_byte_never_crashes_who_holds_gold(small_task, place, value):
    task, whole = small_task
    at = place % len(whole)
    changed = whole[:at] + bytes([value]) + whole[at + 1 :]
    try:
        read = decoded_submission(changed, task, "ours")
    except RefusedSubmissionError:
        return
    for name, treebank in read.treebanks.items():
        assert treebank.n_words == task.treebanks[name].n_words
        assert treebank.head.min() >= -1
