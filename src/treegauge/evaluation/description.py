"""What treebanks are like: statistics, word order and perplexity of every part."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from treegauge.errors import TreegaugeError
from treegauge.evaluation.errors import EvaluationWarning
from treegauge.evaluation.perplexity_intervals import perplexity_intervals
from treegauge.evaluation.reducibility_description import (
    ReducibilityDescription,
    reducibility_tables,
)
from treegauge.evaluation.word_order_description import (
    WordOrderDescription,
    describe_word_order,
    match_sizes,
    word_order_tables,
)
from treegauge.properties import (
    PerplexitySettings,
    StreamedStatistics,
    WordOrder,
    WordOrderSettings,
    measure_reducibility,
    statistics,
)
from treegauge.properties.derivation_perplexity import (
    TreebankPerplexity,
    cross_validated_perplexity,
    finite,
    mean_increase,
    treebank_perplexity,
)
from treegauge.significance import Interval
from treegauge.tables import NUMBER, PERCENT, Cell, Column, NumberFormat, Table, Value
from treegauge.treebank import NOT_ANNOTATED, Treebank, require_treebanks

if TYPE_CHECKING:
    import polars as pl

MOST_COLUMNS = 8
"""How many columns of numbers a table for people has at the most."""

ROWS: Mapping[str, tuple[str, NumberFormat]] = {
    "tokens": ("tokens", NUMBER),
    "sentences": ("sentences", NUMBER),
    "tokens_a_sentence": ("tokens/sentence", NUMBER),
    "longest_sentence": ("longest sentence", NUMBER),
    "coarse_tags": ("coarse tags", NUMBER),
    "fine_tags": ("fine tags", NUMBER),
    "universal_tags": ("universal tags", NUMBER),
    "feature_values": ("feature values", NUMBER),
    "relations": ("relations", NUMBER),
    "word_types": ("word types", NUMBER),
    "type_token_ratio": ("types/token", NUMBER),
    "features_a_lemma": ("features/lemma", NUMBER),
    "new_types": ("new types %", PERCENT),
    "projective_trees": ("projective trees %", PERCENT),
    "projective_arcs": ("projective arcs %", PERCENT),
    "roots_a_sentence": ("roots/sentence", NUMBER),
    "dlm_ratio": ("DLM ratio", NUMBER),
    "arc_direction_entropy": ("direction entropy", NUMBER),
}
"""By their names in data: what tables call the numbers, and how they are shown."""

PERPLEXITY_ROWS: Mapping[str, tuple[str, NumberFormat]] = {
    "perplexity": ("perplexity", NUMBER),
    "derivation_perplexity": ("derivation perplexity", NUMBER),
    "perplexity_increase": ("increase %", PERCENT),
    "unknown_words": ("unknown words %", PERCENT),
}

_NOTE = "d: annotated as dependencies, p: converted from phrases, c: converted. New: not in train."


@dataclass(frozen=True)
class TreebankPart:
    """A part of a treebank, and what is known of it.

    Attributes
    ----------
    treebank : Treebank
        The sentences.
    part : str
        `train`, `dev`, `test` or `whole`.
    annotation : str
        How the catalogue says it was annotated: d, p or c.
    training : Treebank, optional
        What new words are new to, and what perplexity is learnt from.
    is_learnt_from : bool
        Whether it is what others are learnt from, so that it has no perplexity itself.
    """

    treebank: Treebank
    part: str = "whole"
    annotation: str = ""
    training: Treebank | None = None
    is_learnt_from: bool = False


@dataclass(frozen=True)
class Description:
    """The properties of one part of a treebank.

    Attributes
    ----------
    name : str
        The name of the treebank.
    part : str
        `train`, `dev`, `test` or `whole`.
    annotation : str
        Where the trees come from: `d`, `p`, `c` or empty.
    numbers : mapping
        Statistics and two numbers of word order, by their names in JSON.
    settings : WordOrderSettings
        The settings of the two numbers of word order.
    word_order : WordOrderDescription or None
        All other numbers of word order, if they were asked for.
    perplexities : TreebankPerplexity or None
        Perplexities, if they were asked for and there is something to learn from.
    intervals : mapping or None
        The intervals of the perplexities.
    reducibility : ReducibilityDescription or None
        Which words can be left out, if this was asked for.

    Examples
    --------
    >>> import treegauge as tg
    >>> (part,) = tg.describe(tg.toy_treebank(tokens=1000)).parts
    >>> part.heading, part.value("word_types")
    ('toy:svo', 481)
    >>> part.to_dict()["sentences"]
    69
    """

    name: str
    part: str
    annotation: str
    numbers: Mapping[str, Any]
    settings: WordOrderSettings
    word_order: WordOrderDescription | None = None
    perplexities: TreebankPerplexity | None = None
    intervals: Mapping[str, Interval | None] | None = None
    reducibility: ReducibilityDescription | None = None

    @property
    def heading(self) -> str:
        """The name of the part in tables."""
        part = "" if self.part == "whole" else f" {self.part}"
        return f"{self.name}{part}" + (f" ({self.annotation})" if self.annotation else "")

    @property
    def perplexity(self) -> float | None:
        """The perplexity of the text."""
        return finite(self.perplexities.perplexity()) if self.perplexities else None

    @property
    def derivation_perplexity(self) -> float | None:
        """The perplexity of the derivations."""
        return finite(self.perplexities.derivation_perplexity()) if self.perplexities else None

    def value(self, name: str) -> Any:
        """Return a number by its name in data.

        Parameters
        ----------
        name : str
            A name in `numbers`, `unknown_words`, `perplexity`, `derivation_perplexity` or
            `perplexity_increase`.

        Returns
        -------
        int, float or None
            None if it was not computed.
        """
        if name in self.numbers:
            return self.numbers[name]
        if name == "unknown_words":
            return self.perplexities.unknown_rate if self.perplexities else None
        string, derivation = self.perplexity, self.derivation_perplexity
        if name != "perplexity_increase":
            return string if name == "perplexity" else derivation
        return None if string is None or derivation is None else derivation / string - 1

    def to_dict(self) -> dict[str, Any]:
        """Return the description as in JSON output.

        Returns
        -------
        dict
            The numbers, and details of what was asked for.
        """
        result = {
            "name": self.name,
            "part": self.part,
            "annotation": self.annotation or None,
            **self.numbers,
            "word_order_settings": self.settings.name,
            "perplexity": self.perplexity,
            "derivation_perplexity": self.derivation_perplexity,
        }
        if self.perplexities is not None:
            ends = {
                name: None if one is None else {"low": one.low, "high": one.high}
                for name, one in (self.intervals or {}).items()
            }
            result["perplexity_details"] = {**self.perplexities.to_dict(), "intervals": ends}
        if self.word_order is not None:
            result["word_order"] = self.word_order.to_dict()
        if self.reducibility is not None:
            result["reducibility"] = self.reducibility.to_dict()
        return result


@dataclass(frozen=True)
class Descriptions:
    """The properties of treebanks, part by part; made by `describe`. It prints as a table.

    Attributes
    ----------
    parts : sequence of Description
        One per treebank, or per part of a treebank.

    Examples
    --------
    >>> import treegauge as tg
    >>> names = ("toy:svo", "toy:sov")
    >>> described = tg.describe(*[tg.toy_treebank(name, tokens=1000) for name in names])
    >>> described.to_polars()["treebank"].to_list()
    ['toy:svo', 'toy:sov']
    >>> [column.title for column in described.table().columns]
    ['', 'toy:svo', 'toy:sov']
    >>> len(described.wide_table().columns), len(described.tables())
    (3, 1)
    >>> described.to_dict()["treebanks"][1]["name"]
    'toy:sov'
    >>> described.perplexity_increase()  # no perplexity was asked for
    {}
    """

    parts: Sequence[Description]

    def table(self) -> Table:
        """Return one table: a column per part, or a row per part if there are many.

        Returns
        -------
        Table
            The table.
        """
        if len(self.parts) > MOST_COLUMNS:
            return self._long_table(titles=True)
        return self.wide_table()

    def wide_table(self) -> Table:
        """Return one table with a column per part, however many there are.

        Returns
        -------
        Table
            The table.
        """
        rows: list[list[Cell | Value]] = [
            [title, *(Cell(one.value(name), format=format) for one in self.parts)]
            for name, (title, format) in self._rows().items()
        ]
        heads = [one.heading for one in self.parts]
        return Table(["", *heads], rows, notes=self._notes(), data=self._long_table())

    def tables(self) -> list[Table]:
        """Return the tables that were asked for.

        Returns
        -------
        list of Table
            The tables of word order, the tables of reducibility, or the one table of `table`.
        """
        details = [one.word_order for one in self.parts if one.word_order is not None]
        if details:
            return word_order_tables(details)
        reduced = [one.reducibility for one in self.parts if one.reducibility is not None]
        return reducibility_tables(reduced) if reduced else [self.table()]

    def _rows(self) -> dict[str, tuple[str, NumberFormat]]:
        measured = any(one.perplexities is not None for one in self.parts)
        return {**ROWS, **(PERPLEXITY_ROWS if measured else {})}

    def _long_table(self, *, titles: bool = False) -> Table:
        """Return a row for every part, under the names of data, or titles for people."""
        columns = [
            Column(title if titles else name, name, format)
            for name, (title, format) in self._rows().items()
        ]
        rows = [
            [
                *(one.name, one.part, one.annotation or None),
                *(one.value(column.key) for column in columns),
            ]
            for one in self.parts
        ]
        return Table(["treebank", "part", "annotation", *columns], rows)

    def _notes(self) -> list[str]:
        wordings = {one.settings.wording for one in self.parts}
        notes = [_NOTE, *[f"DLM ratio and direction entropy: {wording}." for wording in wordings]]
        measured = [one.perplexities for one in self.parts if one.perplexities is not None]
        if measured:
            folds = max(one.folds for one in measured)
            source = "cross-validated" if folds else "learnt from train"
            if folds and not all(one.folds for one in measured):
                source = "learnt from train where there is one, or cross-validated"
            notes.append(f"Perplexity: {measured[0].settings.wording}, {source}.")
        increase = self.perplexity_increase()
        if increase:
            of_means, of_ratios = (100 * value for value in increase.values())
            notes.append(
                f"Mean increase of perplexity: {of_means:.1f} % (ratio of means), "
                f"{of_ratios:.1f} % (mean of ratios)."
            )
        return notes

    def perplexity_increase(self) -> dict[str, float]:
        """Return the mean increase from string to derivation perplexity over several treebanks.

        Returns
        -------
        dict from str to float
            The ratio of means and the mean of ratios. Empty for fewer than two treebanks.
        """
        # A treebank counts once, with its test part if that is described.
        pairs = {
            one.name: (one.perplexity, one.derivation_perplexity)
            for one in sorted(self.parts, key=lambda one: one.part == "test")
            if one.perplexity is not None and one.derivation_perplexity is not None
        }
        if len(pairs) < 2:
            return {}
        string, derivation = zip(*pairs.values(), strict=True)
        return mean_increase(string, derivation)._asdict()

    def __str__(self) -> str:
        return "\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        return "\n".join(table._repr_html_() for table in self.tables())

    def to_polars(self) -> pl.DataFrame:
        """Return the numbers as a data frame.

        Returns
        -------
        polars.DataFrame
            One row per part. Columns have the names of the JSON output.
        """
        return self._long_table().to_polars()

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as in JSON output.

        Returns
        -------
        dict
            `treebanks`, and `perplexity_increase` for several treebanks with perplexity.
        """
        increase = self.perplexity_increase()
        return {
            "schema": 1,
            "treebanks": [one.to_dict() for one in self.parts],
            **({"perplexity_increase": increase} if increase else {}),
        }


def describe(
    *treebanks: Treebank,
    training: Treebank | None = None,
    word_order: bool = False,
    settings: WordOrderSettings | str = "default",
    perplexity: PerplexitySettings | str | None = None,
    reducibility: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> Descriptions:
    """Describe treebanks: sizes, tags, relations, projectivity, word order, perplexity.

    Parameters
    ----------
    *treebanks : Treebank
        One or more.
    training : Treebank, optional
        Training data: new words are counted against it, and perplexity is learnt from it.
        Without it, perplexity is cross-validated.
    word_order : bool
        Add all measures of word order, with intervals.
    settings : WordOrderSettings or str
        How word order is measured: `default` or `gm16`, then changes after commas.
    perplexity : PerplexitySettings or str, optional
        Add string and derivation perplexity, measured like this, such as `kenlm`.
    reducibility : bool
        Add which tags can be left out of sentences.
    resamples : int
        Bootstrap resamples of the intervals.
    seed : int
        The seed of the resamples.

    Returns
    -------
    Descriptions
        One column per treebank. It prints as a table.

    Raises
    ------
    TreebankError
        If an argument is not a treebank.
    PropertyError
        If a setting does not exist or does not fit.

    Examples
    --------
    >>> from treegauge import toy_treebank
    >>> described = describe(toy_treebank("toy:svo", tokens=2000))
    >>> described.to_dict()["treebanks"][0]["name"]
    'toy:svo'
    """
    require_treebanks(*treebanks)
    parts = (TreebankPart(treebank, training=training) for treebank in treebanks)
    return describe_parts(
        parts,
        word_order=word_order,
        settings=settings,
        perplexity=perplexity,
        reducibility=reducibility,
        resamples=resamples,
        seed=seed,
    )


def describe_parts(
    parts: Iterable[TreebankPart],
    *,
    word_order: bool = False,
    settings: WordOrderSettings | str = "default",
    perplexity: PerplexitySettings | str | None = None,
    reducibility: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> Descriptions:
    """Describe parts of treebanks one after the other; parameters are those of `describe`."""
    if isinstance(settings, str):
        settings = WordOrderSettings.parse(settings)
    if isinstance(perplexity, str):
        perplexity = PerplexitySettings.parse(perplexity)
    described = []
    for one in parts:
        plain = _described(one, word_order, settings, perplexity, resamples, seed)
        described.append(_with_reducibility(plain, one.treebank) if reducibility else plain)
    details = [one.word_order for one in described if one.word_order is not None]
    match_sizes(details, base=settings.base, seed=seed)
    return Descriptions(described)


def describe_stream(
    parts: Iterable[Treebank],
    name: str,
    part: str = "whole",
    annotation: str = "",
    *,
    settings: WordOrderSettings | str = "default",
) -> Description:
    """Describe a treebank that is read part by part, in bounded memory; without perplexities."""
    if isinstance(settings, str):
        settings = WordOrderSettings.parse(settings)
    counts = StreamedStatistics(settings)
    for one in parts:
        counts.add(one)
    numbers = asdict(counts.statistics(name))
    del numbers["name"]
    numbers["dlm_ratio"] = counts.dlm_ratio
    numbers["arc_direction_entropy"] = counts.arc_direction_entropy
    return Description(name, part, annotation, numbers, settings)


def _described(
    one: TreebankPart,
    word_order: bool,
    settings: WordOrderSettings,
    perplexity: PerplexitySettings | None,
    resamples: int,
    seed: int,
) -> Description:
    order = WordOrder(one.treebank, settings)
    numbers = asdict(statistics(one.treebank, training=one.training))
    name = numbers.pop("name")
    numbers["dlm_ratio"] = order.dlm_ratio
    numbers["arc_direction_entropy"] = order.arc_direction_entropy
    plain = Description(name, one.part, one.annotation, numbers, settings)
    details, measured, intervals = None, None, {}
    if word_order:
        details = describe_word_order(order, plain.heading, name, one.part, resamples, seed)
    if perplexity is not None and not one.is_learnt_from:
        measured = _perplexity(one.treebank, one.training, perplexity)
    if measured is not None and resamples:
        intervals = perplexity_intervals(measured, resamples=resamples, seed=seed)
    return Description(
        name, one.part, one.annotation, numbers, settings, details, measured, intervals
    )


def _with_reducibility(described: Description, treebank: Treebank) -> Description:
    """Add what can be left out, or warn that it cannot be told."""
    try:
        found = measure_reducibility(treebank)
    except TreegaugeError as error:
        _warn(f"{treebank.name}: no reducibility: {error}")
        return described
    one = ReducibilityDescription(described.heading, described.name, described.part, found)
    return replace(described, reducibility=one)


def _perplexity(
    treebank: Treebank, training: Treebank | None, settings: PerplexitySettings
) -> TreebankPerplexity | None:
    """Measure perplexity, or warn that it cannot be; without derivations where there are none."""

    def measured(*, heads: bool) -> TreebankPerplexity:
        parts = [part for part in (training, treebank) if part is not None]
        if not heads:
            parts = [part.replace(head=part.head * 0 + NOT_ANNOTATED) for part in parts]
        if training is None:
            return cross_validated_perplexity(parts[0], settings)
        return treebank_perplexity(parts[0], parts[1], settings)

    try:
        try:
            return measured(heads=True)
        except TreegaugeError as error:
            if not treebank.has_heads:
                raise
            _warn(f"{treebank.name}: no derivation perplexity: {error}")
            return measured(heads=False)
    except TreegaugeError as error:
        _warn(f"{treebank.name}: no perplexity: {error}")
        return None


def _warn(message: str) -> None:
    warnings.warn(message, EvaluationWarning, stacklevel=2)
