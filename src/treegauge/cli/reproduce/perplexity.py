"""`treegauge reproduce perplexity`: derivation perplexity of treebanks and of parsers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOfTablesOption, JsonOption, OutputFormat, QuietOption
from treegauge.cli.reproduce.arguments import (
    FolderOption,
    SmallOption,
    SystemSettingsOption,
    TreebanksOption,
    WorkersOption,
    names_in,
    require_systems,
    require_whole,
    settings_by_system,
)
from treegauge.cli.reproduce.figures import write_figures
from treegauge.cli.running import RunOptions, run_experiment
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.runs import Experiment, Run

_DEFAULT = ("ta_ttb", "da_ddt", "cs_cac", "de_gsd", "cs_cltt", "fa_seraji", "bg_btb", "tr_imst")
"""What takes minutes: under 40,000 tokens to learn from, of different sizes and languages."""
_SMALL = ("toy:svo", "toy:sov", "toy:vso", "toy:free")
_DRAWN = ("size", "size / string perplexity", "size / derivation perplexity")


def perplexity_cli(
    treebanks: TreebanksOption = [],  # noqa: B006
    settings_text: Annotated[
        str,
        typer.Option(
            "--perplexity",
            metavar="SETTINGS",
            help="srilm if missing, the paper's; kenlm, closed, order=4, field=upos and so on.",
        ),
    ] = "srilm",
    others: Annotated[
        str,
        typer.Option(
            "--others",
            metavar="NAMES",
            help="Parsers beside the four transition systems; graph if missing.",
        ),
    ] = "graph",
    assignments: SystemSettingsOption = [],  # noqa: B006
    folder: FolderOption = "",
    workers: WorkersOption = None,
    small: SmallOption = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Everything random.")] = 0,
    data: DataOption = [],  # noqa: B006
    format: FormatOfTablesOption = OutputFormat.TABLE,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Derivation perplexity (Søgaard and Haulrich 2010): of treebanks, and of parsers.

    Does the perplexity of the order in which words get attached go with the accuracy of parsers,
    over treebanks; and is it a metric of parsers that needs no gold? Published figures stand
    beside ours. Started again, it goes on where it was left.

    Example: `treegauge reproduce perplexity -t da_ddt -t tr_imst -t fa_seraji --data treebanks`
    """
    console.manners.quiet = quiet
    if small and treebanks:
        raise typer.BadParameter("--small brings its own treebanks")
    require_whole(treebanks)
    from treegauge.catalogue import Catalogue
    from treegauge.papers.perplexity.experiment import (
        DerivationPerplexitySettings,
        measure_perplexities,
    )
    from treegauge.papers.perplexity.statistics import document
    from treegauge.papers.perplexity.tables import (
        accuracy_figure,
        perplexity_experiment_tables,
    )
    from treegauge.properties.derivation_perplexity import PerplexitySettings

    names = names_in(others)
    require_systems(names, "dependencies")
    settings = DerivationPerplexitySettings(
        perplexity=PerplexitySettings.parse(settings_text), others=names, seed=seed
    )
    few: dict[str, Any] = {"epochs": 2} if small else {}
    by_system = settings_by_system(assignments)
    settings = replace(
        settings,
        parser_settings={**few, **by_system.pop("transition", {})},
        other_settings={
            **few,
            **{key: value for name in names for key, value in by_system.pop(name, {}).items()},
        },
    )
    for name in by_system:
        raise typer.BadParameter(f"{name} is no parser of this experiment")
    place = Path(folder or f"runs/perplexity{'-small' if small else ''}")

    def run_it(experiment: Experiment, inner: Path, catalogue: Catalogue) -> Run:
        return run_experiment(experiment, str(inner), catalogue, RunOptions(workers=workers))

    found = measure_perplexities(
        treebanks or (_SMALL if small else _DEFAULT),
        place,
        run_it,
        catalogue=Catalogue.from_environment(data),
        settings=settings,
    )
    write_figures(
        {
            place / f"accuracy-{variable.replace(' / ', '-over-').replace(' ', '-')}.svg": (
                partial(accuracy_figure, found, variable)
            )
            for variable in _DRAWN
        }
    )
    console.emit(
        OutputFormat.JSON if json else format,
        "",
        table=lambda: perplexity_experiment_tables(found),
        document=lambda: document(found),
    )
    if found.failures:
        raise typer.Exit(1)
