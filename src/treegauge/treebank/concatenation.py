"""Treebanks one behind the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treegauge.treebank.column import Column
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.origin import Origin
from treegauge.treebank.punctuation import punctuation_mask
from treegauge.treebank.side_lines import COMMENT, SideLines
from treegauge.treebank.treebank import Treebank


def concatenate(treebanks: Sequence[Treebank], *, name: str | None = None) -> Treebank:
    """Join treebanks into one.

    Parameters
    ----------
    treebanks : sequence of Treebank
        At least one.
    name : str, optional
        The name of the result. Default: the name of the first treebank.

    Returns
    -------
    Treebank
        All sentences, in the order given.

    Raises
    ------
    TreebankError
        If there are no treebanks.

    Examples
    --------
    >>> import treegauge as tg
    >>> birds = tg.parse("birds/NOUN sing/VERB\\n")
    >>> concatenate([birds, birds], name="twice")
    <Treebank twice: 2 sentences, 4 words; upos>
    """
    if not treebanks:
        raise TreebankError("nothing to concatenate")
    first = treebanks[0]
    donor = _layout_donor(treebanks)
    names = dict.fromkeys(column for treebank in treebanks for column in treebank.columns)
    columns = {
        column: Column.concatenate(
            [t.columns.get(column) or Column.constant("_", t.n_words) for t in treebanks]
        )
        for column in names
    }
    origin = None
    if any(treebank.origin is not None for treebank in treebanks):
        origin = Origin(
            np.concatenate([t.original_lengths for t in treebanks]).astype(np.int32),
            np.concatenate([t.original_positions for t in treebanks]).astype(np.int32),
        )
    punctuation = None
    if any(treebank.punctuation is not None for treebank in treebanks):
        punctuation = np.concatenate([punctuation_mask(treebank) for treebank in treebanks])
    return Treebank(
        columns,
        np.concatenate([treebank.head for treebank in treebanks]),
        offsets=np.concatenate([[0], np.cumsum(np.concatenate([t.lengths for t in treebanks]))]),
        side_lines=SideLines.concatenate(
            [t.side_lines for t in treebanks], [t.n_sentences for t in treebanks]
        ),
        # Lines of several files say nothing any more.
        first_lines=first.first_lines if len(treebanks) == 1 else None,
        origin=origin,
        punctuation=punctuation,
        file_columns=donor.file_columns,
        file_header=donor.file_header,
        name=first.name if name is None else name,
    )


def _layout_donor(treebanks: Sequence[Treebank]) -> Treebank:
    """Return the treebank whose file the whole will be written like.

    Multiword tokens and empty nodes are lines with the columns of their own file, so a
    treebank that has some decides, and two that disagree cannot be put together.
    """
    with_lines = [t for t in treebanks if (t.side_lines.kind != COMMENT).any()]
    if len({treebank.file_columns for treebank in with_lines}) > 1:
        raise TreebankError(
            "treebanks with multiword tokens or empty nodes must come from files with the same "
            "columns to be put together"
        )
    return next((t for t in [*with_lines, *treebanks] if t.file_columns), treebanks[0])
