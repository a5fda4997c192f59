"""The paper on neutral edge direction, done again.

Four questions, asked of any treebank that has a train part and a test part:

1. What do a few flipped parameters do to attachment, to undirected accuracy, to NED? (Tables
   1 to 3 of the paper.)
2. How do the three metrics rank inducers? (Table 4.)
3. Does NED prefer the structures that the supervised version of the model learns better?
   (Table 5.)
4. What do two annotations of the same sentences score against each other? (Section 5.)

Flips are found on the train part and scored on the test part, punctuation removed.

References
----------
Schwartz, Abend, Reichart and Rappoport (2011), Neutralizing linguistically problematic
annotations in unsupervised dependency parsing evaluation. ACL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from treegauge.errors import TreegaugeError
from treegauge.evaluation.evaluation import Evaluated, Evaluation, evaluate
from treegauge.metrics.conventions import preset
from treegauge.papers.ned.annotation_schemes import SchemeComparison, compare_schemes
from treegauge.papers.ned.edge_types import LOCAL
from treegauge.papers.ned.parameter_flips import (
    MOST_SCALARS,
    FlipSearch,
    described_scalars,
    find_flips,
    with_flips,
)
from treegauge.papers.ned.published import published
from treegauge.papers.ned.supervised_grammars import SupervisedGrammar, reannotated
from treegauge.rewrite.projectivise import projectivise
from treegauge.runs.errors import ExperimentError
from treegauge.significance import PairedTest, paired_bootstrap
from treegauge.systems import Supervision, System, make_system, systems
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer
from treegauge.systems.system import OnProgress, no_progress
from treegauge.treebank import Treebank, without_punctuation

SHORT = "@10w"
METRICS = ("uas", "undirected", "ned")
ALL_METRICS = (*(metric + SHORT for metric in METRICS), *METRICS)

ALGORITHMS: Mapping[str, str] = MappingProxyType(
    {"km04": "dmv", "cs09": "slndmv", "saj10a": "leapfrog"}
)
"""The paper's algorithms, and our systems for them."""

INDUCERS = (
    "left-branching",
    "right-branching",
    "harmonic",
    "dmv",
    "viterbi-dmv",
    "less-is-more",
    "baby-steps",
    "evg",
    "unambiguity",
    "soegaard-pagerank",
    "soegaard-rules",
)
"""What is ranked besides the paper's algorithms: what takes seconds."""

_NOT_RANKED = ("external", "random")


@dataclass(frozen=True)
class NedSettings:
    """What can be chosen about the experiment."""

    tags: str = "p"
    """The tag column that is learnt from and that structures are named by."""
    algorithms: tuple[str, ...] = tuple(ALGORITHMS)
    """Names of the paper, or of our grammar inducers."""
    inducers: tuple[str, ...] = INDUCERS
    system_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Settings by system."""
    most_scalars: int = MOST_SCALARS
    only_problematic: bool = False
    """Flip only edges of the paper's structures."""
    sentences_looked_at: int = 2000
    """Of the train part, when flips are looked for."""
    supervised_length: int = 20
    """The longest sentence that supervised models learn from, in words."""
    smoothing: float = 0.1
    """Of supervised models."""
    resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.most_scalars <= MOST_SCALARS:
            raise ExperimentError(
                f"the paper changes at most {MOST_SCALARS} parameters; found {self.most_scalars}"
            )
        unknown = set(self.system_settings) - set(systems())
        if unknown:
            raise ExperimentError(f"settings of an unknown system {', '.join(sorted(unknown))}")


@dataclass(frozen=True)
class LearnabilityResult:
    """Supervised models of gold and of one re-annotation, each scored against its own.

    The paper re-annotates "the linguistically problematic structures" as the algorithm builds
    them; whether edges beyond them that were flipped, and long edges, are among these, is open.
    Every reading is a result of its own.
    """

    scope: str
    """`all flips`, or `problematic` for those of the paper's structures alone."""
    longest: int | None
    """The longest edges that are turned; None for edges of any length."""
    flips: int
    sentences: int
    """Learnt from."""
    ned: PairedTest
    """What these flips, and no others, do to NED."""
    gold: Evaluated
    reannotated: Evaluated
    difference: PairedTest
    """UAS on gold minus UAS on what the algorithm would have annotated."""

    @property
    def signs_agree(self) -> bool | None:
        """Whether NED prefers what the supervised model learns better; None if one is a tie."""
        ned, learnt = self.ned.difference, self.difference.difference
        return (ned > 0) == (learnt > 0) if ned and learnt else None


@dataclass(frozen=True)
class AlgorithmResult:
    """What flips do to an algorithm."""

    name: str
    system: GrammarInducer
    before: Evaluated
    after: Evaluated
    differences: Mapping[str, PairedTest]
    """After minus before, by metric."""
    search: FlipSearch
    curve: tuple[Evaluated, ...]
    """Scores of the test part with the first flip, the first two, and so on."""
    learnability: tuple[LearnabilityResult, ...]
    """One for each reading; none where no flip was found."""


@dataclass(frozen=True)
class NedResult:
    """All answers for one treebank."""

    treebank: str
    settings: NedSettings
    train: Treebank = field(repr=False)
    test: Treebank = field(repr=False)
    algorithms: tuple[AlgorithmResult, ...]
    inducers: Evaluation
    supervision: Mapping[str, Supervision]
    """By inducer."""
    schemes: tuple[SchemeComparison, ...]
    notes: tuple[str, ...]

    def ranks(self, metric: str) -> dict[str, int]:
        """Return the rank of every inducer, 1 for the best; equals share the better rank."""
        values = {one.name: one.scores[metric].value or 0.0 for one in self.inducers.systems}
        return {
            name: 1 + sum(other > value for other in values.values())
            for name, value in values.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the answers as JSON has them."""
        ranks = {metric: self.ranks(metric) for metric in ALL_METRICS}
        return {
            "treebank": self.treebank,
            "tags": self.settings.tags,
            "train": {"sentences": self.train.n_sentences, "words": self.train.n_words},
            "test": {"sentences": self.test.n_sentences, "words": self.test.n_words},
            "algorithms": [_algorithm_dict(one) for one in self.algorithms],
            "inducers": [
                {
                    "system": one.name,
                    "supervision": self.supervision[one.name],
                    "scores": _scores(one),
                    "ranks": {metric: ranks[metric][one.name] for metric in ALL_METRICS},
                }
                for one in self.inducers.systems
            ],
            "agreement": [
                {"metrics": [one, other], "tau_b": tau}
                for one, other, tau in self.inducers.agreement()
            ],
            "schemes": [scheme.to_dict() for scheme in self.schemes],
            "notes": list(self.notes),
        }


def document(results: Sequence[NedResult]) -> dict[str, Any]:
    """Return the answers for several treebanks, and the published figures, as JSON has them."""
    return {
        "schema": 1,
        "reproduces": "ned",
        "published": published(),
        "treebanks": [result.to_dict() for result in results],
    }


def reproduce_ned(
    train: Treebank,
    test: Treebank,
    settings: NedSettings | None = None,
    *,
    other: Treebank | None = None,
    on_progress: OnProgress = no_progress,
) -> NedResult:
    """Ask the paper's four questions of a treebank.

    Parameters
    ----------
    train, test : Treebank
        With gold trees. Inducers see blind copies, and learn from `train`; flips and supervised
        models are found with the trees of `train`; scores are of `test`.
    settings : NedSettings, optional
        The paper's where it says so.
    other : Treebank, optional
        Another annotation of `test`, for the fourth question.

    Raises
    ------
    ExperimentError
        If there are no trees, or an algorithm has no grammar to flip.
    """
    settings = settings or NedSettings()
    for part, treebank in (("train", train), ("test", test)):
        if not treebank.has_heads:
            raise ExperimentError(
                f"{treebank.name or part}: no trees in the {part} part: flips are found, and "
                "everything is scored, by gold trees"
            )
    experiment = _Experiment(train, test, settings, other, on_progress)
    return experiment.run()


class _Experiment:
    """One treebank's run: what its steps share."""

    def __init__(
        self,
        train: Treebank,
        test: Treebank,
        settings: NedSettings,
        other: Treebank | None,
        on_progress: OnProgress,
    ) -> None:
        self.train, self.test, self.settings, self.other = train, test, settings, other
        self.on_progress = on_progress
        self.notes: list[str] = []
        self.answers: list[Treebank] = []
        self.supervision: dict[str, Supervision] = {}
        self.steps = 3 * len(settings.algorithms) + len(settings.inducers) + 1
        self.done = 0

    def run(self) -> NedResult:
        algorithms = tuple(self._algorithm(name) for name in self.settings.algorithms)
        for name in self.settings.inducers:
            self._rank(name)
        if not self.answers:
            raise ExperimentError("there is nothing to do: no algorithm and no inducer")
        inducers = self._evaluated(*self.answers)
        told = self._step("annotation schemes")
        schemes = compare_schemes(
            self.test, self.settings.tags, other=self.other, resamples=self.settings.resamples
        )
        told(1.0, "done")
        return NedResult(
            self.test.name or "treebank",
            self.settings,
            self.train,
            self.test,
            algorithms,
            inducers,
            self.supervision,
            tuple(schemes),
            tuple(self.notes),
        )

    def _step(self, name: str) -> OnProgress:
        """Return what tells of the next step."""
        begin = self.done
        self.done += 1

        def told(share: float, line: str) -> None:
            self.on_progress((begin + share) / self.steps, f"{name}: {line}")

        return told

    # ------------------------------------------------------------------ flips

    def _algorithm(self, name: str) -> AlgorithmResult:
        system = self._fitted(ALGORITHMS.get(name, name), self._step(name))
        if not isinstance(system, GrammarInducer):
            raise ExperimentError(f"{system.name} has no grammar whose parameters could be flipped")
        search = find_flips(
            system,
            self.train[: self.settings.sentences_looked_at],
            most_scalars=self.settings.most_scalars,
            only_problematic=self.settings.only_problematic,
            on_progress=self._step(f"{name}, flips"),
        )
        flips = search.flips
        original = system.annotate(self.test).replace(name=system.name)
        self._remember(system, original)
        scored = self._evaluated(
            original.replace(name="before"),
            *(
                with_flips(system, flips[:n]).annotate(self.test).replace(name=f"{n} flips")
                for n in range(1, len(flips) + 1)
            ),
        ).systems
        before, after = scored[0], scored[-1]
        return AlgorithmResult(
            name,
            system,
            before,
            after,
            {metric: self._difference(before, after, metric) for metric in ALL_METRICS},
            search,
            tuple(scored[1:]),
            self._learnability(name, system, search, before),
        )

    def _learnability(
        self, name: str, system: GrammarInducer, search: FlipSearch, before: Evaluated
    ) -> tuple[LearnabilityResult, ...]:
        told = self._step(f"{name}, supervised")
        if not search.accepted:
            self.notes.append(f"{name}: no flip raises attachment; nothing to re-annotate")
            return ()
        parts = [projectivise(without_punctuation(part)) for part in (self.train, self.test)]
        gold, sentences = self._supervised(parts, system, "gold", told)
        flips = search.flips
        problematic = tuple(flip for flip in flips if flip.edge.is_problematic)
        scopes = {"all flips": flips, "problematic": problematic}
        if problematic in ((), flips):
            del scopes["problematic"]
        found = []
        for scope, chosen in scopes.items():
            flipped = with_flips(system, chosen).annotate(self.test).replace(name=scope)
            ned = self._difference(before, self._evaluated(flipped).systems[0], "ned")
            # Gold has the edges as flips want them; turned, they are as the algorithm has them.
            edges = [flip.edge for flip in chosen]
            for longest in (None, LOCAL):
                turned = [
                    reannotated(part, edges, self.settings.tags, longest=longest) for part in parts
                ]
                other, _ = self._supervised(turned, system, "reannotated", told)
                difference = self._difference(other, gold, "uas")
                found.append(
                    LearnabilityResult(
                        scope, longest, len(chosen), sentences, ned, gold, other, difference
                    )
                )
        return tuple(found)

    def _supervised(
        self, parts: Sequence[Treebank], system: GrammarInducer, name: str, told: OnProgress
    ) -> tuple[Evaluated, int]:
        """Score the supervised version of a system against the annotation it learnt from."""
        train, test = parts
        settings = {
            "tags": self.settings.tags,
            "max_length": self.settings.supervised_length,
            "smoothing": self.settings.smoothing,
            "decode": system.settings.decode,
        }
        model = SupervisedGrammar(settings).fit(train, on_progress=told)
        parsed = model.annotate(test).replace(name=name)
        return self._evaluated(parsed, gold=test).systems[0], model.trees.n_sentences

    # ------------------------------------------------------------------ rankings

    def _rank(self, name: str) -> None:
        told = self._step(name)
        if name in self.supervision:
            return
        try:
            system = self._fitted(name, told)
            self._remember(system, system.annotate(self.test).replace(name=name))
        except TreegaugeError as error:
            # One inducer that lacks tags, say, is no reason to have no table.
            self.notes.append(f"{name} is not ranked: {str(error).partition(chr(10))[0]}")

    def _remember(self, system: System, answer: Treebank) -> None:
        if system.name not in self.supervision:
            self.supervision[system.name] = system.supervision
            self.answers.append(answer)

    # ------------------------------------------------------------------ shared

    def _fitted(self, name: str, told: OnProgress) -> System:
        chosen = dict(self.settings.system_settings.get(name, {}))
        if name == "slndmv" and not self.train.upos.is_annotated and "ties" not in chosen:
            chosen = {"covariance": "identity", **chosen, "ties": "none"}
            self.notes.append(
                "slndmv (cs09) has no ties between tags, since there are no universal tags "
                "to tie them by; a tag map gives them"
            )
        system = make_system(name, seed=self.settings.seed)
        if isinstance(system, GrammarInducer):
            chosen.setdefault("tags", self.settings.tags)
        if chosen:
            system = make_system(name, chosen, seed=self.settings.seed)
        return system.fit(self.train, on_progress=told)

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


def all_inducers() -> tuple[str, ...]:
    """Return the names of all registered inducers of dependencies that can be ranked."""
    return tuple(
        entry.name
        for entry in systems().values()
        if entry.task == "dependencies"
        and entry.supervision != "supervised"
        and entry.name not in _NOT_RANKED
    )


def _scores(evaluated: Evaluated) -> dict[str, Any]:
    return {metric: evaluated.scores[metric].to_dict() for metric in ALL_METRICS}


def _test_dict(test: PairedTest) -> dict[str, Any]:
    return {"difference": test.difference, "low": test.low, "high": test.high, "p": test.p}


def _algorithm_dict(result: AlgorithmResult) -> dict[str, Any]:
    search, system = result.search, result.system
    scalars = described_scalars(system, search.flips)
    return {
        "algorithm": result.name,
        "system": system.name,
        "settings": system.settings.to_dict(),
        "before": _scores(result.before),
        "after": _scores(result.after),
        "differences": {metric: _test_dict(test) for metric, test in result.differences.items()},
        "scalars": search.scalars,
        "token_share": search.token_share,
        "flips": [
            {
                "edge": str(one.flip.edge),
                "head": one.flip.edge.head,
                "dependent": one.flip.edge.dependent,
                "direction": one.flip.edge.direction,
                "structure": one.flip.edge.structure,
                "turned": one.turned,
                "token_share": one.token_share,
                "train_uas": one.uas,
                "parameters": parameters,
                "scores": _scores(scored),
            }
            for one, parameters, scored in zip(search.accepted, scalars, result.curve, strict=True)
        ],
        "train_uas_before": search.uas_before,
        "rejected": [str(edge) for edge in search.rejected],
        "supervised": [_learnability_dict(one) for one in result.learnability],
    }


def _learnability_dict(result: LearnabilityResult) -> dict[str, Any]:
    return {
        "scope": result.scope,
        "longest_edge": result.longest,
        "flips": result.flips,
        "sentences": result.sentences,
        "ned": _test_dict(result.ned),
        "gold": _scores(result.gold),
        "reannotated": _scores(result.reannotated),
        "difference": _test_dict(result.difference),
        "signs_agree": result.signs_agree,
    }
