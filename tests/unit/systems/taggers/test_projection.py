from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from tests.unit.treebank.small_trees import sentences
from treegauge.dictionaries import (
    DictionaryError,
    from_treebank,
    refuse_training_dictionary,
    tag_codes,
    write_dictionary,
)
from treegauge.systems import SystemsError, SystemsWarning, load_system, make_system
from treegauge.systems.system_names import parse_system
from treegauge.systems.taggers.projected_votes import TaggedBitext, Votes, labelled_treebank
from treegauge.systems.word_alignment import Bitext, Links
from treegauge.systems.word_alignment.toy_bitext import toy_bitext
from treegauge.toys import toy_parts, toy_treebank
from treegauge.treebank import Column

pytestmark = pytest.mark.long


def tagged(pairs: list[tuple[str, str]], links: list[tuple[int, int, float]], weight=1.0):
    """Make a text of `word/TAG` sources; links count words of the whole text."""
    split = [([w.split("/")[0] for w in a.split()], b.split()) for a, b in pairs]
    tags = [w.split("/")[1] for a, _ in pairs for w in a.split()]
    source, target, weights = zip(*links, strict=True)
    return TaggedBitext(
        Bitext.of(split),
        Links(np.array(source), np.array(target), np.array(weights)),
        Column.from_strings(tags),
        weight,
    )


# One sentence in two texts, another in one of them; y of the first has no link.
ONE = tagged([("a/N b/V", "x y z"), ("c/N", "x")], [(0, 0, 0.5), (1, 2, 0.8), (2, 3, 1.0)])
OTHER = tagged([("d/V", "x y z")], [(0, 0, 0.75)], weight=2.0)


def test_votes_by_hand() -> None:
    votes = Votes.of([ONE, OTHER])
    assert votes.tags == ("N", "V")
    assert list(votes.words.words) == ["x", "y", "z", "x"]
    assert votes.votes.tolist() == [[0.5, 1.5], [0, 0], [0, 0.8], [1.0, 0]]
    assert votes.total_weight == 3
    assert votes.labels(fill=False).tolist() == [1, -1, 1, 0]
    assert votes.by_type().tolist() == [[1.5, 1.5], [0, 0], [0, 0.8]]


def test_a_sentence_that_stands_twice_in_one_text_has_the_votes_of_both() -> None:
    twice = tagged([("a/N", "x"), ("a/N", "x")], [(0, 0, 0.5), (1, 1, 0.25)])
    votes = Votes.of([twice])
    assert votes.votes.tolist() == [[0.75]]


def test_words_without_votes() -> None:
    text = tagged([("a/N b/V", "x y"), ("a/N", "y x")], [(0, 0, 1.0), (1, 1, 1.0), (2, 3, 1.0)])
    votes = Votes.of([text])
    everything = np.arange(2)
    assert votes.labels(fill=True).tolist() == [0, 1, 1, 0]
    filled = labelled_treebank(votes, votes.labels(fill=True), everything)
    assert [str(s) for s in filled] == ["x y", "y x"]
    cut = labelled_treebank(votes, votes.labels(fill=False), everything)
    assert [str(s) for s in cut] == ["x y", "x"]
    assert list(cut.upos) == ["N", "V", "N"]
    assert [str(s) for s in labelled_treebank(votes, votes.labels(fill=True), everything[1:])] == [
        "y x"
    ]


def test_a_word_without_a_label_divides_its_sentence() -> None:
    votes = Votes.of([ONE])
    cut = labelled_treebank(votes, votes.labels(fill=True), np.arange(2))
    assert [str(s) for s in cut] == ["x", "z", "x"]


def test_rare_tags_of_a_type_are_not_believed() -> None:
    pairs = [(f"a/{'N' if i else 'V'}", f"x w{i}") for i in range(12)]
    text = tagged(pairs, [(i, 2 * i, 1.0) for i in range(12)])
    votes = Votes.of([text])
    kept = votes.constrained(share=0.1, least=12)
    assert kept.votes[0].tolist() == [0, 0]
    assert kept.labels(fill=True)[0] == 0
    assert votes.constrained(share=0.1, least=13).votes[0].tolist() == [0, 1]
    assert votes.constrained(share=0.05, least=12).votes[0].tolist() == [0, 1]
    # The best tag of a type stays even if no share is large enough.
    assert votes.constrained(share=1.0, least=1).votes[1:].sum() == votes.votes[1:].sum()


def test_sentences_are_chosen_by_labels_and_certainty() -> None:
    votes = Votes.of(
        [
            tagged(
                [("a/N", "p q"), ("a/N", "r"), ("a/N", "s"), ("a/N", "t")],
                [(0, 0, 1.0), (1, 2, 0.3), (2, 3, 0.9), (3, 4, 0.6)],
            )
        ]
    )
    assert votes.kept_sentences(labelled=0.8, best=1, at_most=9).tolist() == [1, 2, 3]
    assert votes.kept_sentences(labelled=0.5, best=1, at_most=9).tolist() == [0, 1, 2, 3]
    assert votes.kept_sentences(labelled=0.8, best=2 / 3, at_most=9).tolist() == [2, 3]
    assert votes.kept_sentences(labelled=0.8, best=1, at_most=1).tolist() == [2]


# ---------------------------------------------------------------------- the system

TOKENS = 2500


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parallel")
    for source in ("svo", "free"):
        tg.write(toy_treebank(f"toy:{source}", tokens=2000), folder / f"{source}.conllu")
        pairs = list(toy_bitext(f"toy:{source}", "toy:sov", tokens=TOKENS))
        (folder / f"{source}.one").write_text(
            "".join(" ".join(a) + "\n" for a, _ in pairs), encoding="utf-8"
        )
        (folder / f"{source}.other").write_text(
            "".join(" ".join(b) + "\n" for _, b in pairs), encoding="utf-8"
        )
    return folder


@pytest.fixture(scope="module")
def toy():
    return toy_parts("toy:sov", tokens=2500)


def projection(folder, *sources: str, **settings):
    return make_system(
        "projection",
        {
            "parallel": [f"{folder}/{s}.one::{folder}/{s}.other" for s in sources],
            "sources": [f"{folder}/{s}.conllu" for s in sources],
            **settings,
        },
    )


def accuracy(tagger, gold) -> float:
    return float((tag_codes(tagger.annotate(gold)) == tag_codes(gold)).mean())


@pytest.mark.parametrize(
    ("tagger", "settings"),
    [
        ("tnt", {"source_weights": "alignment"}),
        ("tnt", {"symmetrisation": "grow-diag-final", "tags": "u12"}),
        ("perceptron?bits=14&epochs=3", {"unlabelled": "cut"}),
        ("most-frequent-tag", {"source_tagger": "most-frequent-tag"}),
    ],
)
def test_it_comes_near_to_what_gold_of_the_same_sentences_teaches(
    tagger: str, settings, folder, toy
) -> None:
    gold = toy_treebank("toy:sov", tokens=TOKENS, seed=1)
    taught = accuracy(make_system(*parse_system(tagger)).fit(gold), toy["test"])
    told = projection(folder, "svo", "free", tagger=tagger, **settings).fit(toy["dev"])
    assert 0.8 * taught < accuracy(told, toy["test"]) < taught


def test_two_sources_are_better_than_each(folder, toy) -> None:
    right = [
        accuracy(projection(folder, *sources).fit(toy["dev"]), toy["test"])
        for sources in (("svo", "free"), ("svo",), ("free",))
    ]
    assert right[0] == max(right)


def test_a_model_may_tag_the_source_side(folder, toy, tmp_path) -> None:
    tagger = make_system("tnt").fit(tg.read(folder / "svo.conllu"))
    tagger.save(tmp_path / "svo.model")
    by_model = projection(folder, "svo", sources=[str(tmp_path / "svo.model")]).fit(toy["dev"])
    by_treebank = projection(folder, "svo").fit(toy["dev"])
    assert by_model.annotate(toy["test"]) == by_treebank.annotate(toy["test"])
    make_system("transfer", {"sources": f"{folder}/svo.conllu", "bits": 12, "epochs": 1}).fit(
        toy["dev"]
    ).save(tmp_path / "other.model")
    with pytest.raises(SystemsError, match="transfer is no supervised tagger"):
        projection(folder, "svo", sources=[str(tmp_path / "other.model")]).fit(toy["dev"])


def test_tags_that_the_source_side_has(folder, toy, tmp_path) -> None:
    """Tags that a tagger has written before teach the same as the tagger."""
    tagger = make_system("tnt").fit(tg.read(folder / "svo.conllu"))
    texts = {side: tg.read(folder / f"svo.{side}", format="tokens") for side in ("one", "other")}
    tg.write(tagger.annotate(texts["one"]), tmp_path / "one.conllu")
    by_tagger = projection(folder, "svo").fit(toy["dev"]).annotate(toy["test"])
    # Nobody looks at the tags of the target side.
    wrong = Column.from_strings(["X"] * texts["other"].n_words)
    for target in (texts["other"], texts["other"].replace(columns={"upos": wrong})):
        tg.write(target, tmp_path / "other.conllu")
        text = f"{tmp_path}/one.conllu::{tmp_path}/other.conllu"
        given = projection(folder, "svo", parallel=[text], sources=["given"]).fit(toy["dev"])
        assert given.annotate(toy["test"]) == by_tagger
    mapped = projection(folder, "svo", parallel=[text], sources=["given"], tags="u12")
    assert "." in mapped.fit(toy["dev"]).annotate(toy["test"]).upos.counts()


def test_given_tags_are_those_of_another_language(folder, toy, tmp_path) -> None:
    tg.write(toy["dev"], tmp_path / "own.conllu")
    itself = [f"{tmp_path}/own.conllu::{tmp_path}/own.conllu"]
    with pytest.raises(SystemsError, match="has the sentences of the text itself"):
        make_system("projection", {"parallel": itself, "sources": ["given"]}).fit(toy["dev"])
    with pytest.raises(SystemsError, match="has no tags on its source side"):
        projection(folder, "svo", sources=["given"]).fit(toy["dev"])


def test_a_dictionary_that_helped_cannot_score(folder, toy, tmp_path) -> None:
    words = from_treebank(toy["train"])
    write_dictionary(words, tmp_path / "words.tsv")
    told = projection(folder, "svo", dictionary=str(tmp_path / "words.tsv")).fit(toy["dev"])
    untold = projection(folder, "svo").fit(toy["dev"])
    assert accuracy(told, toy["test"]) > accuracy(untold, toy["test"])
    told.save(tmp_path / "model")
    for tagger in (told, load_system(tmp_path / "model")):
        with pytest.raises(DictionaryError, match="was trained with"):
            refuse_training_dictionary(words, treebank=tagger.annotate(toy["test"]))
    refuse_training_dictionary(words, treebank=untold.annotate(toy["test"]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"parallel": ["a", "b"], "sources": ["c"]}, "2 parallel texts and 1 sources"),
        ({"tagger": "dmv"}, "dmv is no supervised tagger"),
        ({"tagger": "brown"}, "brown is no supervised tagger"),
        ({"source_tagger": "nothing"}, "unknown system 'nothing'"),
        ({"tagger": "tnt?no=1"}, "unknown setting 'no'"),
    ],
)
def test_settings_that_do_not_fit(settings, message) -> None:
    with pytest.raises(SystemsError, match=message):
        make_system("projection", settings)


def test_sentences_that_do_not_translate_each_other(tmp_path, folder) -> None:
    lines = [f"m{i} so ||| n{i} .\n" for i in range(5)]
    (tmp_path / "odd").write_text("".join(lines), encoding="utf-8")
    tagger = make_system(
        "projection",
        {"parallel": [f"{tmp_path}/odd"], "sources": [f"{folder}/svo.conllu"], "labelled": 0},
    )
    with pytest.warns(SystemsWarning, match="of the links of punctuation marks only"):
        tagger.fit(sentences("a/_ b/_"))


def test_too_few_labels(folder, toy) -> None:
    with pytest.raises(SystemsError, match="no sentence has tags on 100% of its words"):
        projection(folder, "svo", labelled=1.0, best=0.0).fit(toy["dev"])
