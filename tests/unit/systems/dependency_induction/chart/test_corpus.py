from __future__ import annotations

import numpy as np
import pytest

from tests.unit.systems.dependency_induction.chart.models import corpus_of, random_corpus
from treegauge.systems.dependency_induction.chart import ChartError, TagCorpus
from treegauge.systems.dependency_induction.chart._inside_outside_numba import LANES


def test_identical_sentences_are_found():
    sentences = [(0, 1), (2,), (), (0, 1), (1, 0), (2,), (2,)]
    corpus = corpus_of(sentences)
    assert corpus.n_distinct == 3
    distinct = [sentences[s] for s in corpus.representative]
    assert sorted(zip(distinct, corpus.multiplicity.tolist(), strict=True)) == [
        ((0, 1), 2),
        ((1, 0), 1),
        ((2,), 3),
    ]
    assert all(
        sentences[corpus.representative[d]] == tags if tags else d == -1
        for tags, d in zip(sentences, corpus.distinct_of, strict=True)
    )
    assert corpus_of(sentences, deduplicate=False).n_distinct == 6


@pytest.mark.parametrize("deduplicate", [True, False])
def test_shards_hold_every_distinct_sentence_once_by_length(deduplicate):
    corpus = random_corpus(1, 3000, 14, 4, deduplicate=deduplicate)
    assert len(corpus.shards) > 8
    found = []
    for shard in corpus.shards:
        lengths = np.diff(shard.offsets)
        assert (np.diff(lengths) >= 0).all()
        found += [
            tuple(shard.tags[a:b].tolist())
            for a, b in zip(shard.offsets[:-1], shard.offsets[1:], strict=True)
        ]
    expected = [
        tuple(corpus.tags[corpus.offsets[s] : corpus.offsets[s + 1]].tolist())
        for s in corpus.representative
    ]
    assert found == expected
    assert len(set(found)) == len(found) or not deduplicate
    assert sum(shard.multiplicity.sum() for shard in corpus.shards) == 3000
    # Work is spread: no shard has twice its share, give or take a chart of eight sentences.
    costs = [(np.diff(shard.offsets) ** 3).sum() for shard in corpus.shards]
    assert max(costs) < 2 * np.mean(costs) + LANES * 14**3


def test_many_tags_fewer_shards():
    many = random_corpus(1, 3000, 14, 500)
    assert 2 <= len(many.shards) < len(random_corpus(1, 3000, 14, 100).shards)


def test_there_and_back():
    corpus = random_corpus(2, 200, 5, 2)
    numbers = np.concatenate([np.arange(n) for n in corpus.lengths]) + 10 * corpus.tags
    parts = [
        np.concatenate([np.arange(n) for n in np.diff(shard.offsets)]) + 10 * shard.tags
        for shard in corpus.shards
    ]
    assert (corpus.words_from_shards(parts) == numbers).all()
    arcs = corpus.distance_weights(np.arange(1.0, 9.0), root=0.5)
    assert (corpus.arcs_from_shards(corpus.arcs_to_shards(arcs)) == arcs).all()
    lengths = corpus.sentences_from_shards([np.diff(shard.offsets) for shard in corpus.shards])
    assert (lengths == corpus.lengths).all()


def test_members_are_the_sentences_that_are_alike():
    corpus = corpus_of([(0, 1), (), (2,), (0, 1), (2,), (1, 1)])
    found = {}
    base = 0
    for offsets, members in corpus.members:
        for k in range(offsets.size - 1):
            found[base + k] = members[offsets[k] : offsets[k + 1]].tolist()
        base += offsets.size - 1
    groups = {corpus.distinct_of[s]: [] for s in (0, 2, 5)}
    for s in (0, 2, 3, 4, 5):
        groups[corpus.distinct_of[s]].append(s)
    assert found == groups


def test_lengths():
    corpus = corpus_of([(0, 1, 2), (), (1,), (0, 1)])
    short = corpus.up_to(2)
    assert short.lengths.tolist() == [1, 2]
    assert short.tags.tolist() == [1, 0, 1]
    assert corpus.select([3, 0]).tags.tolist() == [0, 1, 0, 1, 2]
    assert corpus.select(corpus.lengths == 3).tags.tolist() == [0, 1, 2]


def test_weights_by_distance():
    corpus = corpus_of([(0, 0, 0), (), (0,)])
    arcs = corpus.distance_weights([0, 1, 0.5], root=2)
    assert corpus.arc_matrix(arcs, 0).tolist() == [[2, 2, 2], [0, 1, 0.5], [1, 0, 1], [0.5, 1, 0]]
    assert corpus.arc_matrix(arcs, 2).tolist() == [[2], [0]]
    with pytest.raises(ChartError, match="by_distance ends at 1"):
        corpus.distance_weights([0, 1])


@pytest.mark.parametrize(
    ("tags", "offsets", "message"),
    [
        ([0, 3], [0, 2], "codes from 0 to 2; found 0 to 3"),
        ([-1, 0], [0, 2], "found -1 to 0"),
        ([0, 1], [0, 1], "rise from 0 to the number of words, 2"),
        ([0, 1], [1, 2], "rise from 0"),
        ([0, 1], [0, 2, 1, 2], "rise from 0"),
        ([0, 1], [], "rise from 0"),
    ],
)
def test_bad_input(tags, offsets, message):
    with pytest.raises(ChartError, match=message):
        TagCorpus(tags, offsets, 3)
