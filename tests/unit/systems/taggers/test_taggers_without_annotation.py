"""Taggers for languages without annotation: none of them sees a tag of its target."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import treegauge as tg
from tests.unit.systems.taggers.test_supervised_taggers import CHANGES, changed
from tests.unit.systems.test_system import GOLD, SECRETS_OF_TAGS, SECRETS_OF_TREES, found_by_looking
from tests.unit.treebank.small_trees import conllu, sentences
from treegauge.catalogue import CatalogueError
from treegauge.dictionaries import from_treebank, tag_codes, write_dictionary
from treegauge.formats import Findings, read
from treegauge.systems import System, SystemsError, load_system, make_system, systems
from treegauge.systems.word_alignment.toy_bitext import toy_bitext
from treegauge.toys import toy_parts, toy_treebank
from treegauge.treebank import Treebank

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Source treebanks and a parallel text, all small."""
    folder = tmp_path_factory.mktemp("sources")
    tg.write(toy_treebank("toy:svo", tokens=2000), folder / "svo.conllu")
    tg.write(toy_treebank("toy:free", tokens=1000), folder / "free.conllu")
    lines = [
        f"{' '.join(a)} ||| {' '.join(b)}\n"
        for a, b in toy_bitext("toy:svo", "toy:sov", tokens=2000)
    ]
    (folder / "svo-sov.txt").write_text("".join(lines), encoding="utf-8")
    words = from_treebank(toy_treebank("toy:sov", tokens=1000, seed=2))
    write_dictionary(words, folder / "sov.tsv")
    return folder


@pytest.fixture(scope="module")
def settings(folder) -> dict[str, dict]:
    return {
        "projection": {"parallel": [f"{folder}/svo-sov.txt"], "sources": [f"{folder}/svo.conllu"]},
        "transfer": {
            "sources": [f"{folder}/svo.conllu", f"{folder}/free.conllu"],
            "bits": 14,
            "epochs": 2,
        },
        "dictionary-hmm": {"dictionary": f"{folder}/sov.tsv", "iterations": 3},
    }


@pytest.fixture(scope="module")
def toy() -> dict[str, Treebank]:
    return toy_parts("toy:sov", tokens=2500)


@pytest.fixture(scope="module")
def fitted(settings, toy) -> dict[str, System]:
    return {name: make_system(name, s).fit(toy["train"]) for name, s in settings.items()}


each_tagger = pytest.mark.parametrize("name", ["projection", "transfer", "dictionary-hmm"])


def accuracy(tagger: System, gold: Treebank) -> float:
    return float((tag_codes(tagger.annotate(gold)) == tag_codes(gold)).mean())


@each_tagger
def test_it_is_better_than_one_tag_for_all(name: str, fitted, toy) -> None:
    counts = np.bincount(tag_codes(toy["test"]))
    assert accuracy(fitted[name], toy["test"]) > counts.max() / counts.sum()


@each_tagger
def test_gold_of_the_target_never_reaches_it(name: str, settings, tmp_path, monkeypatch) -> None:
    path = tmp_path / "zebra.conllu"
    path.write_text(conllu(GOLD), encoding="utf-8")
    gold = read(path, findings=Findings())
    cls = systems()[name].load()
    seen: list[bytes] = []
    for method in ("_fit", "_annotate"):
        inner = getattr(cls, method)

        def looking(self, treebank, on_progress, inner=inner):
            seen.append(found_by_looking([treebank, vars(self)])[0])
            return inner(self, treebank, on_progress)

        monkeypatch.setattr(cls, method, looking)
    tagger = make_system(name, settings[name]).fit(gold)
    answer = tagger.annotate(gold)
    seen.append(found_by_looking(vars(tagger))[0])
    assert len(seen) == 3
    assert all(b"birds" in text for text in seen[:2])
    for secret in (*SECRETS_OF_TAGS, *SECRETS_OF_TREES):
        assert not any(secret.encode() in text for text in seen)
    # What is annotated as gold makes no difference either.
    assert list(tagger.annotate(gold.blind(tags=True)).upos) == list(answer.upos)


@each_tagger
def test_the_same_seed_gives_the_same(name: str, settings, fitted, toy) -> None:
    again = make_system(name, settings[name]).fit(toy["train"])
    assert again.annotate(toy["test"]) == fitted[name].annotate(toy["test"])


@each_tagger
def test_what_was_learnt_survives_saving(name: str, fitted, toy, tmp_path) -> None:
    fitted[name].save(tmp_path / "model")
    again = load_system(tmp_path / "model")
    assert again.annotate(toy["test"]) == fitted[name].annotate(toy["test"])
    again.save(tmp_path / "again")
    assert load_system(tmp_path / "again").annotate(toy["dev"]) == fitted[name].annotate(toy["dev"])


@each_tagger
@pytest.mark.parametrize("text", ["漢", "\u0301", "a" * 3000, "-", "1"])
def test_words_never_seen(name: str, text: str, fitted) -> None:
    answer = fitted[name].annotate(tg.parse(f"{text}\n", format="tokens"))
    assert answer.upos[0] not in ("", "_")


@each_tagger
def test_sentences_without_words(name: str, fitted) -> None:
    assert fitted[name].annotate(sentences()).n_words == 0
    bare = tg.Treebank({"form": tg.Column.from_strings(["a"])}, offsets=[0, 0, 1, 1])
    assert len(fitted[name].annotate(bare).upos) == 1


@pytest.mark.parametrize("name", ["projection", "transfer"])
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
    assert refused >= len(names) - 3
    assert refused == len(names) or change != "missing"


@pytest.mark.parametrize("name", ["projection", "transfer", "dictionary-hmm", "corrupted"])
def test_the_table_says_what_they_are_told(name: str) -> None:
    assert make_system(name).supervision == systems()[name].supervision
    assert not make_system(name).is_supervised


# ---------------------------------------------------------------------- sources


@pytest.mark.parametrize("name", ["projection", "transfer"])
def test_the_target_is_no_source(name: str, settings, folder) -> None:
    own = tg.read(folder / "svo.conllu")
    with pytest.raises(SystemsError, match=r"svo\.conllu has the sentences of the text itself"):
        make_system(name, settings[name]).fit(own)


@pytest.mark.parametrize("name", ["projection", "transfer"])
def test_sources_that_are_not_there(name: str, settings, toy) -> None:
    missing = {**settings[name], "sources": ["nowhere.conllu"]}
    with pytest.raises((CatalogueError, tg.formats.FormatError), match="nowhere"):
        make_system(name, missing).fit(toy["dev"])
    with pytest.raises(SystemsError, match=f"{name} needs"):
        make_system(name).fit(toy["dev"])
