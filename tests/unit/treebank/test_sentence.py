from __future__ import annotations

import pickle

import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.formats import parse
from treegauge.treebank import Sentence, Treebank, concatenate


@pytest.fixture
def two() -> Treebank:
    return treebank("""
        # sent_id = silence
        1    hush   hush  INTJ  UH   _                     0  root    _       _

        # newpar
        # sent_id = dunno
        # text = dunno it
        1-2  dunno  _     _     _    _                     _  _       _       SpaceAfter=No
        1    dun    do    VERB  VBP  Mood=Ind|Tense=Pres   0  root    0:root  Gloss=weet
        2    no     not   PART  RB   Foreign|Polarity=Neg  1  advmod  _       _
        2.1  I      I     PRON  PRP  _                     _  _       1:nsubj _
        3    it     it    PRON  PRP  _                     1  obj     _       _
    """)


@pytest.fixture
def sentence(two: Treebank) -> Sentence:
    return two[1]


def test_a_sentence_is_a_sequence_of_words(sentence: Sentence) -> None:
    assert len(sentence) == 3
    assert [word.form for word in sentence] == ["dun", "no", "it"]
    assert [word.position for word in sentence] == [1, 2, 3]
    assert sentence[0].form == "dun"
    assert sentence[-1].form == "it"
    assert sentence[-3] == sentence[0]
    assert str(sentence) == "dun no it"
    assert sentence.first == 1
    assert sentence.heads == [0, 1, 1]


@pytest.mark.parametrize("outside", [3, -4])
def test_words_outside(sentence: Sentence, outside: int) -> None:
    with pytest.raises(IndexError, match=f"word {outside} of 3"):
        sentence[outside]


def test_a_word_has_every_column(sentence: Sentence) -> None:
    word = sentence[1]
    assert (word.form, word.lemma, word.upos, word.xpos) == ("no", "not", "PART", "RB")
    assert (word.head, word.deprel) == (1, "advmod")
    assert sentence[0]["misc"] == "Gloss=weet"
    assert sentence[0]["deps"] == "0:root"
    with pytest.raises(KeyError):
        word["spam"]


def test_features(two: Treebank, sentence: Sentence) -> None:
    assert sentence[0].feats == {"Mood": "Ind", "Tense": "Pres"}
    assert sentence[1].feats == {"Foreign": "", "Polarity": "Neg"}
    assert sentence[2].feats == {}
    assert two[0][0]["feats"] == "_"


def test_a_feature_with_an_equals_sign_in_its_value() -> None:
    one = treebank("1 a _ X _ Note=b=c 0 root _ _")
    assert one[0][0].feats == {"Note": "b=c"}


def test_head_that_is_not_annotated() -> None:
    assert sentences("oh/INTJ")[0][0].head == -1


def test_id_and_comments(two: Treebank, sentence: Sentence) -> None:
    assert sentence.id == "dunno"
    assert sentence.comments == ["# newpar", "# sent_id = dunno", "# text = dunno it"]
    assert two[0].id == "silence"
    assert two[0].comments == ["# sent_id = silence"]
    assert sentences("oh/INTJ/0")[0].id == ""
    assert sentences("oh/INTJ/0")[0].comments == []


def test_multiword_tokens(two: Treebank, sentence: Sentence) -> None:
    assert sentence.multiword_tokens == {(1, 2): "dunno"}
    assert two[0].multiword_tokens == {}


def test_multiword_tokens_where_columns_have_another_order() -> None:
    plus = parse(
        "# global.columns = LEMMA HEAD FORM ID\n_\t_\tdunno\t1-2\ndo\t0\tdun\t1\nnot\t1\tno\t2\n\n"
    )
    assert plus[0].multiword_tokens == {(1, 2): "dunno"}


def test_multiword_tokens_behind_a_file_without_word_numbers(two: Treebank) -> None:
    both = concatenate([parse("oh/INTJ\n"), two])
    assert [s.multiword_tokens for s in both] == [{}, {}, {(1, 2): "dunno"}]


def test_a_view_shows_what_the_treebank_has(two: Treebank) -> None:
    flat = two.replace(head=[0, 0, 0, 0])
    assert flat[1].heads == [0, 0, 0]
    assert two[1].heads == [0, 1, 1]


def test_equality_and_hash(two: Treebank, sentence: Sentence) -> None:
    assert sentence == two[1]
    assert sentence != two[0]
    assert sentence[0] != sentence[1]
    assert len({two[1], two[-1], sentence}) == 1


def test_pickle(sentence: Sentence) -> None:
    again = pickle.loads(pickle.dumps(sentence))
    assert again == sentence
    assert again[2].form == "it"


def test_repr(two: Treebank, sentence: Sentence) -> None:
    assert repr(sentence) == "<Sentence dunno: dun no it>"
    assert repr(sentences("oh/INTJ/0")[0]) == "<Sentence: oh>"
    assert repr(sentence[1]) == "<Word 2 'no' PART advmod←1>"


def test_a_sentence_of_no_words() -> None:
    empty = sentences("./PUNCT/0").without_punctuation()[0]
    assert len(empty) == 0
    assert list(empty) == []
    assert str(empty) == ""
    assert empty.heads == []
    for index in (0, -1):
        with pytest.raises(IndexError, match=f"word {index} of 0"):
            empty[index]
