"""New challenges: a commented `challenge.toml`, rules, data statements, and a salt."""

from __future__ import annotations

import json
import re
import secrets
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from treegauge.catalogue import Catalogue, CatalogueEntry, CatalogueError
from treegauge.challenges.challenge import Track
from treegauge.challenges.challenge_file import CHALLENGE_FILE, make_tracks, require_name
from treegauge.challenges.data import lacking_gold
from treegauge.challenges.errors import ChallengeError
from treegauge.errors import reason_of
from treegauge.formats import Findings, write_text
from treegauge.toys.names import TOY_PREFIX
from treegauge.treebank import Treebank
from treegauge.treebank.parts import PARTS
from treegauge.wording import unknown_name

SALT_BYTES = 32
_TWO_WEEKS = timedelta(days=14)
_UNTIL_OPENING = timedelta(days=30)
"""Before a new challenge opens, unless it is to open at once."""


@dataclass(frozen=True)
class _PhaseOfTemplate:
    """A phase: which tracks, and how many turns of two weeks after the beginning."""

    tracks: tuple[str, ...]
    turn: int


@dataclass(frozen=True)
class Template:
    """A kind of challenge."""

    name: str
    summary: str
    tracks: str
    """Tables of TOML."""
    phases: tuple[_PhaseOfTemplate, ...]
    by_default: str
    """A treebank where none is named."""

    @property
    def track_names(self) -> list[str]:
        """The names of its tracks, in order of their phases."""
        return [track for phase in self.phases for track in phase.tracks]


_PASCAL_TRACKS = """\
# Three tracks of one text. `dependencies` gives out gold tags, which the other two hide: its phase
# opens when theirs have closed, and `pack` refuses anything else.
[[tracks]]
name = "pos"
title = "induction of parts of speech"
hide = ["heads", "tags"]         # what the blind pack hides; either hides relations too
annotate = ["tags"]              # submissions contain: heads, relations, tags, lemmas, features
preset = "pascal"                # punctuation removed before trees are compared
tags = "u"                       # gold tags that induced ones are compared with: u, u12, c, p
metrics = ["many_to_one", "v_measure", "vi"]
primary = "v_measure"            # the metric that ranks

[[tracks]]
name = "joint"
title = "induction of tags and dependencies"
hide = ["heads", "tags"]
annotate = ["heads", "tags"]
preset = "pascal"
metrics = ["uas", "undirected", "ned", "uas@10", "v_measure"]
primary = "uas"
by = ["edge_length"]             # strata: `treegauge list strata`

[[tracks]]
name = "dependencies"
title = "induction of dependencies from gold tags"
hide = ["heads"]
annotate = ["heads"]
preset = "pascal"
metrics = ["uas", "undirected", "ned", "uas@10"]
primary = "uas"
by = ["table6", "edge_length"]
"""

_UD_TRACKS = """\
[[tracks]]
name = "parsing"
title = "parsing with gold tags"
hide = ["heads"]                 # what the blind pack hides; either hides relations too
annotate = ["heads", "relations"]  # submissions contain: heads, relations, tags, ...
preset = "conll2018"             # punctuation counted, subtypes of relations cut
metrics = ["las", "uas", "clas"]
primary = "las"                  # the metric that ranks
by = ["relation", "edge_length"]  # strata: `treegauge list strata`
"""

_TAGGING_TRACKS = """\
[[tracks]]
name = "tagging"
title = "tagging with universal tags"
hide = ["heads", "tags"]         # what the blind pack hides; either hides relations too
annotate = ["tags"]              # submissions contain: heads, relations, tags, lemmas, features
preset = "conll2018"
metrics = ["upos", "upos_macro_f1"]
primary = "upos"                 # the metric that ranks
by = ["tag"]                     # strata: `treegauge list strata`
"""

TEMPLATES = {
    template.name: template
    for template in (
        Template(
            "pascal",
            "tags, dependencies from gold tags, and both, induced; as in 2012",
            _PASCAL_TRACKS,
            (_PhaseOfTemplate(("pos", "joint"), 0), _PhaseOfTemplate(("dependencies",), 1)),
            "toy:svo",
        ),
        Template(
            "ud",
            "labelled parsing of Universal Dependencies, gold tags given",
            _UD_TRACKS,
            (_PhaseOfTemplate(("parsing",), 0),),
            "toy:svo",
        ),
        Template(
            "tagging",
            "universal tags of words",
            _TAGGING_TRACKS,
            (_PhaseOfTemplate(("tagging",), 0),),
            "toy:svo",
        ),
    )
}
"""Kinds of challenges by name."""


def new_challenge(
    folder: str | Path,
    template: str,
    treebanks: Sequence[str],
    catalogue: Catalogue,
    *,
    open_now: str = "",
    now: datetime | None = None,
) -> list[Path]:
    """Write a new challenge into a folder, and return the files.

    Parameters
    ----------
    treebanks : sequence of str
        What the catalogue resolves; a toy language where nothing is named.
    open_now : str
        A track whose test phase opens at once; the other phases keep their distance.
    now : datetime, optional
        The time, where it is not to be that of the clock.

    Raises
    ------
    ChallengeError
        If there is a challenge already, no such template or track, or a treebank that the template
        does not fit; nothing is written then.
    """
    folder = Path(folder)
    if template not in TEMPLATES:
        raise ChallengeError(unknown_name("template", template, TEMPLATES))
    chosen = TEMPLATES[template]
    if open_now and open_now not in chosen.track_names:
        raise ChallengeError(unknown_name("track", open_now, chosen.track_names))
    name = folder.resolve().name
    require_name(name, str(folder))
    if (folder / CHALLENGE_FILE).exists():
        raise ChallengeError(
            f"{folder / CHALLENGE_FILE}: the folder has a challenge already; name another folder"
        )
    entries = _entries(treebanks or [chosen.by_default], catalogue)
    named = _names_of_treebanks(entries)
    start = _start(chosen, open_now, now or datetime.now(UTC))
    text = _challenge_text(name, chosen, named, start)
    _require_fit(chosen, named)
    files = {
        CHALLENGE_FILE: text,
        "rules.md": _RULES.format(name=name),
        ".gitignore": "# Gold that was in a public repository once can be found there forever.\n"
        "/gold/\n/salt.txt\n/submissions/\n/results/\n",
        **{f"statements/{one}.md": _STATEMENT.format(name=one) for one in named},
        "salt.txt": f"{secrets.token_hex(SALT_BYTES)}\n",
    }
    return _write_all(folder, files)


def _write_all(folder: Path, files: dict[str, str]) -> list[Path]:
    try:
        for sub_folder in ("statements", "gold", "submissions", "results"):
            (folder / sub_folder).mkdir(parents=True, exist_ok=True)
        (folder / "gold").chmod(0o700)
        for file, text in files.items():
            # Nothing that is there already is overwritten: a salt is drawn once.
            if not (folder / file).exists():
                write_text(folder / file, text)
        (folder / "salt.txt").chmod(0o600)
    except OSError as error:
        raise ChallengeError(f"{folder}: cannot be written: {reason_of(error)}") from None
    return [folder / file for file in files]


def _entries(treebanks: Sequence[str], catalogue: Catalogue) -> list[CatalogueEntry]:
    try:
        found = [entry for text in treebanks for entry in catalogue.resolve(text)]
    except CatalogueError as error:
        raise ChallengeError(str(error)) from None
    return list(dict.fromkeys(found))


def _names_of_treebanks(entries: Sequence[CatalogueEntry]) -> dict[str, CatalogueEntry]:
    named: dict[str, CatalogueEntry] = {}
    for entry in entries:
        bare = entry.name.removeprefix(TOY_PREFIX)
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", bare).strip("_-")[:60] or "treebank"
        if name.casefold() in {one.casefold() for one in named}:
            raise ChallengeError(
                f"two treebanks would be called {name!r}; name one of them, and add the other to "
                f"{CHALLENGE_FILE} by hand"
            )
        named[name] = entry
    return named


def _start(template: Template, open_now: str, now: datetime) -> datetime:
    """Return when the first phase opens."""
    now = now.astimezone(UTC).replace(second=0, microsecond=0)
    if not open_now:
        midnight = now.replace(hour=0, minute=0)
        return midnight + _UNTIL_OPENING
    turn = next(phase.turn for phase in template.phases if open_now in phase.tracks)
    return now - turn * _TWO_WEEKS


def _require_fit(template: Template, named: dict[str, CatalogueEntry]) -> None:
    """Refuse treebanks that have no gold for the metrics of a template."""
    tracks = _tracks(template)
    for name, entry in named.items():
        if "test" not in entry.parts and "whole" not in entry.parts:
            raise ChallengeError(f"{name}: it has no test part; name a treebank that has one")
        gold = entry.read(entry.default_part, findings=list[Findings]())
        for track in tracks:
            lacking = lacking_gold(track, gold)
            if lacking:
                others = [
                    other.name
                    for other in TEMPLATES.values()
                    if other.name != template.name and _fits(other, gold)
                ]
                instead = f"use --template {others[0]}, or " if others else ""
                raise ChallengeError(
                    f"{name}: the template {template.name!r} does not fit: its test part has no "
                    f"gold for {', '.join(lacking)}; {instead}leave the treebank out"
                )


def _fits(template: Template, gold: Treebank) -> bool:
    return not any(lacking_gold(track, gold) for track in _tracks(template))


def _tracks(template: Template) -> tuple[Track, ...]:
    return make_tracks(tomllib.loads(template.tracks)["tracks"])


# ---------------------------------------------------------------------- texts


def _challenge_text(
    name: str, template: Template, named: dict[str, CatalogueEntry], start: datetime
) -> str:
    end = max(phase.turn for phase in template.phases) + 1
    tracks = json.dumps(template.track_names)
    phases = [_phase_text("dev", "dev", tracks, start, start + end * _TWO_WEEKS, "at once")]
    for phase in template.phases:
        opens = start + phase.turn * _TWO_WEEKS
        phases.append(
            _phase_text(
                f"{'-'.join(phase.tracks)}-test",
                "test",
                json.dumps(list(phase.tracks)),
                opens,
                opens + _TWO_WEEKS,
                "after close",
            )
        )
    return _HEAD.format(name=name, summary=template.summary) + "\n".join(
        [
            template.tracks,
            _TREEBANKS_HEAD,
            *(_treebank_text(one, entry) for one, entry in named.items()),
            _PHASES_HEAD,
            *phases,
            _BOARD,
        ]
    )


def _phase_text(
    name: str, part: str, tracks: str, opens: datetime, closes: datetime, scores: str
) -> str:
    quota = "{ day = 50 }" if part == "dev" else "{ day = 5, total = 20 }"
    return (
        f'[[phases]]\nname = "{name}"\npart = "{part}"\ntracks = {tracks}\n'
        f'opens = "{opens:%Y-%m-%d %H:%M} UTC"\ncloses = "{closes:%Y-%m-%d %H:%M} UTC"\n'
        f'quota = {quota}\nscores = "{scores}"\n'
    )


def _treebank_text(name: str, entry: CatalogueEntry) -> str:
    is_toy = entry.name.startswith(TOY_PREFIX)
    parts = [part for part in PARTS if part in entry.parts]
    where = {part: _where(entry, part) for part in parts} or {"test": str(entry.folder)}
    lines = [f"{part} = {json.dumps(text, ensure_ascii=False)}" for part, text in where.items()]
    licence = entry.licence or ("none needed: generated" if is_toy else "write the licence")
    text = "\n".join(
        [
            "[[treebanks]]",
            f'name = "{name}"',
            *lines,
            f"licence = {json.dumps(licence, ensure_ascii=False)}",
            "redistribute = true",
            f'statement = "statements/{name}.md"',
        ]
    )
    if is_toy:
        text += '\ngold = "public"                  # anyone with treegauge can generate it'
    return f"{text}\n"


def _where(entry: CatalogueEntry, part: str) -> str:
    if entry.name.startswith(TOY_PREFIX):
        return f"{entry.name}:{part}"
    files = entry.files(part)
    return str(files[0].resolve()) if len(files) == 1 else f"{entry.name}:{part}"


_HEAD = """\
# A challenge: {summary}.
# `treegauge challenge pack` reads this file; docs/challenge.md explains every key.
schema = 1
name = "{name}"
title = "{name}"
contact = ""                     # the address for questions
format = "conllu"                # of the packs' files: conllu, conllx or pascal
gold = "after close"             # when gold is released: after the last test phase, or a time

"""

_TREEBANKS_HEAD = """\
# `train` is released blind, `dev` with gold, `test` blind. Name files, or treebanks of the
# catalogue with their part, en_ewt:test.
# With redistribute = false, packs have no words of a treebank: participants rebuild it from their
# own copy. Further gold standards of the same words, and styles to which gold is converted:
#   references = [{ name = "other", test = "other.conllu" }]
#   styles = ["functional"]
"""

_PHASES_HEAD = """\
# Times have a zone: UTC, +01:00, Europe/Copenhagen, or AoE (anywhere on earth).
# Scores are shown "at once", "after close", or from a time on.
"""

_BOARD = """\
[board]
average = []                     # the treebanks of every average; default: all
alpha = 0.05                     # significance level of the tests between groups
"""

_RULES = """\
# Rules of {name}

1. The test part is annotated without gold, and without what was made from it.
2. Every submission says how its system was supervised, and which resources it used.
3. `treegauge challenge check` accepts a submission before it is sent.
"""

_STATEMENT = """\
# Data statement of {name}

- Language and variety:
- Where the texts come from, and when they were written:
- Who wrote them, and for whom:
- Who annotated them, by which guidelines, and how well they agree:
- Licence, and how to get the treebank:
"""
