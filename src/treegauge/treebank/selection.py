"""Treebanks with fewer words or sentences, and the way back.

Conventions
-----------
Removing punctuation re-attaches the children of a punctuation mark to the nearest
ancestor that is a word, as the PASCAL challenge did (Gelling et al. 2012, section 2);
when there is none they become roots, so that a sentence can have several.

Length cut-offs count the words of the sentence as it was read: `@10` keeps sentences of at
most 10 words *including* punctuation, also after punctuation was removed; `@10w` counts
words only, the WSJ10 tradition of Klein and Manning (2004).
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank import _trees_numba as kernels
from treegauge.treebank.column import Column
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.origin import Origin
from treegauge.treebank.punctuation import punctuation_mask
from treegauge.treebank.repairs import Repairs
from treegauge.treebank.side_lines import COMMENT, SideLines, parse_comment
from treegauge.treebank.treebank import NOT_ANNOTATED, Treebank
from treegauge.wording import counted

_WITH_POSITIONS = ("deps", "phead", "pdeprel")
"""Columns that speak of positions in the sentence."""


def length_mask(
    treebank: Treebank, words: int, *, count_punctuation: bool = True
) -> NDArray[np.bool_]:
    """Return which sentences have at most so many words.

    With `count_punctuation` the sentence counts as it was read, also when punctuation has
    been removed since; without, only words that are no punctuation count.
    """
    if count_punctuation:
        mask: NDArray[np.bool_] = treebank.original_lengths <= words
        return mask
    proper = np.concatenate([[0], np.cumsum(~punctuation_mask(treebank))])
    return np.asarray(np.diff(proper[treebank.offsets]) <= words)


def cut_off_mask(treebank: Treebank, cut_off: str) -> NDArray[np.bool_]:
    """Return which sentences a cut-off such as `@10` or `@10w` keeps.

    >>> import treegauge as tg
    >>> cut_off_mask(tg.parse("yes/INTJ !/PUNCT\\n", format="slashed"), "@1w").tolist()
    [True]
    """
    match = re.fullmatch(r"@(\d+)(w?)", cut_off)
    if not match:
        raise TreebankError(
            f"unknown length cut-off {cut_off!r}; write @10, or @10w for words only"
        )
    return length_mask(treebank, int(match[1]), count_punctuation=not match[2])


def comment_mask(treebank: Treebank, condition: str) -> NDArray[np.bool_]:
    """Return which sentences have a comment `# key = value`, or do not have it.

    Parameters
    ----------
    condition : str
        `speaker=MOT` keeps the sentences of one speaker, `speaker!=CHI` all but one's; a
        sentence that does not name a speaker is not one of CHI's.
    """
    match = re.fullmatch(r"\s*([^=!]+?)\s*(!?=)\s*(.*?)\s*", condition)
    if not match:
        raise TreebankError(f"unknown condition {condition!r}; write KEY=VALUE or KEY!=VALUE")
    key, operator, value = match.groups()
    table = treebank.side_lines
    # Texts are interned, so each distinct comment is looked at once.
    matches = np.array([parse_comment(text) == (key, value) for text in table.text.vocabulary])
    lines = np.flatnonzero(table.kind == COMMENT)
    mask = np.zeros(treebank.n_sentences, np.bool_)
    if len(lines):
        mask[table.sentence[lines][matches[table.text.codes[lines]]]] = True
    return mask if operator == "=" else ~mask


def without_punctuation(treebank: Treebank) -> Treebank:
    """Return the treebank without punctuation, children re-attached.

    A sentence of punctuation alone stays, with no words, so that sentences keep their
    numbers. Multiword tokens, empty nodes, DEPS and PHEAD (with PDEPREL) refer to positions
    that are gone, and go too.

    Raises
    ------
    TreebankError
        If punctuation marks hang on each other in a circle: no ancestor can be found.
    """
    return keep_words(treebank, ~punctuation_mask(treebank))


def keep_words(
    treebank: Treebank, keep: NDArray[np.bool_], *, allow_cycles: bool = False
) -> Treebank:
    """Return the treebank of the words in a mask; each hangs on its nearest kept ancestor.

    A word below a cycle of removed words has none: an error, or with `allow_cycles` a word
    without a head, which no score counts as right.
    """
    if keep.shape != (treebank.n_words,):
        raise TreebankError(
            f"a mask over words needs {counted(treebank.n_words, 'value')}, not {keep.size:,}"
        )
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    offsets = kept_before[treebank.offsets]
    new_position = kept_before[1:] - np.repeat(offsets[:-1], treebank.lengths)
    head = np.empty(int(offsets[-1]), np.int32)
    room = np.empty(int(treebank.lengths.max(initial=0)) + 1, np.int64)
    circular = kernels.heads_among_kept(
        treebank.head, treebank.offsets, keep, new_position.astype(np.int32), room, head
    )
    if circular >= 0 and not allow_cycles:
        name = treebank.sentence_ids[circular] or f"number {circular + 1}"
        raise TreebankError(
            f"words cannot be removed from sentence {name}: its heads form a cycle\n"
            "  `treegauge validate` names all sentences with a cycle"
        )
    words = np.flatnonzero(keep)
    columns = {name: column.take(words) for name, column in treebank.columns.items()}
    columns.update(dict.fromkeys(_WITH_POSITIONS, Column.constant("_", len(words))))
    comments = treebank.side_lines.take(treebank.side_lines.kind == COMMENT)
    behind = kept_before[treebank.offsets[comments.sentence] + comments.after]
    after = (behind - offsets[comments.sentence]).astype(np.int32)
    return Treebank(
        columns,
        head,
        offsets=offsets,
        side_lines=SideLines(comments.sentence, after, comments.kind, comments.text),
        first_lines=treebank.first_lines,
        origin=Origin(
            treebank.original_lengths.astype(np.int32),
            treebank.original_positions[words].astype(np.int32),
        ),
        punctuation=None if treebank.punctuation is None else treebank.punctuation[words],
        repairs=_repairs_of_kept(treebank, words, head),
        file_columns=treebank.file_columns,
        file_header=treebank.file_header,
        name=treebank.name,
    )


def _repairs_of_kept(
    treebank: Treebank, words: NDArray[np.intp], head: NDArray[np.int32]
) -> Repairs | None:
    """Return the repairs of kept words; one that hung on a repaired word lost its head too."""
    if treebank.repairs is None:
        return None
    own = treebank.repairs.take(np.arange(treebank.n_sentences), words)
    return replace(own, head=own.head | (head == NOT_ANNOTATED))


def restore_words(annotated: Treebank, original: Treebank) -> Treebank:
    """Return the original treebank with the heads and relations of a reduced one.

    This is the reverse of `without_punctuation`. Heads of the words that were kept are
    translated to their original positions. Every other word is attached with the relation
    `punct`: to the root word, to the first one if there are several, or to the first word that
    was kept if there is no root. These attachments are never scored. In a sentence of which no
    word was kept, the first word becomes the root.

    Parameters
    ----------
    annotated : Treebank
        A reduced treebank, or a system's annotation of one.
    original : Treebank
        The treebank that was reduced; may be blind.

    Returns
    -------
    Treebank
        As long as the original.

    Raises
    ------
    TreebankError
        If the reduced treebank was not made from the original.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.toy_treebank(tokens=100)
    >>> output = tg.make_system("left-branching").annotate(gold.without_punctuation())
    >>> restore_words(output, gold).n_words == gold.n_words
    True
    """
    if annotated.n_sentences != original.n_sentences or not np.array_equal(
        annotated.original_lengths, original.lengths
    ):
        raise TreebankError(
            "words can only be restored to the treebank they were removed from: "
            f"{counted(annotated.n_sentences, 'sentence')} of "
            f"{counted(int(annotated.original_lengths.sum()), 'original word')} against "
            f"{counted(original.n_sentences, 'sentence')} of {counted(original.n_words, 'word')}"
        )
    sentence = annotated.sentence_of_word
    first_kept = annotated.offsets[:-1][sentence]
    position = annotated.original_positions
    home = original.offsets[:-1][sentence] + position - 1
    if original.form.take(home) != annotated.form:
        raise TreebankError(
            "words can only be restored to the treebank they were removed from: the lengths of "
            "its sentences are the same, but not its words"
        )

    annotated_head = annotated.head.astype(np.int64)
    inside = (annotated_head >= 1) & (annotated_head <= annotated.lengths[sentence])
    head_of_kept = np.where(annotated_head == 0, 0, NOT_ANNOTATED)
    head_of_kept[inside] = position[(first_kept + annotated_head - 1)[inside]]

    root_word = np.ones(original.n_sentences, np.int64)
    is_root = annotated_head == 0
    # Written from the last to the first, so that the first root stays; where there is none,
    # the first word that was kept, so that no punctuation mark hangs on itself.
    root_word[sentence[::-1]] = position[::-1]
    root_word[sentence[is_root][::-1]] = position[is_root][::-1]
    head = np.repeat(root_word, original.lengths)
    head[original.offsets[:-1][(annotated.lengths == 0) & (original.lengths > 0)]] = 0
    head[home] = head_of_kept

    with_punct = Column.concatenate([Column.constant("punct", 1), annotated.deprel])
    codes = np.zeros(original.n_words, np.int32)
    codes[home] = with_punct.codes[1:]
    return original.replace(columns={"deprel": Column(codes, with_punct.vocabulary)}, head=head)
