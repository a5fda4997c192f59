"""`system.toml`: whose submission it is, for which track, and what the system was told.

system = "right branching"
team = "Example"
track = "dependencies"
supervision = "unsupervised"
resources = ["raw text of the pack"]
description = "Every word depends on the one before it."
contact = "team@example.org"
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.submission_findings import SubmissionFindings
from treegauge.settings import Settings, read_settings, setting

SYSTEM_FILE = "system.toml"
SystemSupervision = Literal[
    "unsupervised",
    "universal rules",
    "dev-tuned",
    "dictionary",
    "cross-lingual",
    "supervised",
]
"""What a system may have been told; `systems.Supervision` without the oracle, who saw gold."""
_LONGEST_NAME = 60
_LONGEST_TEXT = 5000
_LARGEST_FILE = 100_000
_WHERE = re.compile(r"system\.toml: (?:setting )?")


@dataclass(frozen=True, kw_only=True)
class SystemDescription(Settings):
    """What participants say of a system."""

    system: str
    team: str
    track: str
    supervision: SystemSupervision
    resources: tuple[str, ...] = setting((), "what it learnt from besides the packs")
    description: str = setting("", "what it does, in a few sentences")
    contact: str = setting("", "whom to ask")
    part: Literal["dev", "test"] = setting("test", "the part that was annotated")
    fit_on: str = setting("", "what it was fitted on: train, or union of all parts")

    def to_toml(self) -> str:
        """Return the file that says this, always the same bytes."""
        # A basic string of TOML is one of JSON, as long as no control character is in it.
        return "".join(
            f"{name} = {json.dumps(value, ensure_ascii=False)}\n"
            for name, value in self.to_dict().items()
        )


def read_system_file(
    content: bytes, file: str, findings: SubmissionFindings
) -> SystemDescription | None:
    """Read `system.toml`; what is wrong with it is a finding, and there is no system then."""
    try:
        if len(content) > _LARGEST_FILE:
            raise ChallengeError(f"{len(content):,} bytes, more than {_LARGEST_FILE:,}")
        table = tomllib.loads(content.decode("utf-8-sig"))
        described = read_settings(SystemDescription, table, place=SYSTEM_FILE, error=ChallengeError)
    except (ValueError, RecursionError, ChallengeError) as error:
        findings.add(
            "system-file",
            file,
            expected="system, team, track and supervision in TOML",
            found=_one_line(error),
            advice="the example submission has a system.toml to begin with",
        )
        return None
    flaws = [*_flaws_of_names(described), *_flaws_of_texts(described)]
    for expected, found in flaws:
        findings.add(
            "name",
            file,
            expected=expected,
            found=found,
            advice="write it with visible letters",
        )
    return None if flaws else described


def is_visible(text: str, *, lines: bool = False) -> bool:
    """Return whether a text has no character that is obeyed or left out where it is shown.

    >>> is_visible("Łódź 2"), is_visible("a\\u202eb"), is_visible("a\\x1b[31m")
    (True, False, False)
    """
    allowed = "\n\t" if lines else ""
    return not any(
        unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        and char not in allowed
        for char in text
    )


def name_key(name: str) -> str:
    """Return what two spellings of one name have in common.

    >>> name_key("  Team  A ") == name_key("TEAM a")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _flaws_of_names(described: SystemDescription) -> list[tuple[str, str]]:
    flaws = []
    for what, name in (("system", described.system), ("team", described.team)):
        is_good = is_visible(name) and name == name.strip() and name_key(name)
        if not is_good or len(name) > _LONGEST_NAME:
            expected = f"1 to {_LONGEST_NAME} visible characters as {what}"
            flaws.append((expected, _shown(name)))
    return flaws


def _flaws_of_texts(described: SystemDescription) -> list[tuple[str, str]]:
    texts = {
        "contact": described.contact,
        "fit_on": described.fit_on,
        "description": described.description,
        **{f"resource {n}": text for n, text in enumerate(described.resources, start=1)},
    }
    return [
        (f"at most {_LONGEST_TEXT:,} visible characters as {what}", _shown(text))
        for what, text in texts.items()
        if len(text) > _LONGEST_TEXT or not is_visible(text, lines=what == "description")
    ]


def _shown(text: str) -> str:
    return ascii(text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…")


def _one_line(error: Any) -> str:
    return _WHERE.sub("", str(error).split("\n", 1)[0])[:300]
