"""`treegauge reproduce ned`: neutral edge direction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import (
    FormatOption,
    JsonOption,
    OutputFormat,
    OutputOption,
    QuietOption,
)
from treegauge.cli.reproduce.arguments import names_in, settings_by_system
from treegauge.cli.treebanks import DataOption, is_file, open_treebank

if TYPE_CHECKING:
    from treegauge.papers.ned.experiment import NedResult, NedSettings
    from treegauge.treebank import Treebank

_TOKENS_OF_SMALL = 6_000


def ned_cli(
    treebanks: Annotated[
        list[str],
        typer.Option(
            "--treebank",
            "-t",
            metavar="TREEBANK",
            help="A name with train and test parts, or a test file; may be repeated. "
            "en_wsj_sample if missing.",
        ),
    ] = [],  # noqa: B006
    train: Annotated[
        str, typer.Option("--train", metavar="FILE", help="The train part of a test file.")
    ] = "",
    other: Annotated[
        str,
        typer.Option(
            "--other", metavar="FILE", help="Another annotation of the test part, to be compared."
        ),
    ] = "",
    tags: Annotated[
        str,
        typer.Option("--tags", help="The tag column: u, u12, c, p, p:2. p if missing, u if small."),
    ] = "",
    tag_map: Annotated[
        str,
        typer.Option(
            "--tag-map", metavar="FILE", help="Fill universal tags, which some systems need."
        ),
    ] = "",
    algorithms: Annotated[
        str,
        typer.Option(
            "--algorithms", metavar="NAMES", help="km04,cs09,saj10a, or other grammar inducers."
        ),
    ] = "",
    inducers: Annotated[
        str,
        typer.Option(
            "--systems", metavar="NAMES", help="What else is ranked; `all` for every inducer."
        ),
    ] = "",
    assignments: Annotated[
        list[str],
        typer.Option(
            "--set", metavar="SYSTEM.KEY=VALUE", help="A setting of a system; may be repeated."
        ),
    ] = [],  # noqa: B006
    only_problematic: Annotated[
        bool,
        typer.Option(
            "--only-problematic", help="Flip edges of the paper's five structures, no others."
        ),
    ] = False,
    small: Annotated[
        bool, typer.Option("--small", help="On a toy language, in seconds; needs no data.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Everything random.")] = 0,
    data: DataOption = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Neutral edge direction (Schwartz et al. 2011): what a few flipped parameters change.

    Flips the directions of edges that an inducer has learnt, scores it before and after under
    three metrics, ranks inducers under them, and asks which annotation a supervised model
    learns better. Published figures stand beside ours.

    Example: `treegauge reproduce ned --treebank en_ewt --data treebanks`
    """
    console.manners.quiet = quiet
    if small and (treebanks or train or other or tag_map):
        raise typer.BadParameter("--small brings its own treebank")
    if train and len(treebanks) != 1:
        raise typer.BadParameter("--train belongs to one --treebank, a test file")
    if other and len(treebanks) > 1:
        raise typer.BadParameter("--other belongs to one --treebank")
    from treegauge.papers.ned.experiment import NedSettings, document
    from treegauge.papers.ned.tables import ned_tables

    settings = NedSettings(
        tags=tags or ("u" if small else "p"), only_problematic=only_problematic, seed=seed
    )
    settings = small_settings(settings) if small else settings
    if algorithms:
        settings = replace(settings, algorithms=names_in(algorithms))
    if inducers:
        settings = replace(settings, inducers=_inducers(inducers))
    if assignments:
        settings = replace(
            settings,
            system_settings={**settings.system_settings, **settings_by_system(assignments)},
        )
    results = []
    for name in ["toy:svo"] if small else treebanks or ["en_wsj_sample"]:
        parts = _toy_parts(name) if small else _parts(name, train, tag_map, data)
        against = open_treebank(other, data=data, format=None) if other else None
        results.append(ned(*parts, settings, against))
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: [table for result in results for table in ned_tables(result)],
        document=lambda: document(results),
    )


def ned(
    train: Treebank, test: Treebank, settings: NedSettings, other: Treebank | None = None
) -> NedResult:
    """Run the experiment on one treebank, and show how far it is."""
    from treegauge.papers.ned.experiment import reproduce_ned

    with console.progress(test.name) as advance:
        return reproduce_ned(train, test, settings, other=other, on_progress=advance)


def small_settings(settings: NedSettings) -> NedSettings:
    """Return settings that take seconds."""
    quick: dict[str, dict[str, Any]] = {
        "slndmv": {"max_length": 6, "iterations": 5, "sweeps": 3},
        "leapfrog": {"strides": (15,), "iterations": 10},
    }
    return replace(
        settings,
        inducers=("left-branching", "right-branching", "harmonic", "viterbi-dmv"),
        system_settings=quick,
        sentences_looked_at=200,
        resamples=200,
    )


def _toy_parts(name: str) -> tuple[Treebank, Treebank]:
    from treegauge.toys import toy_parts

    parts = toy_parts(name, tokens=_TOKENS_OF_SMALL)
    return parts["train"], parts["test"]


def _parts(name: str, train: str, tag_map: str, data: list[str]) -> tuple[Treebank, Treebank]:
    """Read the train and the test part of what a user names."""
    from treegauge.formats import fill_universal_tags, read_tag_map

    if is_file(name) and not train:
        raise typer.BadParameter(
            f"{name} is one file: give its train part with --train, or a folder with both parts"
        )
    sources = (train, name) if train else (f"{name}:train", f"{name}:test")
    mapping = read_tag_map(tag_map) if tag_map else None
    parts = [open_treebank(source, data=data, format=None) for source in sources]
    if mapping is not None:
        parts = [fill_universal_tags(part, mapping) for part in parts]
    return parts[0], parts[1]


def _inducers(text: str) -> tuple[str, ...]:
    from treegauge.papers.ned.experiment import all_inducers
    from treegauge.systems import find_system

    if text == "all":
        return all_inducers()
    names = names_in(text)
    for name in names:
        find_system(name)
    return names
