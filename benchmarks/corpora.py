"""Files to measure on, made once and kept in .bench/."""

from __future__ import annotations

import lzma
import os
from pathlib import Path

FOLDER = Path(".bench")
WORDS = 1_000_000


def toy_file() -> Path:
    """Return a CoNLL-U file of a million words of a toy language."""
    from treegauge import write
    from treegauge.catalogue import toy_treebank

    path = FOLDER / "toy.conllu"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        write(toy_treebank("toy:free", tokens=WORDS), path)
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
