"""Findings: what is wrong with a file, where, and what to do about it.

A finding says four things: where (file, line, sentence), which rule (a stable id in square
brackets), what was expected and what was found, and what to do. Its severity depends on
what the file is read for:

error    the file cannot be used; reading it ends in a `FormatError` that holds all findings
warning  the file is used as it stands
note     a small repair was made (a byte-order mark, Windows line ends)
"""

from __future__ import annotations

import enum
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from treegauge.errors import TreegaugeError

Role = Literal["gold", "prediction", "check"]
"""What a file is read for: gold data, a system's output, or a check whether it is good gold."""

LISTED = 20
"""How many findings of one kind are kept; the rest are counted."""


class Severity(enum.StrEnum):
    """The severity of a finding.

    Examples
    --------
    >>> [str(severity) for severity in Severity]
    ['error', 'warning', 'note']
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class FindingKind:
    """A rule that a file can break."""

    id: str
    rule: str
    severity: Severity
    strict: Severity | None = None
    """Severity under `--strict`, where it differs; never applied to predictions."""
    check: Severity | None = None
    """Severity when it is asked whether the file is good gold (`treegauge validate`)."""

    def severity_for(self, role: Role, *, strict: bool = False) -> Severity:
        """Return the severity of a finding of this kind for a role."""
        if strict and self.strict and role != "prediction":
            return self.strict
        if role == "check" and self.check:
            return self.check
        return self.severity


_Kind = FindingKind
_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

KINDS = {
    kind.id: kind
    for kind in (
        # An impossible file is always an error.
        _Kind("unreadable", "A file can be opened and read.", _E),
        _Kind("format", "The format can be detected from the name or the first lines.", _E),
        _Kind("columns", "Every word line has the columns of its format, separated by tabs.", _E),
        _Kind("word-id", "Words are numbered 1, 2, 3 and so on in every sentence.", _E),
        _Kind("head-number", "HEAD is a whole number, or _ if there is no head.", _E),
        _Kind("range-id", "A multiword token i-j is before word i; word j follows.", _E),
        _Kind("range-overlap", "Multiword tokens do not overlap.", _E),
        _Kind("node-id", "Empty nodes after word i are numbered i.1, i.2 and so on.", _E),
        _Kind("plus-header", "# global.columns names every column once, FORM among them.", _E),
        _Kind("tag-separator", "Every word is followed by a slash and its tag.", _E),
        _Kind("chat-line", "A line of a transcript begins with @, *, % or a tab.", _E),
        _Kind("encoding", "A file is UTF-8.", _E),
        _Kind("nul-byte", "No word, tag or comment has a NUL byte in it.", _E),
        _Kind("size", "A file is no larger than --max-bytes allows.", _E),
        _Kind("compression", "A file that ends in .gz or .xz is compressed that way.", _E),
        _Kind("truncated-file", "A file is complete.", _E),
        _Kind("empty-file", "A file has at least one sentence.", _E),
        # What is no tree is used as it stands, unless somebody asks for trees.
        _Kind("head-outside", "HEAD is a position in the sentence, or 0.", _W, strict=_E, check=_E),
        _Kind("cycle", "No word is its own ancestor.", _W, strict=_E, check=_E),
        _Kind("no-root", "One word in every sentence has HEAD 0.", _W, strict=_E, check=_E),
        _Kind("several-roots", "Only one word in a sentence has HEAD 0.", _W, strict=_E, check=_E),
        _Kind("head-missing", "All words of a sentence have a HEAD, or none has.", _W, strict=_E),
        _Kind("node-in-range", "No empty node is inside a multiword token.", _W, strict=_E),
        _Kind("comment-place", "Comments come before the first word.", _W, strict=_E),
        _Kind("empty-field", "A column without a value has _.", _W, strict=_E),
        _Kind("empty-sentence", "A sentence has at least one word.", _W, strict=_E),
        _Kind("chat-mismatch", "Words, %mor and %gra have the same number.", _W, strict=_E),
        _Kind("chat-no-analysis", "An utterance has a tier %mor.", _W, strict=_E),
        # Repaired automatically.
        _Kind("byte-order-mark", "A file begins with its text.", _N),
        _Kind("line-ends", "Lines end in a line feed only.", _N),
        _Kind("chat-left-out", "A transcript contains only words, tags and trees.", _N),
        _Kind("blank-line", "One blank line, without spaces, ends a sentence.", _N),
        _Kind("surplus-space", "One space separates the words of plain text.", _N),
        _Kind("final-blank-line", "The last sentence ends in a blank line.", _N),
    )
}
"""Every kind of finding by its id."""

REPAIRS = {
    kind.id: kind
    for kind in (
        # Of the file: every word keeps its verdict.
        _Kind("repaired-fence", "A file has no Markdown fences.", _N),
        _Kind("repaired-prose", "A file contains only words, comments and blank lines.", _N),
        _Kind("repaired-divider", "Columns are separated by tabs.", _N),
        _Kind("repaired-columns", "A table has the columns of its format.", _N),
        _Kind("repaired-side-line", "Multiword tokens and empty nodes fit their words.", _N),
        _Kind("repaired-boundary", "A blank line separates sentences.", _N),
        _Kind("repaired-encoding", "A file is UTF-8.", _N),
        _Kind("repaired-order", "Sentences are in the order of gold.", _N),
        # Of words: wrong in every metric.
        _Kind("repaired-line", "Every word line has the columns of its table.", _W),
        _Kind("repaired-number", "Words are numbered 1, 2, 3 and so on in every sentence.", _W),
        _Kind("repaired-word", "Words are those of gold.", _W),
        _Kind("repaired-missing", "Every word of gold has a line.", _W),
        _Kind("repaired-surplus", "There are no words beyond those of gold.", _W),
        _Kind("repaired-answer", "Every prompt has one answer, with a table in it.", _W),
        _Kind("repaired-before", "No word is marked as repaired before.", _W),
        # Of heads: wrong in every metric that uses heads.
        _Kind("repaired-head", "HEAD is 0 or the number of a word.", _W),
        _Kind("repaired-cycle", "No word is its own ancestor.", _W),
        _Kind("repaired-roots", "Only one word in a sentence has HEAD 0.", _W),
    )
}
"""What can be repaired in outputs as they come, by id."""


@dataclass(frozen=True)
class Finding:
    """One flaw of a file.

    Attributes
    ----------
    kind : str
        The id of the rule, such as `cycle`.
    severity : Severity
        `error`, `warning` or `note`.
    file : str
        The name of the file.
    line : int
        The line, from 1; 0 if the finding is about the whole file.
    expected, found : str
        What the rule asks for, and what the file has.
    advice : str
        What to do.
    sentence : str
        The `sent_id` of the sentence, if it has one.
    official : str
        The name of the rule in the official validator of Universal Dependencies.
    level : int
        The level of Universal Dependencies that the rule belongs to; 0 if none was asked for.

    Examples
    --------
    >>> import io, treegauge as tg
    >>> text = "1\\tbirds\\t_\\tNOUN\\t_\\t_\\t3\\tnsubj\\t_\\t_\\n\\n"
    >>> finding = next(iter(tg.validate(io.StringIO(text)).findings))
    >>> finding.kind, finding.line, str(finding.severity)
    ('head-outside', 1, 'error')
    >>> finding.to_dict()["expected"]
    'a head from 0 to 1'
    """

    kind: str
    severity: Severity
    file: str
    line: int
    expected: str
    found: str
    advice: str
    sentence: str = ""
    official: str = ""
    level: int = 0

    def __str__(self) -> str:
        return f"{self.without_advice}\n  {self.advice}"

    @property
    def without_advice(self) -> str:
        """The finding in one line: where, which rule, what was expected and what was found."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        sentence = f" (sentence {self.sentence})" if self.sentence else ""
        return f"{place}: [{self.rule}] expected {self.expected}, found {self.found}{sentence}"

    @property
    def rule(self) -> str:
        """The id of the rule; with a level, also the name of the rule in the official validator."""
        if not self.level:
            return self.kind
        official = self.official or "not in the official validator"
        behind = "" if official == self.kind else f": {official}"
        return f"{self.kind}; level {self.level}{behind}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as in JSON output.

        Returns
        -------
        dict
            `id`, `severity`, `file`, `line`, `sentence`, `expected`, `found` and `advice`; with a
            level also `level` and `official`.
        """
        level = {"level": self.level, "official": self.official or None} if self.level else {}
        return {
            "id": self.kind,
            **level,
            "severity": str(self.severity),
            "file": self.file,
            "line": self.line or None,
            "sentence": self.sentence or None,
            "expected": self.expected,
            "found": self.found,
            "advice": self.advice,
        }


class Findings:
    """Collects the findings about one file: the first twenty of every kind, and all counts.

    Iterating gives the findings by line, those about the whole file first. `len` counts all.

    Parameters
    ----------
    file : str
        The name of the file.
    role : "gold", "prediction" or "check"
        What the file is used for. Severities depend on it.
    strict : bool
        Treat every flaw that is not repaired automatically as an error.
    every : bool
        Keep all findings, not only the first twenty of each kind.

    Examples
    --------
    >>> findings = Findings("a.conllu")
    >>> findings.add("cycle", line=7, expected="a tree", found="a cycle", advice="break it")
    >>> findings.count_unlisted("cycle", 2)
    >>> len(findings), [finding.line for finding in findings]
    (3, [7])
    >>> str(findings.severity("cycle")), findings.total(Severity.WARNING), findings.room("cycle")
    ('warning', 3, 17)
    >>> len(findings.only(Severity.ERROR))
    0
    >>> findings.summary()
    'a.conllu: cycle (3); `treegauge validate --all` shows every one'
    """

    def __init__(
        self, file: str = "", *, role: Role = "gold", strict: bool = False, every: bool = False
    ) -> None:
        self.file = file
        self.every = every
        self.most = sys.maxsize if every else LISTED
        """How many findings of a kind are listed."""
        self.role: Role = role
        self.strict = strict
        self.listed: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self.official: Counter[tuple[int, str]] = Counter()
        """By level and official id, how often a rule of Universal Dependencies is broken."""
        self.kinds: Mapping[str, FindingKind] = KINDS | REPAIRS

    def severity(self, kind: str) -> Severity:
        """Return the severity of a kind of finding for the role of this file.

        Parameters
        ----------
        kind : str
            The id of a rule.

        Returns
        -------
        Severity
            `error`, `warning` or `note`.
        """
        return self.kinds[kind].severity_for(self.role, strict=self.strict)

    def add(
        self,
        kind: str,
        *,
        line: int,
        expected: str,
        found: str,
        advice: str,
        sentence: str = "",
        official: str = "",
        level: int = 0,
    ) -> None:
        """Add a finding. It is counted, and kept if it is among the first of its kind.

        Parameters
        ----------
        kind, line, expected, found, advice, sentence, official, level
            As in `Finding`.
        """
        if self.room(kind):
            severity = self.severity(kind)
            place = (severity, self.file, line)
            self.listed.append(
                Finding(kind, *place, expected, found, advice, sentence, official, level)
            )
        self.counts[kind] += 1
        if level:
            self.official[level, official or kind] += 1

    def room(self, kind: str) -> int:
        """Return how many more findings of a kind would be kept.

        Parameters
        ----------
        kind : str
            The id of a rule.

        Returns
        -------
        int
            The number of findings.
        """
        return max(0, self.most - self.counts[kind])

    def count_unlisted(self, kind: str, number: int) -> None:
        """Count findings without keeping them.

        Parameters
        ----------
        kind : str
            The id of a rule.
        number : int
            How many.
        """
        if number:
            self.counts[kind] += number

    def add_all(self, others: Findings, kinds: Iterable[str]) -> None:
        """Copy findings of some kinds from another collection, kind by kind.

        Parameters
        ----------
        others : Findings
            The other collection.
        kinds : iterable of str
            Ids of rules. This collection has no finding of them yet.

        Examples
        --------
        >>> others, findings = Findings("a.conllu"), Findings("a.conllu")
        >>> others.count_unlisted("cycle", 2)
        >>> findings.add_all(others, ["cycle"])
        >>> len(findings)
        2
        """
        for kind in kinds:
            if others.counts[kind]:
                self.listed += [finding for finding in others.listed if finding.kind == kind]
                self.counts[kind] += others.counts[kind]

    def __iter__(self) -> Iterator[Finding]:
        """Iterate by line; findings about the file as a whole come first."""
        return iter(sorted(self.listed, key=lambda finding: finding.line))

    def __len__(self) -> int:
        return self.counts.total()

    def total(self, severity: Severity) -> int:
        """Count the findings of a severity, kept or not.

        Parameters
        ----------
        severity : Severity
            `error`, `warning` or `note`.

        Returns
        -------
        int
            The number of findings.
        """
        return sum(n for kind, n in self.counts.items() if self.severity(kind) == severity)

    def __str__(self) -> str:
        lines = []
        advised = set()
        for finding in self:
            # The same advice twenty times would bury what was found.
            advice = (finding.kind, finding.advice)
            lines.append(finding.without_advice if advice in advised else str(finding))
            advised.add(advice)
        lines += [
            f"{self.file}: [{kind}] {total - self.most:,} more of these, {total:,} in all"
            for kind, total in self.counts.items()
            if total > self.most
        ]
        return "\n".join(lines)

    def summary(self) -> str:
        """Summarise the findings in one line.

        Returns
        -------
        str
            The kinds of findings and their counts.
        """
        counts = ", ".join(f"{kind} ({total:,})" for kind, total in self.counts.items())
        return f"{self.file}: {counts}; `treegauge validate --all` shows every one"

    def only(self, *severities: Severity) -> Findings:
        """Return the findings of some severities.

        Parameters
        ----------
        *severities : Severity
            `error`, `warning` or `note`.

        Returns
        -------
        Findings
            A new collection.
        """
        chosen = Findings(self.file, role=self.role, strict=self.strict, every=self.every)
        chosen.kinds, chosen.most = self.kinds, self.most
        chosen.listed = [finding for finding in self.listed if finding.severity in severities]
        chosen.counts = Counter(
            {kind: n for kind, n in self.counts.items() if self.severity(kind) in severities}
        )
        return chosen


class FormatError(TreegaugeError):
    """A file cannot be read or written.

    Parameters
    ----------
    message : str
        What is wrong.
    findings : Findings, optional
        All findings about the file, if it was read.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.parse("1\\tbirds\\n\\n", format="conllu")
    ... except tg.FormatError as error:
    ...     print(dict(error.findings.counts))
    {'columns': 1}
    """

    def __init__(self, message: str, findings: Findings | None = None) -> None:
        super().__init__(message)
        self.findings = findings


class FormatWarning(UserWarning):
    """A file was read although something is wrong with it.

    Examples
    --------
    >>> import warnings, treegauge as tg
    >>> text = "1\\tbirds\\t_\\tNOUN\\t_\\t_\\t1\\tnsubj\\t_\\t_\\n\\n"
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", tg.FormatWarning)
    ...     treebank = tg.parse(text, name="birds")
    >>> [warning.category.__name__ for warning in caught]
    ['FormatWarning']
    """
