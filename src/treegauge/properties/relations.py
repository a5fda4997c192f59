"""Relations and tags as properties of word order take them."""

from __future__ import annotations

from typing import Literal

from treegauge.treebank import Column, Treebank, TreebankError, tag_column

Relations = Literal["full", "universal"]


def relation_column(treebank: Treebank, relations: Relations = "full") -> Column:
    """Return the relations, with subtypes or without.

    What stands after a bracket is left out in any case: `obj(70)xadv`, in the files of the PROIEL
    treebanks, tells of an empty node that is missing, and is an object.

    Examples
    --------
    >>> import treegauge as tg
    >>> columns = {"form": tg.Column.from_strings("ab"),
    ...            "deprel": tg.Column.from_strings(["obj(70)xadv", "nsubj:pass"])}
    >>> two = tg.Treebank(columns, offsets=[0, 2])
    >>> list(relation_column(two)), list(relation_column(two, "universal"))
    (['obj', 'nsubj:pass'], ['obj', 'nsubj'])
    """
    column = treebank.deprel.map(lambda relation: relation.partition("(")[0])
    return (
        column.map(lambda relation: relation.partition(":")[0]) if relations != "full" else column
    )


def tags_or_coarser(treebank: Treebank, tags: str) -> Column:
    """Return a tag column by its short name; coarse tags where there are no universal ones.

    Without any tags, all words have the same one.
    """
    for which in (tags, "c", "p"):
        try:
            return tag_column(treebank, which).column
        except TreebankError:
            if which == tags and tags not in ("u", "c", "p"):
                raise
    return Column.constant("_", treebank.n_words)
