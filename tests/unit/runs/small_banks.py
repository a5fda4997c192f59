"""Treebanks of a few sentences, in folders."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import treegauge as tg

PARTS = {"train": 90, "dev": 60, "test": 60}
"""Words of the parts."""


@cache
def _text(language: str, part: str) -> str:
    return tg.to_text(tg.toy_treebank(language, tokens=PARTS[part], part=part))


def write_bank(folder: Path, language: str = "toy:svo") -> Path:
    """Write a treebank, named by its folder."""
    folder.mkdir(parents=True)
    for part in PARTS:
        (folder / f"{part}.conllu").write_text(_text(language, part), encoding="utf-8")
    return folder


def write_other_bank(folder: Path, number: int) -> Path:
    """Write a treebank whose sentences begin with another word in every bank of a number."""
    write_bank(folder, ("toy:svo", "toy:sov")[number % 2])
    for file in folder.iterdir():
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("\n1\t", f"\n1\tx{number}"), encoding="utf-8")
    return folder
