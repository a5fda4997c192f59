"""What the verbs for systems share: making, fitting, annotating, and saying what comes next."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_settings, offer_systems, offer_taggers, offer_treebanks
from treegauge.cli.help_pages import OUTPUT
from treegauge.cli.treebanks import is_file, open_treebank

if TYPE_CHECKING:
    from treegauge.systems import Induction, System
    from treegauge.systems.adapters.adapter import Adapter
    from treegauge.systems.best_inducer import BestInducer
    from treegauge.systems.expected_accuracy import ExpectedAccuracy
    from treegauge.systems.learning_elsewhere import LearnsElsewhere
    from treegauge.treebank import Treebank

SystemArgument = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM",
        autocompletion=offer_systems,
        help="A system; see `treegauge list systems`.",
    ),
]
TextArgument = Annotated[
    str,
    typer.Argument(
        metavar="TREEBANK",
        autocompletion=offer_treebanks,
        help="The treebank to annotate: a file, -, or a name.",
    ),
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        autocompletion=offer_settings,
        help="A setting of the system. May be repeated. `treegauge list systems SYSTEM` shows all.",
    ),
]
TagsFromOption = Annotated[
    str,
    typer.Option(
        "--tags-from",
        metavar="TAGGER",
        autocompletion=offer_taggers,
        help="Induce trees over the tags of a tagger, such as brown:45, instead of gold tags.",
    ),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="The random seed. Default: 0.")
]
AnnotatedOption = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        rich_help_panel=OUTPUT,
        help="The file for the annotated treebank. Default: - (standard output).",
    ),
]
AllowCommandsOption = Annotated[
    bool,
    typer.Option(
        "--allow-commands",
        help="Let a model run the commands that it contains. They are shown first.",
    ),
]


_WORTH_SAYING = 60.0
"""Seconds that nobody wants to wait for without having been told."""


def make(name: str, assignments: list[str], tags_from: str, seed: int | None) -> System:
    """Return a system with the settings of the command line, and its tags from where it says."""
    from treegauge.systems import make_system, parse_assignments

    source = {"tags_from": tags_from} if tags_from else {}
    return make_system(name, parse_assignments(assignments), seed=seed or 0, **source)


def load(path: str, *, allow_commands: bool) -> System:
    """Return a system that was saved; show the commands that it runs, also if asked to be quiet."""
    from treegauge.systems import load_system

    return load_system(
        path,
        allow_commands=allow_commands,
        on_command=lambda command: console.complain(f"{path} runs: {command}"),
    )


def open_training(
    text: str, *, data: list[str], format: str | None = None, plain_text: bool = False
) -> Treebank:
    """Read what is to be learnt from: of a treebank in parts the train part."""
    from treegauge.catalogue import Catalogue
    from treegauge.catalogue.names import split_part

    if not is_file(text) and not format and split_part(text)[1] is None:
        parts = Catalogue.from_environment(data).parts(text)
        if any(selection.part == "train" for selection in parts):
            console.say(f"{text}: learning from its train part")
            text = f"{text}:train"
    return open_treebank(text, data=data, format=format, plain_text=plain_text)


def fit(system: System, treebank: Treebank, target: str = "-") -> float:
    """Let a system learn; return how many seconds it took.

    Pieces of long work are kept beside the target, if there is one; `forget_pieces` removes
    them when it is written.
    """
    from treegauge.systems import SystemsWarning
    from treegauge.systems.partial_work import SUFFIX

    expected = system.expected_seconds(treebank)
    if expected > _WORTH_SAYING:
        from treegauge.tables import duration

        console.say(
            f"{system.name} learns from {treebank.n_words:,} words: about {duration(expected)}"
        )
    keep_in = f"{target}{SUFFIX}" if system.keeps_pieces and target != "-" else None
    if keep_in is not None and Path(keep_in).is_dir():
        console.say(f"{system.name} continues from {keep_in}, if it fits")
    elif keep_in is not None:
        console.say(f"{system.name} keeps its work in {keep_in} until {target} is written")
    begin = time.perf_counter()
    with console.say_warnings(SystemsWarning), console.progress(f"{system.name} learns") as advance:
        system.fit(treebank, on_progress=advance, keep_in=keep_in)
    seconds = time.perf_counter() - begin
    _say_notes(system)
    return seconds


def write_codes(system: System, treebank: Treebank, target: str) -> dict[str, Any]:
    """Write what a system learns from elsewhere; return a summary."""
    _learner_elsewhere(system).write_codes(treebank, target)
    console.say(
        f"wrote {target}: learn from it with python -m neural {shlex.quote(target)} WEIGHTS"
    )
    return {"system": system.name, "words": treebank.n_words, "codes": target}


def take_weights(system: System, treebank: Treebank, path: str) -> float:
    """Give a system what was learnt elsewhere; return how many seconds it took."""
    begin = time.perf_counter()
    _learner_elsewhere(system).take_weights(treebank, path)
    return time.perf_counter() - begin


def _learner_elsewhere(system: System) -> LearnsElsewhere:
    from treegauge.systems import SystemsError
    from treegauge.systems.learning_elsewhere import LearnsElsewhere

    if not isinstance(system, LearnsElsewhere):
        raise SystemsError(f"{system.name} cannot learn elsewhere: it has no --codes, --weights")
    return system


def forget_pieces(system: System) -> None:
    """Remove what was kept of long work: its result is written."""
    if system.learns and hasattr(system, "partial_work"):
        system.partial_work.remove()


def say_how_it_went(system: System) -> None:
    """Say how learning ended, where there were iterations."""
    from treegauge.systems import how_learning_ended
    from treegauge.wording import counted

    learning = how_learning_ended(system)
    if learning.get("iterations"):
        ending = "converged" if learning["converged"] else "not converged"
        console.say(f"{system.name}: {counted(learning['iterations'], 'iteration')}, {ending}")


def annotate(
    system: System,
    treebank: Treebank,
    fit_seconds: float = 0.0,
    chosen: BestInducer | None = None,
    expected: ExpectedAccuracy | None = None,
) -> Induction:
    """Let a system annotate a treebank; note why it was chosen, and what can be expected of it."""
    from treegauge.systems import Induction, SystemsWarning
    from treegauge.treebank import with_columns_given

    begin = time.perf_counter()
    with (
        console.say_warnings(SystemsWarning),
        console.progress(f"{system.name} annotates") as advance,
    ):
        answer = system.annotate(treebank, on_progress=advance)
    seconds = time.perf_counter() - begin
    if system.task == "tags" and treebank.has_heads:
        # So that nobody takes the trees of the treebank for the system's.
        answer = with_columns_given(answer, ("head", "deprel"))
    induction = Induction(system, answer, fit_seconds, seconds, chosen, expected)
    _say_notes(system)
    return induction


def annotate_text(tool: Adapter, paragraphs: Sequence[str]) -> Treebank:
    """Let a tool cut raw text into words and annotate them."""
    with console.progress(f"{tool.label} annotates") as advance:
        answer = tool.annotate_text(paragraphs, on_progress=advance)
    _say_notes(tool)
    return answer


def _say_notes(system: System) -> None:
    for note in system.notes:
        console.say(note)


def save(system: System, path: str) -> None:
    """Write what a system learnt."""
    system.save(path)
    what = f"what {system.name} learnt" if system.learns else f"{system.name}, which learns nothing"
    console.say(f"wrote {path}: {what}")


def say_how_to_evaluate(
    induction: Induction, text: Treebank, gold: str, target: str, data: list[str], from_format: str
) -> None:
    """Say which command scores what was written, if there is one that works.

    It reads both files again, and finds out their formats by itself.
    """
    from treegauge.errors import TreegaugeError
    from treegauge.formats import format_of_name

    system, answer = induction.system, induction.treebank
    if console.manners.quiet or not _can_be_read_again(gold) or not Path(target).is_file():
        return
    try:
        text = _read_again(gold) if from_format else text
        answer = answer if format_of_name(target) == "conllu" else _read_again(target)
    except (TreegaugeError, OSError):
        return
    options = _scoring_options(system, text, answer)
    if options is None or not _have_same_words(text, answer):
        return
    words = ["treegauge", "evaluate", gold, target, *options]
    words += [word for folder in data for word in ("--data", folder)]
    console.say(f"score it with: {shlex.join(words)}")


def _can_be_read_again(gold: str) -> bool:
    """Return whether what was annotated is a file or a name, and no pipe."""
    return not is_file(gold) or Path(gold).is_file()


def _read_again(path: str) -> Treebank:
    from treegauge.formats import Findings, read

    return read(path, role="prediction", findings=Findings())


def _have_same_words(first: Treebank, second: Treebank) -> bool:
    return first.form == second.form and first.offsets.tolist() == second.offsets.tolist()


def _scoring_options(system: System, gold: Treebank, answer: Treebank) -> list[str] | None:
    """Return the conventions of the task; None where gold or the answer lacks what it needs."""
    from treegauge.treebank import words_on_cycles

    if system.task != "tags":
        if not (gold.has_heads and answer.has_heads):
            return None
        if system.is_supervised:
            return []
        # Punctuation on a cycle cannot be removed from gold.
        return None if words_on_cycles(gold).any() else ["--preset", "pascal"]
    both = [c for c in ("upos", "xpos") if gold.columns[c].is_annotated]
    if system.knows_tag_set:
        both = [column for column in both if answer.columns[column].is_annotated]
        return ["-m", both[0]] if both else None
    has_classes = any(answer.columns[c].is_annotated for c in ("upos", "xpos", "cpos"))
    return ["-m", "many_to_one,v_measure,vi"] if has_classes and "upos" in both else None
