"""Models of UDPipe 1 that were trained elsewhere: `udpipe:./czech-pdt.udpipe`.

The file is read, and used, by UDPipe in a process of its own (`native_model.py`). Raw text goes
through the model's tokeniser, with its multiword tokens. Needs the package `ufal.udpipe`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from treegauge.errors import reason_of
from treegauge.formats import Findings, FormatError, read
from treegauge.settings import setting
from treegauge.systems.adapters.adapter import (
    Adapter,
    AdapterSettings,
    blank_as_empty,
    fingerprint_of_files,
    import_tool,
    tool_version,
)
from treegauge.systems.errors import SystemsError
from treegauge.systems.native_model import NativeModel
from treegauge.systems.system import OnProgress
from treegauge.treebank import Treebank

_COLUMNS = {
    "lemma": "lemma",
    "upostag": "upos",
    "xpostag": "xpos",
    "feats": "feats",
    "deprel": "deprel",
}
"""What UDPipe calls what a word has, and what we call it."""
_HEAD = "head"


@dataclass(frozen=True)
class UdpipeModelSettings(AdapterSettings):
    """Which model, and how it is run."""

    batch_size: int = setting(256, "sentences or paragraphs per batch", minimum=1)


class UdpipeGivenModel(Adapter):
    """A model of UDPipe 1 that was trained elsewhere."""

    name = "udpipe-model"
    tool = "udpipe"
    model_example = "english-ewt-ud-2.5-191206.udpipe"
    settings_type = UdpipeModelSettings
    seconds_per_word = 2e-4

    @property
    def versions(self) -> str:
        """The version of UDPipe, the name of the file and a fingerprint of its content."""
        tool = tool_version("ufal.udpipe", extra="udpipe", system=self.label)
        return f"UDPipe {tool}, {self._path.name}#{fingerprint_of_files(self._path)}"

    @property
    def _path(self) -> Path:
        path = Path(self.settings.model)
        if not path.is_file():
            raise SystemsError(
                f"{self.label}: there is no file {path}: models are at "
                "https://lindat.mff.cuni.cz/repository/xmlui/handle/11234/1-3131"
            )
        return path

    @cached_property
    def _model(self) -> NativeModel:
        import_tool("ufal.udpipe", extra="udpipe", system=self.label)
        path = self._path
        try:
            content = path.read_bytes()
        except OSError as error:
            raise SystemsError(f"{self.label}: {path}: {reason_of(error)}") from None
        advice = f"is {path} a model of UDPipe 1?"
        return NativeModel(content, library="UDPipe", system=self.label, advice=advice)

    def _treebank_of_words(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        forms, starts = list(treebank.form), treebank.offsets.tolist()
        values: dict[str, list[str]] = {name: [] for name in (*_COLUMNS, _HEAD)}
        step = self.settings.batch_size
        with self._model.opened() as (_, ask):
            for first in range(0, len(starts) - 1, step):
                bounds = starts[first : first + step + 1]
                begin, end = bounds[0], bounds[-1]
                answer = ask(
                    {
                        "columns": list(values),
                        "words": {"form": forms[begin:end]},
                        "starts": [place - begin for place in bounds],
                    }
                )
                for name, own in values.items():
                    own += answer.strings(name, size=end - begin)
                on_progress(end / treebank.n_words, f"{end:,} words")
        heads = np.array([int(head) for head in values.pop(_HEAD)], np.int32)
        columns = {ours: blank_as_empty(values[theirs]) for theirs, ours in _COLUMNS.items()}
        return treebank.replace(columns=columns, head=heads)

    def _treebanks_of_texts(
        self, texts: Sequence[str], on_progress: OnProgress
    ) -> Iterator[Treebank]:
        step = self.settings.batch_size
        with self._model.opened() as (_, ask):
            for first in range(0, len(texts), step):
                # A text that ends without a line end would say SpaceAfter=No of its last word.
                some = [f"{text}\n" for text in texts[first : first + step]]
                answer = ask({"texts": some})
                if lacking := answer.text("lacks"):
                    raise SystemsError(
                        f"{self.label}: this model has no {lacking}: take words as they are with "
                        "--pretokenised"
                    )
                for written in answer.strings("conllu", size=len(some)):
                    yield read_answer(written, self.label)
                on_progress((first + len(some)) / len(texts), f"{first + len(some):,} paragraphs")


def read_answer(written: str, label: str) -> Treebank:
    """Read the CoNLL-U that UDPipe gave back."""
    try:
        return read(
            io.StringIO(written),
            format="conllu",
            role="prediction",
            findings=Findings(),
            allow_empty=True,
        )
    except FormatError as error:
        raise SystemsError(f"{label}: UDPipe's answer cannot be read\n{error}") from None
