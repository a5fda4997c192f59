"""Reads `challenge.toml` and refuses what cannot be run.

    name = "demo"
    contact = "organisers@example.org"

    [[tracks]]
    name = "dependencies"
    hide = ["heads"]
    annotate = ["heads"]
    preset = "pascal"
    metrics = ["uas", "ned"]
    primary = "uas"

    [[treebanks]]
    name = "svo"
    train = "toy:svo:train"
    dev = "toy:svo:dev"
    test = "toy:svo:test"
    licence = "CC BY 4.0"

    [[phases]]
    name = "test"
    part = "test"
    tracks = ["dependencies"]
    opens = "2027-03-01 AoE"
    closes = "2027-03-14 AoE"
    scores = "after close"

What is wrong is said in one sentence that names the table and the key. What only the data can
tell (a metric without gold, a test part that is released) is checked by `pack`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from treegauge.challenges.challenge import (
    COLUMNS_OF_ANNOTATION,
    HIDDEN,
    HIDDEN_WITH,
    Annotated,
    Board,
    Challenge,
    ChallengeTreebank,
    Counting,
    Hidden,
    Phase,
    Quota,
    Reference,
    Track,
)
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.times import parse_time
from treegauge.formats import read_text
from treegauge.metrics import MetricError, MetricSpec, parse_specs, preset
from treegauge.rewrite import RewriteError, Style
from treegauge.settings import Settings, read_settings, setting
from treegauge.strata import StrataError, find_stratum
from treegauge.treebank import TreebankError
from treegauge.wording import listed, unknown_name

CHALLENGE_FILE = "challenge.toml"
SCHEMA = 1

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}", re.ASCII)
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
)
"""What no file can be called on Windows, whatever its ending."""
_GRACE = re.compile(r"(\d+)\s*(min|h)", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class ChallengeTable(Settings):
    """The keys at the top of the file."""

    schema: int = setting(SCHEMA, "the version of these keys", choices=(SCHEMA,))
    name: str
    title: str = setting("", "the name of the challenge on pages")
    contact: str = setting("", "the address for questions")
    format: Literal["conllu", "conllx", "pascal"] = setting("conllu", "the format of packs' files")
    gold: Any = setting("after close", "when gold is released: 'after close', or a time")
    tracks: tuple[Any, ...]
    treebanks: tuple[Any, ...]
    phases: tuple[Any, ...]
    board: Any = setting(None, "how results are shown")


@dataclass(frozen=True, kw_only=True)
class TrackTable(Settings):
    """The keys of a track."""

    name: str
    title: str = setting("", "its name on pages")
    hide: tuple[Hidden, ...]
    annotate: tuple[Annotated, ...]
    preset: str = setting("conll2018", "conventions: pascal, conll2018 or conll2006")
    tags: str = setting("u", "the gold tags that induced ones are compared with")
    metrics: tuple[str, ...]
    primary: str
    by: tuple[str, ...] = setting((), "strata, or two crossed by a star")


@dataclass(frozen=True, kw_only=True)
class TreebankTable(Settings):
    """The keys of a treebank."""

    name: str
    train: str = setting("", "the train part, released blind")
    dev: str = setting("", "the dev part, released with gold")
    test: str
    source: Any = setting(None, "files that licensees have: { train = …, dev = …, test = … }")
    licence: str
    redistribute: bool = setting(True, "whether packs may contain its words")
    statement: str = setting("", "the data statement, a file in the challenge's folder")
    references: tuple[Any, ...] = setting((), "further gold standards")
    styles: tuple[str, ...] = setting((), "annotation styles to which gold is converted")
    gold: Literal["secret", "public"] = setting("secret", "public if gold is public anyway")


@dataclass(frozen=True)
class SourceTable(Settings):
    """The keys of `source`."""

    train: str = ""
    dev: str = ""
    test: str = ""


@dataclass(frozen=True, kw_only=True)
class ReferenceTable(Settings):
    """The keys of a further gold standard."""

    name: str
    test: str
    dev: str = setting("", "the same of the dev part")


@dataclass(frozen=True, kw_only=True)
class PhaseTable(Settings):
    """The keys of a phase."""

    name: str
    part: Literal["dev", "test"]
    tracks: tuple[str, ...]
    opens: Any
    closes: Any
    grace: str = setting("0min", "how long submissions are accepted after the close: 30min, 2h")
    quota: Any = setting(None, "how many a team may send: { day = 3, total = 20 }")
    scores: Any = setting("after close", "'at once', 'after close', or a time")
    counts: Counting = setting("last", "which submission of a system is ranked")


@dataclass(frozen=True)
class QuotaTable(Settings):
    """The keys of a quota."""

    day: int | None = setting(None, "submissions per day", minimum=1)
    total: int | None = setting(None, "submissions in all", minimum=1)
    refused_an_hour: int | None = setting(None, "refused submissions per hour", minimum=1)


@dataclass(frozen=True)
class BoardTable(Settings):
    """The keys of the board."""

    average: tuple[str, ...] = setting((), "the treebanks of every average; default: all")
    alpha: float = setting(
        0.05, "the significance level of the tests between groups", minimum=1e-6, maximum=0.5
    )
    anonymous_until: Any = setting(None, "the time until which teams are anonymous")


def read_challenge(path: str | Path) -> Challenge:
    """Read a challenge from its file, or from the folder that the file is in."""
    path = Path(path)
    if path.is_dir():
        path = path / CHALLENGE_FILE
    if not path.exists():
        raise ChallengeError(
            f"{path}: there is no such file; `treegauge challenge init {path.parent}` writes one"
        )
    text = read_text(path, what="TOML", error=ChallengeError)
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, or brackets without an end
        raise ChallengeError(f"{path}: this is not TOML: {error}") from None
    try:
        return make_challenge(content)
    except ChallengeError as error:
        raise ChallengeError(f"{path}: {error}") from None


def make_challenge(content: Mapping[str, Any]) -> Challenge:
    """Make a challenge of what TOML gives."""
    table = read_settings(ChallengeTable, content, place="the challenge", error=ChallengeError)
    require_name(table.name, "the challenge")
    tracks = make_tracks(table.tracks)
    treebanks = tuple(map(_treebank, table.treebanks, _places("treebank", table.treebanks)))
    _require_each("treebank", [treebank.name for treebank in treebanks])
    phases = tuple(
        _phase(entry, place, [track.name for track in tracks])
        for entry, place in zip(table.phases, _places("phase", table.phases), strict=True)
    )
    _require_each("phase", [phase.name for phase in phases])
    challenge = Challenge(
        name=table.name,
        title=table.title or table.name,
        contact=table.contact,
        format=table.format,
        gold=(
            "after close"
            if table.gold == "after close"
            else parse_time(table.gold, place="the challenge: gold")
        ),
        tracks=tracks,
        treebanks=treebanks,
        phases=phases,
        board=_board(table.board, [treebank.name for treebank in treebanks]),
    )
    _require_test_phases(challenge)
    return challenge


def make_tracks(entries: Sequence[Any]) -> tuple[Track, ...]:
    """Make the tracks of a challenge of what TOML gives."""
    tracks = tuple(map(_track, entries, _places("track", entries)))
    _require_each("track", [track.name for track in tracks])
    return tracks


def require_name(name: str, place: str) -> None:
    """Refuse a name that files cannot have everywhere."""
    if not _NAME.fullmatch(name) or name.casefold() in _DEVICES:
        raise ChallengeError(
            f"{place}: the name {name!r} cannot be that of a file everywhere; write up to 60 "
            "letters a to z, digits, _ and -, a letter or digit first"
        )


# ---------------------------------------------------------------------- tables


def _places(noun: str, entries: Iterable[Any]) -> list[str]:
    """Return what messages call tables: by name, or by number where there is none."""
    return [
        f"{noun} {entry['name']!r}"
        if isinstance(entry, Mapping) and isinstance(entry.get("name"), str)
        else f"{noun} number {number}"
        for number, entry in enumerate(entries, start=1)
    ]


def _require_each(noun: str, names: list[str]) -> None:
    """Refuse none at all, and two that some file system takes for one."""
    if not names:
        raise ChallengeError(f"there is no {noun}; write a table [[{noun}s]]")
    spellings: dict[str, str] = {}
    for name in names:
        other = spellings.setdefault(name.casefold(), name)
        if names.count(name) > 1 or other != name:
            raise ChallengeError(
                f"two {noun}s are called {other!r} and {name!r}; names differ in more than case"
            )


def _track(entry: Any, place: str) -> Track:
    table = read_settings(TrackTable, entry, place=place, error=ChallengeError)
    require_name(table.name, place)
    if not table.hide:
        raise ChallengeError(f"{place}: nothing is hidden; write hide = {list(HIDDEN)} or one")
    if not table.annotate:
        kinds = ", ".join(COLUMNS_OF_ANNOTATION)
        raise ChallengeError(f"{place}: nothing is annotated; annotate is some of {kinds}")
    for kind in table.annotate:
        if not set(HIDDEN_WITH[kind]) & set(table.hide):
            raise ChallengeError(
                f"{place}: {kind} are to be annotated, but its packs show them; "
                f"add {HIDDEN_WITH[kind][0]!r} to hide"
            )
    try:
        conventions = preset(table.preset, tags=table.tags)
        metrics = tuple(parse_specs(list(table.metrics)))
        primary = MetricSpec.parse(table.primary)
        for name in table.by:
            for one in name.split("*"):
                find_stratum(one.strip())
    except (MetricError, TreebankError, StrataError) as error:
        raise ChallengeError(f"{place}: {error}") from None
    if primary not in metrics:
        raise ChallengeError(
            f"{place}: the primary metric {primary} is not among its metrics; "
            f"write one of {', '.join(map(str, metrics)) or 'them'}"
        )
    track = Track(
        name=table.name,
        title=table.title or table.name,
        hide=tuple(dict.fromkeys(table.hide)),
        annotate=tuple(dict.fromkeys(table.annotate)),
        conventions=conventions,
        metrics=metrics,
        primary=primary,
        by=tuple(dict.fromkeys(table.by)),
    )
    _require_annotation(track, place)
    return track


def _require_annotation(track: Track, place: str) -> None:
    """Refuse metrics of what no submission gives."""
    given = {"form", *track.columns, *({"tags"} if "tags" in track.annotate else ())}
    for spec in track.metrics:
        missing = [column for column in spec.metric.needs if column not in given]
        if missing:
            kinds = [
                kind
                for kind, columns in COLUMNS_OF_ANNOTATION.items()
                if {*columns, kind} & set(missing)
            ]
            raise ChallengeError(
                f"{place}: the metric {spec} needs {', '.join(kinds)}, which submissions do not "
                "give; leave it out, or add to annotate and hide"
            )


def _treebank(entry: Any, place: str) -> ChallengeTreebank:
    table = read_settings(TreebankTable, entry, place=place, error=ChallengeError)
    require_name(table.name, place)
    if not table.licence.strip():
        raise ChallengeError(f"{place}: licence is empty; write its name")
    source = read_settings(
        SourceTable, table.source or {}, place=f"{place}: source", error=ChallengeError
    )
    references = [
        read_settings(ReferenceTable, one, place=f"{place}: {at}", error=ChallengeError)
        for one, at in zip(table.references, _places("reference", table.references), strict=True)
    ]
    for reference in references:
        require_name(reference.name, place)
        if reference.name.casefold() == "gold":
            raise ChallengeError(
                f"{place}: the name gold is taken; give the reference another name"
            )
    if references:
        _require_each("reference", [reference.name for reference in references])
    for style in table.styles:
        try:
            Style.parse(style)
        except RewriteError as error:
            raise ChallengeError(f"{place}: {error}") from None
    return ChallengeTreebank(
        name=table.name,
        train=table.train,
        dev=table.dev,
        test=table.test,
        source_train=source.train,
        source_dev=source.dev,
        source_test=source.test,
        licence=table.licence,
        redistribute=table.redistribute,
        statement=table.statement,
        references=tuple(Reference(one.name, one.test, one.dev) for one in references),
        styles=tuple(dict.fromkeys(table.styles)),
        has_public_gold=table.gold == "public",
    )


def _phase(entry: Any, place: str, tracks: list[str]) -> Phase:
    table = read_settings(PhaseTable, entry, place=place, error=ChallengeError)
    require_name(table.name, place)
    for name in table.tracks:
        if name not in tracks:
            raise ChallengeError(f"{place}: {unknown_name('track', name, tracks)}")
    if not table.tracks:
        raise ChallengeError(f"{place}: it has no track; tracks are {', '.join(tracks)}")
    opens = parse_time(table.opens, place=f"{place}: opens")
    closes = parse_time(table.closes, place=f"{place}: closes", day="ends")
    if not opens < closes:
        raise ChallengeError(f"{place}: it closes before it opens; write a time after opens")
    grace = _GRACE.fullmatch(table.grace.strip())
    if grace is None:
        raise ChallengeError(f"{place}: grace: expected 30min or 2h, found {table.grace!r}")
    scores = table.scores
    if scores not in ("at once", "after close"):
        scores = parse_time(scores, place=f"{place}: scores")
    quota = read_settings(
        QuotaTable, table.quota or {}, place=f"{place}: quota", error=ChallengeError
    )
    return Phase(
        name=table.name,
        part=table.part,
        tracks=tuple(dict.fromkeys(table.tracks)),
        opens=opens,
        closes=closes,
        grace=timedelta(minutes=int(grace[1]) * (60 if grace[2] == "h" else 1)),
        quota=Quota(quota.day, quota.total, quota.refused_an_hour),
        scores=scores,
        counts=table.counts,
    )


def _board(entry: Any, treebanks: list[str]) -> Board:
    place = "the board"
    table = read_settings(BoardTable, entry or {}, place=place, error=ChallengeError)
    for name in listed(table.average):
        if name not in treebanks:
            raise ChallengeError(f"{place}: average: {unknown_name('treebank', name, treebanks)}")
    until = table.anonymous_until
    return Board(
        treebanks=tuple(dict.fromkeys(table.average)),
        alpha=table.alpha,
        anonymous_until=(
            None
            if until is None
            else parse_time(until, place=f"{place}: anonymous_until", day="ends")
        ),
    )


def _require_test_phases(challenge: Challenge) -> None:
    """Refuse tracks that are never tested, and gold that is out before they are."""
    for track in challenge.tracks:
        if not challenge.phases_of(track.name):
            raise ChallengeError(
                f"track {track.name!r}: no phase tests it; write a table [[phases]] with "
                f'part = "test" and tracks = ["{track.name}"]'
            )
    last = max(phase.ends for phase in challenge.phases if phase.part == "test")
    if challenge.gold_released_at < last:
        raise ChallengeError(
            "the challenge: gold is released while test phases are open; write "
            "gold = 'after close', or a later time"
        )
