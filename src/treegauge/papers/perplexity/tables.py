"""Tables and figures of derivation perplexity and accuracy, the published figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treegauge.papers.perplexity.experiment import (
    TRANSITION_SYSTEMS,
    DerivationPerplexities,
)
from treegauge.papers.perplexity.published import (
    AVERAGES,
    CORRELATIONS,
    METRICS,
    PAPER,
    shared_task_accuracy,
)
from treegauge.papers.perplexity.statistics import (
    ACCURACIES,
    VARIABLES,
    TreebankCorrelation,
    accuracy_of,
    increases,
    metric_correlations,
    morphology_correlations,
    separations,
    treebank_correlations,
)
from treegauge.reports.figures import require_drawing
from treegauge.reports.old_tables import Cell, Table

if TYPE_CHECKING:
    import altair as alt

_NAMES = {"perplexity": "perplexity", "uas": "UAS", "exact_match": "exact match"}


def perplexity_experiment_tables(found: DerivationPerplexities) -> list[Table]:
    """Return all tables."""
    return [
        treebank_table(found),
        increase_table(found),
        *correlation_tables(found),
        morphology_table(found),
        parser_table(found),
        metric_table(found),
        separation_table(found),
    ]


def treebank_table(found: DerivationPerplexities) -> Table:
    """Return size, perplexities and accuracies of every treebank."""
    rows: list[list[Cell]] = []
    has_published = False
    for one in found.treebanks:
        derivation = one.perplexity.derivation_perplexity()
        published = shared_task_accuracy(one.name, "las_best")
        has_published |= published is not None
        rows.append(
            [
                one.name,
                one.train_tokens,
                f"{one.perplexity.perplexity():.1f}",
                None if derivation is None else f"{derivation:.1f}",
                f"{one.comparable.perplexity():.1f}",
                _digits(one.comparable.derivation_perplexity(), 1),
                f"{100 * one.perplexity.unknown_rate:.1f}",
                f"{100 * accuracy_of(one, 'best UAS'):.1f}",
                f"{100 * accuracy_of(one, 'best LAS'):.1f}"
                + ("" if published is None else f" ({published:.1f})"),
                f"{100 * accuracy_of(one, 'mean LAS'):.1f}",
                "yes" if one.is_genuine else "no",
            ]
        )
    fixed = [one.name for one in found.treebanks if one.perplexity.fallback_orders]
    notes = [
        f"{found.settings.perplexity.wording}; all: the same with unknown words counted, which "
        "treebanks can be compared by",
        f"accuracies of {', '.join(found.settings.parsers)}; gold tags, punctuation not counted",
        "genuine: annotated as dependencies from the beginning",
    ]
    if fixed:
        notes.append(f"fixed discounts, for want of counts: {', '.join(fixed)}")
    if has_published:
        notes.append("in parentheses: best of the shared task, unverified")
    return Table(
        [
            *("treebank", "train tokens", "string", "derivation", "string, all"),
            *("derivation, all", "% unknown", "best UAS", "best LAS", "mean LAS", "genuine"),
        ],
        rows,
        title="Perplexities of treebanks",
        notes=[*notes, *found.failures],
        right=frozenset(range(2, 10)),
    )


def _digits(value: float | None, digits: int) -> str | None:
    return None if value is None else f"{value:.{digits}f}"


def increase_table(found: DerivationPerplexities) -> Table:
    """Return both readings of the increase, ours and the paper's."""
    rows: list[list[Cell]] = [
        [group, f"{100 * one.ratio_of_means:.1f}", f"{100 * one.mean_of_ratios:.1f}", None]
        for group, one in increases(found).items()
    ]
    rows += [
        [f"{group} ({PAPER})", f"{100 * (derivation / string - 1):.1f}", None, f"{printed:.1f}"]
        for group, (string, derivation, printed) in AVERAGES.items()
    ]
    return Table(
        ["group", "ratio of means %", "mean of ratios %", "as printed %"],
        rows,
        title="How much higher derivation perplexity is",
        right=frozenset({1, 2, 3}),
    )


def correlation_tables(found: DerivationPerplexities) -> list[Table]:
    """Return, for every group, what goes with accuracy."""
    made = treebank_correlations(found)
    groups = list(dict.fromkeys(one.group for one in made))
    tables = []
    for group in groups:
        rows: list[list[Cell]] = [
            [
                variable,
                *(
                    str(one.correlation).partition(", n")[0]
                    for accuracy in ACCURACIES
                    for one in made
                    if (one.group, one.variable, one.accuracy) == (group, variable, accuracy)
                ),
                *_published(variable),
            ]
            for variable in VARIABLES
        ]
        n = next(one.correlation.n for one in made if one.group == group)
        tables.append(
            Table(
                ["variable", *ACCURACIES, "C06 best", "C06 mean", "C07 best", "C07 mean"],
                rows,
                title=f"What goes with accuracy: {group}, {n} treebanks",
                notes=[
                    "Pearson's coefficient, 95% interval over resampled treebanks, p by "
                    "permutation; C06 and C07: " + PAPER
                ],
                right=frozenset(range(1, 1 + len(ACCURACIES))),
            )
        )
    return tables


def _published(variable: str) -> Sequence[Cell]:
    return CORRELATIONS.get(variable, (None,) * 4)


def morphology_table(found: DerivationPerplexities) -> Table:
    """Return whether morphology goes with accuracy, alone and given size and perplexity."""

    def shown(one: TreebankCorrelation) -> list[Cell]:
        given = ", ".join(one.given)
        return [one.group, one.variable, one.accuracy, given or "nothing", str(one.correlation)]

    return Table(
        ["group", "variable", "accuracy", "held fixed", "correlation"],
        [shown(one) for one in morphology_correlations(found)],
        title="Morphology",
        notes=[f"{PAPER}: perplexity matters, morphological complexity does not"],
        right=frozenset({4}),
    )


def parser_table(found: DerivationPerplexities) -> Table:
    """Return the three metrics of the four parsers on every treebank."""
    rows: list[list[Cell]] = []
    for one in found.treebanks:
        uas, exact = one.accuracies("uas"), one.accuracies("exact_match")
        gold = one.canonical.gold
        for system in TRANSITION_SYSTEMS:
            own = one.own.get(system)
            rows.append(
                [
                    one.name,
                    system,
                    f"{100 * uas[system]:.1f}",
                    f"{100 * exact[system]:.1f}",
                    _digits(one.canonical.systems[system].value, 1),
                    None if own is None else _digits(own.systems[system].value, 1),
                ]
            )
        rows.append(
            [one.name, "gold", None, None, None if gold is None else _digits(gold.value, 1), None]
        )
    return Table(
        ["treebank", "parser", "UAS", "exact match", "perplexity", "in its own order"],
        rows,
        title="Derivation perplexity of parsers",
        notes=[
            "low perplexity is not goodness by itself: read it beside that of gold",
            f"canonical order: {found.settings.perplexity.system}",
        ],
        right=frozenset({2, 3, 4, 5}),
    )


def metric_table(found: DerivationPerplexities) -> Table:
    """Return how the metrics go together, by the paper's statistics and by sound ones."""
    rows: list[list[Cell]] = []
    for one in metric_correlations(found):
        published = METRICS[one.first, one.second]
        rows.append(
            [
                f"{_NAMES[one.first]} / {_NAMES[one.second]}",
                one.mode,
                _digits(one.mean, 3),
                f"{published.rho:.3f}",
                _digits(one.p_as_published, 4),
                f"{published.p:.4f}",
                _digits(one.fisher_mean, 3),
                _digits(one.within, 3),
                _digits(one.within_p, 4),
                _digits(one.permutation_p, 4),
            ]
        )
    return Table(
        [
            *("metrics", "order", "mean rho", "published", "p, its way", "published p"),
            *("Fisher mean", "within", "p within", "p permuted"),
        ],
        rows,
        title="Do the metrics agree on parsers?",
        notes=[
            "mean rho: four parsers a treebank, averaged; p, its way: one-sided as if there were "
            "14 points, which is how the printed values come out",
            "within: all parsers, treebanks centred; p permuted: parsers exchanged within "
            "treebanks, two-sided",
        ],
        right=frozenset(range(2, 10)),
    )


def separation_table(found: DerivationPerplexities) -> Table:
    """Return how many pairs of parsers each metric tells apart."""
    return Table(
        ["metric", "pairs", "separated", "after Holm"],
        [
            [_NAMES[one.metric], one.pairs, one.separated, one.separated_adjusted]
            for one in separations(found)
        ],
        title="Pairs of parsers told apart at 0.05",
        notes=["paired permutation tests over sentences"],
    )


def accuracy_figure(found: DerivationPerplexities, variable: str) -> alt.LayerChart:
    """Draw the best LAS of every treebank over a variable.

    Raises
    ------
    FigureError
        Where the extra `figures` is not installed.
    """
    require_drawing()
    import altair as alt

    values: list[dict[str, Any]] = [
        {
            "treebank": one.name,
            "x": VARIABLES[variable](one),
            "y": 100 * accuracy_of(one, "best LAS"),
            "kind": "genuine" if one.is_genuine else "converted",
        }
        for one in found.treebanks
    ]
    roomy = alt.Scale(zero=False, padding=28)  # names of points at the edge need room
    x = alt.X("x:Q", title=variable.capitalize(), scale=roomy)
    y = alt.Y("y:Q", title="Best LAS (%)", scale=roomy)
    colour = alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(domain=["genuine", "converted"], range=["#0072b2", "#d55e00"]),
    )
    chart = alt.Chart(alt.InlineData(values=values))
    points = chart.mark_point(size=120, filled=True, opacity=1).encode(x, y, colour)
    labels = chart.mark_text(dy=-13, fontSize=13).encode(x, y, text="treebank:N")
    figure: alt.LayerChart = (
        alt.layer(points, labels)
        .properties(width=520, height=360, title=f"Accuracy and {variable}")
        .configure_view(stroke=None)
        .configure_title(fontSize=20, anchor="start", offset=14)
        .configure_axis(labelFontSize=14, titleFontSize=15, titleFontWeight="normal")
        .configure_legend(labelFontSize=14)
    )
    return figure
