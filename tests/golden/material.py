"""The files that golden cases read: toy languages only, small, and the same bytes every time."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import treegauge as tg
from tests import penn_sample
from tests.unit.challenges.marked_challenge import CHALLENGE, write_challenge
from treegauge.dictionaries import TagDictionary, write_dictionary
from treegauge.toys import toy_dictionary

BROKEN = Path(__file__).parents[1] / "broken"
LANGUAGES = ("svo", "sov", "vso", "free")
WORDS = {"train": 1200, "dev": 300, "test": 500}
"""Of the treebanks in the folder `data`."""

EXPERIMENT = """\
name = "look"
treebanks = ["data/svo", "data/sov"]
resamples = 20
metrics = ["uas", "ned", "uas@10", "vi", "many_to_one"]
by = ["edge_length"]
systems = [
    "left-branching",
    { system = "random", seeds = [1, 2] },
    "soegaard-rules",
    { system = "dmv", settings = { iterations = 3 } },
    { system = "brown", settings = { classes = 5 } },
]
"""

# One way to be wrong for each misuse of an experiment.
WRONG_EXPERIMENTS = {
    "no-toml.toml": "treebanks = [\n",
    "unknown-key.toml": 'treebanks = ["data/svo"]\nsystems = ["random"]\nresampels = 10\n',
    "unknown-system.toml": 'treebanks = ["data/svo"]\nsystems = ["left-brnching"]\n',
    "unknown-treebank.toml": 'treebanks = ["svoo"]\nsystems = ["random"]\n',
    "wrong-setting.toml": (
        'treebanks = ["data/svo"]\nsystems = [{ system = "dmv", settings = { itrations = 1 } }]\n'
    ),
}

BRACKETS = "( (S (NP-SBJ (PRP We)) (VP (VBP live) (PP-LOC (IN in) (NP (NN town)))) (. .)))\n"
ANSWER = '{"id": "a", "words": ["go", "on"], "answer": "1\\tgo\\tVERB\\t0\\troot"}\n'
UNIMORPH = "hund\thunde\tN;NOM;PL\nse\tser\tV;PRS\n"


def write_material(folder: Path) -> None:
    """Write all files into a folder."""
    for name, text in _texts().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for language in LANGUAGES:
        write_dictionary(_dictionary(language), folder / f"{language}.tsv")
    shutil.copy(BROKEN / "cycle.conllu", folder)
    shutil.copy(BROKEN / "columns.conllu", folder)
    shutil.copy(BROKEN / "empty-file.conllu", folder)
    licence = ('licence = "CC BY 4.0"', 'licence = "LDC"\nredistribute = false')
    write_challenge(folder / "licensed", CHALLENGE.replace(*licence))


@cache
def _dictionary(language: str) -> TagDictionary:
    return TagDictionary.from_mapping(toy_dictionary(f"toy:{language}"))


@cache
def _texts() -> dict[str, str]:
    gold = tg.to_text(tg.toy_treebank("toy:svo", tokens=WORDS["test"], part="test"))
    files = {
        "gold.conllu": gold,
        "few.conllu": "\n\n".join(gold.split("\n\n")[:8]) + "\n\n",
        "ours.conllu": _corrupted(gold, every=3, heads=_left_branching),
        "base.conllu": _corrupted(gold, every=2, heads=_right_branching),
        "other.conllu": _corrupted(gold, every=5, heads=_left_branching),
        "train.conllu": tg.to_text(tg.toy_treebank("toy:svo", tokens=WORDS["train"])),
        "look.toml": EXPERIMENT,
        "town.mrg": BRACKETS,
        "danish.um": UNIMORPH,
        "answers.jsonl": ANSWER,
        "pairs.tsv": "\n".join(f"{a}\t{b}" for a, b in _pairs()) + "\n",
        "penn.map": penn_sample.TAG_MAP,
        **WRONG_EXPERIMENTS,
    }
    for name, text in penn_sample.penn_files().items():
        files[f"penn/{penn_sample.NAME}/{name}"] = text
    for language in LANGUAGES:
        for part, words in WORDS.items():
            made = tg.toy_treebank(f"toy:{language}", tokens=words, part=part)
            files[f"data/{language}/{part}.conllu"] = tg.to_text(made)
    for language in ("sov", "vso"):
        text = files[f"{language}-gold.conllu"] = files[f"data/{language}/test.conllu"]
        files[f"{language}-ours.conllu"] = _corrupted(text, every=3, heads=_left_branching)
        files[f"{language}-base.conllu"] = _corrupted(text, every=2, heads=_right_branching)
    return files


def _pairs() -> list[tuple[str, str]]:
    """Return words of one language with words of another, for a dictionary to be translated."""
    ours, theirs = (sorted(toy_dictionary(f"toy:{name}"))[:60] for name in ("svo", "sov"))
    return list(zip(ours, theirs, strict=True))


# ---------------------------------------------------------------------- systems that err


def _left_branching(words: int) -> list[int]:
    return [*range(2, words + 1), 0]


def _right_branching(words: int) -> list[int]:
    return list(range(words))


def _corrupted(text: str, *, every: int, heads: Callable[[int], list[int]]) -> str:
    """Return a treebank with other trees in every so many sentences, and with some other tags."""
    sentences = text.rstrip("\n").split("\n\n")
    changed = []
    for number, sentence in enumerate(sentences):
        lines = sentence.split("\n")
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        if number % every == 0:
            for row, head in zip(rows, heads(len(rows)), strict=True):
                row[6] = str(head)
                row[7] = "root" if head == 0 else "dep" if row[7] == "root" else row[7]
        for place, row in enumerate(rows):
            if (number + place) % (7 + every) == 0:
                row[3] = "NOUN" if row[3] != "NOUN" else "VERB"
            if (number + place) % (5 + every) == 0 and row[6] != "0":
                row[7] = "obj" if row[7] != "obj" else "nsubj"
        comments = [line for line in lines if line.startswith("#")]
        changed.append("\n".join([*comments, *("\t".join(row) for row in rows)]))
    return "\n\n".join(changed) + "\n\n"
