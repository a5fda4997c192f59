"""`treegauge induce best`: which inducer it takes, why, and what accuracy to expect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treegauge.cli import console

if TYPE_CHECKING:
    from treegauge.systems import System
    from treegauge.systems.best_inducer import BestInducer
    from treegauge.systems.expected_accuracy import ExpectedAccuracy
    from treegauge.treebank import Treebank

_WORTH_SAYING = 0.02
"""The share of words with punctuation at their end above which somebody forgot to divide them."""


def over_tags_of(tagger: str) -> str:
    """Return what is best over the tags of a tagger, and say so."""
    from treegauge.systems.best_inducer import SYSTEMS

    system = SYSTEMS["other"]
    console.say(f"best: {system}, over the tags of {tagger}; its accuracy has not been measured")
    return system


def choose(training: Treebank, text: Treebank, model: str, loaded: System | None) -> BestInducer:
    """Return the best inducer for what a text has, or the one that a model has; say why."""
    from treegauge.systems.best_inducer import choose_inducer, loaded_inducer

    chosen = choose_inducer(training, text) if loaded is None else loaded_inducer(loaded, model)
    console.say(f"best: {chosen.system}, since {chosen.reason}")
    return chosen


def make(chosen: BestInducer, assignments: list[str], seed: int | None) -> System:
    """Return the inducer with the settings of the command line."""
    from treegauge.systems import parse_assignments

    return chosen.make(parse_assignments(assignments), seed=seed or 0)


def say_what_to_expect(chosen: BestInducer, training: Treebank) -> ExpectedAccuracy:
    """Say what accuracy to expect of what is learnt from a text."""
    from treegauge.systems.best_inducer import words_ending_in_punctuation
    from treegauge.systems.expected_accuracy import expected_accuracy
    from treegauge.systems.text_profile import profile_of

    glued = 0 if chosen.kind == "universal" else words_ending_in_punctuation(training)
    if glued > _WORTH_SAYING * training.n_words:
        console.say(
            f"{glued:,} words end in punctuation that is never separated by spaces: trees would "
            "be better with spaces around it",
            style="yellow",
        )
    profile = profile_of(training, chosen)
    expected = expected_accuracy(profile, chosen.kind)
    console.say(expected.in_words())
    return expected
