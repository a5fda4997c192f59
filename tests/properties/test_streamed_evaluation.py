"""Laws of streamed evaluation: the numbers of the whole, however files are cut into parts."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

import treegauge as tg
from tests import strategies
from treegauge import spilling
from treegauge.evaluation import Resampling, evaluate_streams
from treegauge.formats import Findings, TreebankStream, to_text
from treegauge.metrics import Conventions
from treegauge.significance import spilled_tables
from treegauge.strata import STRATA

law = settings(deadline=None, max_examples=60)
cuts = st.integers(1, 400)
RESAMPLING = Resampling(resamples=20, trials=20)
INDUCED = ("many_to_one", "one_to_one", "one_to_one_optimal", "v_measure", "vi", "nvi")


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    """Chunks of some sentences, all of which go to a file."""
    monkeypatch.setattr(spilled_tables, "ROWS", 3)
    monkeypatch.setattr("treegauge.significance.labelled_tables.ROWS", 3)
    monkeypatch.setattr(spilling, "MEMORY", 0)


def streamed(text: str, part_bytes: int, name: str) -> TreebankStream:
    stream = TreebankStream(
        io.StringIO(text), findings=Findings(), format="conllu", part_bytes=part_bytes
    )
    stream.name = name
    return stream


def whole(text: str, name: str) -> tg.Treebank:
    return tg.read(io.StringIO(text), findings=Findings(), format="conllu", name=name)


def numbers(evaluation) -> dict:
    """All that an evaluation says, without what names the data."""
    found = evaluation.to_dict()
    for system in found["systems"]:
        for score in system["scores"].values():
            score.pop("signature", None)
    return found


def assert_same(gold: str, systems: list[str], part_bytes: int, **options) -> bool:
    """Whether both ways give numbers, which are the same then; streams may refuse."""
    named = [(text, f"s{k}") for k, text in enumerate(systems)]
    try:
        expected = numbers(
            tg.evaluate(
                whole(gold, "gold"),
                *(whole(text, name) for text, name in named),
                resamples=RESAMPLING.resamples,
                trials=RESAMPLING.trials,
                **options,
            )
        )
    except tg.TreegaugeError as error:
        expected = type(error).__name__
    try:
        found = numbers(
            evaluate_streams(
                streamed(gold, part_bytes, "gold"),
                *(streamed(text, part_bytes + 7, name) for text, name in named),
                resampling=RESAMPLING,
                **options,
            )
        )
    except tg.TreegaugeError as error:
        found = "refused" if "--no-stream" in str(error) else type(error).__name__
    assert found in (expected, "refused")
    return found != "refused"


@st.composite
def two_analyses(draw) -> tuple[str, list[str]]:
    """A gold standard, and two other analyses of its words."""
    gold = draw(strategies.treebanks(max_sentences=8))
    systems = []
    for _ in range(2):
        order = draw(st.permutations(range(len(gold.upos.vocabulary))))
        names = [f"c{k}" for k in order]
        place = {tag: names[k] for k, tag in enumerate(gold.upos.vocabulary)}
        is_clustered = draw(st.booleans())
        upos = gold.upos.map(lambda tag, place=place: place[tag]) if is_clustered else gold.upos
        head = tg.make_system("random", seed=draw(st.integers(0, 9))).annotate(gold).head
        systems.append(to_text(gold.replace(columns={"upos": upos}, head=head), format="conllu"))
    return to_text(gold, format="conllu"), systems


@law
@given(two_analyses(), cuts, st.sampled_from(["counted", "ignored", "removed"]))
def test_scores_intervals_and_tests_are_those_of_the_whole(files, part_bytes, punctuation) -> None:
    conventions = Conventions().with_punctuation(punctuation)
    assert_same(*files, part_bytes, conventions=conventions)


@law
@given(two_analyses(), cuts)
def test_so_are_those_of_clusters(files, part_bytes) -> None:
    assert_same(*files, part_bytes, metrics=INDUCED)
    assert_same(*files, part_bytes, metrics=[*INDUCED, "v_measure@5"])


@law
@given(
    two_analyses(),
    cuts,
    st.sampled_from(
        [*(n for n in STRATA if n not in ("known", "frequency")), "relation*direction"]
    ),
)
def test_so_are_scores_by_stratum(files, part_bytes, by) -> None:
    assert_same(*files, part_bytes, metrics=["uas"], by=[by])


@pytest.fixture(scope="module")
def toy() -> tuple[str, list[str]]:
    gold = tg.toy_treebank("toy:svo", tokens=800)
    clusters = gold.replace(
        columns={
            "upos": gold.upos.map(lambda tag: f"c{len(tag)}"),
            "xpos": gold.xpos.map(lambda _: "_"),
        }
    )
    trees = tg.make_system("right-branching").annotate(gold)
    return to_text(gold), [to_text(clusters), to_text(trees)]


@pytest.mark.parametrize("part_bytes", [500, 9_000])
def test_a_toy_language_is_never_refused(toy, part_bytes) -> None:
    gold, (clusters, trees) = toy
    training = tg.toy_treebank("toy:svo", tokens=300)
    by = ["relation*direction", "known", "frequency", "edge_length", "tag"]
    assert assert_same(gold, [trees], part_bytes, by=by, training=training)
    assert assert_same(gold, [clusters], part_bytes)  # induced tags by themselves
    assert assert_same(gold, [clusters, clusters], part_bytes, metrics=INDUCED)


@pytest.mark.parametrize("by", ["table6", "fine_tag"])
def test_what_the_whole_decides_is_refused_by_name(toy, by) -> None:
    gold, (_, trees) = toy
    with pytest.raises(tg.TreegaugeError, match=f"--by {by} .*\n.*--no-stream"):
        evaluate_streams(streamed(gold, 900, "gold"), streamed(trees, 900, "s"), by=[by])
    conventions = replace(Conventions(), average="sentence")
    with pytest.raises(tg.TreegaugeError, match="--average sentence"):
        evaluate_streams(
            streamed(gold, 900, "gold"), streamed(trees, 900, "s"), conventions=conventions
        )
