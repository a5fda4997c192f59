"""Pipelines of spaCy, by name or by path: `spacy:en_core_web_sm`, `spacy:./my_model`.

Words of a treebank go to the pipeline as documents of a sentence each, with a space behind every
word and no sentence boundary inside; raw text goes through spaCy's own tokeniser. Needs the
package `spacy`. Loading a pipeline can run code of the package that it is in.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from treegauge.formats import from_spacy, read_text
from treegauge.settings import setting
from treegauge.systems.adapters.adapter import (
    Adapter,
    AdapterSettings,
    fingerprint_of_files,
    import_tool,
    tool_version,
)
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class SpacySettings(AdapterSettings):
    """Which pipeline, and how it is run."""

    batch_size: int = setting(256, "sentences or paragraphs per batch", minimum=1)
    device: str = setting("cpu", "cpu, gpu, or the number of a GPU")


class SpacyPipeline(Adapter):
    """A pipeline of spaCy that is installed or in a folder."""

    name = "spacy"
    tool = "spacy"
    model_example = "en_core_web_sm"
    settings_type = SpacySettings

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        device = self.settings.device
        if device not in ("cpu", "gpu") and not device.isdecimal():
            raise SystemsError(
                f"{self.name}: setting device: expected cpu, gpu or a number, found {device!r}"
            )

    @property
    def commands(self) -> tuple[str, ...]:
        """A pipeline can bring code: a model that somebody else wrote needs a leave to load one."""
        return (f"spaCy's pipeline {self.settings.model}",)

    @property
    def versions(self) -> str:
        """The versions of spaCy and of the pipeline, and a fingerprint of its files."""
        tool = tool_version("spacy", extra="spacy", system=self.label)
        folder = self._folder
        meta = json.loads(read_text(folder / "meta.json", what="JSON", error=SystemsError))
        name = f"{meta.get('lang', '')}_{meta.get('name', '')} {meta.get('version', '')}"
        return f"spaCy {tool}, {name}#{fingerprint_of_files(folder)}"

    @cached_property
    def _spacy(self) -> Any:
        return import_tool("spacy", extra="spacy", system=self.label)

    @property
    def _folder(self) -> Path:
        """Where the files of the pipeline are."""
        model = self.settings.model
        folder = Path(model)
        if not folder.is_dir() and model.isidentifier():
            package = find_spec(model)
            if package is None or package.origin is None:
                raise SystemsError(
                    f"{self.label}: there is no pipeline {model}: python -m spacy download "
                    f"{model}, or name a folder"
                )
            # The files of a package are in a folder inside it that has its version.
            folder = next(iter(Path(package.origin).parent.glob("*/meta.json")), folder).parent
        if not (folder / "meta.json").is_file():
            raise SystemsError(f"{self.label}: there is no folder {model} with a pipeline of spaCy")
        return folder

    @cached_property
    def _pipeline(self) -> Any:
        spacy, model, folder = self._spacy, self.settings.model, self._folder
        with warnings.catch_warnings(record=True) as caught, self._failures_named():
            warnings.simplefilter("always")
            if self.settings.device == "cpu":
                spacy.require_cpu()
            else:
                spacy.require_gpu(int(self.settings.device.replace("gpu", "0")))
            pipeline = spacy.load(folder if Path(model).is_dir() else model)
        self.notes += tuple(dict.fromkeys(f"{self.label}: {one.message}" for one in caught))
        return pipeline

    def _documents(self, inputs: Sequence[Any], on_progress: OnProgress) -> Iterator[Any]:
        """Give every document, annotated."""
        size = self.settings.batch_size
        with self._failures_named():
            for number, doc in enumerate(self._pipeline.pipe(inputs, batch_size=size), start=1):
                yield doc
                if number % size == 0 or number == len(inputs):
                    on_progress(number / len(inputs), f"{number:,} of {len(inputs):,}")

    def _treebank_of_words(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        document, vocabulary = self._spacy.tokens.Doc, self._pipeline.vocab
        forms = list(treebank.form)
        docs = [
            document(
                vocabulary,
                words=forms[begin:end],
                sent_starts=[True] + [False] * (end - begin - 1),
            )
            for begin, end in pairwise(treebank.offsets.tolist())
        ]
        return from_spacy(self._documents(docs, on_progress), sentences="documents")

    def _treebanks_of_texts(
        self, texts: Sequence[str], on_progress: OnProgress
    ) -> Iterator[Treebank]:
        longest = self._pipeline.max_length
        for text in texts:
            if len(text) > longest:
                raise SystemsError(
                    f"{self.label}: a paragraph has {len(text):,} characters, and spaCy takes "
                    f"{longest:,}: divide it by blank lines, or # newpar"
                )
        for doc in self._documents(texts, on_progress):
            yield from_spacy(doc)
