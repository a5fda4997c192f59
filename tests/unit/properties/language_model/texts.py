"""Texts as lists of sentences, and as the columns that language models take."""

from __future__ import annotations

import warnings

import numpy as np
from hypothesis import strategies as st

from treegauge.properties.errors import SmallCorpusWarning
from treegauge.properties.language_model import train_language_model
from treegauge.treebank import Column


def column_of(sentences):
    """Return the arguments that stand for a text."""
    offsets = np.cumsum([0, *map(len, sentences)])
    return Column.from_strings([word for sentence in sentences for word in sentence]), offsets


def trained(sentences, **settings):
    """Train on a small text, for which fixed discounts are all right."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallCorpusWarning)
        return train_language_model(*column_of(sentences), **settings)


def zipf_text(n_sentences, n_types, seed):
    """Return a text with rare and frequent words, so that all discounts can be estimated."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(0, 12, n_sentences)
    words = np.minimum(generator.zipf(1.5, lengths.sum()), n_types)
    return [[f"w{w}" for w in part] for part in np.split(words, np.cumsum(lengths)[:-1])]


@st.composite
def texts(draw, *, minimum=1):
    """Short sentences over few words, some empty, some repeated."""
    alphabet = "abcdefghij"[: draw(st.integers(1, 10))]
    sentence = st.lists(st.sampled_from(alphabet), max_size=7)
    return draw(st.lists(sentence, min_size=minimum, max_size=12))
