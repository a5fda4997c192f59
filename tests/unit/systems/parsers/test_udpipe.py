"""UDPipe's parser behind our interface: the same as UDPipe by itself, and safe from it."""

from __future__ import annotations

import io
import signal
import subprocess
import sys

import numpy as np
import pytest

from tests.unit.treebank.small_trees import heads, sentences
from treegauge.formats import write
from treegauge.systems import SystemsError, load_system, make_system, udpipe_bridge, udpipe_trainer
from treegauge.toys import toy_parts
from treegauge.treebank import Column, Treebank, TreebankError, concatenate, tree_flaws

pytestmark = pytest.mark.long

QUICK = {"iterations": 3, "structured_interval": 0, "hidden_layer": 8, "learning_rate": 0.1}


def named(treebank: Treebank, relations: str) -> Treebank:
    return treebank.replace(columns={"deprel": Column.from_strings(relations.split())})


# Hardly a language: whatever is no verb hangs on the verb.
MINI = named(
    sentences("birds/NOUN/2 sing/VERB/0 ./PUNCT/2", "sing/VERB/0 birds/NOUN/1 !/PUNCT/1"),
    "nsubj root punct root nsubj punct",
)
MANY = concatenate([MINI] * 15)


@pytest.fixture(scope="module")
def udpipe():
    return pytest.importorskip("ufal.udpipe")


@pytest.fixture(scope="module")
def toy() -> dict[str, Treebank]:
    return toy_parts("toy:svo", tokens=500)


@pytest.fixture(scope="module")
def progress() -> list[tuple[float, str]]:
    return []


@pytest.fixture(scope="module")
def parser(udpipe, toy, progress):
    return make_system("udpipe", QUICK).fit(
        toy["train"], on_progress=lambda *told: progress.append(told)
    )


def written(treebank: Treebank) -> str:
    target = io.BytesIO()
    write(treebank, target, format="conllu")
    return target.getvalue().decode()


# ---------------------------------------------------------------------- against UDPipe itself


def test_the_model_is_the_one_that_udpipe_learns_from_the_file(udpipe, parser, toy) -> None:
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(written(toy["train"]))
    data, error = udpipe.Sentences(), udpipe.ProcessingError()
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        data.append(sentence)
        sentence = udpipe.Sentence()
    how = ";".join(f"{name}={value}" for name, value in QUICK.items())
    model = udpipe.Trainer.train(
        "morphodita_parsito", data, udpipe.Sentences(), "none", "none", how, error
    )
    assert not error.occurred()
    arrays, _ = parser.state()
    assert arrays["model"].tobytes() == model


def test_trees_are_those_of_udpipes_own_pipeline(udpipe, parser, toy, tmp_path) -> None:
    arrays, _ = parser.state()
    (tmp_path / "model").write_bytes(arrays["model"].tobytes())
    model = udpipe.Model.load(str(tmp_path / "model"))
    pipeline = udpipe.Pipeline(model, "conllu", udpipe.Pipeline.NONE, "", "conllu")
    answer = parser.annotate(toy["test"])
    lines = [line.split("\t") for line in pipeline.process(written(toy["test"])).splitlines()]
    expected = [(int(line[6]), line[7]) for line in lines if line[0].isdecimal()]
    assert list(zip(answer.head.tolist(), answer.deprel, strict=True)) == expected
    assert not tree_flaws(answer).any()
    assert len(set(answer.deprel)) > 2


def test_seeds_make_no_difference_and_it_says_so(udpipe, parser, toy) -> None:
    again = make_system("udpipe", QUICK, seed=1).fit(toy["train"])
    assert again.is_deterministic
    assert np.array_equal(again.state()[0]["model"], parser.state()[0]["model"])


# ---------------------------------------------------------------------- learning


def test_it_learns_what_can_be_learnt(udpipe) -> None:
    parser = make_system("udpipe", {**QUICK, "iterations": 10}).fit(MANY)
    answer = parser.annotate(MINI)
    assert heads(answer) == heads(MINI)
    assert list(answer.deprel) == list(MINI.deprel)


def test_progress_is_told_while_it_learns(parser, progress) -> None:
    assert [round(share, 3) for share, _ in progress] == [0.333, 0.667, 1.0]
    assert progress[0][1].startswith("Iteration 1: training logprob -")


def test_who_is_interrupted_leaves_no_process_behind(udpipe, monkeypatch) -> None:
    started = []
    popen = subprocess.Popen

    def watched(*arguments, **more):
        started.append(popen(*arguments, **more))
        return started[-1]

    def interrupt(_share, _line) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(udpipe_bridge.subprocess, "Popen", watched)
    with pytest.raises(KeyboardInterrupt):
        make_system("udpipe", {**QUICK, "iterations": 10**6}).fit(MINI, on_progress=interrupt)
    assert [process.returncode for process in started] == [-signal.SIGKILL]


def test_a_delexicalised_parser_does_not_see_forms(udpipe) -> None:
    parser = make_system("udpipe", {**QUICK, "delexicalised": True}).fit(MANY)
    other = MINI.replace(columns={"form": MINI.form.map(lambda form: form[::-1] + "x")})
    assert np.array_equal(parser.annotate(MINI).head, parser.annotate(other).head)
    assert "embedding_form=0" in udpipe_bridge.options(parser._options())


def test_settings_become_options() -> None:
    def asked(**settings) -> dict:
        return make_system("udpipe", settings)._options()

    assert asked()["transition_oracle"] == "dynamic"
    assert asked(transition_system="swap")["transition_oracle"] == "static_lazy"
    assert asked(transition_system="swap", oracle="static_eager")["transition_oracle"] == (
        "static_eager"
    )
    assert asked(columns="upos")["embedding_feats"] == asked(columns="upos")["embedding_form"] == 0
    with pytest.raises(SystemsError, match="link2 has no oracle dynamic\n  it has static"):
        asked(transition_system="link2", oracle="dynamic")


@pytest.mark.parametrize("system", ["swap", "link2"])
def test_the_other_transition_systems(udpipe, system) -> None:
    crossing = named(
        sentences("a/A/3 b/B/4 c/C/0 d/D/3", "c/C/0 d/D/1"), "one two root three root three"
    )
    settings = {**QUICK, "transition_system": system, "beam": 3}
    answer = make_system("udpipe", settings).fit(concatenate([crossing] * 10)).annotate(crossing)
    assert not tree_flaws(answer).any()


# ---------------------------------------------------------------------- odd data


def test_every_form_comes_through(udpipe) -> None:
    odd = ["10 000", "_", "#", "\"'", "x" * 400, "1-2", "ﷺ", "𐍈", " ", "\u2028"]
    text = Treebank(
        {
            "form": Column.from_strings(odd),
            "upos": Column.from_strings(["A", "_"] * 5),
            "feats": Column.from_strings(["_", "Case=A|B=C"] * 5),
            "deprel": Column.from_strings(["root", *"abcdefghi"]),
        },
        [0, *range(1, 10)],
        offsets=[0, 10],
    )
    answer = make_system("udpipe", QUICK).fit(concatenate([text] * 5)).annotate(text)
    assert list(answer.form) == odd
    assert not tree_flaws(answer).any()


def test_sentences_without_words_and_texts_without_sentences(udpipe, parser) -> None:
    holey = Treebank({"form": MINI.form, "upos": MINI.upos}, offsets=[0, 0, 3, 3, 6, 6])
    assert np.array_equal(parser.annotate(holey).head, parser.annotate(MINI).head)
    assert parser.annotate(MINI[:0]).n_words == 0
    assert len(make_system("udpipe", QUICK).fit(holey.replace(head=MINI.head)).annotate(holey)) == 5


def test_roots_need_not_be_called_root(udpipe) -> None:
    other = named(MINI, "root ROOT punct ROOT root punct")
    parser = make_system("udpipe", {**QUICK, "iterations": 10}).fit(concatenate([other] * 15))
    assert list(parser.annotate(other).deprel) == list(other.deprel)


def test_several_roots_are_refused_unless_they_are_allowed(udpipe) -> None:
    several = concatenate([MINI, named(sentences("a/A/0 b/B/0"), "root list")] * 10)
    with pytest.raises(SystemsError, match="sentence 3 has several roots, and so have 9 others"):
        make_system("udpipe", QUICK).fit(several)
    settings = {**QUICK, "iterations": 10, "single_root": False}
    answer = make_system("udpipe", settings).fit(several).annotate(several[2:3])
    assert answer.head.tolist() == [0, 0]
    assert list(answer.deprel) == ["root", "list"]


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(TreebankError, match="training udpipe needs one complete tree per sentence"):
        make_system("udpipe", QUICK).fit(sentences("a/A/2 b/B/1"))


# ---------------------------------------------------------------------- saving, and what goes wrong


def test_a_saved_parser_is_the_same_parser(udpipe, parser, toy, tmp_path) -> None:
    parser.save(tmp_path / "m")
    loaded = load_system(tmp_path / "m")
    assert loaded.settings == parser.settings
    assert loaded.annotate(toy["test"]) == parser.annotate(toy["test"])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (np.zeros(0, np.uint8), "UDPipe cannot read the model"),
        (np.arange(200, dtype=np.uint8), "UDPipe cannot read the model"),
        (np.zeros((2, 2), np.uint8), "model should be any number of whole numbers"),
        (np.zeros(4), "model should be any number of whole numbers"),
    ],
)
def test_a_damaged_model_is_refused(udpipe, model, message) -> None:
    with pytest.raises(SystemsError, match=message):
        make_system("udpipe").restore({"model": model}, {"root": "root"})
    with pytest.raises(SystemsError, match="it has no model"):
        make_system("udpipe").restore({}, {"root": "root"})


def test_forged_model_ends_the_process_of_udpipe_and_not_ours(udpipe, parser, toy) -> None:
    content = parser.state()[0]["model"]
    refused = 0
    for seed in range(3):
        # The header stays, so that UDPipe believes what follows.
        forged = content.copy()
        np.random.default_rng(seed).shuffle(forged[30:])
        system = make_system("udpipe", QUICK)
        try:
            system.restore({"model": forged}, {"root": "root"})
            system.is_fitted = True
            system.annotate(toy["test"])
        except SystemsError as error:
            assert "UDPipe" in str(error)  # noqa: PT017
            refused += 1
    assert refused


def test_what_udpipe_has_against_it_is_passed_on(udpipe) -> None:
    with pytest.raises(SystemsError, match=r"UDPipe cannot learn from this: .*every root node"):
        udpipe_bridge.train(
            MINI, lambda *_: None, system="x", iterations=1, relations=["a"] * 6, parser="x=1"
        )


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import sys; sys.exit('no luck')", "x: UDPipe failed: exit code 1: no luck"),
        ("import os; os.kill(os.getpid(), 9)", "x: UDPipe failed: ended by SIGKILL"),
        ("import sys; sys.exit('std::bad_alloc')", "x: UDPipe failed: it ran out of memory"),
    ],
)
def test_a_process_that_dies(udpipe, monkeypatch, tmp_path, program, message) -> None:
    (tmp_path / "program.py").write_text(program)
    monkeypatch.setattr(udpipe_trainer, "__file__", str(tmp_path / "program.py"))
    with pytest.raises(SystemsError, match=message):
        udpipe_bridge.train(MINI, lambda *_: None, system="x", iterations=1, parser="a=1")


def test_without_the_package_it_says_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    with pytest.raises(SystemsError, match=r'udpipe needs UDPipe.*pip install "treegauge\[ext'):
        make_system("udpipe").fit(MINI)
