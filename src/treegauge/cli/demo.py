"""`treegauge demo`: the whole tour on built-in toy languages.

Every step types commands, so that what stands below a command is what it prints.
"""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from treegauge.cli import console
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import OUTPUT

if TYPE_CHECKING:
    from treegauge.reports.pages import Part
    from treegauge.reports.pages.page import Block

LANGUAGES = ("toy:svo", "toy:sov")
TOKENS = 20_000
CHALLENGE = "challenge"
"""The folder of the run that the tour ends with."""


@dataclass(frozen=True)
class Step:
    """A step of the tour: what is asked, and how to ask it oneself."""

    title: str
    text: str
    commands: Sequence[Sequence[str]] = ()
    """What to type behind `treegauge`."""
    session: str = ""
    """What to type in Python instead, with its answers."""

    def part(self, number: int, outputs: Sequence[str]) -> Part:
        """Return the step as a part of the page."""
        from treegauge.reports.pages import Command, Part, Source

        blocks: list[Block] = []
        for words, output in zip(self.commands, outputs, strict=True):
            blocks.append(Command("", _line(words)))
            blocks += [Source(output)] if output else []
        blocks += [Source(self.session)] if self.session else []
        return Part(f"step-{number}", self.title, blocks, self.text)


def _line(words: Sequence[str]) -> str:
    return shlex.join(["treegauge", *words])


@prints_summary
def demo_cli(
    folder: Annotated[
        Path,
        typer.Option(
            "--into",
            metavar="DIR",
            rich_help_panel=OUTPUT,
            help="The folder for the files and the report.",
        ),
    ] = Path("treegauge-demo"),
) -> dict[str, Any]:
    """Take the tour: two toy languages, the main features of the program, a report.

    It needs no data and no network. Every step shows its command, so that you can try it yourself.

    Example: `treegauge demo --into tour`
    """
    from treegauge.reports.pages import Page, write_page

    folder.mkdir(parents=True, exist_ok=True)
    is_shown = not (
        console.manners.quiet or console.manners.json or console.manners.format_was_given
    )
    parts = []
    for number, step in enumerate(steps(folder), start=1):
        parts.append(step.part(number, _take(step, is_shown=is_shown)))
    page = Page(
        "A tour of treegauge",
        "Made by treegauge demo from two generated languages: one with the verb in the middle "
        "and prepositions, one with the verb at the end and postpositions.",
        parts,
    )
    report = folder / "index.html"
    write_page(page, report)
    full = folder / CHALLENGE / "report.html"
    console.say(
        f"the tour is {report}; the report of the challenge is {full}; the files are in {folder}",
        style="bold",
    )
    return {
        "tour": str(report),
        "report": str(full),
        "sections": [part.title for part in parts],
    }


# ---------------------------------------------------------------------- typing


def _take(step: Step, *, is_shown: bool) -> list[str]:
    """Type the commands of a step, and return what each prints."""
    screen = sys.stdout if is_shown else None
    _write(screen, f"\n== {step.title}\n{step.text}\n")
    outputs = []
    for words in step.commands:
        _write(screen, f"$ {_line(words)}\n")
        outputs.append(_type(words, screen))
    _write(screen, f"{step.session}\n" if step.session else "")
    return outputs


def _write(screen: TextIO | None, text: str) -> None:
    if screen is not None:
        screen.write(text)
        screen.flush()


def _type(words: Sequence[str], screen: TextIO | None) -> str:
    """Run a command here, as if it were typed; return what it prints."""
    from rich.text import Text

    from treegauge.cli.main import app

    before = replace(console.manners)
    paper = _Paper(screen)
    silence = contextlib.nullcontext() if screen else contextlib.redirect_stderr(io.StringIO())
    with contextlib.redirect_stdout(paper), silence:
        try:
            # The tour is the same in every folder.
            app(["--no-config", *words], standalone_mode=False)
        except typer.Abort:
            raise KeyboardInterrupt from None
        finally:
            vars(console.manners).update(vars(before))
    return Text.from_ansi(paper.getvalue()).plain.rstrip()


class _Paper(io.StringIO):
    """Keeps what is printed, and passes it on to a screen, which may be a terminal."""

    def __init__(self, screen: TextIO | None) -> None:
        super().__init__()
        self._screen = screen

    def write(self, text: str) -> int:
        _write(self._screen, text)
        return super().write(text)

    def isatty(self) -> bool:
        return self._screen is not None and self._screen.isatty()


# ---------------------------------------------------------------------- steps


def steps(folder: Path) -> Iterator[Step]:
    """Give the steps of the tour; the files of each are there when it is asked for."""
    with console.progress("generating two languages"):
        homes = generate(folder)
    train, gold = (homes[0] / f"{part}.conllu" for part in ("train", "test"))
    yield Step(
        "Two toy languages",
        "treegauge generates toy languages from a known grammar, so you need no downloads. Use "
        "their names wherever a command expects a treebank.",
        [["draw", name, "-s", "3"] for name in LANGUAGES],
    )
    yield Step(
        "Describe treebanks",
        "Sizes, tags, new words in the test part and projectivity, as in the challenge's Table 1. "
        "Perplexity measures how predictable the words are, in text order and in the order of "
        "attachment.",
        [["describe", *map(str, homes), "--perplexity"]],
    )
    yield Step(
        "Validate a file",
        "Three lines of a good file were damaged. Every finding has a place, a rule and advice.",
        [["validate", str(damaged(gold, folder / "broken.conllu"))]],
    )
    target = str(folder / "test.pascal")
    yield Step(
        "Convert formats",
        "What the new format cannot hold is reported.",
        [["convert", str(gold), target, "-f", "table"], ["draw", target, "-s", "2"]],
    )
    yield from _in_python(gold)
    yield from _learnt(folder, train, gold)
    yield _shared_task(folder)
    yield _challenged(folder / CHALLENGE)


def generate(folder: Path) -> list[Path]:
    """Write train, dev and test files of the toy languages; return their folders."""
    from treegauge.formats import write
    from treegauge.toys import toy_parts

    homes = []
    for name in LANGUAGES:
        home = folder / name.replace(":", "_")
        home.mkdir(exist_ok=True)
        for part, treebank in toy_parts(name, tokens=TOKENS).items():
            write(treebank, home / f"{part}.conllu")
        homes.append(home)
    return homes


def damaged(file: Path, target: Path) -> Path:
    """Write a copy of a file with a tab lost, a head that is no number, and a wrong number."""
    from treegauge.formats import write_chunks

    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    words = [i for i, line in enumerate(lines) if line[0].isdigit()]
    lines[words[1]] = lines[words[1]].replace("\t", " ", 1)
    fields = lines[words[9]].split("\t")
    lines[words[9]] = "\t".join([*fields[:6], "seven", *fields[7:]])
    lines[words[20]] = "7" + lines[words[20]]
    write_chunks(target, ["".join(lines).encode()])
    return target


def _in_python(file: Path) -> Iterator[Step]:
    from treegauge.formats import read

    treebank = read(file)
    begin = f">>> import treegauge as tg\n>>> treebank = tg.read({str(file)!r})\n"
    bare = treebank.without_punctuation()
    short, short_words = bare.up_to(10), bare.up_to(10, count_punctuation=False)
    yield Step(
        "Without punctuation, up to length ten",
        "In Python. Children of punctuation go to the nearest ancestor that is a word. A treebank "
        "remembers how long its sentences were: @10 counts punctuation, @10w does not.",
        session=f"{begin}>>> treebank.without_punctuation()\n{bare!r}\n"
        f">>> treebank.without_punctuation().up_to(10)\n{short!r}\n"
        f">>> treebank.without_punctuation().up_to(10, count_punctuation=False)\n{short_words!r}",
    )
    yield Step(
        "Blind copies",
        "A system that may not see gold gets a copy without it. Gold cannot be recovered from "
        "the copy.",
        session=f"{begin}>>> treebank.blind(heads=True)\n{treebank.blind(heads=True)!r}\n"
        f">>> treebank.blind(heads=True, tags=True)\n{treebank.blind(heads=True, tags=True)!r}",
    )


def _learnt(folder: Path, train: Path, gold: Path) -> Iterator[Step]:
    """Inducers, parsers and taggers, each beside others of its kind."""

    def out(name: str) -> str:
        return str(folder / f"{name}.conllu")

    def trained(name: str, *settings: str) -> list[list[str]]:
        model = str(folder / f"{name}.model")
        return [
            ["train", name, str(train), "-o", model, *settings],
            ["annotate", model, str(gold), "-o", out(name)],
        ]

    yield Step(
        "A grammar induced from tags",
        "The dependency model with valence, learnt by EM from a blind copy of the text. These are "
        "its most probable attachments.",
        [["induce", "dmv", str(gold), "-o", out("dmv"), "--show-grammar", "--top", "6"]],
    )
    baselines = ("right-branching", "left-branching")
    systems = [out(name) for name in (*baselines, "dmv", "best")]
    yield Step(
        "Evaluate it",
        "Compare it with the branching baselines and the best inducer for this file. The scores "
        "are UAS, undirected accuracy and NED, for all sentences and up to length ten.",
        [
            *(["induce", name, str(gold), "-o", out(name)] for name in (*baselines, "best")),
            ["evaluate", str(gold), *systems, "--preset", "pascal"],
        ],
    )
    yield Step(
        "Supervised parsers",
        "One parser chooses transitions; the other searches for the best tree over all arcs. "
        "The paired test says whether they differ.",
        [
            *trained("transition", "--set", "epochs=3"),
            *trained("graph", "--set", "epochs=3"),
            ["evaluate", str(gold), out("transition"), out("graph"), "-m", "uas,las"],
        ],
    )
    taggers = ("most-frequent-tag", "tnt", "perceptron")
    yield Step(
        "Taggers without gold",
        "How often does the dictionary allow a tagger's tag? This shows which tagger is best "
        "before anybody annotates a test set.",
        [
            *(command for name in taggers for command in trained(name)),
            ["dictionary", "score", LANGUAGES[0], *map(out, taggers)],
        ],
    )


def _shared_task(folder: Path) -> Step:
    """A shared task on files, from its first file to the first score."""
    task, packs = folder / "task", folder / "packs"
    test, example = (str(packs / f"task-dependencies-{kind}.zip") for kind in ("test", "example"))
    names = ["--template", "pascal", "--treebanks", ",".join(LANGUAGES)]
    opened = ["--open-now", "dependencies"]
    # A tour that is taken again goes on with the task that is there.
    begin = [] if task.exists() else [["challenge", "init", str(task), *names, *opened]]
    return Step(
        "Run a shared task",
        "Blind packs for participants, a check that they run themselves, scores and a "
        "leaderboard. Everything is a file, so a laptop and e-mail are enough.",
        [
            *begin,
            ["challenge", "pack", str(task), "-o", str(packs)],
            ["challenge", "check", test, example],
            ["challenge", "score", str(task), example],
        ],
    )


def _challenged(place: Path) -> Step:
    """The challenge's three tracks; its own report is the end of the tour."""
    tables = str(place / "tables.txt")
    return Step(
        "The whole challenge",
        "Tags from words, trees from tags, trees from words: the PASCAL challenge's three tracks "
        "as one run. Cells run in parallel, blind, each in its own process. You can kill the run "
        "at any moment; the same command resumes it. Systems with universal rules and systems "
        "tuned on dev have groups of their own. All tables, figures and trees are in "
        f"{place}/report.html.",
        [
            ["reproduce", "pascal", "--small", "--folder", str(place), "-o", tables],
            ["report", str(place), "-m", "uas", "--track", "dependencies"],
        ],
    )
