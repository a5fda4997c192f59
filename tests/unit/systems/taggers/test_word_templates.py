from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from treegauge.systems import SystemsError
from treegauge.systems.taggers.sequence_tagger import Sentences
from treegauge.systems.taggers.token_features import TokenFeatures
from treegauge.systems.taggers.word_classes import read_word_classes
from treegauge.systems.taggers.word_templates import AFTER, BEFORE, WordTemplates, generic
from treegauge.treebank import Column

TEMPLATES = WordTemplates(prefixes=2, suffixes=3, classes={"Go": "010110", "go": "C7"})


def test_features_of_a_word() -> None:
    assert TEMPLATES.of_word("Go")[:4] == ["bias", "w=Go", "l=go", "c=Xx"]
    assert {"p=g", "p=go", "s=o", "s=go", "shape=Xx", "upper"} <= set(TEMPLATES.of_word("Go"))
    assert {"digit", "hyphen", "all-upper", "l=f-00"} <= set(TEMPLATES.of_word("F-16"))
    assert "mark" in TEMPLATES.of_word("...")
    assert not any(f.startswith(("p=", "s=")) for f in TEMPLATES.of_word("Go", is_rare=False))


def test_features_of_classes() -> None:
    # Prefixes as long as the string would be the class again, and weigh as much more.
    assert TEMPLATES.of_word("Go")[-2:] == ["0:class=010110", "0:bits=0101"]
    # A name that is no string of bits has no prefixes; bits are seen one word away.
    assert TEMPLATES.of_word("go")[-1] == "0:class=C7"
    assert "-1:bits=0101" in TEMPLATES.of_neighbour("Go", -1)
    assert TEMPLATES.of_neighbour("Go", 2) == ["2:l=go", "2:class=010110"]
    assert not any("class" in feature for feature in TEMPLATES.of_word("GO"))


def test_a_near_context_has_the_nearest_forms_and_all_classes() -> None:
    near = replace(TEMPLATES, context="near")
    assert near.of_word("Go") == TEMPLATES.of_word("Go")
    assert near.of_neighbour("Went", -1) == ["-1:l=went"]
    assert near.of_neighbour("Went", 2) == []
    assert near.of_neighbour("Go", 2) == ["2:class=010110"]
    assert not near.pairs
    assert set(near.of_neighbour("Go", 1)) < set(TEMPLATES.of_neighbour("Go", 1))


def test_features_as_numbers_are_those_of_the_templates() -> None:
    words = [["Go", "to", "5"], ["Go"], ["5", "5"]]
    flat = [word for sentence in words for word in sentence]
    text = Sentences(Column.from_strings(flat), np.array([0, 3, 4, 6]))
    numbered, lists = TokenFeatures.learn(text, TEMPLATES, rare=2)
    names = list(numbered.names)
    expected = []
    for sentence in words:
        forms = [BEFORE, BEFORE, *sentence, AFTER, AFTER]
        for place in range(2, len(sentence) + 2):
            found = TEMPLATES.of_word(forms[place], is_rare=forms[place] != "5")
            for offset in (-2, -1, 1, 2):
                found += TEMPLATES.of_neighbour(forms[place + offset], offset)
            found += [
                TEMPLATES.of_pair(a, generic(forms[place + a]), b, generic(forms[place + b]))
                for a, b in TEMPLATES.pairs
            ]
            expected.append(sorted(found))
    found = [
        sorted(names[f] for f in lists.features[lists.starts[w] : lists.starts[w + 1]])
        for w in range(6)
    ]
    assert found == expected
    again = numbered.of(text)
    assert np.array_equal(again.features, lists.features)
    # Of a word that was not seen, only what it shares with others has a number.
    other = numbered.of(Sentences(Column.from_strings(["Wo"]), np.array([0, 1])))
    seen = {names[f] for f in other.features}
    assert {"bias", "s=o", "upper", "-1:l=<s>", "1:l=</s>"} <= seen
    assert "w=Wo" not in seen


def test_word_classes_are_read(tmp_path) -> None:
    path = tmp_path / "paths"
    path.write_bytes("0010\tthe\t12\n0011\tà la\t1\r\n\n7\tword\n".encode())
    assert read_word_classes(path) == {"the": "0010", "à la": "0011", "word": "7"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"01\n", r"paths:1: expected a class, a tab, a word"),
        (b"01\ta\t1\n\tb\t1\n", r"paths:2: expected a class"),
        (b"", "no word classes"),
        (b"\xff\ta\t1\n", r"paths:1: \[encoding\] expected UTF-8 text"),
    ],
)
def test_files_without_word_classes(tmp_path, content, message) -> None:
    (tmp_path / "paths").write_bytes(content)
    with pytest.raises(SystemsError, match=message):
        read_word_classes(tmp_path / "paths")
    with pytest.raises(SystemsError, match="no such file"):
        read_word_classes(tmp_path / "nowhere")
