"""How findings are shown to people: the same flaw in many lines is one finding, with colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from treegauge.formats import Severity
from treegauge.wording import counted

if TYPE_CHECKING:
    from treegauge.formats import Finding, Validation

Line = tuple[str, str]
"""A line and its style."""

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
_SHOWN_EACH = 3
"""So many findings of one kind are shown; the others are counted."""
_FIRST_PLACES = 5


def finding_lines(validations: Sequence[Validation], *, every: bool = False) -> list[Line]:
    """Return lines for all findings of files, a verdict for each file, and one for all."""
    lines = list(chain.from_iterable(_lines_of_file(one, every=every) for one in validations))
    return [*lines, _summary(validations)] if len(validations) > 1 else lines


def _lines_of_file(validation: Validation, *, every: bool) -> Iterator[Line]:
    findings = list(validation.findings)
    totals = validation.findings.counts
    by_kind: dict[str, list[Finding]] = {}
    for finding in findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    repeated = {} if every else {k: own for k, own in by_kind.items() if totals[k] > _SHOWN_EACH}
    shown = {kind: _examples(own) for kind, own in repeated.items()}
    advised: set[tuple[str, str]] = set()
    for finding in findings:
        kind = finding.kind
        if kind in repeated and finding not in shown[kind]:
            continue
        yield finding.without_advice, _STYLES[finding.severity]
        # The same advice twenty times would bury what was found.
        if (kind, finding.advice) not in advised:
            yield f"  {finding.advice}", ""
            advised.add((kind, finding.advice))
        if kind in repeated and finding is shown[kind][-1]:
            yield f"  {_places(repeated[kind], totals[kind])}; --all shows each", ""
    yield from _levels(validation)
    yield validation.verdict, "bold green" if validation.is_valid else "bold red"


def _levels(validation: Validation) -> Iterator[Line]:
    """Give a line for every level with findings: the official ids, the most frequent first."""
    by_level: dict[int, Counter[str]] = {}
    for (level, official), number in validation.findings.official.items():
        by_level.setdefault(level, Counter())[official] = number
    for level, counts in sorted(by_level.items()):
        told = ", ".join(f"{official} {number:,}" for official, number in counts.most_common())
        yield f"level {level}: {counted(counts.total(), 'finding')} ({told})", ""


def _examples(findings: Sequence[Finding]) -> list[Finding]:
    """Return the first findings of a kind that do not say the same."""
    different: dict[tuple[str, str], Finding] = {}
    for one in findings:
        different.setdefault((one.expected, one.found), one)
    return list(different.values())[:_SHOWN_EACH]


def _places(findings: Sequence[Finding], total: int) -> str:
    """Return how many findings there are of a kind, and where the first are."""
    lines = [f"{line:,}" for line in dict.fromkeys(one.line for one in findings) if line]
    more = " and so on" if total > _FIRST_PLACES else ""
    where = f", in lines {', '.join(lines[:_FIRST_PLACES])}{more}" if len(lines) > 1 else ""
    return f"{total:,} of these{where}"


def _summary(validations: Sequence[Validation]) -> Line:
    """Return a line about all files: how many are valid, and how often which rule is broken."""
    valid = sum(one.is_valid for one in validations)
    flawed = len(validations) - valid
    counts: dict[Severity, Counter[str]] = {severity: Counter() for severity in Severity}
    for one in validations:
        for kind, number in one.findings.counts.items():
            counts[one.findings.severity(kind)][kind] += number
    told = [
        f"{counted(kinds.total(), severity)} "
        f"({', '.join(f'{kind} {number:,}' for kind, number in kinds.most_common())})"
        for severity, kinds in counts.items()
        if kinds
    ]
    verdict = f"{valid:,} valid" + (f", {flawed:,} not valid" if flawed else "")
    text = f"{counted(len(validations), 'file')}: {verdict}; {', '.join(told) or 'no findings'}"
    return text, "bold red" if flawed else "bold green"
