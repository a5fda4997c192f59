"""What to type to get a number again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from treegauge.metrics import Conventions
from treegauge.metrics.conventions import PRESETS


def evaluate_command(gold: str, systems: Sequence[str]) -> str:
    """Return the command that scores files; metrics and conventions are to be added.

    >>> evaluate_command("my gold.conllu", ["a.conllu"])
    "treegauge evaluate 'my gold.conllu' a.conllu"
    """
    return shlex.join(["treegauge", "evaluate", gold, *systems])


def options_of(conventions: Conventions) -> str:
    """Return conventions as options: the preset, and what differs from it.

    >>> from treegauge.metrics import preset
    >>> options_of(preset("pascal", tags="u12"))
    '--preset pascal --tags u12'
    """
    standard = PRESETS[conventions.preset]
    options = [f"--preset {conventions.preset}"]
    if (conventions.punctuation, conventions.induced_punctuation) != (
        standard.punctuation,
        standard.induced_punctuation,
    ):
        options.append(f"--punctuation {conventions.punctuation}")
    if conventions.subtypes != standard.subtypes:
        options.append("--subtypes" if conventions.subtypes else "--no-subtypes")
    if conventions.average != standard.average:
        options.append(f"--average {conventions.average}")
    if conventions.tags != standard.tags:
        options.append(f"--tags {conventions.tags}")
    if conventions.skip_length_one != standard.skip_length_one:
        options.append("--skip-length-one")
    if conventions.count_root != standard.count_root:
        options.append("--no-count-root")
    return " ".join(options)
