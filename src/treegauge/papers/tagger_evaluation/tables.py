"""Tables and figures of taggers that dictionaries score, the published figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treegauge.dictionaries.published import PRINTED_MEANS, PublishedRow
from treegauge.papers.tagger_evaluation.experiment import (
    ANY_TAG,
    CROSS_LINGUAL,
    GOLD,
    GROUPS,
    TRANS,
    D,
    TaggerEvaluation,
)
from treegauge.papers.tagger_evaluation.published import (
    CLOSER,
    CORRUPTION,
    ERROR_CORRELATIONS,
    HELD_OUT,
    HELD_OUT_CORRELATION,
    PAPER,
    RANKINGS,
    TRANSLATED_F1,
)
from treegauge.papers.tagger_evaluation.statistics import (
    MIXED,
    DictionaryRow,
    TableRow,
    calibrations,
    closer_translated,
    corruption_correlations,
    directions,
    error_correlations,
    group_rankings,
    held_out_sizes,
    mean_of,
    published_row,
    table_rows,
    translated_qualities,
)
from treegauge.reports.dictionary_figures import sub_dictionary_figure
from treegauge.reports.figures import require_drawing
from treegauge.reports.old_tables import Cell, Table

if TYPE_CHECKING:
    import altair as alt

_LANGUAGES_FOR_RIDGE = 4
"""One that is left out and three to choose the penalty by."""
_SCORES = {D: "A_soft", TRANS: "A_trans"}


def tagger_evaluation_tables(found: TaggerEvaluation) -> list[Table]:
    """Return all tables."""
    return [
        data_table(found),
        difference_table(found),
        score_table(found),
        first_sizes_table(found),
        estimate_table(found),
        error_table(found),
        direction_table(found),
        translation_table(found),
        ranking_table(found),
        corruption_table(found),
        held_out_table(found),
        calibration_table(found),
    ]


# ---------------------------------------------------------------------- data


def data_table(found: TaggerEvaluation) -> Table:
    """Return what was learnt from, tested on, and scored with."""
    rows: list[list[Cell]] = [
        [
            one.name,
            one.release or None,
            one.train_sentences,
            one.train_tokens,
            one.test_sentences,
            one.test_tokens,
            one.dictionary,
            one.translation.pairs if one.translation is not None else None,
        ]
        for one in found.treebanks
    ]
    notes = [f"left out: {name}, {reason}" for name, reason in found.left_out.items()]
    return Table(
        [
            *("treebank", "release", "train sentences", "train tokens"),
            *("test sentences", "test tokens", "dictionary", "word pairs"),
        ],
        rows,
        title="Data",
        notes=[*notes, *found.failures],
    )


def difference_table(found: TaggerEvaluation) -> Table:
    """Say where our data and taggers are not the paper's."""
    settings = found.settings
    english = sorted({one.english for one in found.treebanks if one.english})
    count, languages = len(found.treebanks), len({one.iso for one in found.treebanks})
    sizes = [one.train_sentences for one in found.treebanks]
    cross = ", ".join(settings.cross_lingual) or "none"
    rows: list[list[Cell]] = [
        ["treebanks", "25 of UD 1.2, 25 languages", f"{count}, {languages} languages, see above"],
        ["training sentences", "whole train parts", f"{min(sizes):,} to {max(sizes):,}"],
        [
            "taggers",
            "bi-LSTM, CRF++, MarMoT, TnT, TreeTagger",
            ", ".join(settings.taggers),
        ],
        [
            "cross-lingual taggers",
            "projected through parallel text",
            cross if cross == "none" else f"{cross}: trained on other languages",
        ],
        ["dictionaries", "Wiktionaries of 2012 and 2016", "see the table above"],
        ["English dictionary", "Wiktionary of 2012", ", ".join(english) or "none"],
        ["translations", "Wiktionary", "word lists, see the table above"],
        ["frequencies of words", "Bible and Watchtower", "the train part, tags not looked at"],
        ["tags", "12, mapped before training", "the same"],
    ]
    return Table(["what", PAPER, "here"], rows, title="What differs from the paper")


# ---------------------------------------------------------------------- Table 1 and Figure 1


def score_table(found: TaggerEvaluation) -> Table:
    """Return Table 1: our rows, and the paper's below the first treebank of a language."""
    rows: list[list[Cell]] = []
    ours = table_rows(found)
    shown: set[str] = set()
    bold = set()
    for row in ours:
        own, trans = row.by.get(D), row.by.get(TRANS)
        if own and trans:
            nearer = abs(trans.difference) < abs(own.difference)
            bold.add((len(rows), 11 if nearer else 8))
        rows.append(_our_row(row))
        published = published_row(row.iso)
        if published is not None and row.iso not in shown:
            rows.append(_published_row(published))
            shown.add(row.iso)
    rows += [_mean_row(ours), _printed_means()]
    taggers = max(row.taggers for row in ours)
    return Table(
        [
            *("treebank", "|D|", "P", "R", "|D_trans|", "P trans", "R trans"),
            *("A_true", "A_soft", "P@1", "tau", "A_trans", "P@1 trans", "tau trans"),
        ],
        rows,
        title="Table 1: dictionaries and what they say of supervised taggers",
        notes=[
            f"means over at most {taggers} taggers, ± 1.96 standard errors; thousands of forms; "
            "bold: the estimate that is nearer",
            f"published: {PAPER}, five taggers; the means are as printed, those of its rows are "
            "83.58 (A_soft), 84.68 (A_trans) and 0.32 (tau)",
        ],
        bold=frozenset(bold),
        right=frozenset(range(1, 14)),
    )


def _our_row(row: TableRow) -> list[Cell]:
    own, trans = row.by.get(D), row.by.get(TRANS)
    return [
        row.treebank,
        *_quality(own),
        *_quality(trans),
        _plus_minus(row.a_true, row.a_true_ci),
        *_score(own),
        *_score(trans),
    ]


def _quality(row: DictionaryRow | None) -> list[Cell]:
    if row is None:
        return [None, None, None]
    return [_thousands(row.forms), _percent(row.precision), _percent(row.recall)]


def _score(row: DictionaryRow | None) -> list[Cell]:
    if row is None:
        return [None, None, None]
    return [
        _plus_minus(row.score, row.score_ci),
        f"{row.precision_at_1:.2g}",
        _digits(row.tau, 2),
    ]


def _published_row(row: PublishedRow) -> list[Cell]:
    return [
        f"  {row.language} (published)",
        str(row.forms),
        _digits(row.precision, 2),
        _digits(row.recall, 2),
        None if row.forms_trans is None else str(row.forms_trans),
        _digits(row.precision_trans, 2),
        _digits(row.recall_trans, 2),
        f"{row.a_true:.2f} ± {row.a_true_ci:.2f}",
        f"{row.a_soft:.2f} ± {row.a_soft_ci:.2f}",
        str(row.p1_soft),
        _digits(row.tau_soft, 2),
        None if row.a_trans is None else f"{row.a_trans:.2f} ± {row.a_trans_ci:.2f}",
        None if row.p1_trans is None else str(row.p1_trans),
        _digits(row.tau_trans, 2),
    ]


def _mean_row(rows: Sequence[TableRow]) -> list[Cell]:
    cells: list[Cell] = ["mean"]
    scores: list[Cell] = []
    for kind in (D, TRANS):
        of = [row.by[kind] for row in rows if kind in row.by]
        cells += [None, _mean([row.precision for row in of]), _mean([row.recall for row in of])]
        if of:
            found = sum(row.precision_at_1 for row in of)
            taus = [row.tau for row in of if row.tau is not None]
            scores += [
                _plus_minus(*mean_of([row.score for row in of])),
                f"{found:.3g}/{len(of)}",
                _digits(float(np.mean(taus)), 2) if taus else None,
            ]
        else:
            scores += [None, None, None]
    true = _plus_minus(*mean_of([row.a_true for row in rows]))
    return [*cells, true, *scores]


def _printed_means() -> list[Cell]:
    p = PRINTED_MEANS
    return [
        "  mean (published)",
        None,
        f"{p['precision']:.2f}",
        f"{p['recall']:.2f}",
        None,
        f"{p['precision_trans']:.2f}",
        f"{p['recall_trans']:.2f}",
        f"{p['a_true']:.2f} ± {p['a_true_ci']:.2f}",
        f"{p['a_soft']:.2f} ± {p['a_soft_ci']:.2f}",
        "14/25",
        f"{p['tau_soft']:.2f}",
        f"{p['a_trans']:.2f} ± {p['a_trans_ci']:.2f}",
        "11/20",
        f"{p['tau_trans']:.2f}",
    ]


def first_sizes_table(found: TaggerEvaluation) -> Table:
    """Return the beginning of Figure 1: what a hundred words say, frequent ones or random."""
    rows: list[list[Cell]] = []
    for one in found.treebanks:
        points = one.curves[D]
        if not points:
            continue
        tagger, size = points[0].tagger, min(point.size for point in points)
        first = {point.variant: point for point in points if point.size == size}
        frequent, random = first.get("+freq"), first.get("-freq")
        rows.append(
            [
                one.name,
                tagger,
                size,
                _percent(one.curve_accuracy),
                _percent(frequent.value) if frequent else None,
                _percent(frequent.coverage) if frequent else None,
                _percent(random.value) if random else None,
                f"[{100 * random.low:.1f}, {100 * random.high:.1f}]"
                if random and random.low is not None and random.high is not None
                else None,
            ]
        )
    return Table(
        ["treebank", "tagger", "forms", "A_true", "+freq", "coverage", "-freq", "95% of these"],
        rows,
        title="Figure 1, its beginning: small dictionaries",
        notes=[f"{PAPER}: a hundred frequent words come within 5 points in most languages"],
        right=frozenset({3, 4, 5, 6, 7}),
    )


# ---------------------------------------------------------------------- prediction of scores


def estimate_table(found: TaggerEvaluation) -> Table:
    """Return for every treebank how far each dictionary is from A_true, and why."""
    rows: list[list[Cell]] = []
    for row in table_rows(found):
        own = row.by.get(D)
        rows.append(
            [
                row.treebank,
                _percent(row.a_true),
                *(
                    f"{100 * row.by[kind].difference:+.2f}" if kind in row.by else None
                    for kind in (D, TRANS, GOLD)
                ),
                _percent(own.f1) if own else None,
                _percent(own.coverage) if own else None,
                _percent(own.ceiling) if own else None,
            ]
        )
    return Table(
        ["treebank", "A_true", "by D", "by D_trans", "by G", "F1 of D", "coverage", "ceiling"],
        rows,
        title="How far dictionaries are from A_true",
        notes=[
            "means over supervised taggers, less A_true; ceiling: what D says of gold itself; "
            "G: the dictionary of the train part"
        ],
        right=frozenset(range(1, 8)),
    )


def error_table(found: TaggerEvaluation) -> Table:
    """Return what the error of soft accuracy goes with."""
    rows: list[list[Cell]] = [
        [
            one.treebanks,
            one.dictionary,
            one.variable,
            str(one.correlation),
            f"{ERROR_CORRELATIONS[one.variable]:.2f}" if one.dictionary == D else None,
        ]
        for one in error_correlations(found)
    ]
    return Table(
        ["treebanks", "dictionary", "variable", "correlation", "published"],
        rows,
        title="What goes with the error |A_true - A_soft|",
        notes=["published: nine development languages"],
        right=frozenset({3, 4}),
    )


def direction_table(found: TaggerEvaluation) -> Table:
    """Return where dictionaries under- and overestimate."""
    nearer, of = closer_translated(found)
    rows: list[list[Cell]] = [
        [one.dictionary, one.treebanks, one.under, one.over, f"{100 * one.difference:+.2f}"]
        for one in directions(found)
    ]
    notes = [f"{PAPER}: D tends to underestimate, G to overestimate"]
    if of:
        said = f" ({', '.join(nearer)})" if nearer else ""
        notes.append(
            f"A_trans is nearer to A_true than A_soft in {len(nearer)}/{of}{said}; published "
            f"{CLOSER[0]}/{CLOSER[1]}"
        )
    return Table(
        ["dictionary", "treebanks", "under", "over", "mean difference"],
        rows,
        title="Do dictionaries under- or overestimate?",
        notes=notes,
        right=frozenset({4}),
    )


def translation_table(found: TaggerEvaluation) -> Table:
    """Return how good translated dictionaries are."""
    rows: list[list[Cell]] = [
        [
            one.dictionary,
            one.treebanks,
            _percent(one.precision),
            _percent(one.recall),
            _percent(one.f1_of_means),
            f"{TRANSLATED_F1[one.dictionary]:.2f}",
            _percent(one.mean_f1),
        ]
        for one in translated_qualities(found)
    ]
    return Table(
        ["dictionary", "treebanks", "P", "R", "F1 of means", "published", "mean F1"],
        rows,
        title="Translated dictionaries",
        notes=[
            "D_trans: an English dictionary; G_trans: that of "
            + (found.settings.english_treebank or "an English treebank, which was not given")
        ],
        right=frozenset(range(2, 7)),
    )


# ---------------------------------------------------------------------- rankings


def ranking_table(found: TaggerEvaluation) -> Table:
    """Return how often dictionaries find the best tagger, by kind of tagger."""
    rows: list[list[Cell]] = []
    there = group_rankings(found)
    for one in there:
        published = RANKINGS.get((one.group, one.dictionary))
        rows.append(
            [
                one.group,
                _SCORES[one.dictionary],
                f"{one.taggers:.3g}",
                _percent(one.accuracy),
                f"{one.found:.3g}/{one.treebanks}",
                f"{published.found}/{published.languages}" if published else None,
                None
                if one.found_in_best_group is None
                else f"{one.found_in_best_group:.3g}/{one.treebanks}",
                _percent(one.regret),
                _digits(one.tau, 2),
                _digits(published.tau, 2) if published else None,
                _digits(one.p, 4),
            ]
        )
    missing = [group for group in GROUPS if not any(one.group == group for one in there)]
    notes = [
        "P@1 of group: any tagger is right that gold cannot tell from the best",
        "regret: accuracy lost by believing the dictionary; p: of the mean tau, orders permuted "
        "within treebanks",
        f"{PAPER}: A_soft finds 11/21 of the supervised in the languages of the cross-lingual "
        "taggers, whose mean A_true is 70.56",
    ]
    notes += [f"{group}: there are none here" for group in missing]
    return Table(
        [
            *("taggers", "score", "a treebank", "A_true", "P@1", "published"),
            *("P@1 of group", "regret", "tau", "published tau", "p"),
        ],
        rows,
        title="Which tagger is best?",
        notes=notes,
        right=frozenset(range(2, 11)),
    )


# ---------------------------------------------------------------------- corruption, held-out


def corruption_table(found: TaggerEvaluation) -> Table:
    """Return whether better taggers are harder to estimate."""
    rows: list[list[Cell]] = [
        [
            one.group,
            one.treebanks,
            str(one.pooled),
            _digits(one.mean, 2),
            None if one.low is None else f"[{one.low:.2f}, {one.high:.2f}]",
            f"{CORRUPTION:.2f}" if one.group == ANY_TAG else None,
        ]
        for one in corruption_correlations(found)
    ]
    return Table(
        ["gold", "treebanks", "all together", "mean", "from, to", "published"],
        rows,
        title="Is a good tagger harder to estimate? Error and A_true of corrupted gold",
        notes=[
            "20 levels a treebank; all together: levels of a treebank are not independent, so that "
            "interval and p are too sure"
        ],
        right=frozenset({2, 3, 4, 5}),
    )


def held_out_table(found: TaggerEvaluation) -> Table:
    """Return how many annotated sentences would do as well."""
    rows: list[list[Cell]] = []
    for one in held_out_sizes(found):
        never = [name for name, size in one.sentences.items() if size is None]
        is_published = (one.dictionary, one.measure) == (TRANS, "P@1")
        rows.append(
            [
                _SCORES[one.dictionary],
                one.measure,
                len(one.sentences),
                None
                if one.mean is None
                else f"{one.mean:.0f}"
                + ("" if one.deviation is None else f" ± {one.deviation:.0f}"),
                f"{HELD_OUT[0]} ± {HELD_OUT[1]}" if is_published else None,
                len(never),
                str(one.correlation),
                f"{HELD_OUT_CORRELATION:.2f}" if is_published else None,
            ]
        )
    return Table(
        [
            *("as good as", "measure", "treebanks", "sentences", "published"),
            *("never", "with A_true", "published rho"),
        ],
        rows,
        title="How many annotated sentences rank as well?",
        notes=[
            "P@1: the mean over treebanks is to be reached; tau: that of the same treebank; "
            "± one standard deviation",
            "never: 300 sentences, or the whole test part, are not enough; these are left out",
        ],
        right=frozenset({3, 4, 6, 7}),
    )


# ---------------------------------------------------------------------- calibration


def calibration_table(found: TaggerEvaluation) -> Table:
    """Return how good estimates of A_true are in languages that were left out."""
    made = calibrations(found)
    rows: list[list[Cell]] = []
    bold = set()
    for one in made:
        rivals = [
            other.mae
            for other in made
            if (other.dictionary, other.learnt_from, other.tested_on)
            == (one.dictionary, one.learnt_from, one.tested_on)
        ]
        if one.mae == min([*rivals, one.mae_of_mean]):
            bold.add((len(rows), 5))
        elif one.mae_of_mean < min(rivals):
            bold.add((len(rows), 6))
        rows.append(
            [
                _SCORES[one.dictionary],
                one.learnt_from,
                one.tested_on,
                one.estimator,
                one.languages,
                _percent(one.mae),
                _percent(one.mae_of_mean),
                f"{100 * one.bias:+.2f}",
                _percent(one.interval_coverage),
            ]
        )
    notes = [
        "languages are left out one at a time; error: mean absolute, in points; of the mean: of "
        "predicting the mean of such taggers in the other languages",
        f"{MIXED}: supervised, {CROSS_LINGUAL}, and gold corrupted as taggers err",
        "in 90%: how many lie in their interval, from ten languages on",
    ]
    if not made:
        notes = ["calibration needs two languages"]
    elif max(one.languages for one in made) < _LANGUAGES_FOR_RIDGE:
        notes.append(
            f"ridge is little more than a mean with fewer than {_LANGUAGES_FOR_RIDGE} languages: "
            "its penalty cannot be chosen"
        )
    return Table(
        [
            *("score", "learnt from", "tested on", "estimator", "languages"),
            *("error", "of the mean", "bias", "in 90%"),
        ],
        rows,
        title="Estimated accuracy, calibrated on the other languages",
        notes=notes,
        bold=frozenset(bold),
        right=frozenset({5, 6, 7, 8}),
    )


# ---------------------------------------------------------------------- figures


def size_figure(found: TaggerEvaluation, kind: str = D) -> Any:
    """Draw Figure 1: soft accuracy by the size of the dictionary, a panel a treebank.

    Parameters
    ----------
    kind : str
        `D`, or `G` for the dictionary of the training set.
    """
    points = [
        replace(point, tagger=one.name) for one in found.treebanks for point in one.curves[kind]
    ]
    accuracies = {
        one.name: true for one in found.treebanks if (true := one.curve_accuracy) is not None
    }
    return sub_dictionary_figure(points, accuracies=accuracies)


def corruption_figure(found: TaggerEvaluation) -> alt.FacetChart:
    """Draw the error of soft accuracy over A_true, a panel a kind of corruption."""
    require_drawing()
    import altair as alt

    values: list[dict[str, Any]] = [
        {
            "treebank": one.name,
            "gold": group,
            "x": 100 * point.true,
            "y": 100 * (point.soft - point.true),
        }
        for one in found.treebanks
        for group, curve in one.corruption.items()
        for point in curve.points
        if point.soft is not None
    ]
    chart = alt.Chart()
    lines = chart.mark_line(strokeWidth=2, point=True).encode(
        alt.X("x:Q", title="A_true (%)"),
        alt.Y("y:Q", title="A_soft - A_true"),
        alt.Color("treebank:N", title=None),
    )
    level = chart.mark_rule(strokeDash=[4, 4]).encode(y=alt.datum(0))
    figure: alt.FacetChart = (
        alt.layer(level, lines, data=alt.InlineData(values=values))
        .properties(width=380, height=280)
        .facet(alt.Facet("gold:N", title=None), columns=2)
        .properties(title="Soft accuracy of corrupted gold")
        .configure_view(stroke=None)
        .configure_title(fontSize=20, anchor="start", offset=14)
        .configure_axis(labelFontSize=13, titleFontSize=14, titleFontWeight="normal")
        .configure_legend(labelFontSize=13)
    )
    return figure


# ---------------------------------------------------------------------- cells


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{100 * value:.2f}"


def _plus_minus(value: float, spread: float | None) -> str:
    shown = f"{100 * value:.2f}"
    return shown if spread is None else f"{shown} ± {100 * spread:.2f}"


def _digits(value: float | None, digits: int) -> str | None:
    return None if value is None else f"{value:.{digits}f}"


def _mean(values: Sequence[float | None]) -> str | None:
    known = [value for value in values if value is not None]
    return _percent(float(np.mean(known))) if known else None


def _thousands(forms: int) -> str:
    return f"{forms / 1000:.0f}" if forms >= 1000 else f"{forms / 1000:.1g}"
