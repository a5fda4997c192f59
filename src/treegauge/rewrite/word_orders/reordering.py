"""Words in another order, with a record of where they stood; and the way back.

A permuted sentence has these comments after its own:

    # permutation = right
    # original_order = 3 1 2        where its words stood, in the order in which they stand now
    # text = ...                    if there was a text

What speaks of the old order is taken out and kept in further comments: `original_deps` (and
`original_phead`, `original_pdeprel`) with the values of all words, as they stood, between tabs; the
same for `original_misc` where a word has `SpaceAfter=No`, which is taken out; and `original_line`,
with its place among the lines of the sentence, how many words stood before it, its kind and its
text, for multiword tokens, empty nodes and the text. `restore_order` puts everything back, so that
a file written from it is the file that was permuted, byte for byte. A treebank can be permuted
several times; the last one is undone first.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite.errors import RewriteError
from treegauge.treebank import (
    COMMENT,
    EMPTY,
    EMPTY_NODE,
    MULTIWORD,
    Column,
    Origin,
    SideLines,
    Treebank,
    parse_comment,
)

_POSITIONAL = ("deps", "phead", "pdeprel")
"""Columns that speak of positions in the sentence."""

_RECORDED = (*_POSITIONAL, "misc")
_KINDS = {"comment": COMMENT, "multiword": MULTIWORD, "node": EMPTY_NODE}
_KIND_NAMES = {kind: name for name, kind in _KINDS.items()}
_NO_SPACE = "SpaceAfter=No"


def reorder(treebank: Treebank, words: NDArray[np.int64], *, name: str) -> Treebank:
    """Return the treebank with the words of every sentence in another order.

    Trees, tags and everything else that belongs to a word stay with the word.

    Parameters
    ----------
    words : int array, [words]
        The words in their new order, by number; each sentence's among themselves.
    name : str
        What the comment `# permutation` says.

    Raises
    ------
    RewriteError
        If the order does not have every word once, in its own sentence.

    Examples
    --------
    >>> import treegauge as tg
    >>> birds = tg.parse("1\\tbirds\\t_\\t_\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n"
    ...                  "2\\tsing\\t_\\t_\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
    >>> turned = reorder(birds, np.array([1, 0]), name="mirror")
    >>> print(tg.to_text(turned), end="")  # doctest: +NORMALIZE_WHITESPACE
    # permutation = mirror
    # original_order = 2 1
    1	sing	_	_	_	_	0	root	_	_
    2	birds	_	_	_	_	1	nsubj	_	_
    <BLANKLINE>
    >>> restore_order(turned) == birds
    True
    """
    sentence = treebank.sentence_of_word
    seen = np.zeros(treebank.n_words, np.bool_)
    if words.shape == seen.shape and not ((words < 0) | (words >= treebank.n_words)).any():
        seen[words] = True
    if not seen.all() or not np.array_equal(sentence[words], sentence):
        raise RewriteError("an order must have every word once, in its own sentence")
    columns = {column: values.take(words) for column, values in treebank.columns.items()}
    columns.update({column: Column.constant(EMPTY, treebank.n_words) for column in _POSITIONAL})
    columns["misc"] = columns["misc"].map(_without_no_space)
    return _in_order(treebank, words, columns, _with_records(treebank, words, columns, name))


def restore_order(treebank: Treebank) -> Treebank:
    """Return a permuted treebank in its original order, which its comments record.

    Heads are translated, so that a system's annotation of a permuted treebank can be compared
    with the original word by word.

    Parameters
    ----------
    treebank : Treebank
        A treebank from `permute`, or a system's annotation of one.

    Returns
    -------
    Treebank
        The same sentences in the original order.

    Raises
    ------
    RewriteError
        If a sentence has no record of its order, or the record does not fit.

    Examples
    --------
    >>> import treegauge as tg
    >>> treebank = tg.toy_treebank(tokens=100)
    >>> permuted = tg.permute(treebank, "mirror", keep_all=True)
    >>> restore_order(permuted) == treebank
    True
    """
    records = _Records.of(treebank)
    words = np.empty(treebank.n_words, np.int64)
    for s, (begin, end) in enumerate(pairwise(treebank.offsets.tolist())):
        positions = records.order[s]
        if sorted(positions) != list(range(1, end - begin + 1)):
            raise RewriteError(
                f"sentence {treebank.sentence_ids[s] or f'number {s + 1}'}: its comment "
                f"original_order does not fit its {end - begin} words"
            )
        words[begin + np.array(positions, np.int64) - 1] = np.arange(begin, end)
    columns = {column: values.take(words) for column, values in treebank.columns.items()}
    for name, values in records.columns.items():
        columns[name] = _overwritten(columns[name], treebank, values, name)
    return _in_order(treebank, words, columns, records.side_lines(treebank))


def _in_order(
    treebank: Treebank,
    words: NDArray[np.int64],
    columns: dict[str, Column],
    side_lines: SideLines,
) -> Treebank:
    """Return the treebank with other columns and side lines, heads translated."""
    new_place = np.empty(treebank.n_words, np.int64)
    new_place[words] = np.arange(treebank.n_words)
    first = np.repeat(treebank.offsets[:-1], treebank.lengths)
    length = np.repeat(treebank.lengths, treebank.lengths)
    head = treebank.head[words].astype(np.int64)
    inside = (head >= 1) & (head <= length)
    head[inside] = (new_place[(first + head - 1)[inside]] - first[inside]) + 1
    origin = treebank.origin
    return Treebank(
        columns,
        head,
        offsets=treebank.offsets,
        side_lines=side_lines,
        first_lines=treebank.first_lines,
        origin=None if origin is None else Origin(origin.length, origin.position[words]),
        punctuation=None if treebank.punctuation is None else treebank.punctuation[words],
        file_columns=treebank.file_columns,
        file_header=treebank.file_header,
        name=treebank.name,
    )


def _without_no_space(misc: str) -> str:
    kept = [part for part in misc.split("|") if part != _NO_SPACE]
    return "|".join(kept) or EMPTY


# ---------------------------------------------------------------------- making records


def _with_records(
    treebank: Treebank, words: NDArray[np.int64], columns: dict[str, Column], name: str
) -> SideLines:
    """Return the side lines of the permuted treebank: comments that stay, then the record."""
    table = treebank.side_lines
    is_text = np.array(
        [parse_comment(text)[0] == "text" for text in table.text.vocabulary], np.bool_
    )
    leaves = table.kind != COMMENT
    if len(table):
        leaves = leaves | is_text[table.text.codes]
    bounds = table.bounds(treebank.n_sentences).tolist()
    offsets = treebank.offsets.tolist()
    position = words - np.repeat(treebank.offsets[:-1], treebank.lengths) + 1
    positions = list(map(str, position.tolist()))
    forms = _strings(columns["form"]) if is_text.any() else []
    recorded = {
        column: (_strings(treebank.columns[column]), _sentences_to_record(treebank, column))
        for column in _RECORDED
        if treebank.columns[column].is_annotated
    }
    texts = table.text.vocabulary.strings
    codes, after, kind = table.text.codes.tolist(), table.after.tolist(), table.kind.tolist()
    left_out = leaves.tolist()
    lines: list[tuple[int, int, int, str]] = []
    for s in range(treebank.n_sentences):
        begin, end = offsets[s], offsets[s + 1]
        low, high = bounds[s], bounds[s + 1]
        late = low
        while late < high and after[late] == 0:
            if not left_out[late]:
                lines.append((s, 0, COMMENT, texts[codes[late]]))
            late += 1
        lines.append((s, 0, COMMENT, f"# permutation = {name}"))
        lines.append((s, 0, COMMENT, f"# original_order = {' '.join(positions[begin:end])}"))
        for column, (values, wanted) in recorded.items():
            if wanted[s]:
                joined = "\t".join(values[begin:end])
                lines.append((s, 0, COMMENT, f"# original_{column} = {joined}"))
        for i in range(low, high):
            if left_out[i]:
                text = texts[codes[i]]
                place = f"{i - low} {after[i]} {_KIND_NAMES[kind[i]]}"
                lines.append((s, 0, COMMENT, f"# original_line = {place} {text}"))
                if kind[i] == COMMENT:
                    lines.append((s, 0, COMMENT, f"# text = {' '.join(forms[begin:end])}"))
        lines += [
            (s, after[i], COMMENT, texts[codes[i]]) for i in range(late, high) if not left_out[i]
        ]
    return _table(lines)


def _sentences_to_record(treebank: Treebank, column: str) -> list[bool]:
    """Return in which sentences a column changes."""
    values = treebank.columns[column]
    if column == "misc":
        changes = [_without_no_space(value) != value for value in values.vocabulary]
    else:
        changes = [value != EMPTY for value in values.vocabulary]
    changed = np.array(changes, np.bool_)[values.codes]
    counts = np.bincount(treebank.sentence_of_word[changed], minlength=treebank.n_sentences)
    has_change: list[bool] = (counts > 0).tolist()
    return has_change


def _table(lines: list[tuple[int, int, int, str]]) -> SideLines:
    """Return side lines given as (sentence, after, kind, text)."""
    return SideLines(
        np.array([line[0] for line in lines], np.int32),
        np.array([line[1] for line in lines], np.int32),
        np.array([line[2] for line in lines], np.uint8),
        Column.from_strings([line[3] for line in lines]),
    )


def _strings(column: Column) -> list[str]:
    values = column.vocabulary.strings
    return [values[code] for code in column.codes.tolist()]


# ---------------------------------------------------------------------- reading records


@dataclass(frozen=True)
class _Records:
    """What the comments of a permuted treebank say."""

    order: list[list[int]]
    columns: dict[str, dict[int, list[str]]]
    """For some columns the values of some sentences, in the original order."""
    lines: list[list[tuple[int, int, str]]]
    """Side lines of every sentence that are there already: (after, kind, text)."""
    returning: list[list[tuple[int, int, int, str]]]
    """Side lines of every sentence to be put back: (place, after, kind, text)."""

    @classmethod
    def of(cls, treebank: Treebank) -> _Records:
        records = cls([], {}, [], [])
        table = treebank.side_lines
        bounds = table.bounds(treebank.n_sentences).tolist()
        texts, codes = table.text.vocabulary.strings, table.text.codes.tolist()
        after, kind = table.after.tolist(), table.kind.tolist()
        missing = []
        for s in range(treebank.n_sentences):
            lines = [(after[i], kind[i], texts[codes[i]]) for i in range(bounds[s], bounds[s + 1])]
            begins = [i for i, line in enumerate(lines) if line[2].startswith("# permutation = ")]
            if not begins:
                missing.append(s)
                continue
            try:
                records._add(s, lines, begins[-1])
            except (ValueError, KeyError):
                raise RewriteError(
                    f"sentence {treebank.sentence_ids[s] or f'number {s + 1}'}: a comment "
                    "original_line or original_order is no longer as `treegauge permute` wrote it"
                ) from None
        if missing:
            named = treebank.sentence_ids[missing[0]] or f"number {missing[0] + 1}"
            raise RewriteError(
                f"{len(missing):,} of {treebank.n_sentences:,} sentences have no record of "
                f"another order; the first is {named}\n"
                "  only what `treegauge permute` wrote, in a format with comments, leads back"
            )
        return records

    def _add(self, s: int, lines: list[tuple[int, int, str]], begin: int) -> None:
        kept = lines[:begin]
        returning = []
        order: list[int] = []
        for after, kind, text in lines[begin + 1 :]:
            key, _, value = text.removeprefix("# ").partition(" = ")
            column = key.removeprefix("original_")
            if key == "original_order":
                order = [int(number) for number in value.split()]
            elif key != column and column in _RECORDED:
                self.columns.setdefault(column, {})[s] = value.split("\t")
            elif key == "original_line":
                place, words_before, kind_name, line = value.split(" ", 3)
                returning.append((int(place), int(words_before), _KINDS[kind_name], line))
            elif key != "text" or after:
                kept.append((after, kind, text))
        self.order.append(order)
        self.lines.append(kept)
        self.returning.append(returning)

    def side_lines(self, treebank: Treebank) -> SideLines:
        """Return the side lines of the original."""
        restored = []
        for s in range(treebank.n_sentences):
            lines = list(self.lines[s])
            for place, after, kind, text in self.returning[s]:
                lines.insert(place, (after, kind, text))
            restored += [(s, after, kind, text) for after, kind, text in lines]
        return _table(restored)


def _overwritten(
    column: Column, treebank: Treebank, values: dict[int, list[str]], name: str
) -> Column:
    """Return a column with the recorded values of some sentences in it."""
    strings = _strings(column)
    for s, recorded in values.items():
        begin, end = int(treebank.offsets[s]), int(treebank.offsets[s + 1])
        if len(recorded) != end - begin:
            raise RewriteError(
                f"sentence {treebank.sentence_ids[s] or f'number {s + 1}'}: its comment "
                f"original_{name} has {len(recorded)} values for {end - begin} words"
            )
        strings[begin:end] = recorded
    return Column.from_strings(strings)
