"""All kinds of attack, by name."""

from __future__ import annotations

from tests.attack import (
    attack_archives,
    attack_files,
    attack_kills,
    attack_models,
    attack_runs,
    attack_scores,
    attack_systems,
)
from tests.attack.attack import Attack

ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for attack in (
        attack_scores.SCORES,
        attack_scores.COMMANDS,
        attack_files.READING,
        attack_files.OTHERS,
        attack_files.VERBS,
        attack_archives.ARCHIVES,
        attack_models.MODELS,
        attack_systems.LEARNING,
        attack_runs.RUNS,
        attack_kills.KILLS,
    )
}
