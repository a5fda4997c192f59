"""The program `treegauge`: its verbs, and how it ends."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from treegauge import __version__
from treegauge.cli import console
from treegauge.cli.completion import complete_whole_words
from treegauge.cli.in_force import with_place
from treegauge.cli.interruption import obeyed_signals
from treegauge.cli.lazy_verbs import LazyVerbs, verb_at
from treegauge.errors import TreegaugeError, reason_of

CITATION = """\
@software{treegauge,
  title   = {treegauge: measuring syntax across languages},
  author  = {{The treegauge developers}},
  version = {%s},
  year    = {2026},
  license = {Apache-2.0},
}
"""

VERBS = {
    "demo": "demo:demo_cli",
    "evaluate": "evaluate:evaluate_cli",
    "compare": "compare:compare_cli",
    "draw": "draw:draw_cli",
    "validate": "validate:validate_cli",
    "convert": "convert:convert_cli",
    "describe": "describe:describe_cli",
    "permute": "permute:permute_cli",
    "derive": "derive:derive_cli",
    "predict-accuracy": "predict_accuracy:predict_accuracy_cli",
    "induce": "induce:induce_cli",
    "train": "train:train_cli",
    "annotate": "annotate:annotate_cli",
    "export-prompt": "export_prompt:export_prompt_cli",
    "import-answers": "import_answers:import_answers_cli",
    "init": "init:init_cli",
    "run": "run:run_cli",
    "report": "report:report_cli",
    "list": "listing:list_cli",
    "reproduce": "reproduce:app",
    "dictionary": "dictionary:app",
    "data": "data:app",
    "challenge": "challenge:app",
    "warm-up": "warm_up:warm_up_cli",
}
"""Where every verb is, in the order of `treegauge --help`."""


_OBJECTS_BETWEEN_SEARCHES = 100_000
"""New objects after which Python looks for garbage: some ten megabytes."""


class Verbs(LazyVerbs):
    """The verbs of the program."""

    def names(self) -> Iterable[str]:
        """Return the names of all verbs."""
        return VERBS

    def load(self, name: str) -> Any:
        """Return the command of a verb."""
        return verb_at(name, VERBS[name])

    def _main_shell_completion(self, *arguments: Any, **options: Any) -> None:
        """Answer a shell that completes a word, and end; otherwise go on."""
        complete_whole_words()
        super()._main_shell_completion(*arguments, **options)


app = typer.Typer(
    cls=Verbs,
    name="treegauge",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with `treegauge demo`. Every command has `--help` with an example.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"treegauge {__version__}\n")
        raise typer.Exit


def _print_citation(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(CITATION % __version__)
        raise typer.Exit


@app.callback()
def treegauge(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    _cite: Annotated[
        bool,
        typer.Option("--cite", callback=_print_citation, is_eager=True, help="Print the citation."),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    _use: Annotated[
        str,
        typer.Option(
            "--use", metavar="NAME", help="Also use the settings called NAME in treegauge.toml."
        ),
    ] = "",
    _no_config: Annotated[
        bool, typer.Option("--no-config", help="Do not look for a treegauge.toml.")
    ] = False,
) -> None:
    """Measure syntax across languages: taggers, parsers, grammar inducers, treebanks."""
    console.manners.debug = debug


def main() -> None:
    """Run the program; bad input ends in a message and exit code 1, misuse in 2."""
    _collect_garbage_rarely()
    _prepare_streams()
    try:
        with obeyed_signals():
            _run()
    except KeyboardInterrupt:  # it may come where Typer no longer looks, even at the very end
        sys.exit(128 + signal.SIGINT)


def _run() -> None:
    try:
        app(prog_name="treegauge")
    except BrokenPipeError:
        # Whoever read our output has seen enough, as in `treegauge ... | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (TreegaugeError, OSError) as error:
        if console.manners.debug:
            raise
        console.complain(with_place(_message(error)))
        sys.exit(1)
    except MemoryError:
        if console.manners.debug:
            raise
        console.complain(
            "not enough memory\n  use fewer words or shorter sentences at once, or more memory"
        )
        sys.exit(1)


def _collect_garbage_rarely() -> None:
    """Spare a short program most searches for garbage, and the last one, which frees nothing.

    They take a fifth of a command that reads a small file: what numba imports is many objects.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    atexit.register(gc.freeze)


def _prepare_streams() -> None:
    """Never fail for want of an alphabet, or because nobody listens."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        else:
            getattr(sys, name).reconfigure(errors="backslashreplace")


def _message(error: TreegaugeError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{reason_of(error)}"
    return str(error)


if __name__ == "__main__":
    main()
