"""Pipelines of Stanza, by language or by folder: `stanza:en`, `stanza:./my_resources`.

A folder is one of resources as `stanza.download` writes it, with a `resources.json` in it; the
language is then the setting `lang`, or the only one that the folder has. Nothing is downloaded
here. Needs the package `stanza`, and PyTorch with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from treegauge.formats import from_stanza, read_text
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
from treegauge.treebank import Treebank, concatenate

_PROCESSORS = "tokenize,mwt,pos,lemma,depparse"
_RESOURCES = "resources.json"


@dataclass(frozen=True)
class StanzaSettings(AdapterSettings):
    """Which pipeline, and how it is run."""

    lang: str = setting("", "the language, where the model is a folder with several")
    package: str = setting("default", "the package of models, as Stanza calls it")
    processors: str = setting(
        _PROCESSORS, "the processors to run; mwt is left out for languages without it"
    )
    batch_size: int = setting(100, "sentences or paragraphs per batch", minimum=1)
    device: str = setting("", "cpu, cuda or cuda:1; default: chosen by Stanza")


class StanzaPipeline(Adapter):
    """A pipeline of Stanza that was downloaded or is in a folder."""

    name = "stanza"
    tool = "stanza"
    model_example = "en"
    settings_type = StanzaSettings
    seconds_per_word = 5e-3

    @property
    def commands(self) -> tuple[str, ...]:
        """A model of PyTorch can bring code: one that somebody else named needs a leave."""
        return (f"Stanza's models {self.settings.model}",)

    @property
    def versions(self) -> str:
        """The version of Stanza, the language, the package, and a fingerprint of the models."""
        folder = self._folder
        place = folder / self._language if folder else self._downloads / self._language
        marks = f"#{fingerprint_of_files(place)}" if place.is_dir() else ""
        package = self.settings.package
        tool = tool_version("stanza", extra="stanza", system=self.label)
        return f"Stanza {tool}, {self._language} {package}{marks}"

    # ------------------------------------------------------------------ the pipeline

    @cached_property
    def _stanza(self) -> Any:
        return import_tool("stanza", extra="stanza", system=self.label)

    @property
    def _downloads(self) -> Path:
        """Where Stanza keeps what it downloads."""
        return Path(
            import_tool(
                "stanza.resources.common", extra="stanza", system=self.label
            ).DEFAULT_MODEL_DIR
        )

    @property
    def _folder(self) -> Path | None:
        model = self.settings.model
        is_path = any(sign in model for sign in "/\\.") or Path(model).is_dir()
        return Path(model) if is_path else None

    @property
    def _language(self) -> str:
        folder = self._folder
        if folder is None:
            return str(self.settings.model)
        if self.settings.lang:
            return str(self.settings.lang)
        path = folder / _RESOURCES
        if not path.is_file():
            raise SystemsError(f"{self.label}: there is no {path}: name a folder that has one")
        known = json.loads(read_text(path, what="JSON", error=SystemsError))
        languages = [name for name in known if (folder / name).is_dir()]
        if len(languages) != 1:
            there = ", ".join(languages) or "none"
            raise SystemsError(
                f"{self.label}: {folder} has the languages {there}: say which, as in "
                f"stanza:{folder}?lang=en"
            )
        return str(languages[0])

    def _pipeline(self, *, pretokenised: bool) -> Any:
        """Return the pipeline for raw text, or for words as they are."""
        stanza, settings = self._stanza, self.settings
        processors = [one.strip() for one in settings.processors.split(",")]
        if pretokenised:
            processors = [one for one in processors if one != "mwt"]
        options: dict[str, Any] = {
            "lang": self._language,
            "package": settings.package,
            "processors": ",".join(processors),
            "tokenize_pretokenized": pretokenised,
            "download_method": None,
            "verbose": False,
        }
        if self._folder is not None:
            options["dir"] = str(self._folder)
        if settings.device:
            options["device"] = settings.device
        try:
            with self._failures_named():
                return stanza.Pipeline(**options)
        except SystemsError as error:
            raise SystemsError(
                f'{error}\n  is it there? python -c "import stanza; '
                f"stanza.download('{self._language}')\""
            ) from None

    # ------------------------------------------------------------------ annotating

    def _treebank_of_words(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        forms, starts = list(treebank.form), treebank.offsets.tolist()
        sentences = [forms[begin:end] for begin, end in pairwise(starts)]
        pipeline, step, pieces = self._pipeline(pretokenised=True), self.settings.batch_size, []
        for first in range(0, len(sentences), step):
            with self._failures_named():
                pieces.append(from_stanza(pipeline(sentences[first : first + step])))
            done = min(first + step, len(sentences))
            on_progress(done / len(sentences), f"{done:,} sentences")
        return concatenate(pieces)

    def _treebanks_of_texts(
        self, texts: Sequence[str], on_progress: OnProgress
    ) -> Iterator[Treebank]:
        pipeline = self._pipeline(pretokenised=False)
        for number, text in enumerate(texts, start=1):
            with self._failures_named():
                yield from_stanza(pipeline(text))
            on_progress(number / len(texts), f"{number:,} paragraphs")
