"""Mutated pairs of gold and a system: the program refuses them, or agrees with the oracle."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random

from tests.attack import material, oracle
from tests.attack.attack import Attack, Found
from tests.attack.mutators import MILD, MUTATORS, compressed, mutated
from tests.in_process import run_in_process
from treegauge.errors import TreegaugeError
from treegauge.evaluation import evaluate
from treegauge.formats import Findings, read
from treegauge.metrics import Conventions, preset

PRESETS = {
    "conll2018": oracle.Rules(),
    "conll2006": oracle.Rules(punctuation="ignored", punctuation_by="form", subtypes=True),
    "pascal": oracle.Rules(punctuation="removed", subtypes=True),
}
TREES = ("uas", "las", "undirected", "ned", "label", "root", "exact_match", "exact_match_labelled")
SHARED_TASK = ("clas", "mlas", "blex", "upos", "xpos", "feats", "lemma", "alltags", "words")
WITH_TAGS = ("upos_macro_f1", "xpos_macro_f1", "many_to_one", "vi", "homogeneity", "v_measure")
TOLERANCE = 1e-12


def write_pair(random: Random, folder: Path) -> tuple[Path, Path]:
    """Write gold and a system; neither, one or both spoilt, both perhaps in the same way."""
    format = random.choice(("conllu", "conllu", "conllu", "conllx", "pascal"))
    gold = material.treebank(random)
    sides = [material.written(s, format) for s in (gold, material.prediction(random, gold))]
    how = random.choice(("not", "gold", "system", "system", "both", "alike", "alike", "alike"))
    mutators = random.choice((MILD, MILD, MUTATORS))
    if how == "alike":
        seed = random.random()
        sides = [mutated(Random(seed), side, mutators) for side in sides]
    else:
        for at, side in enumerate(("gold", "system")):
            if how in (side, "both"):
                sides[at] = mutated(random, sides[at], mutators)
    paths = []
    for name, content in zip(("gold", "system"), sides, strict=True):
        ending, packed = compressed(random, content)
        paths.append(folder / f"{name}.{format}{ending}")
        paths[-1].write_bytes(packed)
    return paths[0], paths[1]


def expected_scores(
    gold: Path, system: Path, metrics: list[str], rules: oracle.Rules
) -> oracle.Scores | str:
    """Return what the oracle says: scores, or why there are none."""
    try:
        return oracle.score(oracle.read(gold), oracle.read(system), metrics, rules)
    except oracle.Refused as refused:
        return f"refused ({refused})"
    except NotImplementedError:
        return ""


def actual_scores(
    gold: Path, system: Path, metrics: list[str], conventions: Conventions
) -> oracle.Scores | str:
    """Return what the program says."""
    try:
        truth = read(gold, role="gold", findings=Findings())
        answer = read(system, role="prediction", findings=Findings())
        scores = evaluate(truth, answer, metrics=metrics, conventions=conventions, resamples=0)
    except TreegaugeError as error:
        if not str(error).strip():
            raise Found("refused without a message") from error
        return f"refused ({error})"
    return {metric: (scores[metric].value, scores[metric].n) for metric in metrics}


def compare(expected: oracle.Scores | str, actual: oracle.Scores | str) -> str:
    """Return what became of a pair; a number or a refusal that is one's alone is found."""
    if isinstance(actual, str):
        # What was cut and what was written so by a system only a reader's care can tell.
        if isinstance(expected, str) or "[truncated-file]" in actual:
            return "refused"
        raise Found(f"the oracle gives {expected}, the program {actual}")
    if isinstance(expected, str):
        if not expected:
            return "no second opinion"
        raise Found(f"the oracle {expected}, the program gives {actual}")
    for metric, (value, n) in expected.items():
        theirs, their_n = actual[metric]
        same = _same_number(value, theirs)
        if not same or n != their_n:
            raise Found(f"{metric}: the oracle {value} of {n}, the program {theirs} of {their_n}")
    return "same numbers"


def _same_number(a: float | None, b: float | None) -> bool:
    if a is None or b is None or math.isnan(b):
        return a is None and (b is None or math.isnan(b))
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _case(random: Random, folder: Path) -> str:
    gold, system = write_pair(random, folder)
    name = random.choice(sorted(PRESETS))
    deviations = {
        "average": random.choice(("micro", "micro", "sentence")),
        "skip_length_one": random.random() < 0.2,
        "count_root": random.random() < 0.8,
    }
    if random.random() < 0.3:
        deviations["punctuation"] = random.choice(("counted", "ignored", "removed"))
    rules = oracle.Rules(**{**PRESETS[name].__dict__, **deviations})
    has_tags = ".conllx" not in gold.name
    metrics = [
        metric + random.choice(("", "", "", "@3", "@5w"))
        for metric in random.sample((*TREES, *SHARED_TASK) if has_tags else TREES, 4)
    ]
    if has_tags and rules == PRESETS["conll2018"]:  # induced tags have conventions of their own
        metrics += random.sample(WITH_TAGS, 2)
    metrics = list(dict.fromkeys(metrics))
    expected = expected_scores(gold, system, metrics, rules)
    return compare(expected, actual_scores(gold, system, metrics, preset(name, **deviations)))


def _command_case(random: Random, folder: Path) -> str:
    """The same through the program, which chooses the metrics itself."""
    gold, system = write_pair(random, folder)
    name = random.choice(sorted(PRESETS))
    arguments = ["evaluate", gold.name, system.name, "--preset", name, "--json", "--quiet"]
    done = run_in_process([*arguments, "--resamples", "0"], folder=folder)
    said = f"treegauge {' '.join(arguments)}\nexit {done.returncode}\n{done.stderr[-2000:]}"
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise Found(said)
    if done.returncode == 1 and not done.stderr.strip():
        raise Found(f"no message: {said}")
    actual: oracle.Scores | str = done.stderr
    metrics = ["words"]
    if done.returncode == 0:
        scores = json.loads(done.stdout)["systems"][0]["scores"]
        metrics = [m for m in scores if m.partition("@")[0] in oracle.NEEDS]
        actual = {metric: (scores[metric]["value"], scores[metric]["n"]) for metric in metrics}
    expected = expected_scores(gold, system, metrics, PRESETS[name])
    return compare(expected, actual)


SCORES = Attack(
    "scores",
    "gold and system, spoilt or changed, scored by the library and by a second scorer",
    _case, short=300, long=10_000,
)  # fmt: skip
COMMANDS = Attack(
    "evaluate",
    "the same through `treegauge evaluate`",
    _command_case, short=20, long=600,
)  # fmt: skip
