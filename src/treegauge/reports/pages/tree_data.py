"""The trees of a report as data, from which the page draws them.

A sentence is a list: its name, 1 if it runs from right to left, its forms with a line break
between them, its tags as numbers, gold's heads and relations, and for every system its heads,
relations and tags. Numbers have a space between them and are those of a list of names that a
treebank has once; what a system does not have is empty.

Few trees are part of the page. More of them are files of their own beside it, which the page
loads when a reader comes to them: each calls a function of the page, since a page that was
opened from a disk may load scripts but nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from treegauge.reports.charts import file_name
from treegauge.reports.pages.annotations import Annotations
from treegauge.reports.text_widths import on_one_line
from treegauge.reports.trees.drawing import MAX_WORDS, is_right_to_left
from treegauge.treebank import EMPTY, Column, Treebank
from treegauge.wording import counted

IN_PAGE = 1_000_000
"""Bytes of trees that are part of the page, of all treebanks together."""

OF_CHUNK = 400_000
"""Bytes of a file of trees."""

BESIDE_PAGE = 100_000_000
"""Bytes of trees of all treebanks of a run together; of more, each has its first sentences."""

Sentence = list[Any]


@dataclass(frozen=True)
class TreeBank:
    """The trees of one treebank."""

    name: str
    systems: tuple[str, ...]
    names: list[str]
    """Relations and tags by number."""
    sentences: list[Sentence]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class TreeFiles:
    """What is part of the page, and what is beside it."""

    document: dict[str, Any]
    files: dict[str, str]
    """By path, relative to the page."""


def tree_bank(annotations: Annotations, *, most: int | None = None) -> TreeBank | None:
    """Return the trees of a treebank; nothing if gold has no heads.

    What is shown is what is scored: without punctuation where that was removed. Of more than
    `most` bytes, the first sentences are there.
    """
    if not annotations.gold.has_heads or not annotations.systems:
        return None
    compared = annotations.comparisons
    same = {name: one for name, one in compared.items() if one.has_same_words}
    remarks = [f"{name} has other words than gold" for name in compared if name not in same]
    if not same:
        return None
    gold = next(iter(same.values())).gold
    numbers: dict[str, int] = {}
    columns = [_texts(_tags(gold), gold, numbers), _texts(gold.deprel, gold, numbers)]
    heads = _heads(gold)
    of_systems = [
        list(
            zip(
                _heads(one.system) if one.system.has_heads else _nothing(gold),
                _texts(one.system.deprel, one.system, numbers),
                _nothing(gold)
                if one.system.has_heads
                else _texts(_tags(one.system), one.system, numbers),
                strict=True,
            )
        )
        for one in same.values()
    ]
    sentences: list[Sentence] = []
    left_out, size = 0, 0
    for i, sentence in enumerate(gold):
        if most is not None and size > most:
            remarks.append(f"the first {counted(i, 'sentence')} of {len(gold):,}")
            break
        if len(sentence) > MAX_WORDS:
            left_out += 1
            continue
        forms = [on_one_line(word.form) for word in sentence]
        name = sentence.id or f"sentence {i + 1}"
        sentences.append(
            [
                name,
                int(is_right_to_left(forms)),
                "\n".join(forms),
                columns[0][i],
                heads[i],
                columns[1][i],
                *([*system[i]] for system in of_systems),
            ]
        )
        if most is not None:
            size += len(compact(sentences[-1]))
    if left_out:
        remarks.append(f"{counted(left_out, 'sentence')} of more than {MAX_WORDS:,} words left out")
    return TreeBank(annotations.name, tuple(same), list(numbers), sentences, tuple(remarks))


def _tags(treebank: Treebank) -> Column:
    columns = treebank.columns
    return next(
        (columns[c] for c in ("upos", "xpos", "cpos") if columns[c].is_annotated), columns["upos"]
    )


def _heads(treebank: Treebank) -> list[str]:
    """Return the heads of every sentence; -1 for what is no head."""
    heads = treebank.head.tolist()
    ends = treebank.offsets.tolist()
    return [" ".join(map(str, heads[begin:end])) for begin, end in pairwise(ends)]


def _texts(column: Column, treebank: Treebank, numbers: dict[str, int]) -> list[str]:
    """Return the values of a column by sentence, as numbers."""
    if not column.is_annotated:
        return _nothing(treebank)
    names = [on_one_line(column.vocabulary[i]) for i in range(len(column.vocabulary))]
    known = [numbers.setdefault("" if name == EMPTY else name, len(numbers)) for name in names]
    codes = column.codes.tolist()
    ends = treebank.offsets.tolist()
    return [
        " ".join(str(known[code]) for code in codes[begin:end]) for begin, end in pairwise(ends)
    ]


def _nothing(treebank: Treebank) -> list[str]:
    return [""] * len(treebank)


def tree_files(
    banks: Iterable[TreeBank], folder: str, *, in_page: int = IN_PAGE, of_chunk: int = OF_CHUNK
) -> TreeFiles:
    """Divide trees between the page and files beside it.

    Parameters
    ----------
    folder : str
        Of the files, relative to the page; if empty there are no files, and what does not fit
        into the page is left out.
    """
    chosen = list(banks)
    share = in_page // max(len(chosen), 1)
    document: list[dict[str, Any]] = []
    files: dict[str, str] = {}
    for number, bank in enumerate(chosen):
        pieces = list(_pieces(bank.sentences, share, of_chunk))
        here, others = (pieces[0], pieces[1:]) if pieces else ([], [])
        paths = []
        for k, piece in enumerate(others if folder else []):
            path = f"{folder}/{file_name(bank.name)}-{number + 1}-{k + 1}.js"
            files[path] = f"treegaugeTrees({number},{k},{compact(piece)})\n"
            paths.append([path, len(piece)])
        document.append(
            {
                "name": bank.name,
                "systems": list(bank.systems),
                "names": bank.names,
                "total": len(bank.sentences),
                "here": here,
                "files": paths,
                "remarks": list(bank.remarks),
            }
        )
    return TreeFiles({"banks": document}, files)


def _pieces(sentences: list[Sentence], first: int, others: int) -> Iterator[list[Sentence]]:
    piece: list[Sentence] = []
    size, most = 0, first
    for sentence in sentences:
        length = len(compact(sentence).encode())
        if piece and size + length > most:
            yield piece
            piece, size, most = [], 0, others
        piece.append(sentence)
        size += length + 1
    if piece:
        yield piece


def compact(document: Any) -> str:
    """Return JSON without spaces that can stand inside a script: nothing in it ends one."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    # The last two end a line of a script in old browsers.
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
