"""The neural parser as users meet it."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.properties import nonprojective_arcs
from treegauge.systems import SystemsError, SystemsWarning, load_system, make_system
from treegauge.systems.parsers.parser import READABLE
from treegauge.toys import toy_treebank
from treegauge.treebank import Column, Treebank, blind, require_trees

FREE = toy_treebank("toy:free", tokens=900, seed=1)
TRAIN, TEST = FREE[:30], FREE[40:60]
QUICK = {"layers": 1, "hidden": 16, "batch": 100, "rate": 0.01, "device": "cpu", "epochs": 2}
LONGER = {**QUICK, "hidden": 40, "epochs": 25, "dropout": 0.0, "column_dropout": 0.0}
NEURAL = pytest.mark.neural


@pytest.fixture(scope="module")
def fitted():
    return make_system("biaffine", LONGER, seed=1).fit(TRAIN)


def las(gold: Treebank, answer: Treebank) -> float:
    same = np.array([a == b for a, b in zip(gold.deprel, answer.deprel, strict=True)])
    return float(((gold.head == answer.head) & same).mean())


# ---------------------------------------------------------------------- trees


@NEURAL
def test_thirty_sentences_are_learnt_by_heart(fitted) -> None:
    assert las(TRAIN, fitted.annotate(TRAIN)) > 0.95
    assert las(TEST, fitted.annotate(TEST)) > 0.5


@NEURAL
@pytest.mark.parametrize("decoder", ["cle", "eisner"])
@pytest.mark.parametrize("single_root", [True, False])
def test_any_weights_lead_to_a_tree(fitted, decoder: str, single_root: bool) -> None:
    import torch

    settings = {**LONGER, "decoder": decoder, "single_root": single_root}
    parser = make_system("biaffine", settings)
    parser.restore(*fitted.state())
    parser.is_fitted = True
    torch.manual_seed(3)
    with torch.no_grad():
        parser._network.arcs.normal_()
        parser._network.relations.normal_()
    answer = parser.annotate(TEST)
    require_trees(answer, purpose="a test", single_root=single_root)
    if decoder == "eisner":
        assert not nonprojective_arcs(answer).any()
    roots = answer.head == 0
    assert all((label == "root") == root for label, root in zip(answer.deprel, roots, strict=True))
    assert set(answer.deprel) <= set(TRAIN.deprel)


@NEURAL
def test_decoders_find_what_learnt_scores_say(fitted) -> None:
    projective = make_system("biaffine", {**LONGER, "decoder": "eisner"})
    projective.restore(*fitted.state())
    projective.is_fitted = True
    assert nonprojective_arcs(TRAIN).any()
    assert nonprojective_arcs(fitted.annotate(TRAIN)).any()
    assert not nonprojective_arcs(projective.annotate(TRAIN)).any()


@NEURAL
def test_gold_heads_of_the_text_make_no_difference(fitted) -> None:
    bare = blind(TEST, heads=True, tags=False)
    one, other = fitted.annotate(TEST), fitted.annotate(bare)
    assert one.head.tolist() == other.head.tolist()
    assert list(one.deprel) == list(other.deprel)


@NEURAL
def test_order_of_sentences_makes_no_difference(fitted) -> None:
    turned = TEST.take(np.arange(TEST.n_sentences)[::-1])
    answer = fitted.annotate(turned).take(np.arange(TEST.n_sentences)[::-1])
    assert answer.head.tolist() == fitted.annotate(TEST).head.tolist()


@NEURAL
@pytest.mark.parametrize("form", ["a", "漢", "😀😀", "\u0301", "a" * 3000, "_"])
def test_sentences_of_one_word_and_letters_never_seen(fitted, form: str) -> None:
    columns = {"form": Column.from_strings([form]), "upos": Column.from_strings(["X"])}
    text = Treebank(columns, offsets=[0, 0, 1, 1])
    answer = fitted.annotate(text)
    assert answer.head.tolist() == [0]
    assert list(answer.deprel) == ["root"]


@NEURAL
def test_long_sentences_are_parsed_in_blocks() -> None:
    parser = make_system("biaffine", {**QUICK, "longest_whole": 40}).fit(TRAIN)
    long = Treebank(TEST.columns, offsets=[0, TEST.n_words], punctuation=TEST.punctuation)
    with pytest.warns(SystemsWarning, match="parsed in blocks of at most 40"):
        answer = parser.annotate(long)
    require_trees(answer, purpose="a test")


# ---------------------------------------------------------------------- what is read


@NEURAL
@pytest.mark.parametrize(
    "columns", [[name] for name in READABLE] + [["form", "upos"], ["lemma", "xpos", "feats"]]
)
def test_every_combination_of_columns(columns: list[str]) -> None:
    gold = treebank(
        """
        1 birds bird NOUN NNS Number=Plur 2 nsubj _ _
        2 sing  sing VERB VBP Mood=Ind    0 root _ _
        """
    )
    parser = make_system("biaffine", {**LONGER, "columns": columns}).fit(gold)
    assert parser.annotate(gold).head.tolist() == [2, 0]
    names = {name.partition(".")[0] for name, _ in parser._network.named_parameters()}
    assert ("speller" in names) == ("form" in columns)
    assert ("features" in names) == ("feats" in columns)


@NEURAL
def test_delexicalised_trees_are_the_same_whatever_the_words_are() -> None:
    parser = make_system("biaffine", {**QUICK, "delexicalised": True}).fit(TRAIN)
    renamed = TEST.replace(
        columns={"form": TEST.form.map(lambda form: form[::-1] + "x"), "lemma": TEST.form}
    )
    assert parser.annotate(TEST).head.tolist() == parser.annotate(renamed).head.tolist()


@NEURAL
def test_tags_of_a_tagger_are_learnt_from_and_saved(tmp_path) -> None:
    parser = make_system("biaffine", {**QUICK, "tags_from": "most-frequent-tag"}).fit(TRAIN)
    bare = blind(TEST, heads=True, tags=True)
    assert parser.annotate(TEST).head.tolist() == parser.annotate(bare).head.tolist()
    parser.save(tmp_path / "parser")
    assert load_system(tmp_path / "parser").annotate(TEST) == parser.annotate(TEST)


@NEURAL
def test_nothing_to_read_is_one_sentence() -> None:
    text = sentences("a/_/0 b/_/1")
    with pytest.raises(SystemsError, match="there is nothing to read: no word has lemma or feats"):
        make_system("biaffine", {**QUICK, "columns": ["lemma", "feats"]}).fit(text)


@NEURAL
def test_vectors_of_a_file_tell_unseen_words_apart(tmp_path) -> None:
    # Nothing but vectors tells which of the two words is the head.
    path = tmp_path / "vectors.txt"
    heads, leaves = ["ba", "bo", "bu", "be"], ["da", "do", "du", "de"]
    path.write_text(
        "".join(f"{word} 1 0\n" for word in heads) + "".join(f"{word} 0 1\n" for word in leaves)
    )
    train = sentences("ba/X/0 da/X/1", "da/X/2 ba/X/0", "bo/X/0 do/X/1", "do/X/2 bo/X/0")
    settings = {**LONGER, "columns": ["form"], "vectors": str(path), "forgetting": 5.0}
    parser = make_system("biaffine", settings, seed=1).fit(train)
    path.unlink()  # a saved model has its vectors in it
    parser.save(tmp_path / "parser")
    again = load_system(tmp_path / "parser")
    text = sentences("bu/_ du/_", "du/_ bu/_", "Be/_ DE/_")
    assert again.annotate(text).head.tolist() == [0, 1, 2, 0, 0, 1]
    kept = again._network.columns["vectors"].weight[3:5].tolist()
    assert kept == [[1.0, 0.0], [1.0, 0.0]]  # they are not learnt


@NEURAL
def test_broken_vectors_are_one_sentence(tmp_path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("ba 1 0\nbo 1\n")
    with pytest.raises(SystemsError, match=r"vectors\.txt:2: expected 2 numbers"):
        make_system("biaffine", {**QUICK, "vectors": str(path)}).fit(TRAIN)


# ---------------------------------------------------------------------- learning


@NEURAL
@pytest.mark.parametrize("held_out", [0.0, 0.3])
def test_the_same_seed_gives_the_same_bytes(held_out: float, tmp_path) -> None:
    settings = {**QUICK, "held_out": held_out}
    for copy, seed in (("one", 3), ("other", 3), ("third", 4)):
        make_system("biaffine", settings, seed=seed).fit(TRAIN).save(tmp_path / copy)
    one, other, third = ((tmp_path / name).read_bytes() for name in ("one", "other", "third"))
    assert one == other
    assert one != third


@NEURAL
def test_what_was_learnt_survives_saving(fitted, tmp_path) -> None:
    fitted.save(tmp_path / "parser")
    again = load_system(tmp_path / "parser")
    assert again.annotate(TEST) == fitted.annotate(TEST)
    again.save(tmp_path / "again")
    assert (tmp_path / "parser").read_bytes() == (tmp_path / "again").read_bytes()


@NEURAL
@pytest.mark.parametrize("held_out", [0.0, 0.3])
def test_an_interrupted_training_goes_on_to_the_same_bytes(held_out: float, tmp_path) -> None:
    settings = {**QUICK, "epochs": 4, "held_out": held_out, "patience": 9}
    whole = make_system("biaffine", settings, seed=5).fit(TRAIN)
    whole.save(tmp_path / "whole")

    def stop_after_two(share: float, _line: str) -> None:
        if share >= 0.5:
            raise KeyboardInterrupt

    folder = tmp_path / "kept"
    with pytest.raises(KeyboardInterrupt):
        make_system("biaffine", settings, seed=5).fit(
            TRAIN, on_progress=stop_after_two, keep_in=folder
        )
    assert [path.name for path in folder.iterdir()] == ["epoch.piece"]
    lines: list[str] = []
    again = make_system("biaffine", settings, seed=5).fit(
        TRAIN, on_progress=lambda _share, line: lines.append(line), keep_in=folder
    )
    assert [line.partition(":")[0] for line in lines] == ["epoch 3 of 4", "epoch 4 of 4"]
    again.save(tmp_path / "again")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "again").read_bytes()


@NEURAL
def test_a_piece_that_cannot_be_gone_on_with_is_one_sentence(tmp_path) -> None:
    from treegauge.systems.model_file import read_model, write_model

    make_system("biaffine", QUICK).fit(TRAIN, keep_in=tmp_path)
    arrays, about = read_model(tmp_path / "epoch.piece")
    del arrays["network.arcs"]
    write_model(tmp_path / "epoch.piece", arrays, about)
    with pytest.raises(SystemsError, match=r"kept there is damaged .*\n  remove the folder"):
        make_system("biaffine", QUICK).fit(TRAIN, keep_in=tmp_path)


@NEURAL
def test_pieces_with_other_vectors_are_not_gone_on_with(tmp_path) -> None:
    path = tmp_path / "vectors.txt"
    settings = {**QUICK, "vectors": str(path)}
    path.write_text("ba 1 0\n")
    make_system("biaffine", settings).fit(TRAIN, keep_in=tmp_path / "kept")
    path.write_text("ba 0 1\n")
    with pytest.warns(SystemsWarning, match="is of another text: the work starts anew"):
        make_system("biaffine", settings).fit(TRAIN, keep_in=tmp_path / "kept")


@NEURAL
def test_it_stops_when_held_out_sentences_get_no_better() -> None:
    lines: list[str] = []
    settings = {**QUICK, "rate": 0.0, "epochs": 9, "held_out": 0.3, "patience": 2}
    make_system("biaffine", settings).fit(TRAIN, on_progress=lambda _, line: lines.append(line))
    assert len(lines) == 3  # the first is the best, two more are waited for
    assert "LAS of held-out sentences" in lines[0]


@NEURAL
def test_the_best_epoch_is_the_one_that_is_kept(monkeypatch) -> None:
    from treegauge.systems.neural import biaffine_training

    scores, seen = iter([0.1, 0.9, 0.2]), []

    def score(network, _codes, _words) -> float:
        seen.append(network.arcs.detach().clone())
        return next(scores)

    monkeypatch.setattr(biaffine_training, "labelled_attachment", score)
    settings = {**QUICK, "epochs": 3, "held_out": 0.3}
    parser = make_system("biaffine", settings).fit(TRAIN)
    assert (parser._network.arcs == seen[1]).all()
    assert not (parser._network.arcs == seen[2]).all()


@NEURAL
def test_chance_outside_is_left_alone() -> None:
    import torch

    torch.manual_seed(1)
    expected, threads = torch.rand(3).tolist(), torch.get_num_threads()
    torch.manual_seed(1)
    make_system("biaffine", QUICK).fit(TRAIN[:5])
    assert torch.rand(3).tolist() == expected
    assert torch.get_num_threads() == threads


# ---------------------------------------------------------------------- what is missing or full


def test_missing_pytorch_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        SystemsError, match=r'biaffine needs torch.*\n  pip install "treegauge.neural'
    ):
        make_system("biaffine").fit(TRAIN)


@NEURAL
def test_full_memory_of_a_gpu_is_one_sentence(monkeypatch) -> None:
    import torch

    from treegauge.systems.neural import biaffine_learning

    def out_of_memory(*_arguments, **_options) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")

    monkeypatch.setattr(biaffine_learning, "train", out_of_memory)
    with pytest.raises(
        SystemsError, match="the memory of the GPU is full\n  choose a smaller batch"
    ):
        make_system("biaffine", QUICK).fit(TRAIN)


@NEURAL
def test_a_device_that_there_is_not() -> None:
    with pytest.raises(SystemsError, match="setting device: 'abacus' cannot be used"):
        make_system("biaffine", {**QUICK, "device": "abacus"}).fit(TRAIN)


# ---------------------------------------------------------------------- damaged files


def changed(path, change):
    """Save a model anew with its arrays and facts changed."""
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    about = json.loads(arrays["about"].tobytes())
    change(arrays, about)
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


@NEURAL
def test_a_damaged_model_is_refused(tmp_path) -> None:
    make_system("biaffine", QUICK).fit(TRAIN[:5]).save(tmp_path / "parser")
    with np.load(tmp_path / "parser") as file:
        names = [key for key in file.files if key != "about" and file[key].size > 1]
    for name in names:
        for change in CHANGES.values():

            def damage(arrays, _about, name=name, change=change):
                arrays[name] = change(arrays[name])

            with pytest.raises(SystemsError, match="damaged"):
                load_system(changed(tmp_path / "parser", damage))


@NEURAL
@pytest.mark.parametrize(
    "settings", [{"layers": 10**9}, {"hidden": 10**9}, {"size": "full"}, {"layers": 2}]
)
def test_a_model_with_other_sizes_is_refused(settings, tmp_path) -> None:
    make_system("biaffine", QUICK).fit(TRAIN[:5]).save(tmp_path / "parser")

    def damage(_arrays, about):
        about["settings"].update(settings)

    with pytest.raises(SystemsError, match="damaged"):
        load_system(changed(tmp_path / "parser", damage))


@pytest.mark.parametrize(
    ("words", "epochs"),
    [
        (1000, 750),  # two batches with the roots, 1500 steps
        (12_000, 108),  # fourteen
        (200_000, 15),  # 234: fifteen epochs are more than 1500 steps
    ],
)
def test_small_treebanks_are_seen_more_often(words: int, epochs: int) -> None:
    parser = make_system("biaffine")
    rows = words + words // 6
    assert parser._epochs_for(rows) == epochs
    assert make_system("biaffine", {"epochs": 4})._epochs_for(rows) == 4
