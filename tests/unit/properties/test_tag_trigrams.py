"""Divergence of tag trigrams."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from treegauge.properties import PropertyError
from treegauge.properties.tag_trigrams import TagTrigrams


def _tagged(*sentences: str) -> tg.Treebank:
    lines = [" ".join(f"w/{tag}" for tag in sentence.split()) for sentence in sentences]
    return tg.parse("\n".join(lines) + "\n", format="slashed")


def _slowly(target: list[list[str]], source: list[list[str]]) -> float:
    def counts(sentences):
        found = {}
        for tags in sentences:
            padded = ["", "", *tags, "", ""]
            for i in range(len(padded) - 2):
                found[tuple(padded[i : i + 3])] = found.get(tuple(padded[i : i + 3]), 0) + 1
        return found

    of_target, of_source = counts(target), counts(source)
    for key in of_target:
        of_source.setdefault(key, 1)
    n, m = sum(of_target.values()), sum(of_source.values())
    return sum(c / n * math.log((c / n) / (of_source[key] / m)) for key, c in of_target.items())


_sentences = st.lists(
    st.lists(st.sampled_from(["NOUN", "VERB", "DET"]), min_size=1, max_size=5),
    min_size=1,
    max_size=4,
)


@examples(60)
@given(_sentences, _sentences)
def test_it_is_what_the_slow_way_gives(target, source):
    one, other = (
        TagTrigrams(_tagged(*(" ".join(tags) for tags in sentences)))
        for sentences in (target, source)
    )
    assert one.divergence_from(other) == pytest.approx(_slowly(target, source), abs=1e-12)
    assert one.divergence_from(one) == 0


def test_an_example_worked_out_by_hand():
    """Target _ _ N, _ N _, N _ _; the source has V for N: each trigram counts as seen once."""
    found = TagTrigrams(_tagged("NOUN")).divergence_from(TagTrigrams(_tagged("VERB")))
    assert found == pytest.approx(math.log((1 / 3) / (1 / 6)))


def test_no_words_no_trigrams():
    with pytest.raises(PropertyError, match="no words"):
        TagTrigrams(_tagged("NOUN")[:0])
