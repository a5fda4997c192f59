"""Tables of the paper on neutral edge direction, the published figures beside ours."""

from __future__ import annotations

from treegauge.papers.ned.experiment import METRICS, SHORT, NedResult
from treegauge.papers.ned.parameter_flips import described_scalars
from treegauge.papers.ned.published import (
    ATTACHMENT_GAIN,
    CHANGES,
    PAPER,
    TOKEN_SHARE,
    TWO_SCHEMES,
)
from treegauge.reports.old_tables import NOTHING, Cell, Table
from treegauge.reports.score_tables import best
from treegauge.results import Score
from treegauge.significance import PairedTest

_TITLES = {"uas": "UAS", "undirected": "undirected", "ned": "NED"}
_PUBLISHED = f"published: {PAPER}; Wall Street Journal, section 23, other data than ours"


def ned_tables(result: NedResult) -> list[Table]:
    """Return all tables for one treebank."""
    tables = [
        inducer_table(result, SHORT),
        inducer_table(result),
        agreement_table(result),
        scheme_table(result),
    ]
    if result.algorithms:
        flips = [change_table(result), flip_table(result), curve_table(result)]
        tables = [*flips, learnability_table(result), *tables]
    return tables


def change_table(result: NedResult) -> Table:
    """Return the scores of each algorithm before and after flips, and what they change."""
    rows: list[list[Cell]] = []
    for one in result.algorithms:
        for cut_off, length in ((SHORT, "≤ 10 words"), ("", "all")):
            for metric in METRICS:
                name = metric + cut_off
                rows.append(
                    [
                        f"{one.name} ({one.system.name})",
                        length,
                        _TITLES[metric],
                        _with_interval(one.before.scores[name]),
                        _with_interval(one.after.scores[name]),
                        _difference(one.differences[name]),
                        _published_change(one.name, metric, cut_off),
                    ]
                )
    counts = "; ".join(
        f"{one.name}: {one.search.scalars} parameters, {100 * one.search.token_share:.1f}% of "
        "training tokens"
        for one in result.algorithms
    )
    return Table(
        ["algorithm", "length", "metric", "before", "after", "change", "published change"],
        rows,
        title=f"{result.treebank}: what flipped parameters change (tags {result.settings.tags})",
        notes=[
            f"{counts} (published: at most 18 parameters, {TOKEN_SHARE}%)",
            "95% intervals over resampled sentences; punctuation removed",
            _PUBLISHED,
            *result.notes,
        ],
        right=frozenset({3, 4, 5, 6}),
    )


def flip_table(result: NedResult) -> Table:
    """Return every parameter that was changed, with its structure."""
    rows: list[list[Cell]] = []
    for one in result.algorithms:
        scalars = described_scalars(one.system, one.search.flips)
        for accepted, parameters in zip(one.search.accepted, scalars, strict=True):
            edge = accepted.flip.edge
            rows += [
                [
                    one.name,
                    str(edge),
                    edge.structure,
                    parameter["parameter"],
                    f"{parameter['before']:.4g}",
                    f"{parameter['after']:.4g}",
                    f"{100 * accepted.token_share:.1f}",
                    accepted.turned,
                ]
                for parameter in parameters
            ]
    return Table(
        ["algorithm", "edge", "structure", "parameter", "before", "after", "% tokens", "turned"],
        rows,
        title=f"{result.treebank}: the flips",
        notes=[
            "edge: as gold has it; % tokens: training words whose edge is of this type, in either "
            "direction; turned: neighbours with the edge the wrong way round when it was flipped"
        ],
        right=frozenset({4, 5, 6, 7}),
    )


def curve_table(result: NedResult) -> Table:
    """Return the scores of the test part, flip by flip."""
    rows: list[list[Cell]] = []
    for one in result.algorithms:
        scalars = described_scalars(one.system, one.search.flips)
        spent = 0
        steps = zip(one.search.accepted, scalars, one.curve, strict=True)
        rows.append([one.name, "–", 0, *(one.before.scores[metric].shown() for metric in METRICS)])
        for accepted, parameters, scored in steps:
            spent += len(parameters)
            shown = [scored.scores[metric].shown() for metric in METRICS]
            rows.append([one.name, str(accepted.flip.edge), spent, *shown])
    return Table(
        ["algorithm", "flip", "parameters", *(_TITLES[metric] for metric in METRICS)],
        rows,
        title=f"{result.treebank}: gain by flip, test part, all lengths",
        right=frozenset({3, 4, 5}),
    )


def learnability_table(result: NedResult) -> Table:
    """Return whether NED prefers what the supervised model learns better."""
    agrees = {True: "yes", False: "no", None: NOTHING}
    rows: list[list[Cell]] = [
        [
            one.name,
            f"{learnt.scope} ({learnt.flips})",
            "any" if learnt.longest is None else f"≤ {learnt.longest}",
            _difference(learnt.ned),
            _with_interval(learnt.reannotated.scores["uas"]),
            _with_interval(learnt.gold.scores["uas"]),
            _difference(learnt.difference),
            agrees[learnt.signs_agree],
            _sign_of_published(one.name),
        ]
        for one in result.algorithms
        for learnt in one.learnability
    ]
    length = result.settings.supervised_length
    return Table(
        [
            "algorithm",
            "flips",
            "edges",
            "NED change",
            "UAS as induced",
            "UAS gold",
            "gold better by",
            "same sign",
            "published",
        ],
        rows,
        title=f"{result.treebank}: what the supervised model learns better",
        notes=[
            f"the same model by relative frequency from trees of at most {length} words, as the "
            "algorithm would have annotated them and as gold has them; each is scored against its "
            "own annotation, all lengths",
            "the paper does not say whether long edges, or flips beyond its structures, are "
            "re-annotated: every reading is shown",
        ],
        right=frozenset({3, 4, 5, 6}),
    )


def inducer_table(result: NedResult, cut_off: str = "") -> Table:
    """Return all inducers under the three metrics, with their ranks."""
    names = [metric + cut_off for metric in METRICS]
    ranks = {name: result.ranks(name) for name in names}
    scored = sorted(result.inducers.systems, key=lambda one: ranks[names[0]][one.name])
    rows: list[list[Cell]] = [
        [
            one.name,
            result.supervision[one.name],
            *(f"{_with_interval(one.scores[name])} ({ranks[name][one.name]})" for name in names),
        ]
        for one in scored
    ]
    bold = {
        (i, 2 + j)
        for j, name in enumerate(names)
        for i in best([one.scores[name] for one in scored])
    }
    length = "at most 10 words" if cut_off else "all lengths"
    return Table(
        ["system", "supervision", *(_TITLES[metric] for metric in METRICS)],
        rows,
        title=f"{result.treebank}: inducers under three metrics (rank), {length}",
        notes=[f"tags {result.settings.tags}; 95% intervals"],
        bold=frozenset(bold),
        right=frozenset(range(2, 2 + len(names))),
    )


def agreement_table(result: NedResult) -> Table:
    """Return how alike the metrics rank the inducers."""
    rows: list[list[Cell]] = [
        [one, other, tau]
        for one, other, tau in result.inducers.agreement()
        if one.endswith(SHORT) == other.endswith(SHORT)
    ]
    return Table(
        ["metric", "metric", "tau-b"],
        rows,
        title=f"{result.treebank}: Kendall's tau-b between rankings",
        notes=["published: the order under NED is different from the order under the others"],
    )


def scheme_table(result: NedResult) -> Table:
    """Return what other annotations of the same sentences score."""
    rows: list[list[Cell]] = [
        [
            scheme.name,
            100 * scheme.changed,
            *(_with_interval(scheme.evaluated.scores[metric]) for metric in METRICS),
        ]
        for scheme in result.schemes
    ]
    figures = ", ".join(f"{_TITLES[metric]} {TWO_SCHEMES[metric]}" for metric in METRICS)
    return Table(
        ["annotation", "% other heads", *(_TITLES[metric] for metric in METRICS)],
        rows,
        title=f"{result.treebank}: other annotations of the same sentences, scored against gold",
        notes=[
            f"published, Collins's head rules against Yamada and Matsumoto's: {figures}; another "
            "annotation by head rules of your own is compared with --other"
        ],
        right=frozenset({2, 3, 4}),
    )


def _with_interval(score: Score) -> str:
    shown = score.shown()
    if score.low is not None and score.high is not None:
        shown += f" [{score.shown(score.low)}, {score.shown(score.high)}]"
    return shown


def _difference(test: PairedTest) -> str | None:
    if test.difference is None or test.low is None or test.high is None:
        return None
    return f"{100 * test.difference:+.2f} [{100 * test.low:+.2f}, {100 * test.high:+.2f}]"


def _published_change(algorithm: str, metric: str, cut_off: str) -> str | None:
    if algorithm not in CHANGES:
        return None
    if metric == "uas":
        low, high = ATTACHMENT_GAIN
        return f"{low:+.1f} to {high:+.1f}"
    return None if cut_off else f"{getattr(CHANGES[algorithm], metric):+.1f}"


def _sign_of_published(algorithm: str) -> str | None:
    if algorithm not in CHANGES:
        return None
    return f"yes, NED {CHANGES[algorithm].ned:+.1f}"
