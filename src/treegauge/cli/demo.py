"""`treegauge demo`: the whole tour on built-in toy languages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import prints_summary

if TYPE_CHECKING:
    from treegauge.reports.pages import Part
    from treegauge.reports.pages.page import Block
    from treegauge.tables import Table

LANGUAGES = ("toy:svo", "toy:sov")
TOKENS = 20_000
CHALLENGE = "challenge"
"""The folder of the run that the tour ends with."""


@dataclass(frozen=True)
class Section:
    """A step of the tour: what was asked, how to ask it oneself, and the answer."""

    title: str
    text: str
    command: str = ""
    """What to type to get the same."""
    output: str = ""
    """The answer as text."""
    table: Table | None = None
    """The answer as a table."""

    def part(self, number: int) -> Part:
        """Return the step as a part of the page."""
        from treegauge.reports.pages import Command, Part, Source

        blocks: list[Block] = [Command("", self.command)] if self.command else []
        blocks += [Source(self.output)] if self.output else []
        blocks += [self.table] if self.table is not None else []
        return Part(f"step-{number}", self.title, blocks, self.text)


@prints_summary
def demo_cli(
    folder: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="Where the files and the report go.")
    ] = Path("treegauge-demo"),
) -> dict[str, Any]:
    """Take the tour: two toy languages, everything the program can do, a report.

    Needs no data and no network. Steps show the command to try yourself.

    Example: `treegauge demo --into tour`
    """
    from treegauge.reports.pages import Page, write_page

    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for section in steps(folder):
        sections.append(section)
        if not (console.manners.quiet or console.manners.json or console.manners.format_was_given):
            _show(section)
    page = Page(
        "A tour of treegauge",
        "Made by treegauge demo from two generated languages: one with the verb in the middle "
        "and prepositions, one with the verb at the end and postpositions.",
        [section.part(number) for number, section in enumerate(sections, start=1)],
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
        "sections": [section.title for section in sections],
    }


def steps(folder: Path) -> Iterator[Section]:
    """Take the steps of the tour one by one; each gives a section of the report."""
    with console.progress("generating two languages"):
        files = generate(folder)
    yield _generated(files)
    yield _described(folder)
    yield _validated(folder, files[0])
    yield _converted(folder, files[0])
    yield _without_punctuation(files[0])
    yield _blind(files[0])
    yield _induced(folder, files[0])
    yield _evaluated(folder, files[0])
    yield _parsed(folder, files[0])
    yield _tagged_without_gold(folder, files[0])
    yield _challenged(folder)


def generate(folder: Path) -> list[Path]:
    """Write train, dev and test files of the toy languages; return the test files."""
    from treegauge.formats import write
    from treegauge.toys import toy_parts

    tests = []
    for name in LANGUAGES:
        home = folder / name.replace(":", "_")
        home.mkdir(exist_ok=True)
        for part, treebank in toy_parts(name, tokens=TOKENS).items():
            write(treebank, home / f"{part}.conllu")
        tests.append(home / "test.conllu")
    return tests


def _generated(files: list[Path]) -> Section:
    from treegauge.formats import read

    sentences = [str(sentence) for file in files for sentence in read(file)[:3]]
    return Section(
        "Two languages out of nowhere",
        "Toy languages have a known grammar, so that nothing has to be downloaded to try things "
        "out. Wherever a treebank is expected, their names will do.",
        f"treegauge convert {LANGUAGES[0]} {files[0].name}",
        "\n".join(sentences),
    )


def _described(folder: Path) -> Section:
    from treegauge.cli.perplexity_option import say_warnings
    from treegauge.cli.treebanks import parts_of
    from treegauge.evaluation import describe_parts

    homes = [str(folder / name.replace(":", "_")) for name in LANGUAGES]
    with say_warnings():
        described = describe_parts(parts_of(homes), perplexity="kenlm")
    return Section(
        "What they are like",
        "Sizes, tags, new words in the test part, projectivity: the challenge's Table 1 for any "
        "treebank; and how surprising its words are, as they stand and in the order in which a "
        "parser attaches them.",
        f"treegauge describe {' '.join(homes)} --perplexity",
        table=described.table(),
    )


def _validated(folder: Path, file: Path) -> Section:
    from treegauge.formats import validate, write_chunks

    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    words = [i for i, line in enumerate(lines) if line[0].isdigit()]
    # A tab lost, a head that is no number, a word that counts as another.
    lines[words[1]] = lines[words[1]].replace("\t", " ", 1)
    fields = lines[words[9]].split("\t")
    lines[words[9]] = "\t".join([*fields[:6], "seven", *fields[7:]])
    lines[words[20]] = "7" + lines[words[20]]
    broken = folder / "broken.conllu"
    write_chunks(broken, ["".join(lines).encode()])
    return Section(
        "What is wrong with a file",
        "Three lines of a good file were damaged. Every finding has a place, a rule and advice.",
        f"treegauge validate {broken}",
        str(validate(broken)).strip(),
    )


def _converted(folder: Path, file: Path) -> Section:
    from treegauge.formats import FORMATS, read, write
    from treegauge.tables import Table

    target = folder / "test.pascal"
    losses = write(read(file), target)
    layout = FORMATS["pascal"].layout
    sentence = target.read_text(encoding="utf-8").partition("\n\n")[0]
    rows = [line.split("\t") for line in sentence.splitlines()]
    return Section(
        "One format to another",
        f"What the new format has no place for is said, never dropped in silence. Here: "
        f"{'; '.join(losses)}.",
        f"treegauge convert {file} {target}",
        table=Table(layout.columns if layout else (), rows),
    )


def _without_punctuation(file: Path) -> Section:
    from treegauge.formats import read

    treebank = read(file)
    bare = treebank.without_punctuation()
    short, short_words = bare.up_to(10), bare.up_to(10, count_punctuation=False)
    return Section(
        "Without punctuation, up to length ten",
        "Children of punctuation go to the nearest ancestor that is a word. A treebank remembers "
        "how long its sentences were: @10 counts punctuation, @10w does not.",
        output=f">>> treebank.without_punctuation()\n{bare!r}\n"
        f">>> treebank.without_punctuation().up_to(10)\n{short!r}\n"
        f">>> treebank.without_punctuation().up_to(10, count_punctuation=False)\n{short_words!r}",
    )


def _blind(file: Path) -> Section:
    from treegauge.formats import read

    treebank = read(file)
    return Section(
        "Blind copies keep everybody honest",
        "A system that may not see gold gets a copy without it, from which it cannot be recovered.",
        output=f">>> treebank.blind(heads=True)\n{treebank.blind()!r}\n"
        f">>> treebank.blind(heads=True, tags=True)\n{treebank.blind(tags=True)!r}",
    )


def _induced(folder: Path, file: Path) -> Section:
    from treegauge.formats import read, write
    from treegauge.systems import make_system

    treebank = read(file)
    system = make_system("dmv")
    with console.progress("inducing a grammar") as advance:
        system.fit(treebank, on_progress=advance)
        write(system.annotate(treebank), folder / "dmv.conllu")
    return Section(
        "A grammar out of nothing but tags",
        "The dependency model with valence, learnt by EM from a blind copy of the text. These are "
        "the attachments it believes in most.",
        f"treegauge induce dmv {file} -o {folder / 'dmv.conllu'} --show-grammar --top 6",
        system.describe_grammar(6).strip(),
    )


def _evaluated(folder: Path, file: Path) -> Section:
    from treegauge.evaluation import evaluate
    from treegauge.formats import read, write
    from treegauge.metrics import preset
    from treegauge.systems import make_system

    gold = read(file)
    names = ("right-branching", "left-branching", "dmv")
    systems = []
    for name in names:
        if name != "dmv":
            write(make_system(name).annotate(gold), folder / f"{name}.conllu")
        systems.append(read(folder / f"{name}.conllu", role="prediction"))
    files = " ".join(str(folder / f"{name}.conllu") for name in names)
    return Section(
        "How good is it?",
        "Beside the branching baselines of the PASCAL challenge, by its conventions: attachment, "
        "without direction, and with neutral edge direction; all sentences, and those up to length "
        "ten.",
        f"treegauge evaluate {file} {files} --preset pascal",
        table=evaluate(gold, *systems, conventions=preset("pascal")).table(),
    )


def _parsed(folder: Path, file: Path) -> Section:
    from treegauge.evaluation import evaluate
    from treegauge.formats import read, write
    from treegauge.systems import make_system

    train, gold = read(file.with_name("train.conllu")), read(file)
    answers = []
    for name in ("transition", "graph"):
        with console.progress(f"training {name}") as advance:
            system = make_system(name, {"epochs": 3}).fit(train, on_progress=advance)
        answer = system.annotate(gold).replace(name=name)
        write(answer, folder / f"{name}.conllu")
        answers.append(answer)
    return Section(
        "Parsers that learn from trees",
        "One goes from transition to transition, one searches the best tree over all arcs. The "
        "paired test says whether they differ.",
        f"treegauge train transition {file.with_name('train.conllu')} -o transition.model",
        table=evaluate(gold, *answers, metrics=["uas", "las"]).table(),
    )


def _tagged_without_gold(folder: Path, file: Path) -> Section:
    from treegauge.dictionaries import Assessment, TagDictionary
    from treegauge.formats import read, write
    from treegauge.systems import make_system
    from treegauge.toys import toy_dictionary

    train, gold = read(file.with_name("train.conllu")), read(file)
    answers = []
    for name in ("most-frequent-tag", "tnt", "perceptron"):
        answer = make_system(name).fit(train).annotate(gold).replace(name=name)
        write(answer, folder / f"{name}.conllu")
        answers.append(answer)
    language = LANGUAGES[0]
    dictionary = TagDictionary.from_mapping(toy_dictionary(language), name=language)
    files = " ".join(str(folder / f"{answer.name}.conllu") for answer in answers)
    return Section(
        "Taggers without gold",
        "How often is a tagger's tag one that the dictionary has for the word? Which tagger is "
        "best can be known before anybody annotates a test set.",
        f"treegauge dictionary score {language} {files}",
        table=Assessment(dictionary, answers).scores().table(),
    )


def _challenged(folder: Path) -> Section:
    """Run the challenge's three tracks; its own report is the end of the tour."""
    from treegauge.cli.papers import keep, prepare
    from treegauge.papers import find_paper
    from treegauge.papers.pascal.tables import tree_tables

    place = folder / CHALLENGE
    paper = find_paper("pascal")
    settings, workbench = prepare(paper, paper.settings_type(), place, small=True)
    measured = paper.measure(settings, workbench)
    keep(paper, measured, paper.page(measured, workbench), place)
    return Section(
        "The whole challenge",
        "Tags out of words, trees over tags, trees out of words: the PASCAL challenge's three "
        "tracks as one run. Cells run in parallel, blind, each in its own process; killed at any "
        "moment, the run goes on where it was. Systems that are told about languages in general, "
        f"or tuned on dev, stand apart. All tables, figures and trees are in {place}/report.html.",
        f"treegauge reproduce pascal --small --folder {place}",
        table=tree_tables(measured, "dependencies")[0].to_table(),
    )


def _show(section: Section) -> None:
    """Print a step: results to standard output, like those of any verb."""
    lines = [f"\n== {section.title}", section.text]
    if section.command:
        lines.append(f"$ {section.command}")
    if section.output:
        lines.append(section.output)
    if section.table is not None:
        lines.append(section.table.to_text(width=console.width()))
    sys.stdout.write("\n".join(lines).rstrip() + "\n")
