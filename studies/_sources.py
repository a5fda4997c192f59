"""Which files the numbers of scripts depend on, and which of them differ from a commit.

Experiments need none of this: the keys of their cells say what they were made from.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from treegauge.systems import find_system
from treegauge.systems.code_version import source_files, without_texts

ROOT = Path(__file__).parents[1]
SOURCE = "src/treegauge"


@dataclass(frozen=True)
class Sources:
    """What the numbers of a table depend on."""

    files: tuple[str, ...]
    """Files and folders."""
    systems: tuple[str, ...] = ()
    """Systems, whose sources count as for the keys of cells."""

    @property
    def places(self) -> tuple[str, ...]:
        """All of it as paths, for git."""
        modules = (source_files(find_system(name).module) for name in self.systems)
        paths = {str(path.relative_to(ROOT)) for files in modules for path in files.values()}
        return (*self.files, *sorted(paths))


def _rooms(*names: str) -> tuple[str, ...]:
    return tuple(f"{SOURCE}/{name}" for name in names)


_SCORING = _rooms("evaluation/scoring.py", "evaluation/evaluation.py", "metrics")
_WITH_INTERVALS = (*_SCORING, *_rooms("significance"))
_WORD_ORDER = (
    *_rooms("properties", "rewrite/word_orders", "evaluation/word_order_intervals.py"),
    "studies/word_order_texts.py",
)
_GERMAN = ("studies/german_word_order.py", "studies/german_ud12.tsv")
SOURCES: Mapping[str, Sources] = {
    "accuracy-models": Sources(
        (
            *("studies/accuracy_models.py", "docs/data/learning-curves.tsv"),
            *_rooms("evaluation/accuracy_prediction.py", "significance/ridge.py"),
        )
    ),
    "expected-accuracy": Sources(
        (
            *("studies/expected_accuracy.py", *_SCORING),
            *_rooms("systems/best_inducer.py", "systems/expected_accuracy.py"),
            *_rooms("systems/text_profile.py"),
        ),
        ("universal-dmv", "openclass-dmv", "frequent-leaves"),
    ),
    "extrinsic-trees": Sources(
        (
            *("studies/extrinsic_trees.py", *_WITH_INTERVALS),
            f"{SOURCE}/evaluation/perplexity_of_parsers.py",
        ),
        (
            *("left-branching", "right-branching", "random", "harmonic", "dmv", "viterbi-dmv"),
            *("evg", "posterior-sparse", "soegaard-pagerank", "soegaard-rules", "udp"),
            *("openclass-dmv", "universal-dmv", "frequent-leaves"),
        ),
    ),
    "generalised-gold": Sources(
        (
            *("studies/generalised_gold.py", *_SCORING),
            *_rooms("papers/pascal/references.py", "rewrite/head_rules"),
            *_rooms("systems/dependency_induction"),
        )
    ),
    "german-text": Sources(_GERMAN),
    "german-word-order": Sources((*_GERMAN, *_WORD_ORDER)),
    "head-rules": Sources(
        ("studies/head_rules.py", *_WITH_INTERVALS, *_rooms("rewrite/head_rules"))
    ),
    "head-styles": Sources(
        ("studies/head_styles.py", *_WITH_INTERVALS, *_rooms("rewrite/styles")),
        ("dmv", "tsg-dmv", "reducibility"),
    ),
    "interval-coverage": Sources(
        ("studies/interval_coverage.py", *_WITH_INTERVALS), ("transition", "brown")
    ),
    "learning-curves": Sources(
        (
            *("studies/learning_curves.py", *_SCORING),
            *_rooms("properties", "evaluation/pilot_parsers.py"),
        ),
        ("transition", "graph"),
    ),
    "long-dependencies": Sources(
        ("studies/long_dependencies.py", *_WITH_INTERVALS, *_rooms("strata")),
        ("biaffine", "graph", "transition"),
    ),
    "projection": Sources(
        ("studies/parallel_texts.py", *_WITH_INTERVALS, *_rooms("dictionaries")),
        ("projection", "tnt", "transfer", "dictionary-hmm"),
    ),
    "scale-costs": Sources(("benchmarks/cluster_costs.py", *_rooms("runs"))),
    "scale-e-steps": Sources(
        ("benchmarks/e_steps.py", *_rooms("systems/dependency_induction/chart"))
    ),
    "scale-parts": Sources(("benchmarks/shards.py", *_rooms("shards")), ("predictive-exchange",)),
    "scale-runs": Sources(("benchmarks/cluster_costs.py", *_rooms("runs"))),
    "scale-shards": Sources(
        ("benchmarks/shards.py", *_rooms("shards", "properties/language_model")),
        ("predictive-exchange",),
    ),
    "small-taggers": Sources(
        ("studies/small_taggers.py", "benchmarks/taggers.py", *_WITH_INTERVALS), ("crf",)
    ),
    "word-order-texts": Sources(_WORD_ORDER),
}
"""By table in docs/data, what can change its numbers.

How files are read is not among it: signatures have the fingerprint of the data.
"""


class UnknownCommitError(LookupError):
    """A commit that this clone does not have."""


def outdated(table: str, commits: Iterable[str]) -> set[str]:
    """Return the commits from which something differs that a table depends on, or may do so."""
    places = SOURCES[table].places
    return {commit for commit in set(commits) if _may_differ(commit, places)}


def _may_differ(commit: str, places: Sequence[str]) -> bool:
    try:
        return bool(changed_files(commit, places))
    except UnknownCommitError:
        return True


def changed_files(commit: str, places: Iterable[str]) -> list[str]:
    """Return the files that differ from a commit; docstrings and help texts do not count.

    Parameters
    ----------
    commit : str
        With or without a plus, which says that something was changed since.
    places : iterable of str
        Files and folders, and patterns of git to leave some out.

    Raises
    ------
    UnknownCommitError
        If this clone does not have the commit.
    """
    commit = commit.rstrip("+")
    try:
        names = _git("diff", "--name-only", commit, "--", *places).decode("utf-8").splitlines()
    except subprocess.CalledProcessError as error:
        raise UnknownCommitError(f"commit {commit} is not in this clone") from error
    return [name for name in names if _differs(commit, name)]


@cache
def _differs(commit: str, name: str) -> bool:
    path = ROOT / name
    if path.suffix != ".py" or not path.exists():
        return True
    try:
        before = _git("show", f"{commit}:{name}")
    except subprocess.CalledProcessError:
        return True  # there was no such file
    return without_texts(before) != without_texts(path.read_bytes())


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], capture_output=True, check=True, cwd=ROOT).stdout
