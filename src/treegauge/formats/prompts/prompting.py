"""Blind sentences with an instruction and examples, one JSON object a line.

A line has `id` (the sentence), `prompt` (the whole text to send), `words` and `columns` (what an
answer is about). Nothing of gold is in it but the words; examples come from another treebank, and
none of them is a sentence that is asked about.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from treegauge.formats.findings import FormatError
from treegauge.formats.layouts import COLUMN_OF
from treegauge.formats.sources import Source, source_name, write_text
from treegauge.formats.texts import read_text
from treegauge.treebank import Sentence, Treebank, tree_flaws
from treegauge.wording import counted, listed

COLUMNS = ("ID", "FORM", "UPOS", "HEAD", "DEPREL")
"""What a model is asked for unless somebody wants something else."""

LONGEST_EXAMPLE = 25
"""Examples have so many words at most."""

_ASKED = {
    "LEMMA": "LEMMA is the dictionary form",
    "UPOS": "UPOS is the universal part of speech (ADJ, ADP, ADV, AUX, CCONJ, DET, INTJ, NOUN, "
    "NUM, PART, PRON, PROPN, PUNCT, SCONJ, SYM, VERB or X)",
    "XPOS": "XPOS is the treebank's own part of speech",
    "FEATS": "FEATS are morphological features such as Case=Nom|Number=Sing, or _",
    "HEAD": "HEAD is the ID of the word that this one depends on, or 0 for the root",
    "DEPREL": "DEPREL is the relation of Universal Dependencies to the head",
}


@dataclass(frozen=True)
class Prompt:
    """What is asked about one sentence."""

    id: str
    prompt: str
    words: tuple[str, ...]
    columns: tuple[str, ...] = COLUMNS


def parse_columns(text: str) -> tuple[str, ...]:
    """Return the columns that a list such as `upos,head,deprel` asks for, ID and FORM before.

    >>> parse_columns("head,upos")
    ('ID', 'FORM', 'UPOS', 'HEAD')
    """
    asked = [name.upper() for name in listed(text)]
    unknown = [name for name in asked if name not in _ASKED]
    if unknown or not asked:
        raise FormatError(
            f"columns to ask for are {', '.join(name.lower() for name in _ASKED)}, "
            f"not {unknown[0].lower() if unknown else 'none'}"
        )
    return ("ID", "FORM", *(name for name in _ASKED if name in asked))


def make_prompts(
    treebank: Treebank,
    *,
    training: Treebank | None = None,
    examples: int = 3,
    columns: tuple[str, ...] = COLUMNS,
    instruction: str = "",
    seed: int = 0,
) -> list[Prompt]:
    """Return a prompt for every sentence of a treebank.

    Parameters
    ----------
    treebank : Treebank
        What is asked about; only its words and the names of its sentences are used.
    training : Treebank, optional
        Where examples come from; without it there are none.
    examples : int
        How many of its sentences every prompt shows, the same in all.
    columns : tuple of str
        What is asked for.
    instruction : str
        What is asked, instead of a text of our own; examples and words follow it.
    seed : int
        Of the choice of examples.

    Raises
    ------
    FormatError
        If there are fewer examples than asked for, or the training treebank lacks a column.
    """
    asked = [tuple(word.form for word in sentence) for sentence in treebank]
    shown = ""
    if training is not None and examples:
        chosen = _examples(training, set(asked), examples, columns, seed)
        shown = "".join(_question(one) + _answer(one, columns) + "\n" for one in chosen)
    text = (instruction or _instruction(columns)).rstrip("\n")
    names = _names(treebank)
    return [
        Prompt(name, f"{text}\n\n{shown}{_question(sentence)}", words, columns)
        for name, sentence, words in zip(names, treebank, asked, strict=True)
    ]


def write_prompts(prompts: Sequence[Prompt], target: Source) -> None:
    """Write prompts, one JSON object a line."""
    write_text(
        target, "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in prompts)
    )


def read_prompts(source: Source) -> list[Prompt]:
    """Read what `write_prompts` wrote.

    Raises
    ------
    FormatError
        If a line is no prompt, or two have one id.
    """
    prompts: dict[str, Prompt] = {}
    for number, line in enumerate(read_text(source, what="prompts").split("\n"), start=1):
        if not line.strip():
            continue
        prompt = prompt_of_line(line)
        place = f"{source_name(source)}:{number}"
        if prompt is None:
            raise FormatError(
                f"{place}: no prompt of ours\n  give the file that `treegauge export-prompt` wrote"
            )
        if prompt.id in prompts:
            raise FormatError(f"{place}: a second prompt {prompt.id}\n  give every one its own id")
        prompts[prompt.id] = prompt
    return list(prompts.values())


def prompt_of_line(line: str) -> Prompt | None:
    """Return the prompt that a line of JSON has, or nothing where it is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    name, words = record.get("id"), _texts(record.get("words"))
    columns = _texts(record.get("columns", list(COLUMNS)))
    if not isinstance(name, str) or not words:
        return None
    if columns[:2] != ("ID", "FORM") or not set(columns[2:]) <= {*_ASKED}:
        return None
    return Prompt(name, str(record.get("prompt", "")), words, columns)


def _texts(value: object) -> tuple[str, ...]:
    """Return a list of texts, empty where it is none."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return ()
    return tuple(value)


def _names(treebank: Treebank) -> list[str]:
    """Return a name for every sentence, its own unless another has it too."""
    ids = treebank.sentence_ids
    if all(ids) and len(set(ids)) == len(ids):
        return list(ids)
    return [f"s{place}" for place in range(1, len(ids) + 1)]


def _instruction(columns: Sequence[str]) -> str:
    asked = "; ".join(_ASKED[name] for name in columns if name in _ASKED)
    return (
        "Annotate the sentence below with Universal Dependencies. Answer with a table and nothing "
        f"else: one line for every word, in the order given, with {len(columns)} columns divided "
        f"by tabs: {' '.join(columns)}. ID counts the words from 1; FORM is the word as given; "
        f"{asked}. Leave no word out and add none."
    )


def _examples(
    training: Treebank, asked: set[tuple[str, ...]], number: int, columns: Sequence[str], seed: int
) -> list[Sentence]:
    """Return sentences with trees that nobody is asked about."""
    for name in columns[2:]:
        has = (
            training.has_heads if name == "HEAD" else training.columns[COLUMN_OF[name]].is_annotated
        )
        if not has:
            raise FormatError(
                f"{training.name or 'the training treebank'} has no {name}\n"
                "  ask for columns that it has, or take another one"
            )
    usable = (tree_flaws(training) == 0) & (training.lengths <= LONGEST_EXAMPLE)
    order = np.random.default_rng(seed).permutation(np.flatnonzero(usable & (training.lengths > 0)))
    chosen: list[Sentence] = []
    for place in order:
        sentence = training[int(place)]
        words = tuple(word.form for word in sentence)
        if words not in asked:
            chosen.append(sentence)
            asked = {*asked, words}
        if len(chosen) == number:
            return chosen
    raise FormatError(
        f"{training.name or 'the training treebank'} has only "
        f"{counted(len(chosen), 'sentence')} of at most {LONGEST_EXAMPLE} words that can be shown\n"
        f"  ask for no more with --examples {len(chosen)}"
    )


def _question(sentence: Sentence) -> str:
    lines = [f"{place}\t{word.form}\n" for place, word in enumerate(sentence, start=1)]
    return "Sentence:\n" + "".join(lines) + "Table:\n"


def _answer(sentence: Sentence, columns: Sequence[str]) -> str:
    lines = []
    for place, word in enumerate(sentence, start=1):
        rest = [str(word.head) if c == "HEAD" else word[COLUMN_OF[c]] for c in columns[2:]]
        lines.append("\t".join([str(place), word.form, *rest]) + "\n")
    return "".join(lines)
