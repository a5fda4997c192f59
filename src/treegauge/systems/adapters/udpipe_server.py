"""Servers that speak UDPipe's interface: `udpipe-server:http://localhost:8001`.

UDPipe 1 and 2 have such servers, and so has LINDAT (`https://lindat.mff.cuni.cz/services/udpipe/api`).
A text is sent to `URL/process` as a form, and what comes back is JSON with CoNLL-U in it. Nothing
is sent anywhere unless such a system is named: the text leaves this machine then.
"""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from treegauge.formats import to_text
from treegauge.settings import setting
from treegauge.systems.adapters.adapter import Adapter, AdapterSettings
from treegauge.systems.adapters.udpipe_model import read_answer
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress
from treegauge.treebank import Treebank, concatenate, generator_of

_LARGEST_ANSWER = 1 << 30
"""Bytes that are read of an answer."""
_SHOWN = 200
"""Characters of a complaint that are passed on."""


@dataclass(frozen=True)
class UdpipeServerSettings(AdapterSettings):
    """Which server, and which of its models."""

    server_model: str = setting(
        "", "the model, as the server calls it; default: the choice of the server"
    )
    batch_size: int = setting(100, "sentences or paragraphs per request", minimum=1)
    timeout: float = setting(300.0, "time limit of a request, in seconds", minimum=0)


class UdpipeServer(Adapter):
    """A server that speaks UDPipe's interface."""

    name = "udpipe-server"
    tool = "udpipe-server"
    model_example = "http://localhost:8001"
    settings_type = UdpipeServerSettings

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        place = urllib.parse.urlsplit(self._address)
        if place.scheme not in ("http", "https") or not place.netloc:
            raise SystemsError(
                f"{self.name}: expected an address such as {self.model_example}, found "
                f"{self.settings.model!r}"
            )
        self._host = place.netloc.rpartition("@")[2]
        self._model_in_use = ""
        self._generator = ""

    @property
    def _address(self) -> str:
        return str(self.settings.model).rstrip("/")

    @property
    def label(self) -> str:
        """The server, and its model if one was named."""
        model = self.settings.server_model
        return f"{self.tool}:{self._host}" + (f"/{model}" if model else "")

    @property
    def commands(self) -> tuple[str, ...]:
        """Text is sent away: a model that somebody else wrote needs a leave for that."""
        return (f"sending text to {self._address}",)

    @property
    def versions(self) -> str:
        """What the server said of itself and of its model, when it last answered."""
        tool = self._generator or "UDPipe"
        model = self._model_in_use or self.settings.server_model or "its own model"
        return f"{tool} at {self._host}, {model}"

    # ------------------------------------------------------------------ annotating

    def _treebank_of_words(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        step, answers = self.settings.batch_size, []
        for first in range(0, treebank.n_sentences, step):
            some = treebank[first : first + step]
            answers.append(self._processed({"data": to_text(some), "input": "conllu"}))
            on_progress(min(first + step, len(treebank)) / len(treebank), f"{first + len(some):,}")
        return concatenate(answers)

    def _treebanks_of_texts(
        self, texts: Sequence[str], on_progress: OnProgress
    ) -> Iterator[Treebank]:
        for number, text in enumerate(texts, start=1):
            yield self._processed({"data": f"{text}\n", "tokenizer": ""})
            on_progress(number / len(texts), f"{number:,} paragraphs")

    def _processed(self, fields: dict[str, str]) -> Treebank:
        """Send a text to be tagged and parsed; return what comes back."""
        model = self.settings.server_model
        form = {"tagger": "", "parser": "", **({"model": model} if model else {}), **fields}
        answer = self._answer(urllib.parse.urlencode(form).encode())
        result = answer.get("result")
        if not isinstance(result, str):
            raise SystemsError(f"{self.label}: its answer has no result: is it a UDPipe server?")
        treebank = read_answer(result, self.label)
        self._model_in_use = str(answer.get("model", ""))
        self._generator = generator_of(treebank).partition(",")[0]
        return treebank

    def _answer(self, form: bytes) -> dict[str, Any]:
        request = urllib.request.Request(f"{self._address}/process", form)
        try:
            with urllib.request.urlopen(request, timeout=self.settings.timeout) as response:
                content = response.read(_LARGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            complaint = " ".join(error.read(_SHOWN).decode(errors="replace").split())
            raise SystemsError(
                f"{self.label}: the server refused with {error.code} {error.reason}: {complaint}"
            ) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise SystemsError(
                f"{self.label}: {self._address} cannot be reached ({reason}): is the server "
                "running?"
            ) from None
        if len(content) > _LARGEST_ANSWER:
            raise SystemsError(f"{self.label}: its answer is too large: set a smaller batch_size")
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise SystemsError(f"{self.label}: its answer is no JSON: is it a UDPipe server?")
        return answer
