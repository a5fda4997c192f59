"""Systems that learn from odd files, and annotate others: they refuse, or give whole trees."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.attack import material
from tests.attack.attack import Attack, Found
from tests.attack.mutators import MILD, mutated
from treegauge.errors import TreegaugeError
from treegauge.formats import Findings, read
from treegauge.systems import make_system
from treegauge.treebank import Treebank

INDUCERS = {
    **{name: {} for name in ("left-branching", "random", "soegaard-pagerank", "udp", "harmonic")},
    **{name: {"iterations": 2} for name in ("dmv", "viterbi-dmv", "evg", "unambiguity", "lndmv")},
    "soegaard-rules": {},
    "baby-steps": {"iterations": 2},
}
PARSERS = {"transition": {"epochs": 2}, "graph": {"epochs": 2}}
TAGGERS = {
    **{name: {} for name in ("most-frequent-tag", "tnt", "tree", "brown", "mkcls")},
    **{name: {} for name in ("predictive-exchange", "lda-classes")},
    **{name: {"sweeps": 2} for name in ("bmmm", "pyp-hmm")},
    **{name: {"iterations": 2} for name in ("hmm", "hmm-pr")},
    "perceptron": {"epochs": 2},
    "higher-order-crf": {},
}
SYSTEMS = {**INDUCERS, **PARSERS, **TAGGERS}


def _written(random: Random, path: Path) -> Path:
    content = b"".join(
        material.written(material.treebank(random), "conllu") for _ in range(random.choice((1, 4)))
    )
    path.write_bytes(content if random.random() < 0.2 else mutated(random, content, MILD))
    return path


def _case(random: Random, folder: Path) -> str:
    name = random.choice(sorted(SYSTEMS))
    files = [_written(random, folder / f"{part}.conllu") for part in ("train", "test")]
    try:
        train, test = (read(file, findings=Findings()) for file in files)
    except TreegaugeError:
        return "refused"
    system = make_system(name, SYSTEMS[name], seed=1)
    try:
        system.fit(train)
        annotated = system.annotate(test)
        system.save(folder / "model")
    except TreegaugeError as error:
        if not str(error).strip():
            raise Found("refused without a message") from error
        return "refused"
    _check(name, test, annotated)
    return "annotated"


def _check(name: str, test: Treebank, annotated: Treebank) -> None:
    if annotated.form != test.form or (annotated.offsets != test.offsets).any():
        raise Found(f"{name}: other words than those of the text")
    if name in TAGGERS:
        return
    for sentence in annotated:
        heads = list(sentence.heads)
        for word in range(1, len(heads) + 1):
            steps = 0
            while word and steps <= len(heads):
                word, steps = heads[word - 1] if 0 <= word <= len(heads) else -1, steps + 1
                if not 0 <= word <= len(heads):
                    raise Found(f"{name}: a head outside the sentence in {heads}")
            if word:
                raise Found(f"{name}: a cycle in {heads}")


LEARNING = Attack(
    "systems",
    "inducers, parsers and taggers that learn from changed files and annotate others",
    _case, short=15, long=600,
)  # fmt: skip
