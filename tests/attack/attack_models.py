"""Hostile models of every system, as `tests.attack.models` makes them, among the other attacks.

`test_models.py` attacks every system with a share of its own.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from tests.attack.attack import Attack, Found
from tests.attack.models import attacked_systems, attacked_text, mutants, trained_model, try_model


@cache
def _models() -> Path:
    folder = tempfile.mkdtemp(prefix="attack-trained-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def _trained(name: str) -> Path:
    return trained_model(name, _models())


def _case(random: Random, folder: Path) -> str:
    name = random.choice(attacked_systems())
    is_forged = random.random() < 0.8
    seed = random.randrange(2**32)
    (mutant,) = mutants(_trained(name), seed=seed, forged=is_forged, damaged=not is_forged)
    path = folder / f"{name}.mutant"
    path.write_bytes(mutant.content)
    outcome = try_model(path, attacked_text())
    if not outcome.strip():
        raise Found(f"{name}: {mutant.change}: refused without a message")
    return "annotated" if outcome == "annotated" else "refused"


MODELS = Attack(
    "models",
    "models of every system with forged arrays, forged facts and damaged bytes",
    _case, short=0, long=2_000,
)  # fmt: skip
