"""UDPipe's tagger behind our interface."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.formats import write
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.toys import toy_parts
from treegauge.treebank import Treebank, concatenate

pytestmark = pytest.mark.long

QUICK = {"iterations": 2}
FINE = treebank("1 birds bird NOUN NNS Number=Plur 2 nsubj _ _\n2 sing sing VERB VBP _ 0 root _ _")
MANY = concatenate([FINE] * 5)


@pytest.fixture(scope="module")
def udpipe():
    return pytest.importorskip("ufal.udpipe")


@pytest.fixture(scope="module")
def toy() -> dict[str, Treebank]:
    return toy_parts("toy:svo", tokens=300)


@pytest.fixture(scope="module")
def tagger(udpipe, toy):
    return make_system("udpipe-tagger", QUICK).fit(toy["train"])


def written(treebank: Treebank) -> str:
    target = io.BytesIO()
    write(treebank, target, format="conllu")
    return target.getvalue().decode()


def test_tags_are_those_of_udpipes_own_pipeline(udpipe, tagger, toy, tmp_path) -> None:
    arrays, _ = tagger.state()
    (tmp_path / "model").write_bytes(arrays["model"].tobytes())
    model = udpipe.Model.load(str(tmp_path / "model"))
    pipeline = udpipe.Pipeline(model, "conllu", "", udpipe.Pipeline.NONE, "conllu")
    lines = [line.split("\t") for line in pipeline.process(written(toy["test"])).splitlines()]
    expected = [line[3] for line in lines if line[0].isdecimal()]
    assert list(tagger.annotate(toy["test"]).upos) == expected
    right = np.mean([a == b for a, b in zip(expected, toy["test"].upos, strict=True)])
    assert right > 0.7


def test_gold_tags_of_the_text_make_no_difference(tagger, toy) -> None:
    blind = toy["test"].blind(tags=True)
    assert tagger.annotate(blind).upos == tagger.annotate(toy["test"]).upos


def test_seeds_make_no_difference_and_it_says_so(udpipe, tagger, toy) -> None:
    again = make_system("udpipe-tagger", QUICK, seed=1).fit(toy["train"])
    assert again.is_deterministic
    assert np.array_equal(again.state()[0]["model"], tagger.state()[0]["model"])


@pytest.mark.parametrize(
    ("which", "column", "expected"),
    [
        ("p:2", "xpos", ["NN", "VB"]),
        ("c", "upos", ["NOUN", "VERB"]),  # no coarse tags: what c falls back to
    ],
)
def test_tags_are_written_where_they_were_read(udpipe, which, column, expected) -> None:
    tagger = make_system("udpipe-tagger", {**QUICK, "tags": which, "morphology": which == "c"})
    answer = tagger.fit(MANY).annotate(FINE)
    assert list(answer.columns[column]) == expected
    assert not any(answer.columns[c].is_annotated for c in ("upos", "xpos", "cpos") if c != column)


def test_a_saved_tagger_is_the_same_tagger(tagger, toy, tmp_path) -> None:
    tagger.save(tmp_path / "m")
    assert load_system(tmp_path / "m").annotate(toy["test"]) == tagger.annotate(toy["test"])


def test_a_damaged_model_is_refused(tagger) -> None:
    arrays, facts = tagger.state()
    with pytest.raises(SystemsError, match="its column should be one of upos, xpos, cpos"):
        make_system("udpipe-tagger").restore(arrays, {"column": "form"})
    with pytest.raises(SystemsError, match="UDPipe cannot read the model"):
        make_system("udpipe-tagger").restore({"model": arrays["model"][:100]}, facts)


def test_without_the_package_it_says_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    with pytest.raises(SystemsError, match=r'udpipe-tagger needs UDPipe.*pip install "treegauge\['):
        make_system("udpipe-tagger").fit(sentences("a/X"))
