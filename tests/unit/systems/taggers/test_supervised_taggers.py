"""What every supervised tagger of this folder must do."""

from __future__ import annotations

import io
import json
import warnings

import numpy as np
import pytest

import treegauge as tg
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.systems import System, SystemsError, load_system, make_system
from treegauge.systems.saved_state import damaged
from treegauge.toys import toy_parts
from treegauge.treebank import Treebank

SETTINGS = {"tnt": {}, "tree": {}, "perceptron": {"bits": 14, "epochs": 3}}
each_tagger = pytest.mark.parametrize("name", SETTINGS)


@pytest.fixture(scope="module")
def toy() -> dict[str, Treebank]:
    return toy_parts("toy:svo", tokens=1500)


@pytest.fixture(scope="module")
def fitted(toy: dict[str, Treebank]) -> dict[str, System]:
    return {name: make_system(name, s).fit(toy["train"]) for name, s in SETTINGS.items()}


def accuracy(tagger: System, gold: Treebank) -> float:
    pairs = zip(tagger.annotate(gold).upos, gold.upos, strict=True)
    return float(np.mean([found == right for found, right in pairs]))


@each_tagger
def test_it_beats_the_most_frequent_tag(name: str, fitted, toy) -> None:
    baseline = make_system("most-frequent-tag").fit(toy["train"])
    assert accuracy(fitted[name], toy["test"]) > accuracy(baseline, toy["test"])


@each_tagger
def test_what_was_learnt_survives_saving(name: str, fitted, toy, tmp_path) -> None:
    fitted[name].save(tmp_path / "tagger")
    again = load_system(tmp_path / "tagger")
    assert again.annotate(toy["test"]) == fitted[name].annotate(toy["test"])
    again.save(tmp_path / "again")
    assert load_system(tmp_path / "again").annotate(toy["test"]) == again.annotate(toy["test"])


@each_tagger
def test_the_same_seed_gives_the_same(name: str, fitted, toy) -> None:
    again = make_system(name, SETTINGS[name]).fit(toy["train"])
    assert again.annotate(toy["test"]) == fitted[name].annotate(toy["test"])


@each_tagger
def test_gold_tags_of_the_text_make_no_difference(name: str, fitted) -> None:
    one, other = sentences("a/X b/Y"), sentences("a/_ b/_")
    assert list(fitted[name].annotate(one).upos) == list(fitted[name].annotate(other).upos)


@each_tagger
@pytest.mark.parametrize("text", ["a", "漢", "😀😀", "\u0301", "\u00a0", "Ω", "a" * 3000, "-", "1"])
def test_sentences_of_one_word_and_characters_never_seen(name: str, text: str, fitted) -> None:
    answer = fitted[name].annotate(tg.parse(f"{text}\n", format="tokens"))
    assert len(answer.upos) == 1
    assert answer.upos[0] not in ("", "_")


@each_tagger
def test_sentences_without_words(name: str, fitted) -> None:
    nothing = sentences()
    assert fitted[name].annotate(nothing).n_words == 0
    bare = tg.Treebank({"form": tg.Column.from_strings(["a"])}, offsets=[0, 0, 1, 1])
    assert len(fitted[name].annotate(bare).upos) == 1


@each_tagger
def test_a_treebank_of_one_word_and_one_tag(name: str) -> None:
    tagger = make_system(name, SETTINGS[name]).fit(sentences("a/X"))
    assert list(tagger.annotate(sentences("a/_ B/_ c/_")).upos) == ["X", "X", "X"]


@each_tagger
def test_frequent_words_alone_teach_something_about_unknown_ones(name: str) -> None:
    tagger = make_system(name, SETTINGS[name]).fit(sentences(*["a/X b/Y"] * 20))
    assert set(tagger.annotate(sentences("zz/_ Zz/_")).upos) <= {"X", "Y"}


@each_tagger
def test_tags_are_written_where_they_were_read(name: str) -> None:
    gold = treebank("1 birds _ NOUN NNS _ 2 nsubj _ _\n2 sing _ VERB VBP _ 0 root _ _")
    answer = make_system(name, {**SETTINGS[name], "tags": "p"}).fit(gold).annotate(gold)
    assert list(answer.xpos) == ["NNS", "VBP"]
    assert not answer.upos.is_annotated
    assert answer.head.tolist() == [2, 0]


@each_tagger
def test_a_text_without_tags_is_refused(name: str) -> None:
    with pytest.raises(SystemsError, match="no sentence has a tag 'u' on every word"):
        make_system(name, SETTINGS[name]).fit(sentences("a/X b/_"))


# ------------------------------------------------------------------ damaged files


def changed(path, name: str | None, change) -> io.BytesIO:
    """Save a model anew with one array changed, or its description if there is no name."""
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    if name is None:
        about = json.loads(arrays["about"].tobytes())
        change(about["facts"])
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    else:
        found = change(arrays.pop(name))
        if found is not None:
            arrays[name] = found
    path = path.with_name("changed")
    with path.open("wb") as target:
        np.savez(target, **arrays)
    return path


CHANGES = {
    "missing": lambda _array: None,
    "shorter": lambda array: array[: len(array) // 2],
    "empty": lambda array: array[:0],
    "negative": lambda array: -1 - array.astype(np.int64),
    "large": lambda array: array.astype(np.int64) + 2**40,
    "reversed": lambda array: array[::-1],
    "in a table": lambda array: array[:, None],
    "text": lambda array: array.astype("U8"),
    "not a number": lambda array: np.full(len(array), np.nan),
}


@each_tagger
@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_model_is_refused_or_works(name: str, change: str, fitted, tmp_path) -> None:
    fitted[name].save(tmp_path / "tagger")
    with np.load(tmp_path / "tagger") as file:
        names = [key for key in file.files if key != "about"]
    refused = 0
    for array in names:
        path = changed(tmp_path / "tagger", array, CHANGES[change])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                load_system(path).annotate(sentences("a/_ zz/_ Zz/_"))
        except SystemsError:
            refused += 1
    # Weights may be any numbers in any order, and strings any bytes.
    assert refused >= len(names) - 3
    assert refused == len(names) or change != "missing"


@each_tagger
@pytest.mark.parametrize(
    "facts",
    [{"tags": []}, {"tags": ["X", "X"]}, {"tags": [1]}, {"column": "form"}, {"tags": ["X"]}],
)
def test_a_model_with_impossible_tags_is_refused(name: str, facts, fitted, tmp_path) -> None:
    fitted[name].save(tmp_path / "tagger")
    path = changed(tmp_path / "tagger", None, lambda known: known.update(facts))
    with pytest.raises(SystemsError):
        load_system(path).annotate(sentences("a/_"))


def test_the_message_says_what_to_do() -> None:
    assert str(damaged("x")) == "this model is damaged: x\n  train and save it anew"
