"""What the taggers that learn whole sequences must do: two CRFs, and a neural network."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys

import numpy as np
import pytest

import treegauge as tg
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.systems import System, SystemsError, load_system, make_system
from treegauge.systems.taggers.crf import Crf
from treegauge.toys import toy_parts
from treegauge.treebank import Treebank

pytestmark = pytest.mark.long

SMALL_NETWORK = {
    "word_size": 16,
    "character_size": 8,
    "character_hidden": 8,
    "hidden": 16,
    "epochs": 20,
    "batch": 4,
    "rate": 0.02,
    "dropout": 0.0,
    "device": "cpu",
}
SYSTEMS = ("crf", "higher-order-crf", pytest.param("bilstm", marks=pytest.mark.neural))
# Words of fifty sentences are mostly seen once; taken for unknown in four epochs of five, as by
# default, they are not learnt by heart in so few epochs.
BY_HEART = {"epochs": 40, "forgetting": 0.0}
SETTINGS = {
    "crf": {"l2": 0.1},
    "higher-order-crf": {"epochs": 10},
    "bilstm": SMALL_NETWORK | BY_HEART,
}
PACKAGES = {"crf": "pycrfsuite", "bilstm": "torch"}


def needs(name: str) -> None:
    """Skip a test where the package of a system is missing."""
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name], reason=f"{name} needs {PACKAGES[name]}")


@pytest.fixture(scope="module")
def toy() -> Treebank:
    return toy_parts("toy:svo", tokens=1500)["train"][:50]


@pytest.fixture(scope="module", params=SYSTEMS)
def fitted(request, toy: Treebank) -> System:
    needs(request.param)
    return make_system(request.param, SETTINGS[request.param], seed=1).fit(toy)


def test_fifty_sentences_are_learnt_by_heart(fitted: System, toy: Treebank) -> None:
    right = [a == b for a, b in zip(fitted.annotate(toy).upos, toy.upos, strict=True)]
    assert len(right) > 300
    assert np.mean(right) > 0.99


def test_what_was_learnt_survives_saving(fitted: System, toy: Treebank, tmp_path) -> None:
    fitted.save(tmp_path / "tagger")
    again = load_system(tmp_path / "tagger")
    assert again.annotate(toy) == fitted.annotate(toy)
    again.save(tmp_path / "again")
    text = tg.parse("a zebra saw\n", format="tokens")
    assert load_system(tmp_path / "again").annotate(text) == fitted.annotate(text)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_same_seed_gives_the_same(name: str, tmp_path) -> None:
    needs(name)
    train = sentences("a/X b/Y c/X", "b/Y a/X", "c/Z")
    settings = {**SETTINGS[name], "epochs": 2} if name != "crf" else SETTINGS[name]
    for copy in ("one", "other"):
        make_system(name, settings, seed=3).fit(train).save(tmp_path / copy)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_gold_tags_of_the_text_make_no_difference(fitted: System) -> None:
    one, other = sentences("a/X b/Y"), sentences("a/_ b/_")
    assert list(fitted.annotate(one).upos) == list(fitted.annotate(other).upos)


@pytest.mark.parametrize("text", ["a", "漢", "😀😀", "\u0301", "Ω", "a" * 3000, "-", "1"])
def test_sentences_of_one_word_and_characters_never_seen(fitted: System, text: str) -> None:
    answer = fitted.annotate(tg.parse(f"{text}\n", format="tokens"))
    assert len(answer.upos) == 1
    assert answer.upos[0] not in ("", "_")


def test_sentences_without_words(fitted: System) -> None:
    assert fitted.annotate(sentences()).n_words == 0
    bare = tg.Treebank({"form": tg.Column.from_strings(["a"])}, offsets=[0, 0, 1, 1])
    assert len(fitted.annotate(bare).upos) == 1


@pytest.mark.parametrize("name", SYSTEMS)
def test_one_word_and_one_tag_are_enough(name: str) -> None:
    needs(name)
    tagger = make_system(name, SETTINGS[name]).fit(sentences("a/X"))
    assert list(tagger.annotate(sentences("a/_ B/_ c/_")).upos) == ["X", "X", "X"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_tags_are_written_where_they_were_read(name: str) -> None:
    needs(name)
    gold = treebank("1 birds _ NOUN NNS _ 2 nsubj _ _\n2 sing _ VERB VBP _ 0 root _ _")
    answer = make_system(name, {**SETTINGS[name], "tags": "p"}).fit(gold).annotate(gold)
    assert list(answer.xpos) == ["NNS", "VBP"]
    assert not answer.upos.is_annotated


@pytest.mark.parametrize("name", SYSTEMS)
def test_sentences_that_are_tagged_in_part_teach_nothing(name: str) -> None:
    with pytest.raises(SystemsError, match="no sentence has a tag 'u' on every word"):
        make_system(name).fit(sentences("a/X b/_"))
    needs(name)
    tagger = make_system(name, SETTINGS[name]).fit(sentences("a/X", "a/Y b/_"))
    assert list(tagger.annotate(sentences("a/_")).upos) == ["X"]


@pytest.mark.parametrize(("name", "package"), PACKAGES.items())
def test_a_missing_package_is_named(name: str, package: str, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    extra = {"crf": "external", "bilstm": "neural"}[name]
    with pytest.raises(SystemsError, match=rf'needs {package}.*\n  pip install "treegauge.{extra}'):
        make_system(name).fit(sentences("a/X"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_says_how_far_it_is_and_prints_nothing(name: str, capfd) -> None:
    needs(name)
    said: list[tuple[float, str]] = []
    tagger = make_system(name, SETTINGS[name])
    tagger.fit(sentences("a/X b/Y", "b/X"), on_progress=lambda *what: said.append(what))
    shares = [share for share, _ in said]
    assert len({line for _, line in said}) > 1
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] <= 1
    assert capfd.readouterr() == ("", "")


# ------------------------------------------------------------------ damaged files


def changed(path, change):
    """Save a model anew with its arrays and facts changed."""
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    about = json.loads(arrays["about"].tobytes())
    change(arrays, about["facts"])
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    path = path.with_name("changed")
    with path.open("wb") as target:
        np.savez(target, **arrays)
    return path


CHANGES = {
    "shorter": lambda array: array[: len(array) // 2],
    "in a table": lambda array: array[..., None],
    "text": lambda array: array.astype("U8"),
    "not a number": lambda array: np.full(array.shape, np.nan, np.float32),
}


def test_a_damaged_model_is_refused(fitted: System, tmp_path) -> None:
    fitted.save(tmp_path / "tagger")
    with np.load(tmp_path / "tagger") as file:
        names = [key for key in file.files if key != "about" and file[key].size > 1]
    assert names
    for name in names:
        path = changed(tmp_path / "tagger", lambda arrays, _, name=name: arrays.pop(name))
        with pytest.raises(SystemsError):
            load_system(path)
        for change in CHANGES.values():

            def damage(arrays, _facts, name=name, change=change):
                arrays[name] = change(arrays[name])

            with pytest.raises(SystemsError, match="damaged"):
                load_system(changed(tmp_path / "tagger", damage))


@pytest.mark.parametrize(
    "facts", [{"tags": []}, {"tags": ["X", "X"]}, {"tags": [1]}, {"column": "form"}]
)
def test_a_model_with_impossible_tags_is_refused(fitted: System, facts, tmp_path) -> None:
    fitted.save(tmp_path / "tagger")
    path = changed(tmp_path / "tagger", lambda _, known: known.update(facts))
    with pytest.raises(SystemsError, match="damaged"):
        load_system(path)


# ------------------------------------------------------------------ the CRF by CRFsuite


@pytest.fixture(scope="module")
def saved_crf(toy: Treebank, tmp_path_factory):
    needs("crf")
    path = tmp_path_factory.mktemp("crf") / "tagger"
    make_system("crf", SETTINGS["crf"]).fit(toy).save(path)
    return path


@pytest.mark.parametrize(
    ("place", "has_right_digest"),
    # Only the header can be checked without the digest.
    [(0, True), (4, True), (9, True), (0, False), (40, False), (0.5, False), (-1, False)],
)
def test_bytes_of_crfsuite_that_were_changed(saved_crf, place, has_right_digest) -> None:

    def damage(arrays, facts):
        model = arrays["model"].copy()
        model[int(place * len(model)) if isinstance(place, float) else place] ^= 0x55
        arrays["model"] = model
        if has_right_digest:
            facts["digest"] = hashlib.sha256(model.tobytes()).hexdigest()

    with pytest.raises(SystemsError, match="its bytes are not those that CRFsuite wrote"):
        load_system(changed(saved_crf, damage))


@pytest.mark.parametrize("place", [0.05, 0.3, 0.6, 0.9])
def test_forged_bytes_of_crfsuite_do_not_end_the_program(saved_crf, place: float) -> None:
    def damage(arrays, facts):
        model = arrays["model"].copy()
        begin = int(place * len(model))
        model[begin : begin + 40] = 0xFF
        arrays["model"] = model
        facts["digest"] = hashlib.sha256(model.tobytes()).hexdigest()

    with contextlib.suppress(SystemsError):
        load_system(changed(saved_crf, damage)).annotate(sentences("a/_ zz/_ Zz/_"))


def test_no_bytes_at_all(saved_crf) -> None:
    def damage(arrays, facts):
        arrays["model"] = arrays["model"][:0]
        facts["digest"] = hashlib.sha256(b"").hexdigest()

    with pytest.raises(SystemsError, match="its bytes are not those that CRFsuite wrote"):
        load_system(changed(saved_crf, damage))


CLASSES = {"ba": "0100", "bo": "0100", "di": "0111", "du": "0111"}


def test_word_classes_say_something_about_words_that_were_not_seen(tmp_path) -> None:
    needs("crf")
    train = sentences("ba/X di/Y", "di/Y ba/X", "ba/X ba/X di/Y di/Y")
    # Nothing but the class tells these words from each other.
    settings = {"prefixes": 0, "suffixes": 0}
    text = sentences("bo/_", "du/_")
    path = tmp_path / "paths"
    path.write_text("".join(f"{c}\t{word}\t3\n" for word, c in CLASSES.items()), encoding="utf-8")
    from_file = make_system("crf", {**settings, "word_classes": str(path)}).fit(train)
    assert list(from_file.annotate(text).upos) == ["X", "Y"]
    given = Crf(settings, word_classes=CLASSES).fit(train)
    assert list(given.annotate(text).upos) == ["X", "Y"]
    without = make_system("crf", settings).fit(train)
    assert len(set(without.annotate(text).upos)) == 1
    path.unlink()  # a saved model has its classes in it
    from_file.save(tmp_path / "tagger")
    assert list(load_system(tmp_path / "tagger").annotate(text).upos) == ["X", "Y"]


# ------------------------------------------------------------------ the higher-order CRF


def test_order_2_sees_what_order_1_cannot() -> None:
    # The tag of `z` is that of the word before the last one.
    rows = ["a/A o/O z/A", "b/B o/O z/B"]
    train = sentences(*[f"{row} o/O z/{row[-1]} o/O z/{row[-1]}" for row in rows] * 5)
    text = sentences("a/_ o/_ z/_ o/_ z/_ o/_ z/_ o/_ z/_", "b/_ o/_ z/_ o/_ z/_ o/_ z/_ o/_ z/_")
    expected = list("AOAOAOAOA" + "BOBOBOBOB")
    found = make_system("higher-order-crf", {"epochs": 30}).fit(train).annotate(text)
    assert list(found.upos) == expected
    blind = make_system("higher-order-crf", {"epochs": 30, "order": 1}).fit(train).annotate(text)
    assert list(blind.upos) != expected


def test_without_pruning_it_is_the_same_as_with_thresholds_of_zero(toy: Treebank) -> None:
    exact = make_system("higher-order-crf", {"epochs": 2, "prune": False}).fit(toy)
    zero = make_system("higher-order-crf", {"epochs": 2, "threshold": 0.0}).fit(toy)
    assert exact.annotate(toy) == zero.annotate(toy)
    assert np.array_equal(exact._weights, zero._weights)


def test_impossible_settings() -> None:
    with pytest.raises(SystemsError, match="states: expected at least one number"):
        make_system("higher-order-crf", {"states": []})
    with pytest.raises(SystemsError, match="order: expected one of 0, 1, 2, 3"):
        make_system("higher-order-crf", {"order": 4})


# ------------------------------------------------------------------ the neural network


@pytest.mark.neural
def test_a_batch_of_one_equals_a_batch_of_many(toy: Treebank) -> None:
    import torch

    from treegauge.systems.taggers.sequence_tagger import Sentences

    tagger = make_system("bilstm", {**SMALL_NETWORK, "epochs": 1, "bytes": True}).fit(toy)
    text = tagger._reader().text(Sentences(toy.form.compact(), np.asarray(toy.offsets)))
    with torch.inference_mode():
        together = tagger._network(text.batch(np.arange(20), "cpu"))[0]
        reversed_ = tagger._network(text.batch(np.arange(20)[::-1], "cpu"))[0]
        for sentence in range(20):
            length = int(toy.offsets[sentence + 1] - toy.offsets[sentence])
            alone = tagger._network(text.batch([sentence], "cpu"))[0][0, :length]
            torch.testing.assert_close(together[sentence, :length], alone, atol=1e-5, rtol=1e-5)
            torch.testing.assert_close(
                reversed_[19 - sentence, :length], alone, atol=1e-5, rtol=1e-5
            )


@pytest.mark.neural
def test_the_auxiliary_loss_reaches_the_characters(toy: Treebank) -> None:
    from treegauge.systems.taggers.sequence_tagger import Sentences

    tagger = make_system("bilstm", {**SMALL_NETWORK, "epochs": 1}).fit(toy)
    text = tagger._reader().text(Sentences(toy.form.compact(), np.asarray(toy.offsets)))
    tagger._network.zero_grad()
    tagger._network(text.batch([0, 1], "cpu"))[1].sum().backward()
    assert tagger._network.spellers[0].lstm.weight_ih_l0.grad.abs().sum() > 0


@pytest.mark.neural
def test_the_network_reads_endings_of_words_that_it_has_not_seen() -> None:
    stems = [a + b + c for a in "bdgk" for b in "aeiou" for c in "lmnr"]
    train = sentences(
        *[f"{stem}{end}/{end.upper()}" for stem in stems[:60] for end in ("ing", "ed")]
    )
    text = sentences(*[f"{stem}{end}/_" for stem in stems[60:] for end in ("ing", "ed")])
    found = make_system("bilstm", {**SMALL_NETWORK, "epochs": 5}).fit(train).annotate(text)
    right = [tag == ("ING", "ED")[place % 2] for place, tag in enumerate(found.upos)]
    assert np.mean(right) > 0.9


@pytest.mark.neural
@pytest.mark.parametrize("whose", ["word", "next", "none"])
def test_the_frequency_that_is_predicted(whose) -> None:
    from treegauge.systems.neural.bilstm_training import frequency_targets

    settings = {**SMALL_NETWORK, "epochs": 1, "frequency_of": whose}
    make_system("bilstm", settings).fit(sentences("a/X b/Y", "a/X"))
    if whose != "none":
        expected = {"word": [0, 1, 3], "next": [1, -1, -1]}[whose]
        found = frequency_targets(np.array([2, 3, 21]), np.array([0, 2, 3]), whose)
        assert found.tolist() == expected


@pytest.mark.neural
def test_a_device_that_there_is_not() -> None:
    with pytest.raises(SystemsError, match="setting device: 'abacus' cannot be used"):
        make_system("bilstm", {"device": "abacus"}).fit(sentences("a/X"))
