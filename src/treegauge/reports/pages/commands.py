"""What to type to get a number again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treegauge.metrics import Conventions
from treegauge.metrics.conventions import PRESETS

if TYPE_CHECKING:
    from treegauge.runs import RunFolder


def evaluate_command(
    gold: str,
    systems: Sequence[str],
    program: Sequence[str] = ("treegauge",),
    options: Sequence[str] = (),
) -> str:
    """Return the command that scores files; metrics and conventions are to be added.

    Nobody can type again what came through standard input: then there is no command.

    >>> evaluate_command("my gold.conllu", ["a.conllu"])
    "treegauge evaluate 'my gold.conllu' a.conllu"
    >>> evaluate_command("-gold.conllu", ["a.conllu"])
    'treegauge evaluate ./-gold.conllu a.conllu'
    >>> evaluate_command("-", ["a.conllu"])
    ''
    """
    files = (gold, *systems)
    if "-" in files:
        return ""
    # A name with a dash before it would be taken for an option.
    files = tuple(f"./{file}" if file[:1] == "-" else file for file in files)
    return shlex.join([*program, "evaluate", *files, *options])


def program_of(command: str) -> list[str]:
    """Return how a command begins, so that others of its page read no file that it did not.

    >>> program_of("treegauge --no-config report runs/mine"), program_of("treegauge report mine")
    (['treegauge', '--no-config'], ['treegauge'])
    """
    return ["treegauge", *(["--no-config"] if " --no-config " in command else [])]


def number_command(files: str, metric: str, options: str) -> str:
    """Return the command that makes one number again, given the one that scores its files.

    >>> number_command("treegauge evaluate a.conllu b.conllu", "uas@10", "--preset pascal")
    'treegauge evaluate a.conllu b.conllu -m uas@10 --preset pascal'
    """
    return f"{files} -m {shlex.quote(metric)} {options}".rstrip() if files else ""


def command_of_run(folder: RunFolder, program: Sequence[str] = ("treegauge",)) -> str:
    """Return the command that goes on with a run, from any folder; nothing where none can.

    Paths of an experiment are relative to the folder where it was started. What was run from
    the memory of a program cannot be run again by a command.
    """
    run = folder.path.resolve()
    experiment = run / "experiment.toml"
    about = folder.circumstances
    if not experiment.exists() or any(one.is_kept_by_run for one in about.golds):
        return ""
    command = [*program, "run", str(experiment), "--folder", str(run)]
    command += [word for place in about.data for word in ("--data", place)]
    for started_in in ((run / about.started_in_from_run).resolve(), Path(about.started_in)):
        if about.started_in and started_in.is_dir():
            return f"cd {shlex.quote(str(started_in))} && {shlex.join(command)}"
    return "" if about.started_in else shlex.join(command)


def options_of(conventions: Conventions) -> str:
    """Return conventions as options: the preset, and what differs from it.

    >>> from treegauge.metrics import preset
    >>> options_of(preset("pascal", tags="u12"))
    '--preset pascal --tags u12'
    """
    standard = PRESETS[conventions.preset]
    options = [f"--preset {conventions.preset}"]
    if (conventions.punctuation, conventions.induced_punctuation) != (
        standard.punctuation,
        standard.induced_punctuation,
    ):
        options.append(f"--punctuation {conventions.punctuation}")
    if conventions.subtypes != standard.subtypes:
        options.append("--subtypes" if conventions.subtypes else "--no-subtypes")
    if conventions.average != standard.average:
        options.append(f"--average {conventions.average}")
    if conventions.tags != standard.tags:
        options.append(f"--tags {shlex.quote(conventions.tags)}")
    if conventions.skip_length_one != standard.skip_length_one:
        options.append("--skip-length-one")
    if conventions.count_root != standard.count_root:
        options.append("--no-count-root")
    return " ".join(options)
