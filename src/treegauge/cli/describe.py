"""`treegauge describe`: what treebanks are like."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOption, JsonOption, OutputFormat, OutputOption, QuietOption
from treegauge.cli.treebanks import DataOption, report

if TYPE_CHECKING:
    from treegauge.catalogue import CatalogueEntry
    from treegauge.properties import Statistics
    from treegauge.reports import Cell, Table
    from treegauge.treebank import Treebank


def describe_cli(
    treebanks: Annotated[
        list[str],
        typer.Argument(
            metavar="TREEBANK", help="Names, sets, files or toy languages; en_ewt:dev is one part."
        ),
    ],
    data: DataOption = [],  # noqa: B006
    where: Annotated[
        list[str],
        typer.Option(
            "--where",
            metavar="KEY=VALUE",
            help="Only sentences with this comment, or without it (KEY!=VALUE); may be repeated.",
        ),
    ] = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Describe treebanks: sizes, tags, relations, new words, projectivity.

    All parts of a treebank are described, and new words are those that training lacks.

    Example: `treegauge describe toy:svo toy:sov`
    """
    console.manners.quiet = quiet
    described = describe(treebanks, data=data, where=where)
    output_format = OutputFormat.JSON if json else format
    console.emit(
        output_format,
        output,
        table=lambda: (
            long_table(described) if output_format is OutputFormat.TSV else wide_table(described)
        ),
        document=lambda: {"schema": 1, "treebanks": [one.to_dict() for one in described]},
    )


@dataclass(frozen=True)
class Description:
    """The numbers of one part of a treebank."""

    part: str
    annotation: str
    statistics: Statistics

    def to_dict(self) -> dict[str, Any]:
        """Return the description as JSON has it."""
        numbers = asdict(self.statistics)
        return {
            "name": numbers.pop("name"),
            "part": self.part,
            "annotation": self.annotation or None,
            **numbers,
            # Computed by parts of the program that are to come.
            "dlm_ratio": None,
            "arc_direction_entropy": None,
            "perplexity": None,
            "derivation_perplexity": None,
        }


def describe(texts: list[str], *, data: list[str], where: list[str]) -> list[Description]:
    """Describe every part of every treebank named."""
    from treegauge.catalogue import Catalogue
    from treegauge.properties import statistics

    catalogue = Catalogue.from_environment(data)
    chosen = [choice for text in texts for choice in _parts(catalogue, text)]
    described = []
    training: tuple[CatalogueEntry, Treebank] | None = None
    with console.progress("describing") as advance:
        for index, (entry, part) in enumerate(chosen):
            treebank = _read(entry, part, where)
            if part == "train":
                training = (entry, treebank)
            known = training[1] if training and training[0] == entry and part != "train" else None
            described.append(
                Description(part, entry.annotation, statistics(treebank, training=known))
            )
            advance((index + 1) / len(chosen))
    return described


def _parts(catalogue: Any, text: str) -> list[tuple[CatalogueEntry, str]]:
    """Return the part that a text names, or all parts if it names none."""
    from treegauge.catalogue import split_part

    if split_part(text)[1]:
        return [(selection.entry, selection.part) for selection in catalogue.select(text)]
    return [(entry, part) for entry in catalogue.resolve(text) for part in entry.parts]


def _read(entry: CatalogueEntry, part: str, where: list[str]) -> Treebank:
    from treegauge.formats import Findings
    from treegauge.treebank import comment_mask

    findings = Findings()
    treebank = entry.read(part, findings=findings)
    report(findings)
    for condition in where:
        treebank = treebank[comment_mask(treebank, condition)]
    return treebank


# Label, attribute, and whether it is a share shown in per cent.
_ROWS = [
    ("tokens", "tokens", False),
    ("sentences", "sentences", False),
    ("tokens/sentence", "tokens_a_sentence", False),
    ("longest sentence", "longest_sentence", False),
    ("coarse tags", "coarse_tags", False),
    ("fine tags", "fine_tags", False),
    ("universal tags", "universal_tags", False),
    ("feature values", "feature_values", False),
    ("relations", "relations", False),
    ("word types", "word_types", False),
    ("types/token", "type_token_ratio", False),
    ("features/lemma", "features_a_lemma", False),
    ("new types %", "new_types", True),
    ("projective trees %", "projective_trees", True),
    ("projective arcs %", "projective_arcs", True),
    ("roots/sentence", "roots_a_sentence", False),
]

_FEW = 8
"""How many columns of numbers a table for people has at the most."""


def wide_table(described: list[Description]) -> Table:
    """Return the challenge's Table 1: a column for every part of every treebank.

    Where there are too many, every part has a row instead.
    """
    from treegauge.reports import Table

    if len(described) > _FEW:
        return long_table(described)
    rows = [
        [label, *[_cell(one, attribute, share) for one in described]]
        for label, attribute, share in _ROWS
    ]
    return Table(["", *[_head(one) for one in described]], rows, notes=[_NOTE])


_NOTE = "d: annotated as dependencies, p: converted from phrases, c: converted. New: not in train."


def _head(one: Description) -> str:
    part = "" if one.part == "whole" else f" {one.part}"
    annotation = f" ({one.annotation})" if one.annotation else ""
    return f"{one.statistics.name}{part}{annotation}"


def long_table(described: list[Description]) -> Table:
    """Return a row for every part of every treebank."""
    from treegauge.reports import Table

    rows = [
        [
            one.statistics.name,
            one.part,
            one.annotation or None,
            *[_cell(one, attribute, share) for _, attribute, share in _ROWS],
        ]
        for one in described
    ]
    return Table(["treebank", "part", "annotation", *[label for label, _, _ in _ROWS]], rows)


def _cell(one: Description, attribute: str, share: bool) -> Cell:
    value: Cell = getattr(one.statistics, attribute)
    return 100 * value if share and isinstance(value, float) else value
