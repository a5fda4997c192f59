"""Words in the order in which they get attached: derivations as texts.

A canonical order comes from the oracle of a transition system (`treegauge.transitions.derive`); a
parser's own order is read from the file it wrote, where MISC has `AttachedAs=3` for the third word
that got a head.

References
----------
Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. TLT.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.errors import HeadlessWordsWarning, PropertyError
from treegauge.properties.language_model.spelling import model_spelling
from treegauge.transitions import TransitionSystem, derive
from treegauge.treebank import EMPTY, NOT_ANNOTATED, Column, Interner, Treebank
from treegauge.wording import counted, unknown_name

WordField = Literal["form", "lemma", "upos", "xpos", "form/upos"]
FIELDS: tuple[WordField, ...] = get_args(WordField)
"""What can stand for a word in a text."""

RECORD = "AttachedAs"
"""The key in MISC of when a word got its head, from 1."""

_RECORDED = re.compile(rf"(?:^|\|){RECORD}=([0-9]{{1,9}})(?=\||$)")
_BLOCK = 10_000


def words_as(treebank: Treebank, field: str = "form") -> Column:
    """Return what stands for the words of a treebank in a text.

    Raises
    ------
    PropertyError
        If there is no such field, or the treebank has nothing there.

    Examples
    --------
    >>> import treegauge as tg
    >>> list(words_as(tg.parse("birds/NOUN sing/VERB\\n"), "form/upos"))
    ['birds/NOUN', 'sing/VERB']
    """
    if field not in FIELDS:
        raise PropertyError(unknown_name("field of words", field, FIELDS))
    parts = [treebank.columns[name] for name in field.split("/")]
    for name, part in zip(field.split("/"), parts, strict=True):
        if treebank.n_words and name != "form" and not part.is_annotated:
            raise PropertyError(f"{treebank.name or 'the treebank'} has no {name.upper()}")
    return parts[0] if len(parts) == 1 else _joined(*parts)


def _joined(first: Column, second: Column) -> Column:
    """Return two columns as one, a slash between what they say."""
    pairs, codes = np.unique(
        first.codes.astype(np.int64) * len(second.vocabulary) + second.codes, return_inverse=True
    )
    firsts, seconds = np.divmod(pairs, max(1, len(second.vocabulary)))
    # Where words have slashes, two pairs may be one string: strings are what is numbered.
    strings = [
        f"{first.vocabulary[a]}/{second.vocabulary[b]}"
        for a, b in zip(firsts.tolist(), seconds.tolist(), strict=True)
    ]
    interner = Interner()
    codes = interner.add_strings(strings)[codes.astype(np.intp)]
    return Column(codes.astype(np.int32), interner.vocabulary())


def attachment_order(
    treebank: Treebank, system: str | TransitionSystem = "swap-lazy"
) -> NDArray[np.int32]:
    """Return the words of every sentence in the order in which an oracle attaches them.

    Parameters
    ----------
    treebank : Treebank
        Trees with any number of roots. Words without a head, in sentences that have some heads,
        come last, from left to right.
    system : str or TransitionSystem
        See `treegauge.transitions.derive`.

    Returns
    -------
    int32 array, one per word
        Positions in the sentence, from 1.

    Warns
    -----
    HeadlessWordsWarning
        If there are words without a head.

    Raises
    ------
    TreebankError
        If a sentence has a cycle, a head outside of it, or no heads at all.
    TransitionError
        If the system cannot derive a tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings(["a", "hearing", "is", "scheduled", "on", "it"])
    >>> crossing = tg.Treebank({"form": words}, [2, 3, 0, 3, 2, 5], offsets=[0, 6])
    >>> attachment_order(crossing).tolist()
    [1, 4, 6, 5, 2, 3]
    """
    headless = treebank.head == NOT_ANNOTATED
    in_sentence = np.bincount(treebank.sentence_of_word[headless], minlength=treebank.n_sentences)
    # A sentence without any head has no tree to be derived: `derive` complains.
    headless &= (in_sentence < treebank.lengths)[treebank.sentence_of_word]
    if headless.any():
        treebank = treebank.replace(head=np.where(headless, 0, treebank.head))
        warnings.warn(
            f"{counted(int(headless.sum()), 'word')} of {treebank.name or 'the treebank'} without "
            "a head: attached last, from left to right",
            HeadlessWordsWarning,
            stacklevel=2,
        )
    derivation = derive(treebank, system).require_all(purpose="an order of attachments")
    if not headless.any():
        return derivation.order
    word = _first_words(treebank) + derivation.order - 1
    place = np.arange(treebank.n_words)
    is_last = headless[word]
    last_from_left = np.where(is_last, word, place)
    order = np.lexsort((last_from_left, is_last, treebank.sentence_of_word))
    positions: NDArray[np.int32] = derivation.order[order]
    return positions


def has_recorded_order(treebank: Treebank) -> bool:
    """Return whether any word says in MISC when it got its head."""
    return any(_RECORDED.search(value) for value in treebank.columns["misc"].vocabulary)


def recorded_order(treebank: Treebank) -> NDArray[np.int32]:
    """Return the words of every sentence in the order that MISC records (`AttachedAs=3`).

    Returns
    -------
    int32 array, one per word
        Positions in the sentence, from 1.

    Raises
    ------
    PropertyError
        If words have no record, or the records of a sentence are not 1, 2, 3 and so on.
    """
    misc = treebank.columns["misc"]
    matches = [_RECORDED.search(value) for value in misc.vocabulary]
    ranks = np.array([int(match[1]) if match else 0 for match in matches] or [0], np.int64)
    rank = ranks[misc.codes]
    by_rank = np.lexsort((rank, treebank.sentence_of_word))
    position = np.arange(treebank.n_words) - _first_words(treebank) + 1
    # In order of their ranks, the words of a sentence are the first, the second and so on.
    wrong = np.unique(treebank.sentence_of_word[rank[by_rank] != position])
    if len(wrong):
        named = ", ".join(treebank.sentence_ids[s] or f"number {s + 1}" for s in wrong[:5])
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        raise PropertyError(
            f"an order of a parser's own numbers the words of every sentence 1, 2, 3 and so on, as "
            f"{RECORD} in MISC; {len(wrong)} of {treebank.n_sentences} sentences lack it: "
            f"{named}{more}\n  take the canonical order, or let the parser record its own"
        )
    return position[by_rank].astype(np.int32)


def with_recorded_order(treebank: Treebank, order: NDArray[np.int32]) -> Treebank:
    """Return the treebank with an order in MISC, instead of one that may be there.

    Parameters
    ----------
    order : int32 array, one per word
        As `attachment_order` returns it.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings(["birds", "sing", "songs"])
    >>> birds = tg.Treebank({"form": words}, [2, 0, 2], offsets=[0, 3])
    >>> recorded = with_recorded_order(birds, attachment_order(birds))
    >>> list(recorded.columns["misc"])
    ['AttachedAs=1', 'AttachedAs=3', 'AttachedAs=2']
    >>> recorded_order(recorded).tolist()
    [1, 3, 2]
    """
    first = _first_words(treebank)
    rank = np.empty(treebank.n_words, np.int64)
    rank[first + order - 1] = np.arange(treebank.n_words) - first + 1
    misc = treebank.columns["misc"].map(_without_record)
    most = int(rank.max(initial=0)) + 1
    pairs, codes = np.unique(misc.codes.astype(np.int64) * most + rank, return_inverse=True)
    strings = []
    for code, number in zip(*(part.tolist() for part in np.divmod(pairs, most)), strict=True):
        before = misc.vocabulary[code]
        strings.append(f"{before}|{RECORD}={number}".removeprefix(f"{EMPTY}|").lstrip("|"))
    interner = Interner()
    recorded = interner.add_strings(strings)[codes]
    return treebank.replace(
        columns={"misc": Column(recorded.astype(np.int32), interner.vocabulary())}
    )


def _without_record(misc: str) -> str:
    kept = [part for part in misc.split("|") if not part.startswith(f"{RECORD}=")]
    return "|".join(kept) or EMPTY


def in_order(column: Column, treebank: Treebank, order: NDArray[np.int32]) -> Column:
    """Return what a column says of the words of every sentence, in another order."""
    return column.take(_first_words(treebank) + order - 1)


def text_lines(column: Column, offsets: NDArray[np.int64]) -> Iterator[bytes]:
    """Give a text, one sentence per line, in blocks of lines.

    Blanks inside a word are written as no-break spaces, an empty word as `_`.

    >>> b"".join(text_lines(Column.from_strings(["10 000", "birds", ""]), np.array([0, 2, 3])))
    b'10\\xc2\\xa0000 birds\\n_\\n'
    """
    strings = model_spelling(column.vocabulary).strings
    words = [strings[code] for code in column.codes.tolist()]
    lines: list[str] = []
    for begin, end in pairwise(offsets.tolist()):
        lines.append(" ".join(words[begin:end]) + "\n")
        if len(lines) == _BLOCK:
            yield "".join(lines).encode()
            lines.clear()
    yield "".join(lines).encode()


def _first_words(treebank: Treebank) -> NDArray[np.int64]:
    """Return, for every word, the index of the first word of its sentence."""
    return np.repeat(treebank.offsets[:-1], treebank.lengths)
