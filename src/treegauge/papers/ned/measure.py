"""What the paper on neutral edge direction measures, on any treebank with train and test parts.

Inducers run as cells of an ordinary experiment, blind. What they have learnt is then flipped:
flips are found on the train part and scored on the test part, punctuation removed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from treegauge.evaluation.evaluation import Evaluated, Evaluation, evaluate
from treegauge.formats import fill_universal_tags, read_tag_map
from treegauge.metrics.conventions import preset
from treegauge.papers.ned.annotation_schemes import (
    LENIENT_METRICS,
    METRICS,
    compare_schemes,
    score_columns,
    score_leniently,
)
from treegauge.papers.ned.parameter_flips import (
    FlipSearch,
    ParameterFlip,
    described_scalars,
    find_flips,
    with_flips,
)
from treegauge.papers.ned.settings import ALGORITHMS, NedSettings
from treegauge.papers.ned.supervised_grammars import SupervisedGrammar, reannotated
from treegauge.papers.paper import Measurements, Workbench
from treegauge.rewrite.debatable import LOCAL
from treegauge.rewrite.projectivise import projectivise
from treegauge.runs import Experiment, ExperimentError, RunFolder, Scoring, SystemChoice
from treegauge.runs.experiment_text import with_source
from treegauge.significance import PairedTest, kendall_tau_b, paired_bootstrap
from treegauge.systems import OnProgress, find_system
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer
from treegauge.treebank import Treebank, without_punctuation

LENGTHS = {"≤ 10 words": "@10w", "all": ""}
"""Sentences that are scored, and how metrics of them are called."""
ALL_METRICS = tuple(metric + cut_off for cut_off in LENGTHS.values() for metric in METRICS)


def measure(settings: NedSettings, workbench: Workbench) -> Measurements[NedSettings]:
    """Ask the paper's questions of every treebank.

    Raises
    ------
    ExperimentError
        If a treebank has no trees, or no system gave a result.
    """
    import polars as pl

    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    notes: list[str] = []
    failures: list[str] = []
    for name in settings.treebanks:
        train, test = _read_parts(name, settings, workbench)
        other = workbench.read(settings.other) if settings.other else None
        study = _Study(train, test, other, settings, workbench)
        study.measure()
        for frame, measured in study.rows.items():
            rows[frame] += [{"treebank": study.name, **row} for row in measured]
        notes += [f"{study.name}: {note}" for note in study.notes]
        failures += [f"{study.name}: {failure}" for failure in study.failures]
    frames = {
        # A frame without rows would have no columns either.
        name: pl.DataFrame(own, infer_schema_length=None)
        for name, own in rows.items()
        if own
    }
    return Measurements(settings, frames, tuple(notes), tuple(failures))


def _read_parts(name: str, settings: NedSettings, workbench: Workbench) -> list[Treebank]:
    """Return the train and the test part of what a user names."""
    sources = (settings.train, name) if settings.train else (f"{name}:train", f"{name}:test")
    parts = [workbench.read(source) for source in sources]
    if settings.tag_map:
        mapping = read_tag_map(settings.tag_map)
        parts = [fill_universal_tags(part, mapping) for part in parts]
    for part, treebank in zip(("train", "test"), parts, strict=True):
        if not treebank.has_heads:
            raise ExperimentError(
                f"{treebank.name or part}: no trees in the {part} part: flips are found, and "
                "everything is scored, by gold trees"
            )
    return parts


class _Study:
    """One treebank: what the steps of its measurement share, and the rows that come of them."""

    def __init__(
        self,
        train: Treebank,
        test: Treebank,
        other: Treebank | None,
        settings: NedSettings,
        workbench: Workbench,
    ) -> None:
        self.name = test.name or "treebank"
        self.train, self.test, self.other = train, test, other
        self.settings, self.workbench = settings, workbench
        self.rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.notes: list[str] = []
        self.failures: list[str] = []

    def measure(self) -> None:
        """Run the systems, flip, compare."""
        self.rows["treebanks"].append(
            {
                "train_sentences": self.train.n_sentences,
                "train_words": self.train.n_words,
                "test_sentences": self.test.n_sentences,
                "test_words": self.test.n_words,
            }
        )
        folder, cells = self._run()
        answers = {
            system: folder.annotation(key, "test").replace(name=system)
            for system, (key, _) in cells.items()
        }
        for name in self.settings.algorithms:
            system = ALGORITHMS.get(name, name)
            if system in cells:
                model = folder.fitted_system(cells[system][0])
                assert isinstance(model, GrammarInducer)
                self._algorithm(name, model, answers[system])
        supervision = {system: kind for system, (_, kind) in cells.items()}
        lenient = score_leniently(
            self.test,
            list(answers.values()),
            self.settings.tags,
            list(LENGTHS.values()),
            other=self.other,
            resamples=self.settings.resamples,
            seed=self.settings.seed,
        )
        self._rank(self._evaluated(*answers.values()), lenient, supervision)
        with self.workbench.progress(f"{self.name}: annotation schemes"):
            self.rows["schemes"] = compare_schemes(
                self.test, self.settings.tags, other=self.other, resamples=self.settings.resamples
            )

    # ------------------------------------------------------------------ runs

    def _run(self) -> tuple[RunFolder, dict[str, tuple[str, str]]]:
        """Run all systems; return the folder, and key and supervision of what gave something."""
        flipped = [ALGORITHMS.get(name, name) for name in self.settings.algorithms]
        choices = tuple(
            SystemChoice(
                name,
                name,
                tuple(sorted(self._system_settings(name).items())),
                seeds=(self.settings.seed,),
                fit_on="train",
                keep_model=name in flipped,
            )
            for name in dict.fromkeys([*flipped, *self.settings.systems])
        )
        experiment = Experiment(
            name="ned",
            treebanks=(self.name,),
            systems=choices,
            scorings=(Scoring(preset("pascal"), ALL_METRICS),),
            resamples=self.settings.resamples,
        )
        parts = {"train": self.train, "test": self.test}
        # Systems may name other treebanks to learn from.
        catalogue = self.workbench.catalogue.with_treebanks({self.name: parts})
        bench = replace(self.workbench, catalogue=catalogue)
        run = bench.run(with_source(experiment), self.name.replace(":", "-"))
        folder, cells = RunFolder(run.folder), {}
        for cell in folder.planned:
            record = folder.record(cell.key)
            if record is not None and record.is_done:
                cells[cell.system] = cell.key, cell.supervision
            elif record is not None and cell.system in flipped:
                self.failures.append(f"{cell.system}: {record.reason}")
            elif record is not None:
                # One inducer that lacks tags, say, is no reason to have no table.
                self.notes.append(f"{cell.system} is not ranked: {record.message}")
        if not cells:
            raise ExperimentError(
                "\n".join(["no system gave a result", *self.failures, *self.notes])
            )
        return folder, cells

    def _system_settings(self, name: str) -> dict[str, Any]:
        chosen = dict(self.workbench.system_settings.get(name, {}))
        if name == "slndmv" and not self.train.upos.is_annotated and "ties" not in chosen:
            chosen = {"covariance": "identity", **chosen, "ties": "none"}
            self.notes.append(
                "slndmv (cs09) has no ties between tags, since there are no universal tags "
                "to tie them by; a tag map gives them"
            )
        if issubclass(find_system(name).load(), GrammarInducer):
            chosen.setdefault("tags", self.settings.tags)
        return chosen

    # ------------------------------------------------------------------ flips

    def _algorithm(self, name: str, system: GrammarInducer, original: Treebank) -> None:
        """Flip what an algorithm has learnt, and measure what that changes (Tables 1 to 3)."""
        with self.workbench.progress(f"{self.name}: {name}, flips") as advance:
            search = find_flips(
                system,
                self.train[: self.settings.sentences_looked_at],
                most_scalars=self.settings.most_parameters,
                only_problematic=self.settings.only_problematic,
                on_progress=advance,
            )
        flips = search.flips
        before, *steps = self._evaluated(
            original.replace(name="before"),
            *(self._flipped(system, flips[:n], f"{n} flips") for n in range(1, len(flips) + 1)),
        ).systems
        self._flip_rows(name, system, search, [before, *steps])
        with self.workbench.progress(f"{self.name}: {name}, supervised") as advance:
            self._learnability(name, system, flips, before, advance)

    def _flip_rows(
        self, name: str, system: GrammarInducer, search: FlipSearch, curve: Sequence[Evaluated]
    ) -> None:
        """Add what was changed, parameter by parameter, and scores, flip by flip."""
        about: dict[str, Any] = {"algorithm": name, "system": system.name}
        self.rows["algorithms"].append(
            {
                **about,
                "settings": json.dumps(system.settings.to_dict(), ensure_ascii=False),
                "parameters": search.scalars,
                "token_share": search.token_share,
                "train_uas": search.uas_before,
                "rejected": ", ".join(map(str, search.rejected)),
            }
        )
        accepted = [flip.edge for flip in search.flips]
        self.rows["structures"] += [
            {"algorithm": name, **counts.to_row(accepted)} for counts in search.directions
        ]
        before, after = curve[0], curve[-1]
        for length, cut_off in LENGTHS.items():
            self.rows["changes"] += [
                {
                    **about,
                    "length": length,
                    "metric": metric,
                    **_score("before", before, metric + cut_off),
                    **_score("after", after, metric + cut_off),
                    **_test("change", self._difference(before, after, metric + cut_off)),
                    "n": before.scores[metric + cut_off].n,
                    "signature": str(before.scores[metric + cut_off].signature),
                }
                for metric in METRICS
            ]
        parameters = described_scalars(system, search.flips)
        for number, (flip, of_flip) in enumerate(zip(search.accepted, parameters, strict=True), 1):
            about = {"algorithm": name, "flip": number, "edge": str(flip.flip.edge)}
            about |= {"structure": flip.flip.edge.structure, "turned": flip.turned}
            about |= {"token_share": flip.token_share, "train_uas": flip.uas}
            self.rows["flips"] += [{**about, **one} for one in of_flip]
        for number, scored in enumerate(curve):
            self.rows["curve"] += [
                {
                    "algorithm": name,
                    "flip": number,
                    "edge": str(search.flips[number - 1].edge) if number else None,
                    "parameters": sum(map(len, parameters[:number])),
                    "length": length,
                    **score_columns(scored, cut_off),
                }
                for length, cut_off in LENGTHS.items()
            ]

    def _flipped(
        self, system: GrammarInducer, flips: Sequence[ParameterFlip], name: str
    ) -> Treebank:
        return with_flips(system, flips).annotate(self.test).replace(name=name)

    # ------------------------------------------------------------------ learnability

    def _learnability(
        self,
        name: str,
        system: GrammarInducer,
        flips: Sequence[ParameterFlip],
        before: Evaluated,
        advance: OnProgress,
    ) -> None:
        """Score supervised models of gold and of re-annotations, each against its own (Table 5).

        The paper re-annotates "the linguistically problematic structures" as the algorithm builds
        them; whether edges beyond them that were flipped, and long edges, are among these, is
        open. Every reading is a row of its own.
        """
        if not flips:
            self.notes.append(f"{name}: no flip raises attachment; nothing to re-annotate")
            return
        parts = [projectivise(without_punctuation(part)) for part in (self.train, self.test)]
        gold, sentences = self._supervised(parts, system, "gold", advance)
        problematic = tuple(flip for flip in flips if flip.edge.is_problematic)
        scopes = {"all flips": flips, "problematic": problematic}
        if problematic in ((), flips):
            del scopes["problematic"]
        for scope, chosen in scopes.items():
            flipped = self._evaluated(self._flipped(system, chosen, scope)).systems[0]
            ned = self._difference(before, flipped, "ned")
            # Gold has the edges as flips want them; turned, they are as the algorithm has them.
            edges = [flip.edge for flip in chosen]
            for longest in (None, LOCAL):
                turned = [
                    reannotated(part, edges, self.settings.tags, longest=longest) for part in parts
                ]
                other, _ = self._supervised(turned, system, "reannotated", advance)
                learnt = self._difference(other, gold, "uas")
                signs = ned.difference or 0.0, learnt.difference or 0.0
                self.rows["learnability"].append(
                    {
                        "algorithm": name,
                        "scope": scope,
                        "edges": "any" if longest is None else f"≤ {longest}",
                        "flips": len(chosen),
                        "sentences": sentences,
                        **_test("ned_change", ned),
                        **_score("uas_as_induced", other, "uas"),
                        **_score("uas_gold", gold, "uas"),
                        **_test("gold_better_by", learnt),
                        "same_sign": (signs[0] > 0) == (signs[1] > 0) if all(signs) else None,
                    }
                )

    def _supervised(
        self, parts: Sequence[Treebank], system: GrammarInducer, name: str, advance: OnProgress
    ) -> tuple[Evaluated, int]:
        """Score the supervised version of a system against the annotation it learnt from."""
        train, test = parts
        settings = {
            "tags": self.settings.tags,
            "max_length": self.settings.supervised_length,
            "smoothing": self.settings.smoothing,
            "decode": system.settings.decode,
        }
        model = SupervisedGrammar(settings).fit(train, on_progress=advance)
        parsed = model.annotate(test).replace(name=name)
        return self._evaluated(parsed, gold=test).systems[0], model.trees.n_sentences

    # ------------------------------------------------------------------ rankings

    def _rank(
        self, evaluation: Evaluation, lenient: Sequence[Evaluated], supervision: dict[str, str]
    ) -> None:
        """Add every inducer's scores with ranks, 1 for the best; equals share the better one."""
        scored = {METRICS: evaluation.systems, LENIENT_METRICS: lenient}
        for length, cut_off in LENGTHS.items():
            columns = {
                metric: [one.scores[metric + cut_off].value for one in systems]
                for metrics, systems in scored.items()
                for metric in metrics
            }
            self.rows["agreement"] += [
                {
                    "metric": one + cut_off,
                    "other": other + cut_off,
                    "tau_b": kendall_tau_b(columns[one], columns[other]),
                }
                for one, other in combinations(columns, 2)
            ]
            values = {metric: [value or 0.0 for value in own] for metric, own in columns.items()}
            self.rows["inducers"] += [
                {
                    "system": one.name,
                    "supervision": supervision[one.name],
                    "length": length,
                    **score_columns(one, cut_off),
                    **score_columns(lenient[number], cut_off, LENIENT_METRICS),
                    **{
                        f"{metric}_rank": 1 + sum(other > own[number] for other in own)
                        for metric, own in values.items()
                    },
                }
                for number, one in enumerate(evaluation.systems)
            ]

    # ------------------------------------------------------------------ shared

    def _evaluated(self, *answers: Treebank, gold: Treebank | None = None) -> Evaluation:
        return evaluate(
            self.test if gold is None else gold,
            *answers,
            metrics=ALL_METRICS,
            conventions=preset("pascal"),
            resamples=self.settings.resamples,
            trials=0,
            seed=self.settings.seed,
        )

    def _difference(self, first: Evaluated, second: Evaluated, metric: str) -> PairedTest:
        """Return what the second is better by, over the same resamples of sentences."""
        statistics = first.statistics[metric]
        return paired_bootstrap(
            statistics.per_sentence,
            second.statistics[metric].per_sentence,
            statistics.score,
            resamples=max(self.settings.resamples, 1),
            seed=self.settings.seed,
        )


def _score(name: str, scored: Evaluated, metric: str) -> dict[str, Any]:
    score = scored.scores[metric]
    return {name: score.value, f"{name}_low": score.low, f"{name}_high": score.high}


def _test(name: str, test: PairedTest) -> dict[str, Any]:
    # Not `change_p`, which tables would take for a part of the number.
    return {
        name: test.difference,
        f"{name}_low": test.low,
        f"{name}_high": test.high,
        f"p_of_{name}": test.p,
    }
