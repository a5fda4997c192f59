"""What a challenge is: tracks, treebanks, phases, and who may see what when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar

from treegauge.challenges.errors import ChallengeError
from treegauge.metrics import Conventions, MetricSpec
from treegauge.wording import unknown_name

Hidden = Literal["heads", "tags"]
HIDDEN: tuple[Hidden, ...] = ("heads", "tags")
"""What a blind pack can lack; relations go with either, lemmas and features with tags."""

Annotated = Literal["heads", "relations", "tags", "lemmas", "features"]
COLUMNS_OF_ANNOTATION: dict[Annotated, tuple[str, ...]] = {
    "heads": ("head",),
    "relations": ("deprel",),
    "tags": ("upos", "xpos"),
    "lemmas": ("lemma",),
    "features": ("feats",),
}
"""What submissions can give, and the columns that it stands in; coarse tags (CPOSTAG) are taken
for universal ones where a file has no others."""
HIDDEN_WITH: dict[Annotated, tuple[Hidden, ...]] = {
    "heads": ("heads",),
    "relations": ("heads", "tags"),
    "tags": ("tags",),
    "lemmas": ("tags",),
    "features": ("tags",),
}
"""What hides a kind of annotation; one of these is enough."""

Counting = Literal["last", "chosen", "best"]


@dataclass(frozen=True)
class Track:
    """A task: what is hidden, what is to be annotated, and how that is scored.

    Attributes
    ----------
    name : str
        Part of the names of packs.
    hide : tuple
        What the blind pack lacks.
    annotate : tuple
        What submissions give.
    conventions : Conventions
        Under which metrics are computed.
    metrics : tuple of MetricSpec
        In the order in which boards show them.
    primary : MetricSpec
        The one that ranks; one of the metrics.
    by : tuple of str
        Strata of the board.
    """

    name: str
    hide: tuple[Hidden, ...]
    annotate: tuple[Annotated, ...]
    conventions: Conventions
    metrics: tuple[MetricSpec, ...]
    primary: MetricSpec
    by: tuple[str, ...] = ()
    title: str = ""

    @property
    def shows(self) -> frozenset[Hidden]:
        """What its pack shows of gold."""
        return frozenset(HIDDEN) - frozenset(self.hide)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that submissions fill; `head` is one of them."""
        return tuple(column for kind in self.annotate for column in COLUMNS_OF_ANNOTATION[kind])


@dataclass(frozen=True)
class Reference:
    """A further gold standard of a treebank: other trees, or other tags, of the same words."""

    name: str
    test: str
    dev: str = ""


@dataclass(frozen=True)
class ChallengeTreebank:
    """A treebank of a challenge.

    Attributes
    ----------
    name : str
        What packs and boards call it; it tells nothing of where the files come from.
    train, dev, test : str
        Anything that the catalogue resolves; `train` and `dev` may be missing.
    source_train, source_dev, source_test : str
        The file that licensees have, where it is not the one that is packed.
    licence : str
        As its owners call it.
    redistribute : bool
        Whether packs may contain its words.
    statement : str
        The data statement, a file in the challenge's folder.
    references : tuple of Reference
        Further gold standards.
    styles : tuple of str
        Annotation styles that gold is turned into for further scores.
    has_public_gold : bool
        Whether everybody can have gold anyway; nothing is kept back then.
    """

    name: str
    test: str
    train: str = ""
    dev: str = ""
    source_train: str = ""
    source_dev: str = ""
    source_test: str = ""
    licence: str = ""
    redistribute: bool = True
    statement: str = ""
    references: tuple[Reference, ...] = ()
    styles: tuple[str, ...] = ()
    has_public_gold: bool = False

    def part(self, name: str) -> str:
        """Return what the catalogue resolves for train, dev or test; empty if there is none."""
        return {"train": self.train, "dev": self.dev, "test": self.test}[name]

    def source(self, name: str) -> str:
        """Return the file that licensees have of a part."""
        sources = {"train": self.source_train, "dev": self.source_dev, "test": self.source_test}
        return sources[name] or self.part(name)


@dataclass(frozen=True)
class Quota:
    """How many submissions a team may send in a phase; None is no limit."""

    day: int | None = None
    total: int | None = None
    refused_an_hour: int | None = None


@dataclass(frozen=True)
class Phase:
    """When submissions of some tracks are taken, and when their scores show.

    Attributes
    ----------
    part : "dev" or "test"
        What is scored.
    opens, closes : datetime
        Open from the one up to, and without, the other.
    grace : timedelta
        How long submissions are still taken after the close.
    scores : "at once", "after close" or a time
        When participants see scores.
    counts : "last", "chosen" or "best"
        Which submission of a system is ranked.
    """

    name: str
    part: Literal["dev", "test"]
    tracks: tuple[str, ...]
    opens: datetime
    closes: datetime
    scores: Literal["at once", "after close"] | datetime
    grace: timedelta = timedelta()
    quota: Quota = Quota()
    counts: Counting = "last"

    @property
    def ends(self) -> datetime:
        """From when on no more submissions are accepted."""
        # In UTC: in a zone, an hour on the clock is no hour where clocks change.
        return self.closes.astimezone(UTC) + self.grace

    @property
    def scores_from(self) -> datetime:
        """From when on scores show."""
        if isinstance(self.scores, datetime):
            return self.scores
        return self.opens if self.scores == "at once" else self.ends

    def is_open(self, now: datetime) -> bool:
        """Return whether submissions are taken."""
        return self.opens <= now < self.ends


@dataclass(frozen=True)
class Board:
    """How results are shown.

    Attributes
    ----------
    treebanks : tuple of str
        The one set of treebanks under every average; all of them without any.
    alpha : float
        Of the tests that draw lines between groups.
    anonymous_until : datetime, optional
        Until when teams have no names on the board.
    """

    treebanks: tuple[str, ...] = ()
    alpha: float = 0.05
    anonymous_until: datetime | None = None


@dataclass(frozen=True)
class Challenge:
    """A shared task, as `challenge.toml` says.

    Attributes
    ----------
    format : "conllu", "conllx" or "pascal"
        The format of the packs' files.
    gold : "after close" or a time
        When gold is released.
    """

    name: str
    tracks: tuple[Track, ...]
    treebanks: tuple[ChallengeTreebank, ...]
    phases: tuple[Phase, ...]
    title: str = ""
    contact: str = ""
    format: Literal["conllu", "conllx", "pascal"] = "conllu"
    gold: Literal["after close"] | datetime = "after close"
    board: Board = Board()

    def track(self, name: str) -> Track:
        """Return a track by name, or say which there are."""
        return _named("track", name, self.tracks)

    def treebank(self, name: str) -> ChallengeTreebank:
        """Return a treebank by name, or say which there are."""
        return _named("treebank", name, self.treebanks)

    def phases_of(self, track: str, part: str = "test") -> tuple[Phase, ...]:
        """Return the phases in which a part is annotated for a track, in order of time."""
        chosen = (phase for phase in self.phases if track in phase.tracks and phase.part == part)
        return tuple(sorted(chosen, key=lambda phase: phase.opens))

    @property
    def averaged_treebanks(self) -> tuple[str, ...]:
        """The one set of treebanks under every average."""
        return self.board.treebanks or tuple(treebank.name for treebank in self.treebanks)

    @property
    def gold_released_at(self) -> datetime:
        """From when on gold is no secret: as the file says, or when the last test phase ends."""
        if isinstance(self.gold, datetime):
            return self.gold
        return max(phase.ends for phase in self.phases if phase.part == "test")

    def is_gold_released(self, treebank: str, now: datetime) -> bool:
        """Return whether gold of a treebank's test part may be shown to everybody."""
        return self.treebank(treebank).has_public_gold or now >= self.gold_released_at

    def is_all_gold_released(self, now: datetime) -> bool:
        """Return whether gold of every treebank may be shown to everybody."""
        return all(self.is_gold_released(treebank.name, now) for treebank in self.treebanks)

    def references(self) -> Iterator[tuple[ChallengeTreebank, Reference]]:
        """Give every further gold standard with its treebank."""
        return ((treebank, one) for treebank in self.treebanks for one in treebank.references)


_Named = TypeVar("_Named", Track, ChallengeTreebank)


def _named(noun: str, name: str, known: Iterable[_Named]) -> _Named:
    by_name = {one.name: one for one in known}
    if name not in by_name:
        raise ChallengeError(unknown_name(noun, name, by_name))
    return by_name[name]
