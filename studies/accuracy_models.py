"""Compares ways to predict the accuracy of a parser on a language that was never seen.

    python -m studies.accuracy_models

reads docs/data/learning-curves.tsv (`studies.learning_curves`) and writes what `treegauge
predict-accuracy` learns from. All models are fitted leaving one language out, and what they can
choose they choose on the languages that they are fitted on. Their errors go to
docs/data/accuracy-models.tsv (minutes); `studies.pages` makes tables of it.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from studies.learning_curves import METRICS, SIZES, WORD_ORDER, results
from studies.measured import FOLDER, keep_table
from treegauge.evaluation.accuracy_prediction import (
    AccuracyModel,
    AccuracyRow,
    Prediction,
    TrainingText,
    write_rows,
)
from treegauge.evaluation.pilot_parsers import SHARES
from treegauge.reports.run_tables import common_signature
from treegauge.significance.ridge import Ridge

TABLE = FOLDER / "accuracy-models.tsv"
ROWS = Path("src/treegauge/evaluation/data/parser_accuracies.tsv")
PENALTIES = (0.1, 1.0, 10.0, 100.0)
RESAMPLES = 10_000
PUBLISHED_PROPERTIES = (
    "words",
    "mean_length",
    "dlm_ratio",
    "arc_direction_entropy",
    "sibling_order_entropy",
    "nonprojective_arcs",
    "branching_factor",
    "derivation_perplexity",
)
"""What `predict-accuracy` read before there were pilot parsers."""
PROPERTIES = (
    "words",
    "mean_length",
    *WORD_ORDER,
    "perplexity",
    "derivation_perplexity",
    "unknown_rate",
    "tag_entropy",
    "tag_perplexity",
    "relations",
)
_LOGARITHMS = ("words", "perplexity", "derivation_perplexity", "tag_perplexity", "relations")
CASES = {"own": "the training data", "early": "5,000 words of them"}
"""What a prediction is made from."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Problem:
    """Accuracies of one parser, and all that is known before it is trained."""

    rows: pl.DataFrame
    metric: str

    @cached_property
    def languages(self) -> NDArray[np.str_]:
        """The language of every row."""
        return self.rows["language"].to_numpy().astype(str)

    @cached_property
    def names(self) -> list[str]:
        """All languages."""
        return list(dict.fromkeys(self.languages.tolist()))

    @cached_property
    def weights(self) -> Floats:
        """Of rows: every language counts the same."""
        return 1 / np.array([(self.languages == name).sum() for name in self.languages])

    @cached_property
    def accuracy(self) -> Floats:
        """What was reached."""
        return self.rows[self.metric].to_numpy()

    @cached_property
    def logit(self) -> Floats:
        """The same, on a scale without ends."""
        return _logit(self.accuracy)

    @cached_property
    def size_step(self) -> Floats:
        """The number of the nearest of `SIZES`."""
        return np.round(np.log2(self.rows["words"].to_numpy() / SIZES[0]))

    def columns(self, names: tuple[str, ...]) -> Floats:
        """Return properties, on the scales of regressions."""
        found = []
        for name in names:
            values = self.rows[name].to_numpy().astype(np.float64)
            found.append(np.log10(values) if name in _LOGARITHMS else values)
        return np.column_stack(found)

    @property
    def growth(self) -> Floats:
        """How many times as much the parser learns from as the pilot parsers did."""
        return np.log10(self.rows["words"].to_numpy() / self.rows["pilot_words"].to_numpy())

    def pilots(self, share: float = 1.0) -> Floats:
        """Return the logit of what pilot parsers reached with a share of their sample."""
        ending = "" if share == 1 else f"_{share:g}"
        return _logit(self.rows[f"pilot_{self.metric}{ending}"].to_numpy())

    @property
    def pilot_inputs(self) -> Floats:
        """What the regression of `treegauge.evaluation.accuracy_prediction` reads."""
        return np.column_stack([self.growth, self.pilots()])

    @property
    def slope_inputs(self) -> Floats:
        """The same with how much pilot parsers gained from four times as much text."""
        slope = self.pilots() - self.pilots(SHARES[-1])
        return np.column_stack([self.pilot_inputs, slope, slope * self.growth])


Model = Callable[[Problem, Mask, Mask], Floats]
"""From a problem, the rows to learn from and those to predict, to accuracies of the latter."""


def main() -> None:
    """Compare and write."""
    write_rows(program_rows(), ROWS)
    compared_models = pl.DataFrame(comparisons(), infer_schema_length=None)
    keep_table(compared_models.join(signatures(), on=["parser", "metric"]), TABLE)


def signatures() -> pl.DataFrame:
    """Return how the accuracies of every parser were made, without the data."""
    scores = results().filter(pl.col("signature") != "")
    rows = [
        (*place, common_signature(own["signature"]))
        for place, own in scores.group_by("system", "metric", maintain_order=True)
    ]
    return pl.DataFrame(rows, ["parser", "metric", "signature"], orient="row")


def program_rows() -> list[AccuracyRow]:
    """Return what the program learns from."""
    return [accuracy_row(row) for row in known_before().iter_rows(named=True)]


def accuracy_row(row: Mapping[str, Any]) -> AccuracyRow:
    """Return a row as the program learns from it."""
    text = TrainingText(*(row[name] for name in ("words", "pilot_words", "pilot_uas", "pilot_las")))
    names = (row[name] for name in ("treebank", "language", "order", "system"))
    return AccuracyRow(*names, row["uas"], row["las"], text)


def known_before() -> pl.DataFrame:
    """Return a row for every accuracy and what is known before: `case` says from which sample."""
    table = results()
    place = ["treebank", "language", "order", "size", "words"]
    measured = table.filter(pl.col("system") != "").pivot(
        on="metric", index=[*place, "system"], values="value"
    )
    of_sample = table.filter(pl.col("system") == "").pivot(on="metric", index=place, values="value")
    of_sample = of_sample.rename({"size": "sample", "words": "sample_words"}).with_columns(
        (pl.col("sample_words") / pl.col("sentences")).alias("mean_length")
    )
    joined = measured.join(of_sample, on=["treebank", "language", "order"])
    is_own = pl.col("sample") == pl.col("size")
    is_early = (pl.col("sample") < pl.col("size")) & (pl.col("sample") == SIZES[0])
    return (
        joined.filter(is_own | is_early)
        .with_columns(pl.when(is_own).then(pl.lit("own")).otherwise(pl.lit("early")).alias("case"))
        .sort("system", "treebank", "order", "size", "sample")
    )


# ---------------------------------------------------------------------- the comparison


def comparisons() -> list[dict[str, Any]]:
    """Return the error and coverage of every model on every parser, metric and case."""
    rows = known_before()
    problems = [
        Problem(own, metric)
        for _, own in rows.group_by("system", maintain_order=True)
        for metric in METRICS
    ]
    with ProcessPoolExecutor(len(problems)) as pool:
        return [row for found in pool.map(compared, problems) for row in found]


def compared(problem: Problem) -> list[dict[str, Any]]:
    """Return the error and coverage of every model in every case."""
    inside = in_program_intervals(problem)
    fair = left_out(problem, MODELS[FAIR])
    found = []
    for name, model in MODELS.items():
        started = time.process_time()
        predicted = left_out(problem, model)
        seconds = round(time.process_time() - started, 2)
        for case in CASES:
            chosen = problem.rows["case"].to_numpy() == case
            coverage = by_language(problem, chosen, inside).mean() if name == OURS else None
            place = {"parser": problem.rows["system"][0], "metric": problem.metric}
            place |= {"case": case, "model": name}
            errors = judged(problem, chosen, predicted, fair)
            # The predictions of all cases were made at once.
            found.append({**place, **errors, "coverage": coverage, "seconds": seconds})
            seconds = 0.0
    return found


def left_out(problem: Problem, model: Model) -> Floats:
    """Return predictions by models of all other languages."""
    predicted = np.empty(len(problem.languages))
    for name in problem.names:
        out = problem.languages == name
        predicted[out] = model(problem, ~out, out)
    return predicted


def program(problem: Problem, learnt: Mask, asked: Mask) -> Floats:
    """Return what `predict-accuracy` says."""
    return np.array([one.value for one in program_predictions(problem, learnt, asked)])


def program_predictions(problem: Problem, learnt: Mask, asked: Mask) -> list[Prediction]:
    """Return what `predict-accuracy` says, with intervals."""
    rows = [accuracy_row(row) for row in problem.rows.iter_rows(named=True)]
    known = [rows[place] for place in np.flatnonzero(learnt)]
    model = AccuracyModel(known, rows[0].parser, problem.metric)
    return [model.predict(rows[place].text) for place in np.flatnonzero(asked)]


def in_program_intervals(problem: Problem) -> Floats:
    """Return which accuracies are inside the intervals of models that have not seen the language.

    Neither have the errors that such an interval is made of.
    """
    inside = np.empty(len(problem.languages))
    for name in problem.names:
        out = problem.languages == name
        predictions = program_predictions(problem, ~out, out)
        low, high = (
            np.array([getattr(one, end) for one in predictions]) for end in ("low", "high")
        )
        inside[out] = (low <= problem.accuracy[out]) & (problem.accuracy[out] <= high)
    return inside


def by_language(problem: Problem, chosen: Mask, values: Floats) -> Floats:
    """Return the mean of some rows of every language that has any."""
    names = np.unique(problem.languages[chosen])
    return np.array([values[chosen & (problem.languages == name)].mean() for name in names])


def judged(problem: Problem, chosen: Mask, predicted: Floats, fair: Floats) -> dict[str, float]:
    """Return mean errors over languages, against those of the fair baseline, with intervals."""
    errors, others = (
        by_language(problem, chosen, np.abs(one - problem.accuracy)) for one in (predicted, fair)
    )
    drawn = np.random.default_rng(0).integers(len(errors), size=(RESAMPLES, len(errors)))
    means = errors[drawn].mean(axis=1)
    ratios = means / others[drawn].mean(axis=1)
    (low, high), (ratio_low, ratio_high) = (np.quantile(v, [0.025, 0.975]) for v in (means, ratios))
    return {
        "error": float(errors.mean()),
        "low": float(low),
        "high": float(high),
        "ratio": float(errors.mean() / others.mean()),
        "ratio_low": float(ratio_low),
        "ratio_high": float(ratio_high),
        "languages": len(errors),
        "rows": int(chosen.sum()),
    }


# ---------------------------------------------------------------------- the models


def mean_of_others(problem: Problem, learnt: Mask, asked: Mask) -> Floats:
    """Return the mean of other languages."""
    mean = np.average(problem.accuracy[learnt], weights=problem.weights[learnt])
    return np.full(int(asked.sum()), mean)


def mean_at_same_size(problem: Problem, learnt: Mask, asked: Mask) -> Floats:
    """Return the mean of other languages at about the same size."""
    means = {
        step: np.average(problem.accuracy[same], weights=problem.weights[same])
        for step in np.unique(problem.size_step[asked])
        if (same := learnt & (problem.size_step == step)).any()
    }
    return np.array([means[step] for step in problem.size_step[asked]])


def power_law(problem: Problem, learnt: Mask, asked: Mask) -> Floats:
    """Return errors that fall as a power of size, through the pilot parsers of the treebank."""
    del learnt
    x = np.log10(np.array(SHARES))
    y = np.column_stack([_log_error(problem.pilots(share)[asked]) for share in SHARES])
    slope = (y - y.mean(axis=1, keepdims=True)) @ (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    return 1 - 10 ** (y.mean(axis=1) + slope * (problem.growth[asked] - x.mean()))


def _log_error(logit: Floats) -> Floats:
    """Return the logarithm of the share of errors."""
    return np.asarray(-np.log10(1 + np.exp(logit)))


def ridge(inputs: Callable[[Problem], Floats]) -> Model:
    """Return a ridge regression of the logit, its penalty chosen on the languages learnt from."""

    def model(problem: Problem, learnt: Mask, asked: Mask) -> Floats:
        x = inputs(problem)

        def fit(penalty: float, rows: Mask, wanted: Mask) -> Floats:
            weights = problem.weights[rows]
            fitted = Ridge.fit(x[rows], problem.logit[rows], penalty, row_weights=weights)
            return fitted.predict(x[wanted])

        def loss(penalty: float) -> float:
            total = 0.0
            for name in problem.names:
                out = learnt & (problem.languages == name)
                if out.any():
                    wrong = fit(penalty, learnt & ~out, out) - problem.logit[out]
                    total += float(np.abs(wrong).mean())
            return total

        return _share(fit(min(PENALTIES, key=loss), learnt, asked))

    return model


def gaussian_process(inputs: Callable[[Problem], Floats]) -> Model:
    """Return a Gaussian process; its kernel maximises the likelihood of what is learnt from."""

    def model(problem: Problem, learnt: Mask, asked: Mask) -> Floats:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import RBF, DotProduct, WhiteKernel

        x = inputs(problem)
        x = (x - x[learnt].mean(axis=0)) / x[learnt].std(axis=0)
        y = problem.logit
        kernel = 1.0 * RBF(3.0) + 0.1 * DotProduct() + WhiteKernel(0.05)
        process = GaussianProcessRegressor(kernel, normalize_y=True)
        with warnings.catch_warnings():
            # An amplitude at its bound only says that a part of the kernel is not needed.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return _share(process.fit(x[learnt], y[learnt]).predict(x[asked]))

    return model


def boosted_trees(inputs: Callable[[Problem], Floats]) -> Model:
    """Return gradient boosting; the depth of trees is chosen by folds of languages."""

    def model(problem: Problem, learnt: Mask, asked: Mask) -> Floats:
        from sklearn.ensemble import GradientBoostingRegressor
        from sklearn.model_selection import GridSearchCV, GroupKFold

        x, y, groups = inputs(problem)[learnt], problem.logit[learnt], problem.languages[learnt]
        search = GridSearchCV(
            GradientBoostingRegressor(learning_rate=0.1, subsample=0.7, random_state=0),
            {"max_depth": [1, 3]},
            cv=GroupKFold(3),
            scoring="neg_mean_absolute_error",
        )
        search.fit(x, y, groups=groups, sample_weight=problem.weights[learnt])
        return _share(search.predict(inputs(problem)[asked]))

    return model


def _everything(problem: Problem) -> Floats:
    return np.column_stack([problem.slope_inputs, problem.columns(PROPERTIES[1:])])


FAIR = "mean of the others at the same size"
OURS = "pilot parsers, `predict-accuracy`"
MODELS: Mapping[str, Model] = {
    FAIR: mean_at_same_size,
    "mean of the others": mean_of_others,
    "size, ridge": ridge(lambda problem: problem.columns(("words",))),
    "eight properties, ridge": ridge(lambda problem: problem.columns(PUBLISHED_PROPERTIES)),
    "all properties, ridge": ridge(lambda problem: problem.columns(PROPERTIES)),
    "pilot parsers, power law": power_law,
    OURS: program,
    "pilot parsers, ridge": ridge(lambda problem: problem.pilot_inputs),
    "pilot parsers and their slope, ridge": ridge(lambda problem: problem.slope_inputs),
    "pilot parsers and all properties, ridge": ridge(_everything),
    "pilot parsers, Gaussian process": gaussian_process(lambda problem: problem.pilot_inputs),
    "pilot parsers and all properties, Gaussian process": gaussian_process(_everything),
    "pilot parsers and all properties, boosted trees": boosted_trees(_everything),
}


def _logit(share: Floats) -> Floats:
    inside = np.clip(share, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(inside / (1 - inside)))


def _share(logit: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logit)))


if __name__ == "__main__":
    main()
