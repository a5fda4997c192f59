"""Records of evaluations: a score with everything it depends on, and what may be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar, get_type_hints

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.quality import Quality, quality
from treegauge.dictionaries.soft_accuracy import (
    CostlyEntry,
    GoldBlock,
    SoftAccuracy,
    gold_block,
    soft_accuracy,
)
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.texts import Tagged, Text, tag_codes
from treegauge.results import Signature
from treegauge.treebank import UD_TO_PETROV, Treebank, align_by_position

TAG_SET = "u12"

Made = TypeVar("Made")


@dataclass(frozen=True)
class Conditions:
    """What scores must share to be compared: everything but the tagger.

    Attributes
    ----------
    treebank : str
        Name of the text, with its version if that is known.
    language : str
        What calibration holds out together.
    text_hash, tag_map_hash, dictionary_hash : str
        Of the words, of the map to the 12 tags, of the entries.
    dictionary : str
        Its name.
    forms, entries : int
        Its size.
    """

    treebank: str
    language: str
    text_hash: str
    n: int
    tag_set: str
    tag_map_hash: str
    dictionary: str
    dictionary_hash: str
    forms: int
    entries: int
    casing: str
    punctuation: str
    numbers: bool
    symbols: str
    has_gold: bool
    trusted_hash: str | None
    resamples: int
    confidence: float
    seed: int

    @property
    def signature(self) -> Signature:
        """The line that says how scores were made."""
        return Signature(
            "soft_accuracy",
            (
                ("tags", self.tag_set),
                ("map", self.tag_map_hash[:4]),
                ("case", self.casing),
                ("punct", "yes" if self.punctuation == "counted" else "ignored"),
                ("numbers", "fallback" if self.numbers else "no"),
                ("sym", self.symbols),
                ("dict", f"{self.dictionary}#{self.dictionary_hash[:4]}"),
                ("data", f"{self.treebank or 'text'}#{self.text_hash[:4]}"),
            ),
        )


@dataclass(frozen=True)
class Record:
    """One tagger's evaluation by one dictionary on one text."""

    tagger: str
    conditions: Conditions
    soft: SoftAccuracy
    gold: GoldBlock | None = None
    quality: Quality | None = None
    """Of the dictionary, held against that of the training set."""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as JSON has it."""
        return {
            "tagger": self.tagger,
            **asdict(self.conditions),
            "soft": asdict(self.soft),
            "gold": None if self.gold is None else asdict(self.gold),
            "quality": None if self.quality is None else asdict(self.quality),
            "signature": str(self.conditions.signature),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Record:
        """Return a record that was written as JSON.

        Raises
        ------
        DictionaryError
            If something is missing.
        """
        try:
            conditions = {field.name: document[field.name] for field in fields(Conditions)}
            soft = dict(document["soft"])
            costly = tuple(
                _made(CostlyEntry, entry, tags=tuple(map(str, entry["tags"])))
                for entry in soft["costly"]
            )
            gold, measured = document["gold"], document["quality"]
            return cls(
                str(document["tagger"]),
                _made(Conditions, conditions),
                _made(SoftAccuracy, soft, costly=costly),
                None if gold is None else _made(GoldBlock, gold),
                None if measured is None else _made(Quality, measured),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DictionaryError(
                f"no record of `treegauge dictionary score --json`: {error}"
            ) from None


def evaluate_taggers(
    text: Text,
    tagged: Sequence[Tagged],
    *,
    gold: Treebank | None = None,
    trusted: TagDictionary | None = None,
    language: str = "",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    listed: int = 10,
) -> list[Record]:
    """Score taggers of one text, one record each.

    Parameters
    ----------
    text : Text
        Words, dictionary and conventions.
    tagged : sequence of Tagged
        The taggers' tags.
    gold : Treebank, optional
        The same words with gold tags.
    trusted : TagDictionary, optional
        The dictionary of the training set: for the dictionary's quality and known words.
    language : str
        What calibration holds out together; the treebank's name up to `_` if missing.
    """
    gold_codes = None
    if gold is not None:
        align_by_position(text.treebank, gold)
        gold_codes = tag_codes(gold, text.matching)
    name = (gold.name if gold is not None else "") or text.treebank.name
    drawn: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "seed": seed}
    conditions = Conditions(
        treebank=name,
        language=language or name.partition("_")[0],
        text_hash=text.fingerprint,
        n=int(text.is_scored.sum()),
        tag_set=TAG_SET,
        tag_map_hash=tag_map_hash(text.matching.symbols),
        dictionary=text.given.name,
        dictionary_hash=text.given.fingerprint,
        forms=len(text.given),
        entries=text.given.n_entries,
        **asdict(text.matching),
        has_gold=gold is not None,
        trusted_hash=trusted.fingerprint if trusted is not None else None,
        **drawn,
    )
    measured = (
        quality(text.given, trusted, casing=text.matching.casing) if trusted is not None else None
    )
    return [
        Record(
            one.name,
            conditions,
            soft_accuracy(text, one.codes, **drawn, listed=listed),
            None
            if gold_codes is None
            else gold_block(text, one.codes, gold_codes, trusted=trusted, **drawn),
            measured,
        )
        for one in tagged
    ]


def tag_map_hash(symbols: str = "X") -> str:
    """Return sixteen hexadecimal digits that depend on the map from UD to the 12 tags."""
    mapping = {**UD_TO_PETROV, "SYM": symbols, "_": "X"}
    lines = "".join(f"{tag}\t{to}\n" for tag, to in sorted(mapping.items()))
    return hashlib.blake2b(lines.encode(), digest_size=8).hexdigest()


def _made(kind: type[Made], values: Mapping[str, Any], **made: Any) -> Made:
    """Make a part of a record; a value of another type than its field has is a `TypeError`."""
    types, values = get_type_hints(kind), dict(values)
    for name, value in values.items():
        # JSON writes a whole share, 1.0, as it likes.
        is_right = name in made or isinstance(value, types[name])
        if not is_right and not (type(value) is int and types[name] == float | None):
            raise TypeError(f"{name} is {value!r}")
    return kind(**{**values, **made})


def require_comparable(records: Sequence[Record]) -> None:
    """Refuse records that differ in anything but the tagger.

    Raises
    ------
    DictionaryError
        The message says which taggers, and in what they differ.
    """
    for other in records[1:]:
        first = records[0]
        mine, theirs = asdict(first.conditions), asdict(other.conditions)
        different = [key for key in mine if mine[key] != theirs[key]]
        if different:
            conditions = ", ".join(
                f"{key.replace('_', ' ')} ({mine[key]} and {theirs[key]})" for key in different
            )
            raise DictionaryError(
                f"{first.tagger} and {other.tagger} cannot be compared: "
                f"they differ in {conditions}\n"
                "  score both on the same text, with the same dictionary and options"
            )
