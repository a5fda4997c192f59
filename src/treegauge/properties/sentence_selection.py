"""Which sentences word order is measured on, and what was left out for which reason.

Conventions
-----------
The rule of Gulordava and Merlo (2016, section 3.1): no punctuation inside a sentence, and one
root. Their paper does not say what becomes of punctuation at the end; here it is

`strip`    removed, for measures;
`pin`      kept at the end of the sentence and out of its tree, for parsers;
`include`  a word like any other.

A sentence with words below its final punctuation mark, and one that is nothing else, is left out
by the first two. What is no tree is left out in any case. A sentence is counted under the first
reason in the order of `REASONS`.

References
----------
Gulordava and Merlo (2016), Multi-lingual dependency parsing evaluation: a large-scale analysis of
word order properties using artificial data. TACL 4. doi:10.1162/tacl_a_00103
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.errors import PropertyError
from treegauge.treebank import (
    NOT_ANNOTATED,
    Treebank,
    TreeFlaw,
    keep_words,
    punctuation_mask,
    tree_flaws,
)
from treegauge.wording import unknown_name

FinalPunctuation = Literal["strip", "pin", "include"]

REASONS = (
    "no words",
    "no heads",
    "punctuation inside",
    "several roots",
    "no root",
    "head outside",
    "cycle",
    "words without a head",
    "words below the final punctuation",
    "punctuation alone",
)
"""Why a sentence is left out."""


@dataclass(frozen=True)
class SelectionReport:
    """What was read, left out and kept."""

    read: int
    """Sentences there were."""
    dropped: dict[str, int]
    """Sentences left out, by reason; reasons that did not occur are missing."""
    kept: int
    """Sentences that stayed."""
    words_read: int
    words_kept: int
    """Words of the trees: punctuation that was stripped or pinned is none."""

    def __str__(self) -> str:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in self.dropped.items())
        return (
            f"kept {self.kept:,} of {self.read:,} sentences, {self.words_kept:,} of "
            f"{self.words_read:,} words" + (f"; left out: {reasons}" if reasons else "")
        )


def sum_of_reports(reports: Sequence[SelectionReport]) -> SelectionReport:
    """Return what was selected from several parts together."""
    dropped = {
        reason: number
        for reason in REASONS
        if (number := sum(one.dropped.get(reason, 0) for one in reports))
    }
    return SelectionReport(
        read=sum(one.read for one in reports),
        dropped=dropped,
        kept=sum(one.kept for one in reports),
        words_read=sum(one.words_read for one in reports),
        words_kept=sum(one.words_kept for one in reports),
    )


@dataclass(frozen=True)
class Selection:
    """The sentences that were kept.

    Attributes
    ----------
    treebank : Treebank
        The sentences, without their final punctuation if it was stripped.
    sentences : int array, [kept]
        Their numbers in the treebank that they were selected from.
    pinned : bool array, [words]
        Words of `treebank` that stand at the end and belong to no tree.
    report : SelectionReport
        What was left out.
    """

    treebank: Treebank
    sentences: NDArray[np.intp]
    pinned: NDArray[np.bool_]
    report: SelectionReport


def select_sentences(
    treebank: Treebank,
    *,
    final_punctuation: FinalPunctuation = "strip",
    keep_all: bool = False,
) -> Selection:
    """Return the sentences fit for measures and permutations of word order.

    Parameters
    ----------
    treebank : Treebank
        Anything; what is no tree is left out.
    final_punctuation : {'strip', 'pin', 'include'}
        What becomes of a punctuation mark at the end.
    keep_all : bool
        Keep every sentence as it is. Final punctuation is stripped or pinned where it is a leaf
        after other words, and is a word like any other elsewhere.

    Examples
    --------
    >>> import treegauge as tg
    >>> rows = [("birds", "NOUN", 2), ("sing", "VERB", 0), (".", "PUNCT", 2)]
    >>> text = "".join(f"{i}\\t{form}\\t_\\t{tag}\\t_\\t_\\t{head}\\t_\\t_\\t_\\n"
    ...                for i, (form, tag, head) in enumerate(rows, 1))
    >>> selection = select_sentences(tg.parse(text + "\\n"))
    >>> list(selection.treebank.form), selection.report.words_kept
    (['birds', 'sing'], 2)
    """
    if final_punctuation not in get_args(FinalPunctuation):
        known = get_args(FinalPunctuation)
        raise PropertyError(
            unknown_name("treatment of final punctuation", final_punctuation, known)
        )
    reason = np.full(treebank.n_sentences, len(REASONS))
    final = _final_leaves(treebank)
    if not keep_all:
        reason = _reasons(treebank, final, ends_count=final_punctuation == "include")
    kept = np.flatnonzero(reason == len(REASONS))
    # Most treebanks of one's own need no copy.
    chosen = treebank if len(kept) == treebank.n_sentences else treebank.take(kept)
    aside = final[np.repeat(reason == len(REASONS), treebank.lengths)]
    words_kept = chosen.n_words
    if final_punctuation == "include":
        aside = np.zeros_like(aside)
    else:
        words_kept -= int(aside.sum())
    if final_punctuation == "strip" and aside.any():
        chosen = keep_words(chosen, ~aside, allow_cycles=True)
        aside = np.zeros(chosen.n_words, np.bool_)
    counts = np.bincount(reason, minlength=len(REASONS))
    return Selection(
        chosen,
        kept,
        aside,
        SelectionReport(
            read=treebank.n_sentences,
            dropped={name: int(n) for name, n in zip(REASONS, counts, strict=False) if n},
            kept=len(kept),
            words_read=treebank.n_words,
            words_kept=words_kept,
        ),
    )


def _final_leaves(treebank: Treebank) -> NDArray[np.bool_]:
    """Return which words are punctuation at the end of a sentence, a leaf, and not alone."""
    mask = np.zeros(treebank.n_words, np.bool_)
    long_enough = treebank.lengths > 1
    last = treebank.offsets[1:][long_enough] - 1
    mask[last] = punctuation_mask(treebank)[last] & ~_is_head(treebank)[last]
    mask[last] &= treebank.head[last] > 0
    return mask


def _is_head(treebank: Treebank) -> NDArray[np.bool_]:
    """Return which words have dependents."""
    is_head = np.zeros(treebank.n_words, np.bool_)
    length = np.repeat(treebank.lengths, treebank.lengths)
    inside = (treebank.head >= 1) & (treebank.head <= length)
    first = np.repeat(treebank.offsets[:-1], treebank.lengths)
    is_head[(first + treebank.head - 1)[inside]] = True
    return is_head


def _reasons(
    treebank: Treebank, final: NDArray[np.bool_], *, ends_count: bool
) -> NDArray[np.int64]:
    """Return the number of the first reason to leave each sentence out; `len(REASONS)`: none."""
    sentence, n = treebank.sentence_of_word, treebank.n_sentences
    punctuation = punctuation_mask(treebank)
    last = np.zeros(treebank.n_words, np.bool_)
    last[treebank.offsets[1:][treebank.lengths > 0] - 1] = True

    def any_word(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.bincount(sentence[mask], minlength=n) > 0

    flaws = tree_flaws(treebank)
    annotated = any_word(treebank.head != NOT_ANNOTATED)
    ends = any_word(punctuation & last)
    set_aside = any_word(final)
    alone = ends & (treebank.lengths == 1)
    # In the order of REASONS.
    conditions = [
        treebank.lengths == 0,
        ~annotated,
        any_word(punctuation & ~last),
        (flaws & TreeFlaw.SEVERAL_ROOTS) != 0,
        (flaws & TreeFlaw.NO_ROOT) != 0,
        (flaws & TreeFlaw.OUTSIDE) != 0,
        (flaws & TreeFlaw.CYCLE) != 0,
        (flaws & TreeFlaw.PARTLY_ANNOTATED) != 0,
        ends & ~set_aside & ~alone & (not ends_count),
        alone & (not ends_count),
    ]
    reasons: NDArray[np.int64] = np.select(conditions, range(len(REASONS)), len(REASONS))
    return reasons
