"""Small treebanks, written so that they can be read."""

from __future__ import annotations

import io
from textwrap import dedent

from treegauge.formats import Findings, read
from treegauge.treebank import Column, Treebank


def conllu(text: str) -> str:
    """Turn columns that are lined up with spaces into CoNLL-U; comments stay as they are."""
    lines = [line.strip() for line in dedent(text).strip("\n").split("\n")]
    return "\n".join(x if x.startswith("#") else "\t".join(x.split()) for x in lines) + "\n\n"


def treebank(text: str, *, name: str = "", format: str = "conllu") -> Treebank:
    """Read lined-up columns; trees with flaws are taken as they are."""
    source = io.BytesIO(conllu(text).encode())
    return read(source, format=format, name=name, findings=Findings(), allow_empty=True)


def sentences(*written: str) -> Treebank:
    """Read sentences of `form/TAG/head` words; `form/TAG` leaves the head out."""
    words = [[word.split("/") for word in sentence.split()] for sentence in written]
    lengths = [len(sentence) for sentence in words]
    flat = [word for sentence in words for word in sentence]
    return Treebank(
        {
            "form": Column.from_strings([word[0] for word in flat]),
            "upos": Column.from_strings([word[1] for word in flat]),
        },
        [int(word[2]) if len(word) > 2 else -1 for word in flat],
        offsets=[sum(lengths[:i]) for i in range(len(lengths) + 1)],
    )


def heads(treebank: Treebank) -> list[list[int]]:
    """Return the heads of every sentence."""
    return [sentence.heads for sentence in treebank]


def texts(treebank: Treebank) -> list[str]:
    """Return the words of every sentence."""
    return [str(sentence) for sentence in treebank]
