from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.toys import toy_parts
from treegauge.treebank import Treebank, TreebankError

TRAIN = sentences(
    "we/PRON fish/VERB for/ADP fish/NOUN", "fish/NOUN run/VERB ./PUNCT", "run/NOUN ./PUNCT"
)
TEST = sentences("fish/VERB run/X Oslo/PROPN ./PUNCT")


def tags(train: Treebank, test: Treebank = TEST, **settings: str) -> list[str]:
    return list(make_system("most-frequent-tag", settings).fit(train).annotate(test).upos)


def test_a_known_word_gets_its_most_frequent_tag() -> None:
    assert tags(TRAIN)[0] == "NOUN"  # twice NOUN, once VERB
    assert tags(TRAIN)[3] == "PUNCT"


def test_ties_go_to_the_first_in_the_alphabet() -> None:
    assert tags(TRAIN)[1] == "NOUN"  # once VERB, once NOUN
    assert tags(sentences("run/VERB run/NOUN run/ADJ"))[1] == "ADJ"


def test_an_unknown_word_gets_the_most_frequent_tag_of_words_seen_once() -> None:
    assert tags(TRAIN)[2] == "ADP"  # we/PRON and for/ADP: a tie
    assert tags(sentences("a/X b/PROPN c/PROPN d/X d/X"))[2] == "PROPN"


def test_without_words_seen_once_it_is_the_most_frequent_tag_of_all() -> None:
    assert tags(sentences("a/X a/X b/DET b/DET b/DET"))[2] == "DET"


def test_words_without_a_tag_teach_nothing() -> None:
    assert tags(sentences("fish/_ fish/_ fish/VERB a/_ b/X c/X"))[:3] == ["VERB", "X", "X"]
    with pytest.raises(TreebankError, match="has no tags for 'u'"):
        tags(sentences("a/_"))


def test_gold_tags_of_the_text_make_no_difference() -> None:
    other = sentences("fish/A run/B Oslo/C ./D")
    assert tags(TRAIN, TEST) == tags(TRAIN, other)


def test_the_twelve_universal_tags() -> None:
    assert tags(sentences("Oslo/PROPN ./PUNCT"), sentences("Oslo/X ./X"), tags="u12") == [
        "NOUN",
        ".",
    ]


FINE = """
1 birds _ NOUN NNS _ 2 nsubj _ _
2 sing  _ VERB VBP _ 0 root  _ _
"""


@pytest.mark.parametrize(
    ("which", "column", "expected"),
    [
        ("u", "upos", ["NOUN", "VERB"]),
        ("p", "xpos", ["NNS", "VBP"]),
        ("p:2", "xpos", ["NN", "VB"]),
        ("c", "upos", ["NOUN", "VERB"]),  # no coarse tags: what c falls back to
    ],
)
def test_tags_are_written_where_they_were_read(which, column, expected) -> None:
    gold = treebank(FINE)
    answer = make_system("most-frequent-tag", {"tags": which}).fit(gold).annotate(gold)
    assert list(answer.columns[column]) == expected
    # No gold tag is left in another column, where it would contradict or be scored.
    assert not any(answer.columns[c].is_annotated for c in ("upos", "xpos", "cpos") if c != column)
    assert answer.head.tolist() == [2, 0]


def test_coarse_tags_have_a_column_of_their_own() -> None:
    gold = treebank("1 birds _ N NNS _ 2 nsubj _ _\n2 sing _ V VBP _ 0 root _ _", format="conllx")
    answer = make_system("most-frequent-tag", {"tags": "c"}).fit(gold).annotate(gold)
    assert list(answer.cpos) == ["N", "V"]


def test_it_is_supervised_and_must_learn_first() -> None:
    tagger = make_system("most-frequent-tag")
    assert tagger.supervision == "supervised"
    with pytest.raises(SystemsError, match="is not fitted yet: call fit first, or load a model"):
        tagger.annotate(TEST)


def test_what_was_learnt_survives_saving(tmp_path) -> None:
    tagger = make_system("most-frequent-tag").fit(TRAIN)
    tagger.save(tmp_path / "tagger")
    assert load_system(tmp_path / "tagger").annotate(TEST) == tagger.annotate(TEST)


def test_agreement_with_a_slow_twin_on_a_toy_language() -> None:
    parts = toy_parts("toy:svo", tokens=3000)
    train, test = parts["train"], parts["test"]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for form, tag in zip(train.form, train.upos, strict=True):
        counts[form][tag] += 1
    once = Counter(next(iter(tags)) for tags in counts.values() if tags.total() == 1)

    def best(tags: Counter[str]) -> str:
        return min(tags, key=lambda tag: (-tags[tag], tag))

    expected = [best(counts.get(form, once)) for form in test.form]
    assert any(form not in counts for form in test.form)  # or half of it is not tested
    assert list(make_system("most-frequent-tag").fit(train).annotate(test).upos) == expected
