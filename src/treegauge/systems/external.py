"""Any command that reads and writes CoNLL-U, as a system.

The command runs in the current folder; files are in a temporary folder and have names that
say nothing about the treebank. A command is split into words as a shell would, but no shell
runs it (`sh -c '…'` does, for pipes and the like); in its words stand

`{input}`   the blind text to annotate; standard input if the command does not name it
`{output}`  where the annotated text goes; standard output if the command does not name it
`{train}`   what it may learn from: blind text, or gold with `supervised`
`{model}`   a file or folder that `train_command` writes and `command` reads
`{seed}`    the seed

What comes back is checked before it is believed: the same words, and a head for each.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

import numpy as np

from treegauge.errors import reason_of
from treegauge.formats import Findings, FormatError, read, write
from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.process_endings import is_out_of_memory, signal_name
from treegauge.systems.process_family import end_family, keeper_command
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays, OnProgress, System, Task
from treegauge.temporaries import temporary_folder
from treegauge.treebank import NOT_ANNOTATED, Treebank
from treegauge.wording import counted, nearest

_SHOWN_LINES = 10
"""How much of what a failing command says is passed on."""


@dataclass(frozen=True)
class ExternalSettings(Settings):
    """Which command, what it does, and what it may use."""

    command: str = setting(
        "", "the command that annotates; {input} and {output} are files; it is run without a shell"
    )
    train_command: str | None = setting(
        None, "the command that learns {model} from {train}; it is run without a shell"
    )
    produces: Literal["dependencies", "tags", "joint"] = setting(
        "dependencies", "what it annotates; gold annotation of this kind is hidden from it"
    )
    supervised: bool = setting(False, "whether it may learn from gold annotation")
    timeout: float | None = setting(None, "time limit of a command, in seconds", minimum=0)
    memory: int | None = setting(None, "MiB of memory each of its processes may use", minimum=1)
    largest_file: int = setting(
        1024, "MiB of each file that it writes, of standard output and of standard error", minimum=1
    )


class External(System):
    """Any command that reads and writes CoNLL-U.

    Punctuation is left in: a program of its own has its own way with it.
    """

    name = "external"
    task: Task = "dependencies"
    settings_type = ExternalSettings
    is_deterministic = False

    def __init__(
        self, settings: Settings | Mapping[str, Any] | None = None, *, seed: int = 0
    ) -> None:
        super().__init__(settings, seed=seed)
        self.task = self.settings.produces
        self.is_supervised = self.settings.supervised
        self.learns = _uses(self.settings.command, "train", "model")
        self.is_fitted = not self.learns
        self._training = b""
        self._model: dict[str, bytes] = {}
        self._check_commands()

    @property
    def commands(self) -> tuple[str, ...]:
        """What it runs; a model that was loaded runs nothing without leave."""
        return tuple(filter(None, (self.settings.command, self.settings.train_command)))

    def _check_commands(self) -> None:
        command, train_command = self.settings.command, self.settings.train_command
        for name, text in (("command", command), ("train_command", train_command)):
            if text is None:
                continue
            if not _words(text, name) or "\0" in text:
                raise SystemsError(f"external: setting {name}: expected a command, found {text!r}")
            _check_words(text, name)
        if _uses(command, "model") and not train_command:
            raise SystemsError(
                "external: the command reads {model}, but there is no train_command to write it; "
                "the path of a model that is there already can stand in the command itself"
            )
        if train_command and not (_uses(train_command, "model") and _uses(command, "model")):
            raise SystemsError(
                "external: the command must read the {model} that train_command writes, and both "
                "must name it"
            )

    # ------------------------------------------------------------------ fit and annotate

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        with temporary_folder() as temporary:
            files = _Files(temporary, self.seed)
            write(treebank[treebank.lengths > 0], files.train, format="conllu")
            if _uses(self.settings.command, "train"):
                self._training = files.train.read_bytes()
            if self.settings.train_command:
                on_progress(0.0, "the external command is learning")
                run = self._run("train_command", files, stdin=files.train)
                self._model = _contents(files.model)
                if not self._model:
                    raise SystemsError(f"external: train_command wrote no {{model}}\n{run}")

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        # A sentence without words cannot be written, and nothing is to be said about it.
        text = treebank[treebank.lengths > 0]
        if not text.n_words:
            return treebank.replace(head=np.zeros(0, np.int32))
        with temporary_folder() as temporary:
            files = _Files(temporary, self.seed)
            write(text, files.input, format="conllu")
            if self._training:
                files.train.write_bytes(self._training)
            self._write_model(files.model)
            on_progress(0.0, "the external command is annotating")
            run = self._run("command", files, stdin=files.input)
            answer = self._read(files.output, run)
        self._check_answer(text, answer)
        kept = {name: answer.columns[name] for name in ("upos", "xpos", "cpos", "deprel")}
        return treebank.replace(columns=kept, head=answer.head)

    def _write_model(self, folder: Path) -> None:
        try:
            for name, content in self._model.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        except OSError as error:
            raise SystemsError(
                f"external: a file of the model cannot be written: {reason_of(error)}"
            ) from None

    def _read(self, path: Path, run: str) -> Treebank:
        try:
            return read(path, format="conllu", name="", role="prediction", findings=Findings())
        except FormatError as error:
            # The temporary file is gone when somebody reads this.
            reason = str(error).replace(str(path), "its output")
            raise SystemsError(
                f"external: what came back is not CoNLL-U that can be used\n{reason}\n{run}"
            ) from None

    # ------------------------------------------------------------------ running a command

    def _run(
        self, which: Literal["command", "train_command"], files: _Files, *, stdin: Path
    ) -> str:
        """Run a command to its end; return what to say of it if its output is no good."""
        text: str = getattr(self.settings, which)
        words = [files.filled(word) for word in _words(text, which)]
        if shutil.which(words[0]) is None:
            raise SystemsError(f"external: {which}: there is no program {words[0]!r} to run")
        reads_file = _uses(text, "input" if which == "command" else "train")
        writes_output = which == "command" and not _uses(text, "output")
        messages, errors = files.folder / "stdout", files.folder / "stderr"
        with (
            Path(os.devnull if reads_file else stdin).open("rb") as source,
            (files.output if writes_output else messages).open("wb") as target,
            errors.open("wb") as complaints,
        ):
            code = self._finished(words, which, source, target, complaints)
        last_lines = _last_lines(errors) or _last_lines(messages)
        shown = "".join(f"\n  | {line}" for line in last_lines)
        self._check_sizes(which, files.output, messages, errors)
        if code:
            ending = self._ending(code, last_lines)
            raise SystemsError(f"external: {which} failed: {ending}{shown}")
        return f"  {which} ended with exit code 0{shown or ' and said nothing'}"

    def _ending(self, code: int, last_lines: list[str]) -> str:
        """Say in a line how a command failed: lists of failures show no more."""
        last = next((line.strip() for line in reversed(last_lines) if line.strip()), "")
        if self.settings.memory is not None and is_out_of_memory("\n".join(last_lines)):
            ending = f"more than the {self.settings.memory} MiB of the setting memory were needed"
        elif code == -signal.SIGXFSZ:
            return self._too_large
        elif code < 0:
            ending = f"ended by {signal_name(-code)}"
        else:
            ending = f"exit code {code}"
        return f"{ending}: {last}" if last else f"{ending}; it said nothing"

    def _check_sizes(self, which: str, *paths: Path) -> None:
        """Refuse what is too large to be read, or is no file and may be without end."""
        for path in filter(Path.exists, paths):
            if not path.is_file():
                raise SystemsError(f"external: {which} failed: its output is no ordinary file")
            # A program that survives the limit has written as much as it allows.
            if path.stat().st_size >= self.settings.largest_file << 20:
                raise SystemsError(f"external: {which} failed: {self._too_large}")

    @property
    def _too_large(self) -> str:
        return (
            f"it printed, or wrote to a file, {self.settings.largest_file} MiB or more; "
            "the setting largest_file allows more"
        )

    def _finished(self, words: list[str], which: str, source: Any, target: Any, errors: Any) -> int:
        memory = None if self.settings.memory is None else self.settings.memory << 20
        command = keeper_command(words, memory=memory, file_size=self.settings.largest_file << 20)
        try:
            process = subprocess.Popen(
                command, stdin=source, stdout=target, stderr=errors, start_new_session=True
            )
        except OSError as error:
            raise SystemsError(f"external: {which} cannot be started: {error.strerror}") from None
        try:
            return process.wait(self.settings.timeout)
        except subprocess.TimeoutExpired:
            raise SystemsError(
                f"external: {which} was ended after {self.settings.timeout:g} seconds; "
                "the setting timeout allows more"
            ) from None
        finally:
            end_family(process)  # also after Ctrl-C

    # ------------------------------------------------------------------ checking the answer

    def _check_answer(self, text: Treebank, answer: Treebank) -> None:
        difference = _first_difference(text, answer)
        if difference:
            raise SystemsError(f"external: other words came back than went in: {difference}")
        if self.task != "tags":
            _check_heads(answer)
        if self.task != "dependencies" and not (
            answer.upos.is_annotated or answer.xpos.is_annotated
        ):
            raise SystemsError("external: no tags came back, neither in UPOS nor in XPOS")

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        parts = [self._training, *self._model.values()]
        arrays = {f"part{i}": np.frombuffer(part, np.uint8) for i, part in enumerate(parts)}
        return arrays, {"model": list(self._model)}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._training = saved.content("part0")
        names = saved.strings("model")
        for name in names:
            if not _is_inside(name) and names != (_SINGLE_FILE,):
                raise damaged(f"{name!r} is no name of a file inside a folder")
        self._model = {name: saved.content(f"part{i}") for i, name in enumerate(names, start=1)}


@dataclass(frozen=True)
class _Files:
    """The files of one run, whose names say nothing."""

    folder: Path
    seed: int

    @property
    def input(self) -> Path:
        return self.folder / "input.conllu"

    @property
    def output(self) -> Path:
        return self.folder / "output.conllu"

    @property
    def train(self) -> Path:
        return self.folder / "train.conllu"

    @property
    def model(self) -> Path:
        return self.folder / "model"

    def filled(self, word: str) -> str:
        """Return a word of a command with files in place of their placeholders."""
        for name in _PLACEHOLDERS:
            word = word.replace(f"{{{name}}}", str(getattr(self, name)))
        return word


_PLACEHOLDERS = ("input", "output", "train", "model", "seed")
_OPERATORS = frozenset({"|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>>", "2>&1", "|&", "&>"})
"""Words that mean something to a shell alone."""


def _check_words(command: str, which: str) -> None:
    """Refuse what would reach the program as it stands, and cannot be meant so."""
    # Other braces may be meant: those of awk, for example.
    for name in re.findall(r"\{(\w+)\}", command):
        near = nearest(name, _PLACEHOLDERS, most=1, cutoff=0.75)
        if near and name not in _PLACEHOLDERS:
            raise SystemsError(
                f"external: setting {which}: unknown placeholder {{{name}}}; did you mean "
                f"{{{near[0]}}}?\n  there are {', '.join(f'{{{one}}}' for one in _PLACEHOLDERS)}"
            )
    with contextlib.suppress(ValueError):  # quotes inside quotes
        # Quotes and backslashes are kept: what has any is meant as it stands.
        for word in shlex.split(command, posix=False):
            if word in _OPERATORS or (len(word) > 1 and word.endswith(";") and word[-2] != "\\"):
                raise SystemsError(
                    f"external: setting {which}: no shell runs the command, and {word!r} would be "
                    "a word of it like any other\n  write sh -c '…' if a shell is wanted"
                )


def _uses(command: str, *placeholders: str) -> bool:
    return any(f"{{{name}}}" in command for name in placeholders)


def _words(command: str, which: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise SystemsError(f"external: setting {which}: {error} in {command!r}") from None


def _last_lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - 4096, 0))
        return file.read().decode(errors="replace").splitlines()[-_SHOWN_LINES:]


def _contents(model: Path) -> dict[str, bytes]:
    """Return a model's files by their path inside it; a single file has no path."""
    if model.is_file():
        return {_SINGLE_FILE: model.read_bytes()}
    files = sorted(path for path in model.rglob("*") if path.is_file())
    return {path.relative_to(model).as_posix(): path.read_bytes() for path in files}


_SINGLE_FILE = ""


def _is_inside(name: str) -> bool:
    """Say whether a path leads to a file below the folder of a model, and nowhere else.

    >>> [_is_inside(name) for name in ("weights", "net/weights", "../weights", "/weights", "")]
    [True, True, False, False, False]
    """
    return all(part not in ("", ".", "..") for part in name.split("/")) and not any(
        letter in name for letter in "\\:\0"
    )


def _first_difference(text: Treebank, answer: Treebank) -> str:
    """Say where two texts differ first, or nothing."""
    if np.array_equal(text.offsets, answer.offsets) and text.form == answer.form:
        return ""
    # Texts that do not differ in any sentence that both have differ in their number.
    for number, (sent, received) in enumerate(zip(text, answer, strict=False), start=1):
        for position, words in enumerate(zip_longest(sent, received), start=1):
            expected, found = ("its end" if word is None else f'"{word.form}"' for word in words)
            if expected != found:
                place = f"sentence {number}, word {position}"
                return f"{place}: expected {expected}, found {found}"
    return f"{counted(text.n_sentences, 'sentence')} went in, {answer.n_sentences:,} came back"


def _check_heads(answer: Treebank) -> None:
    lengths = np.repeat(answer.lengths, answer.lengths)
    wrong = np.flatnonzero((answer.head == NOT_ANNOTATED) | (answer.head > lengths))
    if len(wrong):
        first = int(wrong[0])
        number = int(answer.sentence_of_word[first])
        position = first - int(answer.offsets[number]) + 1
        head = int(answer.head[first])
        shown_head = "none" if head == NOT_ANNOTATED else str(head)
        raise SystemsError(
            f'external: sentence {number + 1}, word {position} "{answer.form[first]}": expected a '
            f"head from 0 to {lengths[first]}, found {shown_head} "
            f"({counted(len(wrong), 'word')} like this)"
        )
