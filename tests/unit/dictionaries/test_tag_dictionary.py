from __future__ import annotations

import io
import json
import lzma

import numpy as np
import pytest

import treegauge as tg
from tests.unit.dictionaries.worked_example import GOLD, dictionary, treebank
from treegauge.dictionaries import (
    DictionaryError,
    Matching,
    TagDictionary,
    WordPair,
    from_treebank,
    import_dictionary,
    joined,
    read_dictionary,
    read_word_list,
    refuse_training_dictionary,
    translate,
    write_dictionary,
)
from treegauge.dictionaries.matching import look_up
from treegauge.dictionaries.quality import quality
from treegauge.dictionaries.tag_sets import ALL_TAGS, TAGS, set_sizes, tag_mask, tags_of


def test_there_are_twelve_tags_and_a_bit_for_each():
    assert len(TAGS) == 12
    assert [tag_mask([tag]) for tag in TAGS] == [1 << i for i in range(12)]
    assert tags_of(ALL_TAGS) == TAGS
    assert set_sizes(np.array([0, 1, ALL_TAGS, 0b101])).tolist() == [0, 1, 12, 2]


def test_the_map_from_ud():
    ours = TagDictionary.from_mapping(
        {"w": ["AUX", "SCONJ", "CCONJ", "PROPN", "PART", "INTJ", "PUNCT", "SYM"]}
    )
    assert ours["w"] == (".", "CONJ", "NOUN", "PRT", "VERB", "X")


def test_reading_unites_lines_and_normalises():
    composed, apart = "caf\u00e9", "cafe\u0301"
    found = read_dictionary(io.StringIO(f"{apart}\tNOUN\n\n{composed}\tVERB, ADJ\r\n#\t.\n"))
    assert dict(found.items()) == {composed: ("ADJ", "NOUN", "VERB"), "#": (".",)}
    assert (len(found), found.n_entries) == (2, 4)


def test_writing_and_reading_is_the_identity(tmp_path):
    path = tmp_path / "example.tsv.xz"
    write_dictionary(dictionary(), path)
    assert lzma.decompress(path.read_bytes()).startswith(b".\t.\n")
    found = read_dictionary(path)
    assert (found, found.name) == (dictionary(), "example")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog\tNOUN\nbarks VERB\n", r":2: \[columns\] expected a form, a tab and tags"),
        ("dog\tNOUN\tVERB\n", r":1: \[columns\]"),
        ("\tNOUN\n", r":1: \[columns\]"),
        ("dog\tNoun\n", r":1: \[tag\] 'Noun' is no universal tag; did you mean NOUN"),
        ("dog\tNOUN,VREB\n", r"'VREB' is no universal tag; did you mean VERB"),
        ("dog\tNOUN,\n", r":1: \[tag\] '' is no universal tag"),
        ("dog\tqqq\n", r"there are \. ADJ ADP"),
        ("", "a dictionary without words"),
    ],
)
def test_broken_lines_are_named(text, message):
    with pytest.raises(DictionaryError, match=message):
        read_dictionary(io.StringIO(text))


def test_many_broken_lines_are_counted():
    with pytest.raises(DictionaryError, match="and 5 more broken lines") as raised:
        read_dictionary(io.StringIO("dog\tNOUN\n" + "broken\n" * 25))
    assert str(raised.value).count("\n") == 20


def test_one_line_is_enough_of_a_file_that_is_something_else():
    with pytest.raises(DictionaryError, match="; nor is any of the other 24 lines right") as raised:
        read_dictionary(io.StringIO("broken\n" * 25))
    assert "\n" not in str(raised.value)
    word = "3\tdog\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    with pytest.raises(DictionaryError, match=r":2: \[treebank\] expected a dictionary") as raised:
        read_dictionary(io.StringIO("# sent_id = 1\n" + word * 25))
    assert "\n" not in str(raised.value)


def test_what_is_no_text(tmp_path):
    path = tmp_path / "latin1.tsv"
    path.write_bytes("hund\tNOUN\nbåd\tNOUN\n".encode("latin-1"))
    with pytest.raises(DictionaryError, match=r"latin1.tsv:2: \[encoding\] expected UTF-8"):
        read_dictionary(path)
    with pytest.raises(DictionaryError, match="cannot be read"):
        read_dictionary(tmp_path / "missing.tsv")


def test_fingerprints_depend_on_content_alone():
    turned = TagDictionary.from_mapping(dict(reversed(list(dictionary().items()))))
    assert turned.fingerprint == dictionary().fingerprint
    other = dictionary() | TagDictionary.from_mapping({"old": ["NOUN"]})
    assert other != dictionary()
    assert other["old"] == ("ADJ", "NOUN")
    assert joined([dictionary()]) == dictionary()


def test_an_entry_has_tags():
    with pytest.raises(DictionaryError, match="'dog' has no tags"):
        TagDictionary.from_masks({"dog": 0})


def test_halves_share_no_form():
    one, other = dictionary().halves(seed=3)
    assert not set(one) & set(other)
    assert one | other == dictionary()
    assert (len(one), len(other)) == (3, 3)


# ---------------------------------------------------------------------- look-up


def test_casing():
    ours = TagDictionary.from_mapping({"the": ["DET"], "Bill": ["NOUN"], "bill": ["VERB"]})
    forms = ["The", "Bill", "BILL"]

    def masks(casing):
        return [tags_of(int(m)) for m in look_up(ours, forms, Matching(casing=casing)).mask]

    assert masks("exact") == [(), ("NOUN",), ()]
    assert masks("lower") == [("DET",), ("NOUN", "VERB"), ("NOUN", "VERB")]
    assert masks("backoff") == [("DET",), ("NOUN",), ("VERB",)]
    with pytest.raises(
        DictionaryError, match="setting casing: expected one of exact, lower, backoff"
    ):
        Matching(casing="upper")


def test_numbers_need_a_digit():
    forms = ["1,000", "10:30", ".", "-", "B2"]
    found = look_up(dictionary(), forms, Matching(numbers=True))
    assert [tags_of(int(m)) for m in found.mask] == [("NUM",), ("NUM",), (".",), (), ()]


# ---------------------------------------------------------------------- other projects


def test_unimorph():
    lines = (
        "hund\thunde\tN;NOM;PL\nløbe\tløbende\tV.PTCP;PRS\nløbe\tvil løbe\tV;FUT\nå\tå\tQQ;X\n"
        "selv\tselv\tNOM;PRO\n"
    )
    found = import_dictionary(io.StringIO(lines), "unimorph")
    assert dict(found.dictionary.items()) == {
        "hunde": ("NOUN",),
        "løbende": ("ADJ", "VERB"),
        "selv": ("PRON",),
    }
    assert (found.entries, found.dropped_multiword, found.dropped_parts) == (5, 1, {"QQ": 1})
    with pytest.raises(DictionaryError, match=r":1: \[kind\] expected a lemma, a form and feat"):
        import_dictionary(io.StringIO("hund\n"), "unimorph")


def test_wiktionary_headings():
    lines = "Danish\ten\tArticle\t# a\nDanish\tto\tCardinal numeral\nEnglish\tdog\tNoun\n"
    lines += "Danish\tpå farten\tAdverb\nDanish\t-hed\tSuffix\nDanish\tav\tInterjection\n"
    found = import_dictionary(io.StringIO(lines), "wiktionary", language="danish")
    assert dict(found.dictionary.items()) == {"en": ("DET",), "to": ("NUM",), "av": ("X",)}
    assert (found.dropped_multiword, found.dropped_parts) == (1, {"SUFFIX": 1})
    two = import_dictionary(io.StringIO("dog\tNoun\n"), "wiktionary")
    assert two.dictionary["dog"] == ("NOUN",)


def test_wiktextract(tmp_path):
    entries = [
        {
            "word": "hund",
            "lang_code": "da",
            "lang": "Danish",
            "pos": "noun",
            "forms": [
                {"form": "hunde", "tags": ["plural"]},
                {"form": "no-table-tags", "tags": ["table-tags"]},
                {"form": "-", "tags": ["genitive"]},
            ],
        },
        {"word": "hot dog", "lang_code": "da", "pos": "noun"},
        {"word": "dog", "lang_code": "en", "pos": "verb"},
        {"word": "-hed", "lang_code": "da", "pos": "suffix"},
    ]
    path = tmp_path / "danish.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    for language in ("da", "Danish"):
        found = import_dictionary(path, language=language)
        assert found.dictionary["hund"] == found.dictionary["hunde"] == ("NOUN",)
    assert len(import_dictionary(path, language="da").dictionary) == 2
    assert "dog" in import_dictionary(path).dictionary
    with pytest.raises(DictionaryError, match="no entries of sv"):
        import_dictionary(path, language="sv")
    with pytest.raises(DictionaryError, match="expected a JSON object with a word"):
        import_dictionary(io.StringIO("{}\n"), "wiktextract")


@pytest.mark.parametrize(
    "entry",
    [
        {"word": 1, "pos": "noun"},
        {"word": ["dog"], "pos": "noun"},
        {"word": "dog", "pos": "noun", "forms": 3},
        {"word": "dog", "pos": "noun", "forms": ["dogs"]},
        ["word"],
    ],
)
def test_wiktextract_of_other_types_is_refused_without_a_traceback(entry):
    with pytest.raises(DictionaryError, match=r":1: .* expected a JSON object with a word"):
        import_dictionary(io.StringIO(json.dumps(entry) + "\n"), "wiktextract")


def test_apertium():
    lines = "dogs:dog<n><pl>\nrun:<:run<vblex><inf>\nrun:>:runn<vblex>\ndel:de<pr>+el<det>\n"
    found = import_dictionary(io.StringIO(lines), "apertium")
    assert dict(found.dictionary.items()) == {"dogs": ("NOUN",), "run": ("VERB",)}
    assert found.dropped_parts == {"pr+": 1}


def test_freedict():
    entry = "<entry><form><orth>{}</orth></form><gramGrp><pos>{}</pos></gramGrp></entry>"
    body = entry.format("hund", "n") + entry.format("hot dog", "n") + entry.format("å", "letter")
    tei = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>{body}</text></TEI>'
    found = import_dictionary(io.StringIO(tei), "freedict")
    assert dict(found.dictionary.items()) == {"hund": ("NOUN",)}
    assert (found.dropped_multiword, found.dropped_parts) == (1, {"letter": 1})
    with pytest.raises(DictionaryError, match="expected TEI"):
        import_dictionary(io.StringIO("<a>"), "freedict")


def test_unknown_kinds():
    with pytest.raises(DictionaryError, match="unknown kind of dictionary 'odt'\n  there are tsv"):
        import_dictionary(io.StringIO(""), "odt")


# ---------------------------------------------------------------------- made of something else


def test_of_a_treebank():
    found = from_treebank(treebank("the/DET the/PRON 2/NUM %/SYM ./PUNCT\n"))
    assert found["."] == (".",)
    assert found["the"] == ("DET", "PRON")
    assert found["%"] == ("X",)
    assert from_treebank(treebank("%/SYM\n"), symbols=".")["%"] == (".",)
    with pytest.raises(tg.TreebankError, match=r"has no tags for .u12."):
        from_treebank(treebank("dog/NN\n"))


def test_translation():
    english = TagDictionary.from_mapping({"dog": ["NOUN", "VERB"], "hound": ["NOUN"], "a": ["DET"]})
    text = "dog\thund\nhound\thund\ndog\thund\nhot dog\tpølse\ncat\tkat\ndog\ten hund\na\ten\n"
    pairs = read_word_list(io.StringIO(text))
    found = translate(english, pairs)
    assert dict(found.dictionary.items()) == {"hund": ("NOUN", "VERB"), "en": ("DET",)}
    assert (found.pairs, found.dropped_multiword, found.without_tags) == (6, 2, 1)
    assert translate(english, pairs, max_tags=1).dictionary["hund"] == ("NOUN",)
    assert translate(english, pairs, min_share=0.51).dictionary["hund"] == ("NOUN",)
    # A form keeps its best tag however few of its translations have it.
    apart = [("a", "x"), ("hound", "x"), ("dog", "x")]
    assert translate(english, apart, min_share=1.0).dictionary["x"] == ("NOUN",)
    with pytest.raises(DictionaryError, match="min_share is between 0 and 1"):
        translate(english, pairs, min_share=2)


def test_translations_with_tags():
    english = TagDictionary.from_mapping({"dog": ["NOUN", "VERB"]})
    pairs = read_word_list(io.StringIO("dog\thund\tNOUN\ndog\tforfølge\tVERB\ndog\tjage\n"))
    assert pairs[0] == WordPair("dog", "hund", tag_mask(["NOUN"]))
    assert translate(english, pairs).dictionary["hund"] == ("NOUN", "VERB")
    matched = translate(english, pairs, match_tags=True).dictionary
    assert dict(matched.items()) == {
        "hund": ("NOUN",),
        "forfølge": ("VERB",),
        "jage": ("NOUN", "VERB"),
    }


def test_broken_word_lists():
    with pytest.raises(DictionaryError, match=r":1: \[columns\] expected a word, a tab"):
        read_word_list(io.StringIO("dog hund\n"))


# ---------------------------------------------------------------------- quality


def test_quality_of_the_worked_example():
    found = quality(dictionary(), from_treebank(treebank(GOLD)))
    assert (found.precision, found.recall) == (5 / 8, 5 / 7)
    assert found.precision_macro == pytest.approx(2 / 3)
    assert found.recall_macro == pytest.approx(5 / 6)
    assert found.type_coverage == 6 / 7
    assert found.f1 == pytest.approx(2 / 3)


def test_quality_without_a_common_word():
    found = quality(dictionary(), TagDictionary.from_mapping({"hund": ["NOUN"]}))
    assert (found.precision, found.recall, found.f1) == (None, 0.0, None)
    assert found.precision_macro is None
    upper = TagDictionary.from_mapping({"DOG": ["NOUN"]})
    assert quality(dictionary(), upper, casing="lower").recall == 1


# ---------------------------------------------------------------------- training


def test_a_dictionary_of_the_training_may_not_score():
    ours = dictionary()
    with pytest.raises(DictionaryError, match="crf was trained with example"):
        refuse_training_dictionary(
            ours, facts={"dictionary_fingerprint": [ours.fingerprint]}, tagger="crf"
        )
    comment = f"# dictionary_fingerprint = {ours.fingerprint}\n"
    words = "1\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
    with pytest.raises(DictionaryError, match="cannot score"):
        refuse_training_dictionary(ours, treebank=tg.parse(comment + words))
    refuse_training_dictionary(ours, treebank=tg.parse("# dictionary_fingerprint = 0\n" + words))
    _, other = ours.halves()
    refuse_training_dictionary(other, treebank=tg.parse(comment + words))
