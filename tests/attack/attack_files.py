"""Mutated files of every format: refused with a message, or read as they stand."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from random import Random

from tests.attack import material, oracle
from tests.attack.attack import Attack, Found, try_command
from tests.attack.mutators import MILD, MUTATORS, compressed, mutated, mutated_document
from treegauge.catalogue.manifest import read_manifest
from treegauge.catalogue.sets import read_sets
from treegauge.dictionaries import (
    TagDictionary,
    Text,
    evaluate_taggers,
    import_dictionary,
    rank_languages,
    read_dictionary,
    read_word_list,
    tagged_texts,
)
from treegauge.errors import TreegaugeError
from treegauge.formats import Findings, parse, read, read_brackets, read_tag_map, validate, write
from treegauge.runs import Experiment
from treegauge.runs.experiment_file import read_experiment
from treegauge.treebank import Treebank

ENDINGS = {"mrg": ".mrg", "tok": ".tok"}


def write_file(random: Random, folder: Path, format: str, name: str = "file") -> Path:
    """Write a mutated file of a format of treebanks."""
    content = mutated(random, material.bytes_of(random, format), random.choice((MILD, MUTATORS)))
    ending, packed = compressed(random, content)
    # Without its extension, the format has to be told from the content.
    extension = random.choice((f".{format}", f".{format}", f".{format}", ".txt"))
    path = folder / f"{name}{extension}{ending}"
    path.write_bytes(packed)
    return path


# ---------------------------------------------------------------------- what is read


def _reading_case(random: Random, folder: Path) -> str:
    format = random.choice(material.FORMATS)
    path = write_file(random, folder, format)
    if format == "mrg":
        return _refused_or_read(lambda: read_brackets(path))
    try:
        treebank = read(path, findings=Findings())
    except TreegaugeError as error:
        if not str(error).strip():
            raise Found("refused without a message") from error
        if validate(path).is_valid:
            raise Found(f"valid, but refused: {error}") from error
        return "refused"
    _same_words(path, treebank)
    _comes_back(folder, treebank, path)
    return "read"


def _same_words(path: Path, treebank: Treebank) -> None:
    """Hold what was read of a column format against the oracle's reading."""
    try:
        sentences = oracle.read(path)
    except (KeyError, NotImplementedError):  # other formats
        return
    except oracle.Refused as refused:
        raise Found(f"the oracle refused ({refused}), the program read it") from None
    columns = (
        [c for c in ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL") if c in sentences[0][0]]
        if sentences and sentences[0]
        else ["FORM"]
    )
    for column in columns:
        expected = [word[column] for sentence in sentences for word in sentence]
        actual = list(treebank.columns[column.lower()])
        if expected != actual:
            raise Found(f"{column}: the oracle read {expected}, the program {actual}")
    heads = [-1 if w["HEAD"] == "_" else int(w["HEAD"]) for s in sentences for w in s]
    lengths = [len(sentence) for sentence in sentences]
    if heads != treebank.head.tolist() or lengths != treebank.lengths.tolist():
        raise Found(f"heads {heads} in sentences of {lengths}, the program {treebank.head}")


def _comes_back(folder: Path, treebank: Treebank, path: Path) -> None:
    """What was read can be written in its own format and read again, or is refused."""
    back = folder / f"back.{path.name.split('.')[1]}"
    if back.suffix == ".txt":
        return
    try:
        write(treebank, back)
    except TreegaugeError:
        return
    again = read(back, findings=Findings())
    if again.fingerprint != treebank.fingerprint:
        raise Found(f"not the same when written and read again: {treebank} and {again}")


def _refused_or_read(action: object) -> str:
    try:
        action()  # type: ignore[operator]
    except TreegaugeError as error:
        if not str(error).strip():
            raise Found("refused without a message") from error
        return "refused"
    return "read"


# ---------------------------------------------------------------------- other files

TAG_MAP = b"# a map\nNN\tNOUN\nVB\tVERB\nDT\tDET\n.\tPUNCT\n"
DICTIONARY = b"birds\tNOUN\nsing\tVERB,NOUN\nloudly\tADV\n\xc3\x84pfel\tNOUN\n"
WORD_LIST = b"birds\tV\xc3\xb6gel\tNOUN\nsing\tsingen\nloudly\tlaut\n"
UNIMORPH = b"bird\tbirds\tN;PL\nsing\tsings\tV;PRS;3;SG\nloud\tloud\tADJ\n"
WIKTEXTRACT = b'{"word": "bird", "pos": "noun", "lang_code": "en", "forms": [{"form": "birds"}]}\n'
EXPERIMENT = b"""treebanks = ["toy:svo"]
metrics = ["uas", "las@10"]
resamples = 10
[[systems]]
system = "dmv"
seeds = [1, 2]
settings = { iterations = 3 }
[[systems]]
system = "right-branching"
label = "right"
"""
SETS = b'[sets]\nmine = ["toy:svo", "en_ewt"]\nall = ["mine"]\n'
MANIFEST = json.dumps(
    {
        "treebanks": [
            {"name": "a", "language": "A", "splits": {"test": {"sentences": 1, "tokens": 2}}}
        ]
    }
).encode()
APERTIUM = b"birds:bird<n><pl>\nsing:<:sing<vblex><inf>\ndel:de<pr>+el<det>\n"
FREEDICT = b"""<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY a "aaaa">]>
<TEI><entry><form><orth>bird&a;</orth></form><gramGrp><pos>n</pos></gramGrp></entry></TEI>
"""


@cache
def example_records() -> bytes:
    """Return records of two taggers with gold, as `dictionary score --json` writes them."""
    dictionary = TagDictionary.from_mapping({"birds": ["NOUN"], "sing": ["VERB", "NOUN"]})
    gold = parse("birds/NOUN sing/VERB\nsing/VERB sing/NOUN\n", name="text")
    other = parse("birds/VERB sing/NOUN\nsing/NOUN sing/VERB\n", name="other")
    text = Text(gold, dictionary)
    records = evaluate_taggers(text, tagged_texts(text, [gold, other]), gold=gold, resamples=10)
    return json.dumps({"records": [record.to_dict() for record in records]}).encode()


READERS = {
    "tags.map": (TAG_MAP, read_tag_map),
    "words.tsv": (DICTIONARY, read_dictionary),
    "pairs.tsv": (WORD_LIST, read_word_list),
    "unimorph.tsv": (UNIMORPH, lambda path: import_dictionary(path, "unimorph")),
    "wiktextract.jsonl": (WIKTEXTRACT, lambda path: import_dictionary(path, "wiktextract")),
    "experiment.toml": (EXPERIMENT, read_experiment),
    "treegauge.toml": (SETS, read_sets),
    "manifest.json": (MANIFEST, read_manifest),
    "records.json": (example_records, lambda path: rank_languages([str(path)], trials=10)),
    "apertium.tsv": (APERTIUM, lambda path: import_dictionary(path, "apertium")),
    "freedict.tei": (FREEDICT, lambda path: import_dictionary(path, "freedict")),
}
"""By file name: an example, or what makes one, and what reads it."""


def _other_case(random: Random, folder: Path) -> str:
    name = random.choice(sorted(READERS))
    example, reader = READERS[name]
    content = example if isinstance(example, bytes) else example()
    if name == "experiment.toml" and random.random() < 0.7:
        document = mutated_document(random, tomllib.loads(content.decode()))
        return _refused_or_read(lambda: Experiment.from_dict(document))
    if ".json" in name and random.random() < 0.7:
        content = json.dumps(mutated_document(random, json.loads(content))).encode()
    else:
        content = mutated(random, content)
    ending, packed = compressed(random, content) if name.endswith(".tsv") else ("", content)
    path = folder / f"{name}{ending}"
    path.write_bytes(packed)
    return _refused_or_read(lambda: reader(path))


# ---------------------------------------------------------------------- commands

COMMANDS = (
    ("validate", "FILE"),
    ("validate", "FILE", "--json"),
    ("validate", "FILE", "--strict"),
    ("convert", "FILE", "out.conllu"),
    ("convert", "FILE", "out.conllx"),
    ("convert", "FILE", "out.tagged"),
    ("convert", "FILE", "out.slashed"),
    ("convert", "FILE", "out.conllu.gz", "--style", "conll"),
    ("convert", "FILE", "out.conllu", "--heads", "collins"),
    ("describe", "FILE", "--resamples", "10"),
    ("describe", "FILE", "--word-order", "--resamples", "10", "--json"),
    ("draw", "FILE"),
    ("draw", "FILE", "-o", "out.svg"),
    ("evaluate", "FILE", "FILE", "--resamples", "10", "--by", "relation", "--per-tag"),
    ("evaluate", "FILE", "OTHER", "--align", "--resamples", "10"),
    ("compare", "FILE", "FILE", "OTHER", "--trials", "10", "--resamples", "10"),
    ("evaluate", "FILE", "FILE", "--preset", "pascal", "--resamples", "10", "-o", "out.html"),
    ("permute", "FILE", "out.conllu", "--order", "optdl"),
    ("derive", "FILE", "out.txt", "--system", "swap-lazy"),
    ("dictionary", "from-treebank", "FILE", "out.tsv"),
    ("dictionary", "score", "words.tsv", "FILE", "--resamples", "10"),
    ("induce", "right-branching", "FILE", "-o", "out.conllu"),
)


def _command_case(random: Random, folder: Path) -> str:
    file = write_file(random, folder, random.choice(material.FORMATS))
    other = write_file(random, folder, random.choice(material.FORMATS), "other")
    (folder / "words.tsv").write_bytes(DICTIONARY)
    named = {"FILE": file.name, "OTHER": other.name}
    before = {path.name for path in folder.iterdir()}
    arguments = [named.get(argument, argument) for argument in random.choice(COMMANDS)]
    code = try_command(arguments, folder)
    new = {path.name for path in folder.iterdir()} - before
    if code and new:
        raise Found(f"treegauge {' '.join(arguments)} failed and left {sorted(new)}")
    return {0: "done", 1: "refused", 2: "refused as misuse"}[code]


READING = Attack(
    "reading",
    "files of the eight formats, read by the library and by a second reader",
    _reading_case, short=250, long=8_000,
)  # fmt: skip
OTHERS = Attack(
    "tables",
    "tag maps, dictionaries, word lists, experiments, sets, manifests, records",
    _other_case, short=200, long=5_000,
)  # fmt: skip
VERBS = Attack(
    "verbs",
    "commands of the program on files of the eight formats",
    _command_case, short=20, long=1_000,
)  # fmt: skip
