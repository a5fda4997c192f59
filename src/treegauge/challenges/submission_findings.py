"""Findings about submissions: what is wrong, in which file and line, and what to do.

They are `formats.Finding`s like those of any file, with rules of their own besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treegauge.formats import LISTED, Finding, Findings, Severity
from treegauge.wording import counted

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE


@dataclass(frozen=True)
class Rule:
    """A rule that a submission can break."""

    id: str
    rule: str
    severity: Severity


RULES = {
    rule.id: rule
    for rule in (
        Rule("system-file", "system.toml names the team and describes the system.", _E),
        Rule("name", "A name has 1 to 60 characters, none of which is invisible.", _E),
        Rule("track", "A submission is for the track of the pack.", _E),
        Rule("no-treebank", "A submission has at least one treebank of the pack.", _E),
        Rule("treebank-twice", "There is one file per treebank.", _E),
        Rule("other-words", "A submission without words was made from this pack.", _E),
        Rule("sentence-missing", "Every sentence of the pack is there.", _E),
        Rule("sentence-added", "A submission has no sentence that the pack lacks.", _E),
        Rule("sentence-doubled", "No sentence occurs more often than in the pack.", _E),
        Rule("sentence-order", "Sentences are in the order of the pack.", _E),
        Rule("word-changed", "Words are those of the pack.", _E),
        Rule("word-count", "A sentence has as many words as in the pack.", _E),
        Rule("not-annotated", "Every column of the track is annotated.", _E),
        Rule("tag-text", "A tag has at most 100 characters, none of which is invisible.", _E),
        Rule("partly-annotated", "Every word is annotated.", _W),
        Rule("treebank-missing", "All treebanks of the pack are there.", _W),
        Rule("unknown-file", "There are only files of treebanks, and system.toml.", _W),
    )
}
"""Every rule by its id."""


class SubmissionFindings:
    """Collects what is wrong with a submission: the first twenty of a rule a file, and counts."""

    def __init__(self) -> None:
        self.listed: list[Finding] = []
        self._counts: Counter[tuple[str, str, Severity]] = Counter()

    def add(
        self,
        rule: str,
        file: str,
        *,
        expected: str,
        found: str,
        advice: str,
        line: int = 0,
        sentence: str = "",
    ) -> None:
        """Count a finding, and list it if it is among the first of its rule in the file."""
        severity = RULES[rule].severity
        key = (file, rule, severity)
        if self._counts[key] < LISTED:
            finding = Finding(rule, severity, file, line, expected, found, advice, sentence)
            self.listed.append(finding)
        self._counts[key] += 1

    def add_all(self, findings: Findings) -> None:
        """Take over what was found when a file was read."""
        self.listed += list(findings)
        for kind, number in findings.counts.items():
            self._counts[findings.file, kind, findings.severity(kind)] += number

    def __iter__(self) -> Iterator[Finding]:
        """Iterate by file and line, errors first within a line."""
        grades = list(Severity)
        return iter(
            sorted(self.listed, key=lambda one: (one.file, one.line, grades.index(one.severity)))
        )

    def total(self, severity: Severity) -> int:
        """Return how many findings there are of a severity, listed or not."""
        return sum(n for (_, _, grade), n in self._counts.items() if grade is severity)

    @property
    def is_acceptable(self) -> bool:
        """Whether the submission can be scored as a whole."""
        return not self.total(_E)

    def errors_in(self, file: str) -> int:
        """Return how many errors a file has."""
        return sum(n for (name, _, grade), n in self._counts.items() if (name, grade) == (file, _E))

    def lines(self) -> list[tuple[str, Severity]]:
        """Return the findings as people read them, each with its severity."""
        lines: list[tuple[str, Severity]] = []
        advised = set()
        for finding in self:
            # The same advice twenty times would bury what was found.
            advice = (finding.file, finding.kind, finding.advice)
            text = finding.without_advice if advice in advised else str(finding)
            lines += [(line, finding.severity) for line in text.split("\n")]
            advised.add(advice)
        for (file, rule, severity), total in sorted(self._counts.items()):
            if total > LISTED:
                more = f"{file}: [{rule}] {total - LISTED:,} more of these, {total:,} in all"
                lines.append((more, severity))
        return lines

    def summary(self) -> str:
        """Return how many there are, in words."""
        grades = [counted(self.total(grade), str(grade)) for grade in (_E, _W)]
        return ", ".join(grades)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the findings as JSON has them."""
        return [finding.to_dict() for finding in self]
