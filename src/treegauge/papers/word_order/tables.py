"""Tables and figures of parsers on permuted treebanks, the published ones beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treegauge.papers.word_order.effects import (
    branching_differences,
    deltas,
    dlm_and_nonprojectivity,
    label_confusions,
    regression,
    sentence_correlations,
)
from treegauge.papers.word_order.permuted_parsing import ORIGINAL, PermutedParsing
from treegauge.papers.word_order.published import (
    BRANCHING_LAS,
    BRANCHING_UAS,
    DLM_NONPROJECTIVITY,
    PAPER,
    SENTENCE_CORRELATION,
    published_accuracy,
    published_property,
)
from treegauge.papers.word_order.transfer import SourceScore, Transfer, mean_accuracies
from treegauge.reports.figures import require_drawing
from treegauge.reports.old_tables import Cell, Table
from treegauge.significance.correlation import FEWEST_PAIRS, Correlation

if TYPE_CHECKING:
    import altair as alt

_NAMES = {ORIGINAL: "original", "optdl": "OptDL", "left": "LB", "right": "RB"}
_PUBLISHED = f"in parentheses: {PAPER}; other releases, other parts, other parsers"


def word_order_tables(parsing: PermutedParsing) -> list[Table]:
    """Return all tables."""
    return [
        property_table(parsing),
        *(accuracy_table(parsing, parser) for parser in parsing.parsers),
        delta_table(parsing),
        regression_table(parsing),
        sentence_table(parsing),
        branching_table(parsing),
        confusion_table(parsing),
    ]


def property_table(parsing: PermutedParsing) -> Table:
    """Return Table 1: size, length, DLM ratio and entropy of train parts."""
    rows: list[list[Cell]] = []
    for treebank in parsing.treebanks:
        original = parsing.property_of(treebank, ORIGINAL).gm16
        words = original.selection.report.words_kept
        sentences = original.selection.report.kept
        optimal = _number(parsing, treebank, "optdl", "arc_direction_entropy")
        rows.append(
            [
                treebank,
                _beside(words / 1000, published_property(treebank, "size_k"), 0),
                _beside(words / sentences, published_property(treebank, "avg_len"), 1),
                _beside(original.dlm_ratio, published_property(treebank, "dlm"), 2),
                _beside(original.arc_direction_entropy, published_property(treebank, "entropy"), 2),
                _beside(original.branching_dlm_ratio, published_property(treebank, "lbrb_dlm"), 2),
                _beside(optimal, published_property(treebank, "optdl_entropy"), 2),
            ]
        )
    return Table(
        ["treebank", "1000 words", "length", "DLM", "entropy", "LB/RB DLM", "OptDL entropy"],
        rows,
        title="Table 1: word order of the train parts",
        notes=[
            "spans, nats and plain alternation, the paper's units",
            f"{_in_words(dlm_and_nonprojectivity(parsing))} (published {DLM_NONPROJECTIVITY})",
            _PUBLISHED,
        ],
        right=frozenset(range(1, 7)),
    )


def _in_words(found: Correlation) -> str:
    what = "DLM and non-projective arcs"
    if found.pearson is not None:
        return f"{what} correlate by {found}"
    if found.n < FEWEST_PAIRS:
        return f"too few treebanks to correlate {what}: {found.n}, and {FEWEST_PAIRS} are needed"
    return f"{what} do not correlate: one of them is the same in all {found.n} treebanks"


def _number(parsing: PermutedParsing, treebank: str, order: str, name: str) -> float | None:
    if order not in parsing.settings.orders:
        return None
    value: float | None = getattr(parsing.property_of(treebank, order).gm16, name)
    return value


def _beside(ours: float | None, theirs: float | None, digits: int) -> str | None:
    if ours is None:
        return None
    return f"{ours:.{digits}f}" + ("" if theirs is None else f" ({theirs:.{digits}f})")


def accuracy_table(parsing: PermutedParsing, parser: str) -> Table:
    """Return Table 2 or 3: a parser's accuracy in every order."""
    orders = parsing.settings.orders
    rows: list[list[Cell]] = []
    values: list[list[float | None]] = []
    for treebank in parsing.treebanks:
        row: list[Cell] = [treebank]
        numbers: list[float | None] = []
        for order in orders:
            version = parsing.version(treebank, order, parser)
            for metric in ("uas", "las"):
                ours = None if version is None else 100 * getattr(version, metric)
                numbers.append(ours)
                row.append(_beside(ours, published_accuracy(treebank, parser, order, metric), 1))
        rows.append(row)
        values.append(numbers)
    if len(rows) > 1:
        columns = [[v for v in column if v is not None] for column in zip(*values, strict=True)]
        means = [sum(column) / len(column) if column else None for column in columns]
        rows.append(["mean", *(None if mean is None else f"{mean:.1f}" for mean in means)])
    number = {"transition": "Table 2: ", "graph": "Table 3: "}.get(parser, "")
    heads = [
        f"{_NAMES.get(order, order)} {metric}" for order in orders for metric in ("UAS", "LAS")
    ]
    choice = next(one for one in parsing.settings.parsers if one.system == parser)
    notes = [
        "punctuation not counted, relations with their subtypes; gold tags",
        *(
            f"{name}: coarse tags stand for universal ones, which it has not"
            for name in parsing.coarse_tags
        ),
        _PUBLISHED,
        *(failure for failure in parsing.failures if f": {parser}" in failure),
    ]
    if choice.branching != choice.natural:
        wording = ", ".join(f"{key} {value}" for key, value in choice.branching.items())
        notes.insert(1, f"LB and RB: {wording or 'defaults'}")
    return Table(
        ["treebank", *heads],
        rows,
        title=f"{number}{parser}",
        notes=notes,
        right=frozenset(range(1, 1 + len(heads))),
    )


def delta_table(parsing: PermutedParsing) -> Table:
    """Return what Figures 1 and 2 show."""
    rows: list[list[Cell]] = [
        [
            one.treebank,
            _NAMES.get(one.order, one.order),
            one.parser,
            f"{one.dlm:+.2f}",
            f"{one.entropy:+.2f}",
            f"{100 * one.uas:+.1f}",
            f"{100 * one.las:+.1f}",
        ]
        for one in deltas(parsing)
    ]
    return Table(
        ["treebank", "order", "parser", "delta DLM", "delta entropy", "delta UAS", "delta LAS"],
        rows,
        title="Figures 1 and 2: what an order changes",
        notes=[
            "delta DLM and delta entropy: original minus permuted, positive is shorter and less "
            "variable; delta UAS and LAS: permuted minus original, positive is easier"
        ],
        right=frozenset({3, 4, 5, 6}),
    )


def regression_table(parsing: PermutedParsing) -> Table:
    """Return what goes with delta UAS: length or variability."""
    fitted = regression(deltas(parsing))
    rows: list[list[Cell]] = []
    notes = ["too few treebanks for a regression"]
    if fitted is not None:
        rows = [
            [
                effect.variable,
                f"{effect.coefficient:+.2f}"
                + ("" if effect.low is None else f" [{effect.low:+.2f}, {effect.high:+.2f}]"),
            ]
            for effect in fitted.effects
        ]
        notes = [
            f"ordinary least squares on standardised variables, {fitted.n} rows, "
            f"R² = {fitted.r_squared:.2f}; 95% intervals over resampled treebanks, where there "
            "are enough",
            "published: entropy hurts more than length (read off the figures)",
        ]
    return Table(
        ["variable", "coefficient"],
        rows,
        title="Delta UAS explained",
        notes=notes,
        right=frozenset({1}),
    )


def sentence_table(parsing: PermutedParsing) -> Table:
    """Return whether sentences that become shorter become easier."""
    rows: list[list[Cell]] = [
        [
            one.treebank,
            _NAMES.get(one.order, one.order),
            one.parser,
            str(one.correlation),
            one.correlation.spearman,
        ]
        for one in sentence_correlations(parsing)
    ]
    figures = ", ".join(f"{value:.2f} ({name})" for name, value in SENTENCE_CORRELATION.items())
    return Table(
        ["treebank", "order", "parser", "Pearson", "Spearman"],
        rows,
        title="Sentences: delta DLM and delta UAS",
        notes=[f"published, Dutch RB: {figures}, p < 0.001"],
        right=frozenset({3}),
    )


def branching_table(parsing: PermutedParsing) -> Table:
    """Return whether left- and right-branching orders are equally hard."""
    rows: list[list[Cell]] = [
        [
            one.treebank,
            one.parser,
            one.metric.upper(),
            f"{100 * one.difference:+.2f}",
            _p(one.t_test),
            _p(one.sign_flips),
            str(one.with_branching_factor),
        ]
        for one in branching_differences(parsing)
    ]
    return Table(
        ["treebank", "parser", "metric", "LB - RB", "p (t)", "p (flips)", "with branching factor"],
        rows,
        title="Left- against right-branching",
        notes=[
            "means over sentences, in points; paired t-test and paired permutations",
            f"published, New Testament: the difference and the branching factor correlate by "
            f"{BRANCHING_UAS:.2f} (UAS, p = 0.02) and {BRANCHING_LAS:.2f} (LAS, p < 0.001)",
        ],
        right=frozenset({3, 4, 5, 6}),
    )


def _p(value: float | None) -> str | None:
    if value is None:
        return None
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def confusion_table(parsing: PermutedParsing) -> Table:
    """Return relations that one branching order confuses more than the other."""
    rows: list[list[Cell]] = [
        [
            one.treebank,
            one.parser,
            one.gold,
            one.found,
            one.left,
            one.right,
            f"{100 * one.leaves:.0f}",
        ]
        for one in label_confusions(parsing)
    ]
    return Table(
        ["treebank", "parser", "gold", "found", "LB", "RB", "% leaves"],
        rows,
        title="Relations confused more often in one branching order",
        notes=["words with the right head; published: mostly words without dependents"],
        right=frozenset({6}),
    )


def transfer_tables(found: Sequence[Transfer]) -> list[Table]:
    """Return which source is nearest to each target, what it gives, and what the best would."""
    rows: list[list[Cell]] = [
        [
            one.target,
            _source(one.nearest(natural=False)),
            _source(one.nearest(natural=True)),
            _source(one.best(natural=True)),
            _source(one.best(natural=False)),
            None if one.own is None else f"{100 * one.own:.1f}",
            one.rank_correlation,
        ]
        for one in found
    ]
    means = mean_accuracies(found)
    return [
        Table(
            [
                "target",
                "nearest",
                "nearest natural",
                "best natural",
                "best of all",
                "own",
                "tau-b",
            ],
            rows,
            title="Transfer: UAS of delexicalised parsers, by source",
            notes=[
                "nearest by the divergence of tag trigrams (KLcpos3); the best ones are known "
                "only afterwards; own: trained on the target's own train part",
                "tau-b: between nearness and accuracy over all sources of other languages",
            ],
            right=frozenset({5}),
        ),
        Table(
            ["source", "mean UAS"],
            [[name, None if mean is None else 100 * mean] for name, mean in means.items()],
            title="Transfer: means over targets",
        ),
    ]


def _source(one: SourceScore | None) -> str | None:
    return None if one is None else f"{one.name} {100 * one.uas:.1f}"


def delta_figure(parsing: PermutedParsing, order: str, parser: str) -> alt.LayerChart:
    """Draw Figure 1 (OptDL) or 2 (RB): delta UAS over delta DLM and delta entropy.

    Raises
    ------
    FigureError
        Where the extra `figures` is not installed.
    """
    require_drawing()
    import altair as alt

    values: list[dict[str, Any]] = [
        {"treebank": one.treebank, "x": one.dlm, "y": one.entropy, "uas": 100 * one.uas}
        for one in deltas(parsing)
        if (one.order, one.parser) == (order, parser)
    ]
    most = max((abs(row["uas"]) for row in values), default=1.0)
    roomy = alt.Scale(zero=False, padding=28)  # names of points at the edge need room
    x = alt.X("x:Q", title="Delta DLM ratio (positive: shorter)", scale=roomy)
    y = alt.Y("y:Q", title="Delta entropy (positive: less variable)", scale=roomy)
    colour = alt.Color(
        "uas:Q",
        title="Delta UAS",
        scale=alt.Scale(scheme="redblue", domain=[-most, most]),
    )
    chart = alt.Chart(alt.InlineData(values=values))
    points = chart.mark_circle(size=220, opacity=1, stroke="#333333", strokeWidth=0.7).encode(
        x, y, colour
    )
    labels = chart.mark_text(dy=-15, fontSize=13).encode(x, y, text="treebank:N")
    figure: alt.LayerChart = (
        alt.layer(points, labels)
        .properties(
            width=520,
            height=380,
            title=alt.TitleParams(
                f"{_NAMES.get(order, order)}: what changes for {parser}",
                subtitle=["blue: easier to parse than the original, red: harder"],
            ),
        )
        .configure_view(stroke=None)
        .configure_title(fontSize=20, subtitleFontSize=14, anchor="start", offset=14)
        .configure_axis(labelFontSize=14, titleFontSize=15, titleFontWeight="normal")
        .configure_legend(labelFontSize=14, titleFontSize=14)
    )
    return figure
