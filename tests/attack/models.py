"""Damaged and hostile models of every system in the table, made by code.

`trained_models` writes a small model of each system; `mutants` gives what damage, an old program or
an attacker would make of one: bytes flipped and cut, arrays of other types, shapes and numbers, and
JSON in which anything stands anywhere. A mutant may be loaded and used, or be refused with a
`TreegaugeError`; `try_model` says which, and lets everything else pass as the failure that it is.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import treegauge as tg
from treegauge.errors import TreegaugeError
from treegauge.systems import load_system, make_system, systems
from treegauge.systems.system_names import SYSTEMS_OF_TOOLS
from treegauge.systems.word_alignment.toy_bitext import toy_bitext
from treegauge.toys import toy_parts, toy_treebank
from treegauge.treebank import Treebank

_TOKENS = 300
_CLASSES = {"classes": 3}
_SHORT = {"iterations": 2, "max_length": 6}
_SETTINGS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("dmv", "viterbi-dmv", "less-is-more", "baby-steps", "leapfrog"), _SHORT),
    **dict.fromkeys(("evg", "unambiguity", "feature-dmv", "lndmv", "slndmv"), _SHORT),
    "tsg-dmv": _SHORT | {"chains": 2},
    "transfer-dmv": _SHORT
    | {"sources": ["{folder}/svo.conllu"], "epochs": 1, "drawn": 20, "bits": 10},
    "universal-dmv": _SHORT,
    "ccg": _SHORT,
    "reducibility": {"passes": 2, "test_passes": 2, "chains": 2, "fertility": "word"},
    "reducibility-stop": _SHORT,
    "posterior-sparse": _SHORT | {"no_function_heads": True},
    "perceptron": {"bits": 10, "epochs": 1},
    "udpipe-tagger": {"iterations": 1},
    "udpipe": {"iterations": 1, "hidden_layer": 5, "structured_interval": 0},
    "tags-then-trees": {"tags_from": "brown:3", "inducer": "dmv?iterations=2"},
    "transition": {"epochs": 1, "tags_from": "most-frequent-tag"},
    "brown": _CLASSES,
    "mkcls": _CLASSES,
    "predictive-exchange": _CLASSES | {"sweeps": 1},
    "bmmm": _CLASSES | {"sweeps": 2},
    "pyp-hmm": _CLASSES | {"sweeps": 2},
    "hmm": _CLASSES | {"iterations": 2},
    "hmm-pr": _CLASSES | {"iterations": 1},
    "lda-classes": _CLASSES | {"sweeps": 2},
    "frequent-leaves": _SHORT | _CLASSES | {"mixtures": 2, "function_share": 0.05},
    "content-chain": {"function_share": 0.05},
    "joint": _CLASSES | {"sweeps": 2, "rounds": 1, "max_length": 6},
    "graph": {"table_bits": 10, "epochs": 1, "relation_epochs": 1},
    "inducer-ensemble": {"systems": ["dmv?iterations=2&max_length=6", "udp"]},
    "ensemble": {"parsers": ["transition?epochs=1", "graph?table_bits=10&epochs=1"]},
    "higher-order-crf": {"epochs": 1, "suffixes": 2, "prefixes": 1},
    "crf": {"iterations": 2},
    "bilstm": {
        "epochs": 1,
        "word_size": 4,
        "character_size": 3,
        "character_hidden": 3,
        "hidden": 5,
    },
    "biaffine": {"epochs": 1, "layers": 1, "hidden": 5},
    "mmi": _CLASSES
    | {"epochs": 1, "members": 2, "word_size": 4, "character_size": 3, "character_hidden": 3},
    "neural-dmv": {
        "max_length": 6,
        "epochs": 1,
        "steps": 2,
        "start_steps": 2,
        "order": "sibling",
        "lexicalise": 5,
        "start": "dmv?iterations=2&max_length=6",
        "trust": 0.5,
    },
    "transfer": {"sources": ["{folder}/svo.conllu"], "bits": 10, "epochs": 1},
    "projection": {
        "parallel": ["{folder}/svo-sov.txt"],
        "sources": ["{folder}/svo.conllu"],
        "source_tagger": "most-frequent-tag",
        "tagger": "tnt",
        "labelled": 0.1,
    },
    "dictionary-hmm": {"dictionary": "toy:sov", "iterations": 1},
    "external": {"command": "cat {{train}}"},
}
_NEEDS = {"crf": "pycrfsuite", "udpipe": "ufal.udpipe"}
_NEEDS |= dict.fromkeys(("bilstm", "biaffine", "mmi", "neural-dmv"), "torch")
_NEEDS["udpipe-tagger"] = _NEEDS["udpipe"]


def attacked_systems() -> list[str]:
    """Return the systems of the table whose libraries are installed."""
    return [
        name
        for name in systems()
        if name not in SYSTEMS_OF_TOOLS.values()  # they cannot be saved
        and (name not in _NEEDS or find_spec(_NEEDS[name].partition(".")[0]) is not None)
    ]


@cache
def _toy() -> Treebank:
    return toy_parts("toy:sov", tokens=_TOKENS)["train"]


def trained_model(name: str, folder: Path) -> Path:
    """Write a small model of a system into a folder; return its path."""
    text = _toy()
    if name in ("transfer", "transfer-dmv", "projection"):
        tg.write(toy_treebank("toy:svo", tokens=_TOKENS), folder / "svo.conllu")
        lines = [
            f"{' '.join(a)} ||| {' '.join(b)}\n"
            for a, b in toy_bitext("toy:svo", "toy:sov", tokens=_TOKENS)
        ]
        (folder / "svo-sov.txt").write_text("".join(lines), encoding="utf-8")
    path = folder / f"{name}.model"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make_system(name, _filled(_SETTINGS.get(name, {}), folder)).fit(text).save(path)
    return path


def _filled(value: Any, folder: Path) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, folder) for item in value]
    return value.format(folder=folder) if isinstance(value, str) else value


def attacked_text() -> Treebank:
    """Return a text with words that models know and words that they do not."""
    known = _toy()[:3]
    unknown = tg.parse("zz/X 漢/Y Zz-1/X ./PUNCT\na/X\n", format="slashed")
    return tg.concatenate([known, unknown])


def try_model(path: Path, text: Treebank) -> str:
    """Load a model and annotate with it; return `annotated`, or what was refused and why."""
    step = "loading"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            system = load_system(path, max_bytes=1 << 28)
            step = "annotating"
            answer = system.annotate(text)
            system.describe_grammar(3)
        assert answer.n_words == text.n_words
        tg.write(answer, io.BytesIO(), format="conllu")
    except TreegaugeError as error:
        return f"{step}: {error}"
    return "annotated"


# ---------------------------------------------------------------------- mutants


@dataclass(frozen=True)
class Mutant:
    """The bytes of a model that was changed, and what was done to it."""

    change: str
    content: bytes


def mutants(path: Path, *, seed: int, forged: int, damaged: int) -> Iterator[Mutant]:
    """Give models whose arrays and JSON were forged, and some whose bytes were damaged."""
    chance = random.Random(f"{path.name} {seed}")
    content = path.read_bytes()
    with np.load(io.BytesIO(content)) as file:
        arrays = {key: file[key] for key in file.files}
    about = json.loads(arrays.pop("about").tobytes())
    for _ in range(forged):
        changed = dict(arrays)
        document = json.loads(json.dumps(about))
        changes = []
        for _ in range(chance.choice([1, 1, 1, 2])):
            if changed and chance.random() < 0.6:
                name = chance.choice(list(changed))
                changes.append(_forge_array(changed, name, arrays[name], chance))
            else:
                changes.append(_forge_fact(document, chance))
        _sign(changed, document)
        yield Mutant("; ".join(changes), packed(changed, document))
    for _ in range(damaged):
        name, damage = chance.choice(list(_DAMAGES.items()))
        yield Mutant(name, damage(content, chance))


def packed(arrays: dict[str, Any], about: Any) -> bytes:
    """Return the bytes of a model; `about` may be text, right or wrong."""
    text = about if isinstance(about, str) else json.dumps(about)
    text = text.replace(f'"{_DEEP}"', "[" * 5000 + "]" * 5000)
    target = io.BytesIO()
    np.savez(target, about=np.frombuffer(text.encode(), np.uint8), **arrays)
    return target.getvalue()


def _sign(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    """Let bytes with a digest have the right one, as whoever forges them would."""
    facts = about.get("facts")
    if isinstance(facts, dict) and "digest" in facts and "model" in arrays:
        facts["digest"] = hashlib.sha256(arrays["model"].tobytes()).hexdigest()


_DEEP = "lists in lists"
"""Stands for what Python itself could not write as JSON."""


def _forge_array(arrays: dict[str, Any], name: str, array: Any, chance: random.Random) -> str:
    """Put a forgery in the place of an array, or nothing; return what was done."""
    change = chance.choice([*_FORGERIES, *_STRAY_NUMBERS, "shuffled", "missing"])
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if change == "missing":
            del arrays[name]
        elif change == "shuffled":
            order = np.random.default_rng(chance.randrange(2**32)).permutation(array.size)
            arrays[name] = array.reshape(-1)[order].reshape(array.shape)
        elif change in _FORGERIES:
            arrays[name] = _FORGERIES[change](array)
        elif array.size:
            kind, value = _STRAY_NUMBERS[change](array)
            arrays[name] = array.astype(kind)
            arrays[name].flat[chance.randrange(array.size)] = value
    return f"{name} {change}"


def _limits(array: Any) -> Any:
    return np.finfo(array.dtype) if array.dtype.kind == "f" else np.iinfo(array.dtype)


_STRAY_NUMBERS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "one negative": lambda a: (np.int64, -1),  # noqa: ARG005
    "one million": lambda a: (np.int64, 1_000_000),  # noqa: ARG005
    "one very negative": lambda a: (a.dtype, _limits(a).min),
    "one largest": lambda a: (a.dtype, _limits(a).max),
    "one too large": lambda a: (a.dtype, a.max() + 1),
    "one next to nothing": lambda a: (np.result_type(a, np.float64), 5e-324),
    "one NaN": lambda a: (np.result_type(a, np.float16), math.nan),
    "one infinite": lambda a: (np.result_type(a, np.float16), math.inf),
}
"""For one entry of an array: the type that can hold a number, and the number."""
_FORGERIES: dict[str, Callable[[Any], Any]] = {
    "one too short": lambda a: a[:-1],
    "one too long": lambda a: np.concatenate([a, a[-1:]]),
    "empty": lambda a: a[:0],
    "doubled": lambda a: np.concatenate([a, a]),
    "reversed": lambda a: a[::-1],
    "transposed": lambda a: a.T.copy(),
    "in Fortran's order": np.asfortranarray,
    "flat": lambda a: a.reshape(-1),
    "in a table": lambda a: a[:, None],
    "a single number": lambda a: a.sum(),
    "without rows but wide": lambda a: np.zeros((0, 2**40), a.dtype),
    "all the same": lambda a: np.full_like(a, a.flat[0] if a.size else 0),
    "all zero": np.zeros_like,
    "all largest": lambda a: np.full_like(a, _limits(a).max),
    "all huge": lambda a: np.full(a.shape, 1e308),
    "all tiny": lambda a: np.full(a.shape, 1e-308),
    "floats": lambda a: a.astype(np.float64),
    "half floats": lambda a: a.astype(np.float16),
    "small integers": lambda a: a.astype(np.int8),
    "large integers": lambda a: a.astype(np.uint64),
    "truths": lambda a: a.astype(np.bool_),
    "other bytes first": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "text": lambda a: a.astype("U8"),
    "dates": lambda a: a.astype(np.int64).astype("M8[s]"),
    "complex": lambda a: a.astype(np.complex128),
}

_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    3,
    2**31,
    2**63,
    10**400,
    -(10**30),
    0.5,
    1e308,
    math.nan,
    math.inf,
    "",
    "x",
    "p:0",
    "\ud800",
    "\0",
    "a\tb\nc",
    "toy:svo",
    "/dev/zero",
    "../x",
    "%",
    "dmv?x=y",
    "x" * 5000,
    [],
    {},
    [None],
    [1, 2],
    ["a", "a"],
    {"a": {"b": []}},
)


def _forge_fact(document: Any, chance: random.Random) -> str:
    """Change a place of the JSON, at any depth."""
    place: Any = document
    path = []
    while True:
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        path.append(str(key))
        inner = place[key]
        if not isinstance(inner, (dict, list)) or not inner or chance.random() < 0.15:
            break
        place = inner
    where = ".".join(path)
    kind = chance.random()
    if kind < 0.1:
        del place[key]
        return f"{where} missing"
    if kind < 0.2 and isinstance(place, list):
        place.append(place[key])
        return f"{where} twice"
    if kind < 0.3 and isinstance(place, list) and len(place) > 1:
        other = chance.randrange(len(place))
        place[key], place[other] = place[other], place[key]
        return f"{where} exchanged"
    if kind < 0.4:
        place[key] = _DEEP
        return f"{where} deep"
    place[key] = chance.choice(_VALUES)
    return f"{where} = {str(place[key])[:20]!r}"


def _with_byte(content: bytes, at: int, value: int) -> bytes:
    return content[:at] + bytes([value]) + content[at + 1 :]


_DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "a byte changed": lambda b, c: _with_byte(b, c.randrange(len(b)), c.randrange(256)),
    "a byte near the end changed": lambda b, c: _with_byte(
        b, len(b) - 1 - c.randrange(min(len(b), 200)), c.randrange(256)
    ),
    "cut": lambda b, c: b[: c.randrange(len(b))],
    "beginning cut": lambda b, c: b[c.randrange(len(b)) :],
    "a piece missing": lambda b, c: (
        b[: (at := c.randrange(len(b)))] + b[at + 1 + c.randrange(50) :]
    ),
    "a piece twice": lambda b, c: b[: (at := c.randrange(len(b)))] + b[max(0, at - 50) :],
    "zeros": lambda b, c: b[: (at := c.randrange(len(b)))] + bytes(20) + b[at + 20 :],
}
