"""spaCy's documents from treebanks, for displaCy and for whatever else reads them."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from treegauge.formats.findings import FormatError
from treegauge.treebank import (
    EMPTY,
    MULTIWORD,
    NO_SPACE,
    UD_TAGS,
    Treebank,
    TreeFlaw,
    tree_flaws,
)
from treegauge.wording import counted

_NO_TREE = TreeFlaw.CYCLE | TreeFlaw.OUTSIDE


def to_spacy(treebank: Treebank, *, vocab: Any = None) -> list[Any]:
    """Convert the sentences of a treebank to documents of spaCy, one per sentence.

    Tags that are not universal tags are left out of `pos`, which allows no others. The relation
    of roots becomes `ROOT`. Multiword tokens are lost.

    Parameters
    ----------
    treebank : Treebank
        The treebank to convert.
    vocab : spacy.vocab.Vocab, optional
        Use `nlp.vocab` to continue with a pipeline. Default: a new one.

    Returns
    -------
    list of spacy.tokens.Doc
        For example for `spacy.displacy.render(docs, style="dep")`.

    Raises
    ------
    FormatError
        If spaCy is not installed, or a sentence is not a tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> treebank = tg.toy_treebank(tokens=10)
    >>> docs = to_spacy(treebank)  # doctest: +SKIP
    >>> [len(doc) for doc in docs]  # doctest: +SKIP
    [14]
    """
    try:
        document = import_module("spacy.tokens").Doc
        vocabulary = import_module("spacy.vocab").Vocab() if vocab is None else vocab
    except ImportError as error:
        raise FormatError(
            f"to_spacy needs spaCy, which is not installed ({error}): "
            'pip install "treegauge[spacy]"'
        ) from None
    if treebank.has_heads:
        _require_trees(treebank)
    columns = {
        "lemmas": _values(treebank, "lemma"),
        "pos": [tag if tag in UD_TAGS else "" for tag in treebank.upos],
        "tags": _values(treebank, "xpos"),
        "morphs": _values(treebank, "feats"),
    }
    forms, relations, spaces = list(treebank.form), _values(treebank, "deprel"), _spaces(treebank)
    docs = []
    for begin, end in pairwise(treebank.offsets.tolist()):
        own: dict[str, Any] = {name: values[begin:end] for name, values in columns.items()}
        heads = treebank.head[begin:end].tolist()
        if treebank.has_heads:
            # spaCy hangs a root on itself.
            own["heads"] = [head - 1 if head > 0 else place for place, head in enumerate(heads)]
            own["deps"] = [
                "ROOT" if head == 0 else relation
                for head, relation in zip(heads, relations[begin:end], strict=True)
            ]
        docs.append(document(vocabulary, words=forms[begin:end], spaces=spaces[begin:end], **own))
    return docs


def _require_trees(treebank: Treebank) -> None:
    wrong = np.flatnonzero(tree_flaws(treebank) & np.uint8(_NO_TREE))
    if len(wrong):
        raise FormatError(
            f"sentence {wrong[0] + 1} has a cycle or a head outside of it "
            f"({counted(len(wrong), 'sentence')} like this): spaCy cannot hold it, leave it out"
        )


def _values(treebank: Treebank, column: str) -> list[str]:
    return list(treebank.columns[column].map(lambda value: "" if value == EMPTY else value))


def _spaces(treebank: Treebank) -> list[bool]:
    """Say of every word whether a space follows; a multiword token says it for its last word."""
    misc = list(treebank.columns["misc"])
    table = treebank.side_lines
    for line in np.flatnonzero(table.kind == MULTIWORD).tolist():
        fields = table.text[line].split("\t")
        last = int(fields[0].rpartition("-")[2])
        misc[int(treebank.offsets[table.sentence[line]]) + last - 1] = fields[-1]
    return [NO_SPACE not in one.split("|") for one in misc]
