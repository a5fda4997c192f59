"""The inducer `mmi` as a system; its objective is tested with the network."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from tests.unit.systems.tag_induction.planted_classes import planted, v_measure
from tests.unit.systems.tag_induction.test_word_class_inducer import text_of
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.tag_induction.mmi import Mmi
from treegauge.treebank import Column, Treebank

pytestmark = pytest.mark.long

SMALL = {
    "classes": 4,
    "epochs": 3,
    "batch": 60,
    "rate": 0.01,
    "word_size": 16,
    "character_size": 8,
    "character_hidden": 8,
    "device": "cpu",
}


@pytest.fixture(scope="module")
def words() -> Treebank:
    return planted(4, 40, 1200, length=8)[0]


def learnt(words: Treebank, *, seed: int = 3, **settings) -> Mmi:
    return make_system("mmi", {**SMALL, **settings}, seed=seed).fit(words)


def model(system: Mmi, folder: Path) -> bytes:
    system.save(folder / "model")
    return (folder / "model").read_bytes()


# ------------------------------------------------------------------ what it finds


@pytest.mark.neural
@pytest.mark.parametrize("members", [1, 2])
def test_classes_of_a_language_are_found_again(members: int) -> None:
    text, gold = planted(4, 60, 4000, length=10)
    # Nothing in the spelling says what class a word is of.
    names = {form: f"v{i * 7919 % 1000}" for i, form in enumerate(sorted(set(text.form)))}
    hidden = Treebank({"form": text.form.map(names.__getitem__)}, offsets=text.offsets)
    system = learnt(hidden, members=members, epochs=8)
    found = np.array([int(tag) for tag in system.annotate(hidden).upos])
    at_random = np.random.default_rng(0).integers(0, 4, len(names))[hidden.form.compact().codes]
    assert v_measure(gold, found) > 60 > 5 * v_measure(gold, at_random)


@pytest.mark.neural
def test_words_never_seen_go_by_their_letters() -> None:
    generator = np.random.default_rng(0)
    stems = ["".join(generator.choice(list("bdgkmnpt"), 4)) for _ in range(60)]
    seen, unseen = stems[:50], stems[50:]
    rows = [
        [f"{a}ing", f"{b}ed", f"{c}ly"]
        for a, b, c in (generator.choice(seen, 3) for _ in range(900))
    ]
    system = learnt(text_of(*rows), classes=6, epochs=6)
    classes = {}
    for end in ("ing", "ed", "ly"):
        classes[end] = set(system.annotate(text_of([stem + end for stem in seen])).upos)
        found = list(system.annotate(text_of([stem + end for stem in unseen])).upos)
        assert sum(tag in classes[end] for tag in found) >= 9
    assert not classes["ing"] & classes["ed"]
    odd = text_of(["", "漢字", "\U0010ffff", "x" * 50_000, "zed"])
    assert all(0 <= int(tag) < 6 for tag in system.annotate(odd).upos)


@pytest.mark.neural
def test_all_words_of_a_type_have_one_class(words: Treebank) -> None:
    tags = learnt(words).annotate(words).upos
    assert len(set(zip(words.form, tags, strict=True))) == len(set(words.form))


@pytest.mark.neural
def test_gold_tags_and_heads_make_no_difference(words: Treebank, tmp_path) -> None:
    n = words.n_words
    tagged = Treebank(
        {
            "form": words.form,
            "upos": Column.from_strings([form[1] for form in words.form]),
            "xpos": Column.constant("X", n),
        },
        np.zeros(n, np.int32),
        offsets=words.offsets,
    )
    assert model(learnt(words), tmp_path) == model(learnt(tagged), tmp_path)


# ------------------------------------------------------------------ seeds and threads


@pytest.mark.neural
def test_the_same_seed_gives_the_same_bytes(words: Treebank, tmp_path) -> None:
    import torch

    one = model(learnt(words, members=2), tmp_path)
    threads = torch.get_num_threads()
    torch.set_num_threads(threads + 1)
    torch.manual_seed(99)
    np.random.default_rng(5)
    try:
        assert model(learnt(words, members=2), tmp_path) == one
        assert torch.get_num_threads() == threads + 1
    finally:
        torch.set_num_threads(threads)
    assert model(learnt(words, members=2, seed=4), tmp_path) != one


@pytest.mark.neural
def test_members_of_neighbouring_seeds_are_not_the_same(words: Treebank) -> None:
    histories = [learnt(words, seed=seed, members=2, epochs=1).history for seed in (0, 1)]
    assert len({value for history in histories for value in history}) == 4


# ------------------------------------------------------------------ a start, and raw text


@pytest.mark.neural
def test_classes_of_another_inducer_are_fitted_first(words: Treebank) -> None:
    start = make_system("brown", {"classes": 4}).fit(words).annotate(words).upos.compact().codes
    system = learnt(words, start="brown", start_epochs=10, epochs=1)
    found = system.annotate(words).upos.compact().codes
    assert v_measure(start, found) > 95
    assert len(system.history) == 11
    assert system.made_of == ("brown",)


@pytest.mark.neural
def test_starts_that_cannot_be(words: Treebank) -> None:
    for name in ("dmv", "tnt", "joint"):
        with pytest.raises(SystemsError, match=f"setting start: {name} is no inducer of classes"):
            make_system("mmi", {"start": name})
    with pytest.raises(SystemsError, match="start: brown has 5 classes, more than 4"):
        learnt(words, start="brown:5")
    with pytest.raises(SystemsError, match="abacus"):
        make_system("mmi", {"start": "abacus"})


@pytest.mark.neural
def test_words_of_raw_texts_are_learnt_and_their_tags_are_not(words: Treebank, tmp_path) -> None:
    paths = []
    for tag in ("X", "Y"):
        paths.append(tmp_path / f"{tag}.txt")
        paths[-1].write_text(f"quagga/{tag} w1-0/{tag}\n" * 30, encoding="utf-8")
    systems = [learnt(words, raw=[str(path)]) for path in paths]
    assert systems[0].counts[list(systems[0].forms).index("quagga")] == 30
    assert "quagga" not in list(learnt(words).forms)
    states = [system.state() for system in systems]
    assert states[0][1] == states[1][1]
    assert all(np.array_equal(states[0][0][name], states[1][0][name]) for name in states[0][0])
    with pytest.raises(tg.TreegaugeError, match="nowhere"):
        learnt(words, raw=[str(tmp_path / "nowhere.txt")])


# ------------------------------------------------------------------ interruption


def interrupted(words: Treebank, folder: Path, when: str, **settings) -> None:
    """Learn until a line of progress begins like this for the second time."""
    seen = []

    def on_progress(_share: float, line: str) -> None:
        if line.startswith(when):
            seen.append(line)
        if len(seen) > 1:
            raise KeyboardInterrupt

    system = make_system("mmi", {**SMALL, **settings}, seed=3)
    with pytest.raises(KeyboardInterrupt):
        system.fit(words, on_progress=on_progress, keep_in=folder)


@pytest.mark.neural
@pytest.mark.parametrize(
    ("when", "settings", "pieces"),
    [
        ("epoch 2", {"batch": 10}, {"epoch"}),
        ("epoch 2", {"members": 2}, {"epoch", "member0"}),
        ("epoch 4", {"start": "brown", "batch": 10}, {"epoch", "start"}),
    ],
    ids=["epochs", "members", "start"],
)
def test_interrupted_work_goes_on(words, when, settings, pieces, tmp_path, monkeypatch) -> None:
    whole = model(learnt(words, **settings), tmp_path)
    interrupted(words, tmp_path / "pieces", when, **settings)
    again = make_system("mmi", {**SMALL, **settings}, seed=3)
    epochs = []
    from treegauge.systems.neural.mmi_training import Training

    run = Training.run_epoch
    monkeypatch.setattr(
        Training,
        "run_epoch",
        lambda self, told: (epochs.append(len(self.history)), run(self, told)),
    )
    again.fit(words, keep_in=tmp_path / "pieces")
    assert set(again.partial_work.names) >= pieces
    assert epochs
    assert epochs[0] > 0  # it did not begin anew
    assert model(again, tmp_path) == whole


@pytest.mark.neural
def test_a_damaged_piece_is_named(words: Treebank, tmp_path) -> None:
    interrupted(words, tmp_path / "pieces", "epoch 2", batch=10)
    system = make_system("mmi", {**SMALL, "batch": 10}, seed=3)
    piece = system._partial_work(system.sees_in_training(words), tmp_path / "pieces")
    arrays, facts = piece.piece("epoch")
    arrays["network.of_word.bias"] = np.zeros(99, np.float32)
    piece.keep("epoch", arrays, facts)
    with pytest.raises(SystemsError, match=r"the piece of the last epoch in .* is damaged"):
        system.fit(words, keep_in=tmp_path / "pieces")


# ------------------------------------------------------------------ what can go wrong


def test_a_missing_package_is_named(words: Treebank, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemsError, match=r'mmi needs torch.*\n  pip install "treegauge.neural'):
        learnt(words)


@pytest.mark.neural
def test_the_memory_of_a_gpu_ends(words: Treebank, monkeypatch) -> None:
    import torch

    def too_large(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB")

    monkeypatch.setattr("treegauge.systems.neural.mmi_training.Training.run_epoch", too_large)
    with pytest.raises(SystemsError) as caught:
        learnt(words)
    assert str(caught.value) == "mmi: the memory of the GPU is full\n  choose a smaller batch"


@pytest.mark.neural
def test_a_device_that_there_is_not(words: Treebank) -> None:
    with pytest.raises(SystemsError, match="mmi: setting device: 'abacus' cannot be used"):
        learnt(words, device="abacus")


@pytest.mark.neural
def test_what_was_learnt_survives_saving(words: Treebank, tmp_path) -> None:
    system = learnt(words, members=2)
    system.save(tmp_path / "model")
    again = load_system(tmp_path / "model")
    text = text_of(["w1-0", "w1-77", "unseen", "w"], ["w2-3"])
    for some in (words, text):
        assert again.annotate(some) == system.annotate(some)
    assert again.history == system.history
    assert again.describe_grammar() == system.describe_grammar()
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


CHANGES = {
    "missing": None,
    "shorter": lambda array: array[: len(array) // 2],
    "in a table": lambda array: array[..., None],
    "text": lambda array: array.astype("U8"),
    "not a number": lambda array: np.full(array.shape, np.nan, np.float32),
}


@pytest.mark.neural
@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_model_is_refused(words: Treebank, change: str, tmp_path) -> None:
    learnt(words, epochs=1).save(tmp_path / "model")
    with np.load(tmp_path / "model") as file:
        arrays = {key: file[key] for key in file.files}
    names = [name for name in arrays if name != "about"]
    assert len(names) > 10
    for name in names:
        other = dict(arrays)
        del other[name]
        if CHANGES[change] is not None:
            other[name] = CHANGES[change](arrays[name])
        np.savez(tmp_path / "changed.npz", **other)
        with pytest.raises(SystemsError, match="damaged"):
            load_system(tmp_path / "changed.npz")


@pytest.mark.neural
@pytest.mark.parametrize(
    "settings", [{"members": 10**6}, {"character_hidden": 10**6}, {"character_size": 10**7}]
)
def test_settings_that_do_not_fit_the_networks_take_no_memory(words, settings, tmp_path) -> None:
    learnt(words, epochs=1).save(tmp_path / "model")
    with np.load(tmp_path / "model") as file:
        arrays = {key: file[key] for key in file.files}
    about = json.loads(arrays["about"].tobytes())
    about["settings"] |= settings
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(tmp_path / "changed.npz", **arrays)
    with pytest.raises(SystemsError, match="damaged"):
        load_system(tmp_path / "changed.npz")
