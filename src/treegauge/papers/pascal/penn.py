"""The Penn part of the challenge, on the sample of the Penn Treebank that NLTK gives away.

The sample has trees of phrases and Penn tags. The challenge's files had three columns of tags,
and the dependencies of the converter's `standard` options as gold (section 3 of the paper), which
Tables 5 and 6 and Figure 1 are about. So has the treebank that is made here.

Coarse tags are Penn tags cut to two characters, as in CoNLL 2007: that leaves 31 of the 45, the
numbers of the paper's Table 1. Universal tags come from a tag map; under that of Petrov et al.
`$` and `#` are punctuation, as they were in the challenge, whose punctuation is a universal tag.
The sample has no dev part: every tenth sentence of its train part becomes one, for what the paper
tuned on dev.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), sections 2.1, 3 and 6.4.
Nivre et al. (2007), The CoNLL 2007 Shared Task on Dependency Parsing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from treegauge.catalogue import Catalogue, CatalogueEntry, CatalogueError
from treegauge.formats import fill_universal_tags, read_brackets
from treegauge.papers.derived_treebanks import Parts
from treegauge.papers.pascal.references import brackets_in, sentences_in
from treegauge.rewrite.head_rules import choose_heads

PENN = "en_wsj_sample"
"""The name of the sample in the catalogue."""
OPTIONS = "standard"
"""Of the converter, for gold."""
_COARSE = 2
"""How many characters of a Penn tag its coarse tag has."""
_DEV_EVERY = 10
"""Which sentences of the train part are dev, where there is no dev part."""


def penn_sample(catalogue: Catalogue) -> CatalogueEntry | None:
    """Return the sample, if it is there with its parts and its brackets."""
    try:
        entries = catalogue.resolve(PENN)
    except CatalogueError:
        return None
    whole = (entry for entry in entries if {"train", "test"} <= set(entry.parts))
    return next((entry for entry in whole if brackets_in(entry.folder) is not None), None)


def penn_parts(entry: CatalogueEntry, universal: Mapping[str, str] | None = None) -> Parts:
    """Return the sample as the challenge had it: its tags, its gold, and a dev part.

    Parameters
    ----------
    entry : CatalogueEntry
        The sample; its folder has the brackets.
    universal : mapping, optional
        From Penn tags to universal ones; without it there are none of these.

    Raises
    ------
    FormatError
        If a tag is not in the map.
    ExperimentError
        If a sentence is not among the brackets.
    """
    brackets = brackets_in(entry.folder)
    assert brackets is not None
    whole = choose_heads(read_brackets(brackets), "lth", OPTIONS, name=entry.name)
    if universal is not None:
        whole = fill_universal_tags(whole, universal)
    whole = whole.replace(columns={"cpos": whole.xpos.map(lambda tag: tag[:_COARSE])})
    parts = {
        part: whole.take(sentences_in(whole, entry.read(part, findings=[]))) for part in entry.parts
    }
    return parts if "dev" in parts else with_dev(parts)


def with_dev(parts: Parts) -> Parts:
    """Return parts in which every tenth sentence of train is dev."""
    train = parts["train"]
    is_dev = np.arange(train.n_sentences) % _DEV_EVERY == _DEV_EVERY - 1
    own = {"train": train.take(np.flatnonzero(~is_dev)), "dev": train.take(np.flatnonzero(is_dev))}
    return own | {name: part for name, part in parts.items() if name not in own}
