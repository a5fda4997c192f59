"""The treebanks of a challenge, as the organisers have them: with gold, and never given out."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from treegauge.catalogue import Catalogue, CatalogueError
from treegauge.catalogue.catalogue import Selection
from treegauge.challenges.challenge import Challenge, ChallengeTreebank, Hidden, Track
from treegauge.challenges.challenge_folder import ChallengeFolder
from treegauge.challenges.errors import ChallengeError
from treegauge.formats import Findings, write
from treegauge.formats.layouts import PASCAL
from treegauge.strata.registry import TRAINING, find_stratum
from treegauge.treebank import (
    AlignmentError,
    Treebank,
    TreebankError,
    align_by_position,
    blind,
    tag_column,
)
from treegauge.treebank.parts import PARTS
from treegauge.wording import counted

_GOLD_COLUMNS = ("form", "lemma", "upos", "xpos", "cpos", "feats", "deprel")


@dataclass(frozen=True)
class TreebankData:
    """One treebank of a challenge, with gold.

    Attributes
    ----------
    parts : mapping from part to Treebank
        Sentences with at least one word, in the file's order.
    references : mapping from (reference, part) to Treebank
        Further gold standards of the same words.
    files : mapping from part to paths
        What the part was read from; empty for toy languages.
    """

    about: ChallengeTreebank
    parts: Mapping[str, Treebank]
    references: Mapping[tuple[str, str], Treebank]
    files: Mapping[str, tuple[Path, ...]]


def read_data(
    folder: ChallengeFolder,
    catalogue: Catalogue,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> tuple[list[TreebankData], list[str]]:
    """Read all treebanks of a challenge; return them, and what was found in their files."""
    remarks: list[str] = []
    reader = _Reader(folder.path, catalogue, remarks)
    treebanks = []
    wanted = folder.challenge.treebanks
    for number, about in enumerate(wanted, start=1):
        treebanks.append(reader.treebank(about))
        on_progress(number / len(wanted))
    require_gold(folder.challenge, treebanks)
    return treebanks, remarks


class _Reader:
    def __init__(self, folder: Path, catalogue: Catalogue, remarks: list[str]) -> None:
        self.folder = folder
        self.catalogue = catalogue
        self.remarks = remarks

    def treebank(self, about: ChallengeTreebank) -> TreebankData:
        parts, references, files = {}, {}, {}
        for part in PARTS:
            if about.part(part):
                place = f"treebank {about.name!r}: {part}"
                selection = find_part(self.folder, self.catalogue, about.part(part), part, place)
                parts[part] = self._read(selection, place)
                files[part] = selection.entry.files(selection.part)
        for reference in about.references:
            for part, text in (("test", reference.test), ("dev", reference.dev)):
                if text and part in parts:
                    place = f"treebank {about.name!r}: {part} of reference {reference.name!r}"
                    selection = find_part(self.folder, self.catalogue, text, part, place)
                    other = self._read(selection, place)
                    _require_same_words(parts[part], other, place)
                    references[reference.name, part] = other
        return TreebankData(about, parts, references, files)

    def _read(self, selection: Selection, place: str) -> Treebank:
        findings: list[Findings] = []
        treebank = selection.read(findings=findings)
        self.remarks += [one.summary() for one in findings if len(one)]
        kept = treebank[treebank.lengths > 0]
        if not kept.n_words:
            raise ChallengeError(f"{place}: it has no words; name another file")
        return kept


def find_part(folder: Path, catalogue: Catalogue, text: str, part: str, place: str) -> Selection:
    """Return what a challenge names: a path in its folder, or anything the catalogue resolves."""
    inside = folder / text
    is_inside = not Path(text).is_absolute() and inside.exists()
    try:
        chosen = catalogue.parts(str(inside) if is_inside else text)
        if len(chosen) > 1:
            chosen = [one for one in chosen if one.part == part]
    except CatalogueError as error:
        raise ChallengeError(f"{place}: {error}") from None
    if len(chosen) != 1:
        raise ChallengeError(
            f"{place}: {text!r} names {len(chosen)} treebanks with a {part} part; name one file"
        )
    return chosen[0]


def _require_same_words(gold: Treebank, other: Treebank, place: str) -> None:
    try:
        align_by_position(gold, other)
    except AlignmentError as error:
        raise ChallengeError(
            f"{place}: a further gold standard has the words of the first; {error}"
        ) from None


# ---------------------------------------------------------------------- gold for all metrics


def require_gold(challenge: Challenge, treebanks: Iterable[TreebankData]) -> None:
    """Refuse metrics, and dev phases, for which some treebank has no gold."""
    tested = {phase.part for phase in challenge.phases}
    treebanks = list(treebanks)
    if "dev" in tested and not any("dev" in one.parts for one in treebanks):
        raise ChallengeError(
            "there is a phase of the dev part, and no treebank with one; write dev = …, or leave "
            "the phase out"
        )
    for data in treebanks:
        for part in sorted(tested & data.parts.keys()):
            for track in challenge.tracks:
                lacking = lacking_gold(track, data.parts[part])
                if lacking:
                    raise ChallengeError(
                        f"treebank {data.about.name!r}: its {part} part has no gold for "
                        f"{', '.join(lacking)} of track {track.name!r}; leave the metric out of "
                        "the track, or the treebank out of the challenge"
                    )


def lacking_gold(track: Track, gold: Treebank) -> list[str]:
    """Return the metrics of a track that a treebank has no gold for."""
    return [
        str(spec)
        for spec in track.metrics
        if not all(_is_annotated(gold, need, track) for need in spec.metric.needs)
    ]


def _is_annotated(gold: Treebank, need: str, track: Track) -> bool:
    if need == "head":
        return gold.has_heads
    if need != "tags":
        return gold.columns[need].is_annotated
    try:
        return tag_column(gold, track.conventions.tags).column.is_annotated
    except TreebankError:
        return False


# ---------------------------------------------------------------------- files of packs


def shown_copy(treebank: Treebank, hide: Iterable[Hidden]) -> Treebank:
    """Return what a pack shows: a blind copy, or all gold columns and nothing besides.

    Comments, ids, MISC, DEPS, empty nodes and multiword tokens are in neither.
    """
    hidden = set(hide)
    if hidden:
        return blind(treebank, heads="heads" in hidden, tags="tags" in hidden)
    return Treebank(
        {name: treebank.columns[name].compact() for name in _GOLD_COLUMNS},
        treebank.head,
        offsets=treebank.offsets,
    )


def file_bytes(treebank: Treebank, format: str) -> bytes:
    """Return the file of a treebank in a format."""
    target = io.BytesIO()
    write(treebank, target, format=format)
    return target.getvalue()


def gold_file(treebank: Treebank) -> tuple[str, bytes]:
    """Return the ending and the bytes of a file with all gold columns."""
    gold = shown_copy(treebank, ())
    if not gold.cpos.is_annotated or gold.cpos == gold.upos:
        return "conllu", file_bytes(gold, "conllu")
    # With its columns named, the file is written as it is: no column is filled from another.
    whole = Treebank(gold.columns, gold.head, offsets=gold.offsets, file_columns=PASCAL.columns)
    return "pascal", file_bytes(whole, "pascal")


def needs_training(challenge: Challenge) -> bool:
    """Return whether some stratum counts words of the train part."""
    names = {one.strip() for track in challenge.tracks for by in track.by for one in by.split("*")}
    return any(TRAINING in find_stratum(name).needs for name in names)


# ---------------------------------------------------------------------- what is shown elsewhere


@dataclass(frozen=True)
class ShownSentences:
    """Test sentences of a treebank that a part released with gold has as well.

    Attributes
    ----------
    sentences : tuple of int
        Their numbers in the test part, from 1.
    words : int
        Words in them.
    n_sentences, n_words : int
        Of the test part as a whole.
    """

    treebank: str
    shown_in: str
    sentences: tuple[int, ...]
    words: int
    n_sentences: int
    n_words: int

    def __str__(self) -> str:
        first = ", ".join(map(str, self.sentences[:20])) + ", …" * (len(self.sentences) > 20)
        share = 100 * len(self.sentences) / self.n_sentences
        of_words = 100 * self.words / self.n_words
        return (
            f"{self.treebank}: {len(self.sentences):,} of "
            f"{counted(self.n_sentences, 'test sentence')} ({share:.1f}%, {of_words:.1f}% of "
            f"words) also occur with gold in the dev part of {self.shown_in}: {first}"
        )


def shown_sentences(treebanks: Sequence[TreebankData]) -> list[ShownSentences]:
    """Return which test sentences stand with gold in a dev part.

    Raises
    ------
    ChallengeError
        If all of a treebank do: its test part is released.
    """
    dev_texts = {
        data.about.name: set(sentence_texts(data.parts["dev"]))
        for data in treebanks
        if "dev" in data.parts
    }
    shown = []
    for data in treebanks:
        test = data.parts["test"]
        texts = sentence_texts(test)
        for other, known in dev_texts.items():
            numbers = [i for i, text in enumerate(texts) if text in known]
            if len(numbers) == test.n_sentences:
                raise ChallengeError(
                    f"treebank {data.about.name!r}: every sentence of its test part is released "
                    f"with gold in the dev part of {other!r}; name another part as test or as dev"
                )
            if numbers:
                words = int(test.lengths[np.array(numbers)].sum())
                numbered = tuple(i + 1 for i in numbers)
                shown.append(
                    ShownSentences(
                        *(data.about.name, other, numbered, words), len(texts), test.n_words
                    )
                )
    return shown


def sentence_texts(treebank: Treebank) -> list[str]:
    """Return the words of every sentence in one text, which no other sentence has."""
    forms = list(treebank.form)
    bounds = treebank.offsets.tolist()
    return ["\n".join(forms[a:b]) for a, b in pairwise(bounds)]
