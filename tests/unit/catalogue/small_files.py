"""Folders of treebanks, built from invented sentences."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
from collections.abc import Mapping
from pathlib import Path

_WORDS = ("birds", "NOUN", "nsubj"), ("sing", "VERB", "root"), ("loudly", "ADV", "advmod")


def conllu(sentences: int = 1, *, words: int = 2) -> str:
    """Return sentences of two or three words, all headed by the second."""
    lines = [
        f"{i}\t{form}\t_\t{tag}\t_\t_\t{0 if i == 2 else 2}\t{relation}\t_\t_"
        for i, (form, tag, relation) in enumerate(_WORDS[:words], start=1)
    ]
    return "\n".join([*lines, "\n"]) * sentences


def conllx(sentences: int = 1) -> str:
    """Return the same in CoNLL-X, with tags of its own."""
    rows = ("1\tbirds\t_\tN\tNNS\t_\t2\tSUB\t_\t_", "2\tsing\t_\tV\tVBP\t_\t0\tROOT\t_\t_")
    return "\n".join([*rows, "\n"]) * sentences


def pascal(sentences: int = 1) -> str:
    """Return the same in the challenge's nine columns."""
    rows = ("1\tbirds\t_\tN\tNNS\tNOUN\t_\t2\tSUB", "2\tsing\t_\tV\tVBP\tVERB\t_\t0\tROOT")
    return "\n".join([*rows, "\n"]) * sentences


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write texts below a folder, compressed as their names say; return the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = text.encode()
        if path.suffix == ".gz":
            content = gzip.compress(content)
        elif path.suffix == ".xz":
            content = lzma.compress(content)
        path.write_bytes(content)
    return folder


def readme(*, licence: str = "CC BY-SA 4.0", relations: str = "manual native") -> str:
    """Return a README as a UD release has them."""
    return (
        "# Summary\n\nLicense: not this line\n\n"
        "=== Machine-readable metadata (DO NOT REMOVE!) ====================\n"
        f"Data available since: UD v1.0\nLicense: {licence}\nRelations: {relations}\n"
    )


def release_files(root: str = "ud-treebanks-v2.16") -> dict[str, str]:
    """Return the files of a small release: two treebanks called EWT, one in pieces."""
    english, estonian, czech = (
        f"{root}/UD_{name}" for name in ("English-EWT", "Estonian-EWT", "Czech-PDT")
    )
    return {
        f"{english}/README.md": readme(),
        f"{english}/LICENSE.txt": "https://creativecommons.org/licenses/by-sa/4.0/\n",
        f"{english}/stats.xml": (
            # A comment with `--` is not XML; releases have such comments.
            "<treebank><!-- -- -->\n<size><train><sentences>3</sentences><tokens>5</tokens>"
            "<words>6</words></train>\n<test><sentences>1</sentences><tokens>2</tokens></test>"
            "</size></treebank>\n"
        ),
        f"{english}/en_ewt-ud-train.conllu": conllu(3),
        f"{english}/en_ewt-ud-dev.conllu": conllu(2),
        f"{english}/en_ewt-ud-test.conllu": conllu(1),
        f"{english}/en_ewt-ud-test.txt": "birds sing\n",
        f"{english}/not-to-release/en_ewt-ud-test.conllu": conllu(9),
        f"{estonian}/README.md": readme(licence="CC BY-NC-SA 4.0"),
        f"{estonian}/LICENSE.txt": "https://creativecommons.org/licenses/by-sa/4.0/\n",
        f"{estonian}/et_ewt-ud-test.conllu": conllu(4),
        f"{czech}/README.txt": readme(relations="converted from manual"),
        f"{czech}/cs_pdt-ud-train-ca.conllu": conllu(1),
        f"{czech}/cs_pdt-ud-train-la.conllu": conllu(2, words=3),
        f"{czech}/cs_pdt-ud-test.conllu": conllu(1),
    }


def archive(files: Mapping[str, str | tarfile.TarInfo]) -> bytes:
    """Return a `.tgz` of texts; a `TarInfo` is put in as it is, for links and devices."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as members:
        for name, content in files.items():
            if isinstance(content, tarfile.TarInfo):
                members.addfile(content)
                continue
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            members.addfile(member, io.BytesIO(content.encode()))
    return target.getvalue()
