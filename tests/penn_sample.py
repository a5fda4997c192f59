"""A treebank that looks like the sample of the Penn Treebank: made-up brackets, train and test."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import treegauge as tg
from treegauge.formats import parse_brackets
from treegauge.rewrite.head_rules import choose_heads

NAME = "en_wsj_sample"
SENTENCES = {"train": 60, "test": 30}

UNIVERSAL = {"DT": "DET", "NN": "NOUN", "NNS": "NOUN", "VBD": "VERB", "IN": "ADP", "CC": "CONJ"}
UNIVERSAL |= {"PRP": "PRON", "JJ": "ADJ", "CD": "NUM", ".": ".", "$": "."}
"""As in the map of Petrov et al."""

TAG_MAP = "".join(f"{tag}\t{universal}\n" for tag, universal in UNIVERSAL.items())


@cache
def penn_files() -> dict[str, str]:
    """Return the texts of its files by name; gold is by other head rules than the challenge's."""
    text = made_brackets(sum(SENTENCES.values()))
    whole = choose_heads(parse_brackets(text), "yamada-matsumoto")
    train, test = whole[: SENTENCES["train"]], whole[SENTENCES["train"] :]
    return {
        "trees.mrg": text,
        "train.conllx": tg.to_text(train, format="conllx"),
        "test.conllx": tg.to_text(test, format="conllx"),
    }


def write_penn(folder: Path) -> Path:
    """Write the sample into a folder of its name below this one, the tag map beside it."""
    (folder / NAME).mkdir(parents=True)
    for name, text in penn_files().items():
        (folder / NAME / name).write_text(text, encoding="utf-8")
    (folder / "penn.map").write_text(TAG_MAP, encoding="utf-8")
    return folder


def made_brackets(sentences: int) -> str:
    """Return trees with subjects, objects, prepositions, coordination and sums of money."""
    chosen = random.Random(7)

    def nouns() -> str:
        noun = chosen.choice(["(NN cook)", "(NN horse)", "(NNS cats)", "(NNS ships)"])
        return f"(DT the){chosen.choice(['', ' (JJ old)'])} {noun}"

    lines = []
    for _ in range(sentences):
        subjects = [nouns(), "(PRP she)", "(NNS cats) (CC and) (NNS dogs)"]
        subject = f"(NP-SBJ {chosen.choice(subjects)})"
        verb = chosen.choice(["saw", "sold", "painted"])
        what = f"(NP {chosen.choice([nouns(), '($ $) (CD 5)'])})"
        where = chosen.choice(["", f" (PP-LOC (IN in) (NP {nouns()}))"])
        lines.append(f"( (S {subject} (VP (VBD {verb}) {what}{where}) (. .)))\n")
    return "".join(lines)
