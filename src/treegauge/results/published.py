"""Published scores: what papers report, as a table in our own words.

At present the tables of one paper:

    Douwe Gelling, Trevor Cohn, Phil Blunsom, João Graça (2012). The PASCAL Challenge on Grammar
    Induction. NAACL-HLT Workshop on the Induction of Linguistic Structure.

Conventions
-----------
Metrics have our names, with the cut-off in the name: Tables 8 and 9 are about sentences of at
most ten words *with* punctuation, as a remark in the paper's margin says, hence `@10`. Table 3
as it is here has the corrected directed accuracies (its first print had those of short
sentences, as another remark says): its row for the Penn Treebank is that of Table 5. Shares are
in 0..1, variation of information in bits. Averages are those that the paper prints, which are not
always the means of the rows that it prints.

A score is only ever put beside ours for a treebank that stands for one of the paper's test sets
(`STANDS_FOR`), and never is the data the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

PASCAL = "Gelling et al. (2012), The PASCAL Challenge on Grammar Induction"
"""How notes name the paper."""

AVERAGE = "average"
"""The test set of the averages that the paper prints."""


@dataclass(frozen=True)
class _PaperTable:
    """What a table of the paper is about."""

    number: int
    track: str
    cut_off: str = ""
    tags: str = ""


_TABLES = {
    "table2_pos_upos": _PaperTable(2, "tags", tags="u12"),
    "table3_dep_all": _PaperTable(3, "dependencies"),
    "table4_joint_all": _PaperTable(4, "joint"),
    "table5_ptb_references": _PaperTable(5, "dependencies"),
    "table6_ptb_relations": _PaperTable(6, "dependencies"),
    "table7_pos_fine": _PaperTable(7, "tags", tags="p"),
    "table8_dep_10": _PaperTable(8, "dependencies", "@10"),
    "table9_joint_10": _PaperTable(9, "joint", "@10"),
}

_METRICS = {
    "directed": "uas",
    "undirected": "undirected",
    "ned": "ned",
    "many_to_one": "many_to_one",
    "one_to_one": "one_to_one",
    "v_measure": "v_measure",
    "variation_of_information": "vi",
}
_IN_BITS = ("vi",)

PUNCTUATION = {"tags": "yes", "dependencies": "removed", "joint": "removed"}
"""By track of the paper's table, what signatures write of punctuation: heads are compared
without it (section 2.3), tags with it."""

_OTHER_NAMES = {"Mc": "MZc", "Mp": "MZp", "Mu": "MZu"}
"""Table 6 writes some systems in another way than the other tables."""


@dataclass(frozen=True)
class TestSet:
    """A test set of the paper that one of our treebanks stands for."""

    __test__ = False  # pytest: this is no test

    name: str
    data: str
    """What the paper's data were."""
    is_other: bool = False
    """Whether they were not of the same treebank, in whatever version."""


def _read(file: str) -> Iterator[dict[str, str]]:
    """Read a table beside this module, a row at a time."""
    text = (files("treegauge.results") / "data" / file).read_text("utf-8")
    header, *lines = text.splitlines()
    for line in lines:
        yield dict(zip(header.split("\t"), line.split("\t"), strict=True))


STANDS_FOR: Mapping[str, TestSet] = {
    row["treebank"]: TestSet(row["test_set"], row["data"], row["is_other"] == "yes")
    for row in _read("pascal_test_sets.tsv")
}
"""Our treebanks by name, and the test sets of the paper that they stand for."""


@dataclass(frozen=True)
class PublishedSystem:
    """A system of the paper.

    Attributes
    ----------
    name : str
        As the paper's tables have it, without the variant.
    supervision : str
        The kind, in our words.
    remark : str
        What sections 4 and 5 of the paper say of what it was told or shown.
    method : str
        Our system that does the same; empty if there is none.
    variants : str
        Letters after the name, one per column of the paper: c, p and u for the coarse, fine and
        universal tags that were read, or whose number was the number of classes.
    """

    name: str
    supervision: str
    remark: str = ""
    method: str = ""
    variants: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the paper's tables that are about it."""
        return tuple(self.name + letter for letter in self.variants) or (self.name,)


def _read_systems() -> dict[str, tuple[PublishedSystem, ...]]:
    systems: dict[str, tuple[PublishedSystem, ...]] = {}
    for row in _read("pascal_systems.tsv"):
        track = row.pop("track")
        systems[track] = (*systems.get(track, ()), PublishedSystem(**row))
    return systems


SYSTEMS: Mapping[str, tuple[PublishedSystem, ...]] = _read_systems()
"""The systems of the paper by track."""


@cache
def published_scores() -> pl.DataFrame:
    """Return all scores of the paper, a row for each.

    Columns: `table` (its number), `track`, `tags` (that induced tags were compared with),
    `metric`, `test_set` (`average` for what the paper prints as such), `reference` (of Table 5),
    `relation` (of Table 6), `system`, `supervision`, `value`, and `decimals`, how many the paper
    prints.

    >>> dmv = published_scores().filter(system="DMVu", metric="uas", test_set="average")
    >>> dmv.select("table", "value").rows()
    [(3, 0.293), (4, 0.223)]
    """
    import polars as pl

    return pl.DataFrame([_row(printed) for printed in _read("pascal_results.tsv")])


def _row(printed: Mapping[str, str]) -> dict[str, Any]:
    table = _TABLES[printed["table"]]
    name = _METRICS[printed["metric"]]
    system = _OTHER_NAMES.get(printed["system"], printed["system"])
    test_set, reference, relation = printed["testset"].replace("averages", AVERAGE), "", ""
    if table.number == 5:
        test_set, reference = "en-ptb", test_set
    elif table.number == 6:
        test_set, relation = "en-ptb", test_set
    _, _, decimals = printed["value"].partition(".")
    value = float(printed["value"])
    return {
        "table": table.number,
        "track": table.track,
        "tags": table.tags,
        "metric": name + table.cut_off,
        "test_set": test_set,
        "reference": reference,
        "relation": relation,
        "system": system,
        "supervision": find_published_system(table.track, system).supervision,
        # Rounded, so that 29.3 becomes the float 0.293 and not its neighbour.
        "value": value if name in _IN_BITS else round(value / 100, len(decimals) + 2),
        "decimals": len(decimals),
    }


def find_published_system(track: str, column: str) -> PublishedSystem:
    """Return the system that a column of the paper's tables of a track is about."""
    return next(system for system in SYSTEMS[track] if column in system.columns)


@dataclass(frozen=True)
class PublishedScores:
    """What the paper has of one system under one metric."""

    column: str
    system: PublishedSystem
    table: int
    track: str
    """Of the paper's table; that of tags for the tags of a joint system."""
    values: Mapping[str, float]
    """By test set."""
    average: float
    """The one that the paper prints, over all its test sets that the system has."""
    decimals: int


def counterparts(track: str, method: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the columns of the paper that one of our systems corresponds to.

    >>> counterparts("dependencies", "klein-manning-dmv", {"tags": "u"})
    ('DMVu',)
    >>> counterparts("tags", "brown", {"classes": 45})
    ('Bc', 'Bp', 'Bu')
    >>> counterparts("tags", "brown", {"classes": 49, "classes_of": "p"})
    ('Bp',)
    >>> counterparts("dependencies", "klein-manning-dmv", {"tags": "form"})
    ()
    >>> counterparts("dependencies", "ccg", {"function_functors_as_leaves": True})
    ()
    >>> counterparts("dependencies", "tsg-dmv", {"fragments": False})
    ()
    """
    if method == "tags-then-trees" and not _is_dmv_over_brown_classes(settings):
        return ()
    # The treebanks of the challenge had function words as heads, and so did BH.
    if settings.get("function_functors_as_leaves"):
        return ()
    if method == "tsg-dmv" and not settings.get("fragments", True):
        return ()  # BC had fragments
    for system in SYSTEMS[track]:
        if method and system.method == method:
            letter = _variant(track, settings) if system.variants else ""
            if letter in ("", *system.variants):
                return (system.name + letter,) if letter else system.columns
    return ()


def _variant(track: str, settings: Mapping[str, Any]) -> str:
    """Return the letter of the paper's variant that settings say, or nothing."""
    if track == "dependencies":
        return str(settings.get("tags", ""))[:1]
    # There are twelve universal tags; the other numbers are those of a treebank.
    number = settings.get("classes") or str(settings.get("tags_from", "")).partition(":")[2]
    return str(settings.get("classes_of", "u" if str(number) == "12" else ""))[:1]


def _is_dmv_over_brown_classes(settings: Mapping[str, Any]) -> bool:
    tagger = str(settings.get("tags_from", "")).partition(":")[0]
    return (tagger, settings.get("inducer")) == ("brown", "klein-manning-dmv")


def find_published_scores(
    track: str, metric: str, tags: str, column: str
) -> PublishedScores | None:
    """Return the scores of a system under a metric, or nothing where the paper has none.

    Parameters
    ----------
    track : str
        Of ours; a joint system's tags are in the paper's tables of tags.
    metric : str
        With its cut-off.
    tags : str
        The gold tags that induced tags are compared with; empty for metrics of trees.
    """
    of_table = "tags" if tags else track
    rows = published_scores().filter(
        track=of_table, metric=metric, tags=tags, system=column, reference="", relation=""
    )
    if rows.is_empty():
        return None
    values = dict(rows.select("test_set", "value").rows())
    average = values.pop(AVERAGE)
    return PublishedScores(
        column,
        find_published_system(of_table, column),
        rows["table"][0],
        of_table,
        values,
        average,
        rows["decimals"].max(),  # type: ignore[arg-type]
    )
