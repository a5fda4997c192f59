"""Sentences as people write them down: `form:head:relation`, one word behind the other."""

from __future__ import annotations

import treegauge as tg
from treegauge.treebank import Column, Treebank


def sentence(text: str) -> Treebank:
    """Read one sentence; tags are missing."""
    words = [word.split(":", 2) for word in text.split()]
    return Treebank(
        {
            "form": Column.from_strings([form for form, _, _ in words]),
            "deprel": Column.from_strings([relation for _, _, relation in words]),
        },
        [int(head) for _, head, _ in words],
        offsets=[0, len(words)],
    )


def written(treebank: tg.Treebank) -> str:
    """Write one sentence the same way."""
    rows = zip(treebank.form, treebank.head.tolist(), treebank.deprel, strict=True)
    return " ".join(f"{form}:{head}:{relation}" for form, head, relation in rows)
