"""What tools of others have in common: a model that is given, text in, trees out.

An adapter learns nothing here. `annotate` gives the tool the words and sentences of a treebank;
`annotate_text` gives it raw text, which it cuts into words and sentences itself. Whatever it
annotates replaces all that the treebank had, and a comment `# generator` says which versions of
tool and model did it.
"""

from __future__ import annotations

import hashlib
import os
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from treegauge.errors import TreegaugeError
from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress, System, Task, no_progress
from treegauge.treebank import (
    EMPTY,
    Column,
    Treebank,
    concatenate,
    sentence_texts,
    with_comments,
    with_generator,
)

_COLUMNS = ("lemma", "upos", "xpos", "cpos", "feats", "deprel", "deps")


@dataclass(frozen=True)
class AdapterSettings(Settings):
    """Which model."""

    model: str = setting("", "the model, by name or path; written after a colon, TOOL:MODEL")


class Adapter(System):
    """A tool with a model that was trained elsewhere.

    It learnt from gold annotation, nobody here knows which.
    """

    task: Task = "joint"
    settings_type = AdapterSettings
    is_supervised = True
    learns = False
    is_tool = True
    seconds_per_word = 1e-3
    tool: str
    """What the tool is called in system names."""
    model_example: str
    """A model as one would name it, for messages."""

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        if not self.settings.model:
            raise SystemsError(f"{self.name} needs a model: write {self.tool}:{self.model_example}")

    @property
    def label(self) -> str:
        """What tables call it: the tool, and the model without its folder."""
        model = self.settings.model.rstrip("/\\").replace("\\", "/")
        return f"{self.tool}:{model.rpartition('/')[2].removesuffix('.udpipe') or model}"

    @property
    @abstractmethod
    def versions(self) -> str:
        """The versions of tool and model, such as `spaCy 3.8.7, en_core_web_sm 3.8.0`."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Refuse: nothing was learnt here, and the model stays where it is."""
        raise SystemsError(
            f"{path}: {self.label} learns nothing here that could be saved: name it where it is "
            f"used, as in treegauge annotate {self.tool}:{self.settings.model} TREEBANK"
        )

    # ------------------------------------------------------------------ annotating

    def annotate_text(
        self, paragraphs: Sequence[str], *, on_progress: OnProgress = no_progress
    ) -> Treebank:
        """Return the treebank of a raw text, cut into words and sentences by the tool.

        Parameters
        ----------
        paragraphs : sequence of str
            No sentence goes beyond the end of a paragraph.

        Raises
        ------
        SystemsError
            If the tool or the model cannot be used, or finds no word.
        """
        self.notes = ()
        texts = [text for text in (" ".join(one.split()) for one in paragraphs) if text]
        pieces = list(self._treebanks_of_texts(texts, on_progress)) if texts else []
        treebank, begins = _concatenated(pieces)
        if not treebank.n_words:
            raise SystemsError(f"{self.label}: there are no words in this text")
        signed = with_generator(_with_texts(treebank, begins), self.versions)
        return signed.replace(name=self.label)

    def annotate(self, treebank: Treebank, *, on_progress: OnProgress = no_progress) -> Treebank:
        """Return the treebank with the tool's annotation of its words."""
        answer = super().annotate(treebank, on_progress=on_progress)
        return with_generator(answer, self.versions)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        # A sentence without words is none to a tool, and there is nothing to say about it.
        text = treebank[treebank.lengths > 0]
        if not text.n_words:
            return treebank.replace(head=np.zeros(0, np.int32))
        answer = self._treebank_of_words(text, on_progress)
        if answer.form != text.form or answer.lengths.tolist() != text.lengths.tolist():
            raise SystemsError(f"{self.label}: other words came back than went in")
        kept = {name: answer.columns[name] for name in _COLUMNS}
        return treebank.replace(columns=kept, head=answer.head)

    def _merged(self, treebank: Treebank, annotated: Treebank) -> Treebank:
        columns = {name: annotated.columns[name] for name in _COLUMNS}
        return treebank.replace(columns=columns, head=annotated.head)

    @abstractmethod
    def _treebank_of_words(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        """Return the words of a blind treebank, annotated; no sentence is empty."""

    @abstractmethod
    def _treebanks_of_texts(
        self, texts: Sequence[str], on_progress: OnProgress
    ) -> Iterator[Treebank]:
        """Give the treebank of every paragraph, none of which is blank."""

    @contextmanager
    def _failures_named(self) -> Iterator[None]:
        """Say in a line what went wrong inside the tool, whatever it raises."""
        try:
            yield
        except TreegaugeError:
            raise
        except (ImportError, OSError, ValueError, RuntimeError, KeyError, TypeError) as error:
            line = (str(error).strip() or type(error).__name__).partition("\n")[0]
            raise SystemsError(f"{self.label}: {self.tool} failed: {line}") from error


def _concatenated(pieces: Sequence[Treebank]) -> tuple[Treebank, list[int]]:
    """Return all paragraphs in one, and the sentences with which they begin."""
    if not pieces:
        return Treebank({"form": Column.from_strings([])}, offsets=[0]), []
    counts = np.cumsum([0, *(piece.n_sentences for piece in pieces)]).tolist()
    begins = [begin for begin, piece in zip(counts, pieces, strict=False) if piece.n_sentences]
    return concatenate(list(pieces)), begins


def _with_texts(treebank: Treebank, begins: Sequence[int]) -> Treebank:
    """Return a treebank with the comments that a file of Universal Dependencies has."""
    beginnings = set(begins)
    comments = [
        [*(["newpar"] if number in beginnings else []), f"sent_id = {number + 1}", f"text = {text}"]
        for number, text in enumerate(sentence_texts(treebank))
    ]
    return with_comments(treebank, comments)


# ---------------------------------------------------------------------- packages and files


def import_tool(module: str, *, extra: str, system: str) -> ModuleType:
    """Import a tool's package, or say how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise SystemsError(
            f"{system} needs {module}, which is not installed ({error}): "
            f'pip install "treegauge[{extra}]"'
        ) from None


def tool_version(package: str, *, extra: str, system: str) -> str:
    """Return the version of an installed package, without importing it if that can be."""
    try:
        return version(package)
    except PackageNotFoundError:
        tool = import_tool(package, extra=extra, system=system)
        return str(getattr(tool, "__version__", ""))


def fingerprint_of_files(path: str | os.PathLike[str]) -> str:
    """Return eight hexadecimal digits of what is in a file, or in all files of a folder."""
    root = Path(path)
    files = [root] if root.is_file() else sorted(p for p in root.rglob("*") if p.is_file())
    states = [(file, file.stat()) for file in files]
    return _digest(root, tuple((file, one.st_size, one.st_mtime_ns) for file, one in states))


@cache
def _digest(root: Path, files: tuple[tuple[Path, int, int], ...]) -> str:
    # Sizes and times are there so that files are read once, unless they change.
    digest = hashlib.blake2b(digest_size=4)
    for file, _, _ in files:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0")
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, hashlib.blake2b).digest())
    return digest.hexdigest()


def blank_as_empty(values: Sequence[str]) -> Column:
    """Return a column in which a tool's nothing is `_`."""
    return Column.from_strings(value or EMPTY for value in values)
