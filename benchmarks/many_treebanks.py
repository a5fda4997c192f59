"""A folder of many treebanks: every verb on all of them, time against words, memory at the peak.

Run as `python -m benchmarks.many_treebanks FOLDER --treebanks 250 --words 30000000` it only makes
the folder: real treebanks, where they are at hand, and toy languages, again and again with other
forms. With `--broken`, one of them cannot be read.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import numpy as np

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.catalogue.languages import LANGUAGES
from treegauge.toys.names import TOY_LANGUAGES
from treegauge.treebank import concatenate

WORDS_EACH = 120_000
"""30 million words in 250 treebanks."""
WEIGHTS = (0.1, 0.3, 0.6, 1.0, 3.0)
"""Treebanks are of different sizes; every five of them have the same mean."""
SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
_OF_TOYS = ("fo", "yo", "ka", "th", "am", "kk", "qu", "te", "ru", "hy", "mt", "wo", "tl", "ug")
"""Toy languages are given names of languages for which there is no real treebank here."""


@dataclass(frozen=True)
class Source:
    """What copies are made of."""

    code: str
    treebank: tg.Treebank


def sources() -> Iterator[Source]:
    """Give real treebanks and toy languages in turn."""
    toys = [tg.toy_treebank(name, tokens=60_000) for name in TOY_LANGUAGES]
    codes = [code for code in _OF_TOYS if code in LANGUAGES]
    generated = [Source(code, toy) for code, toy in zip(codes, cycle(toys), strict=False)]
    real = []
    for entry in Catalogue.from_environment().entries:
        if entry.format == "conllu":
            parts = [entry.read(part, findings=[]) for part in entry.parts]
            real.append(Source(entry.iso, concatenate(parts)))
    while True:
        yield from real
        yield from generated


def make_folder(folder: Path, treebanks: int, words: int, *, broken: bool = False) -> int:
    """Write treebanks of so many words in all; return how many words there are.

    The last treebank is broken, if one is: a word of its dev part has no number.
    """
    total = 0
    weights = list(islice(cycle(WEIGHTS), treebanks))
    for number, (source, weight) in enumerate(zip(sources(), weights, strict=False)):
        wanted = round(words * weight / sum(weights))
        copy = _copy(source.treebank, wanted, number)
        name = f"{source.code}_copy{number:03}"
        home = folder / name
        home.mkdir(parents=True)
        begin = 0
        for part, share in SHARES.items():
            last = part == "test"
            end = len(copy) if last else begin + max(round(share * len(copy)), 1)
            tg.write(copy[begin:end], home / f"{name}-ud-{part}.conllu")
            begin = end
        total += copy.n_words
        if broken and number == treebanks - 1:
            with (home / f"{name}-ud-dev.conllu").open("a", encoding="utf-8") as file:
                file.write("one\tlost\tline\n\n")
    return total


def _copy(treebank: tg.Treebank, words: int, number: int) -> tg.Treebank:
    """Return about so many words of a treebank, repeated with other forms where it is too small."""
    pieces: list[tg.Treebank] = []
    left = words
    while left > 0:
        n = int(np.searchsorted(treebank.offsets, left, side="left"))
        piece = treebank[: max(min(n, len(treebank)), 10)]
        pieces.append(_with_other_forms(piece, f"{number:x}{len(pieces) or ''}"))
        left -= piece.n_words
    return pieces[0] if len(pieces) == 1 else concatenate(pieces)


def _with_other_forms(treebank: tg.Treebank, mark: str) -> tg.Treebank:
    """Return a treebank in which every word has a mark behind it, and punctuation stays."""

    def changed(text: str) -> str:
        return f"{text}{mark}" if any(map(str.isalpha, text)) else text

    columns = {name: treebank.columns[name].map(changed) for name in ("form", "lemma")}
    return treebank.replace(columns=columns)


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--treebanks", type=int, default=250)
    parser.add_argument("--words", type=int, default=None)
    parser.add_argument("--broken", action="store_true")
    chosen = parser.parse_args()
    words = chosen.words or WORDS_EACH * chosen.treebanks
    total = make_folder(chosen.folder, chosen.treebanks, words, broken=chosen.broken)
    print(f"{chosen.treebanks} treebanks, {total:,} words in {chosen.folder}")


if __name__ == "__main__":
    _main()
