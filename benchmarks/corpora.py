"""Files to measure on, made once and kept in .bench/."""

from __future__ import annotations

import lzma
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treegauge import Treebank

FOLDER = Path(".bench")
WORDS = 1_000_000


def toy_file() -> Path:
    """Return a CoNLL-U file of a million words of a toy language."""
    from treegauge import write
    from treegauge.toys import toy_treebank

    path = FOLDER / "toy.conllu"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        write(toy_treebank("toy:free", tokens=WORDS), path)
    return path


def gold_and_system(words: int = WORDS) -> tuple[Path, Path]:
    """Return a gold file of so many words, and a system's output for it.

    The system takes the word before for the head in one sentence out of five, and another
    word's relation, tag and lemma for one word out of ten.
    """
    import numpy as np

    from treegauge import toy_treebank, write

    gold_path = FOLDER / f"score-gold-{words}.conllu"
    system_path = FOLDER / f"score-system-{words}.conllu"
    if not (gold_path.exists() and system_path.exists()):
        FOLDER.mkdir(exist_ok=True)
        gold = toy_treebank("toy:free", tokens=words)
        generator = np.random.default_rng(0)
        n = gold.n_words
        other = np.where(generator.random(n) < 0.1, generator.integers(0, n, n), np.arange(n))
        chained = (generator.random(gold.n_sentences) < 0.2)[gold.sentence_of_word]
        system = gold.replace(
            head=np.where(chained, gold.original_positions - 1, gold.head),
            columns={name: gold.columns[name].take(other) for name in ("deprel", "upos", "lemma")},
        )
        write(gold, gold_path)
        write(system, system_path)
    return gold_path, system_path


def lines_of_text(treebank: Path) -> Path:
    """Return the sentences of a treebank as a text, one per line."""
    from treegauge import read

    path = treebank.with_suffix(".txt")
    if not path.exists():
        sentences = (" ".join(word.form for word in sentence) for sentence in read(treebank))
        path.write_text("".join(f"{line}\n" for line in sentences), encoding="utf-8")
    return path


def real_file() -> Path | None:
    """Return a CoNLL-U file of a million words of real treebanks, if they are at hand."""
    shared = Path(os.environ.get("TREEGAUGE_SHARED", "../shared"))
    sources = sorted(shared.glob("treebanks/*/train.conllu.xz"))
    if not sources:
        return None
    path = FOLDER / "real.conllu"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        lines = 0
        with path.open("wb") as out:
            for source in sources:
                text = lzma.decompress(source.read_bytes())
                out.write(text)
                lines += text.count(b"\n")
                if lines > 1.1 * WORDS:
                    break
    return path


def real_texts(size: float) -> Iterator[bytes]:
    """Give real treebanks as they are in their files, of so many bytes in all or some more."""
    shared = Path(os.environ.get("TREEGAUGE_SHARED", "../shared"))
    for source in sorted(shared.glob("treebanks/*/*.conllu.xz")):
        if size <= 0:
            return
        text = lzma.decompress(source.read_bytes())
        size -= len(text)
        yield text


def english() -> Treebank | None:
    """Return the training part of English EWT, if it is at hand."""
    from treegauge import CatalogueError, load

    shared = Path(os.environ.get("TREEGAUGE_SHARED", "../shared")) / "treebanks"
    try:
        return load("en_ewt:train", data=shared if shared.is_dir() else ())
    except CatalogueError:
        return None
