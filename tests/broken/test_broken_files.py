"""One flaw a file, named after the flaw; `expected.json` says what is found in each."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

import treegauge as tg
from tests.broken.regenerate import EXPECTED, broken_files, findings_of
from treegauge.formats import KINDS, Role, Severity

FILES = broken_files()
GOLDEN = json.loads(EXPECTED.read_text(encoding="utf-8"))

# A sentence without a root has a cycle, a head outside or a missing head as well.
COMPANIONS = {"no-root.conllu": {"cycle"}}

# A file that is not there, a folder, one that may not be read, and one that never ends cannot be
# kept in git; tests/unit/formats/test_validation.py makes them.
WITHOUT_A_FILE = {"unreadable", "size"}

ALWAYS_ERRORS = {
    "unreadable",
    "format",
    "columns",
    "word-id",
    "head-number",
    "range-id",
    "range-overlap",
    "node-id",
    "plus-header",
    "tag-separator",
    "chat-line",
    "encoding",
    "nul-byte",
    "size",
    "compression",
    "truncated-file",
    "empty-file",
}
ERRORS_OF_A_CHECK = {"head-outside", "cycle", "no-root", "several-roots"}
ERRORS_UNDER_STRICT = {
    "head-outside",
    "cycle",
    "no-root",
    "several-roots",
    "head-missing",
    "node-in-range",
    "comment-place",
    "empty-field",
    "empty-sentence",
    "chat-mismatch",
    "chat-no-analysis",
}
NOTES = {
    "chat-left-out",
    "byte-order-mark",
    "line-ends",
    "blank-line",
    "surplus-space",
    "final-blank-line",
}

WAYS_TO_READ: list[tuple[Role, bool]] = [
    (role, strict) for role in ("gold", "prediction", "check") for strict in (False, True)
]

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


def kind_in_name(path: Path) -> str:
    stem = path.name.partition(".")[0]
    return max((kind for kind in KINDS if f"{stem}-".startswith(f"{kind}-")), key=len)


def read_anyhow(
    path: Path, *, role: Role = "gold", strict: bool = False
) -> tuple[tg.Findings, tg.FormatError | None]:
    findings = tg.Findings()
    try:
        assert isinstance(tg.read(path, role=role, strict=strict, findings=findings), tg.Treebank)
    except tg.FormatError as error:
        return findings, error
    return findings, None


def message_of(found: tg.Findings) -> str:
    """Return how reading fails: a file of no format is answered with a question."""
    if "format" in found.counts:
        (finding,) = found.only(Severity.ERROR)
        seen = finding.found.removeprefix("one whose")
        return f"{finding.file}: unknown format: its{seen}\n  {finding.advice}"
    return str(found.only(Severity.ERROR))


def expected_severity(kind: str, *, role: Role, strict: bool) -> Severity:
    if kind in ALWAYS_ERRORS:
        return Severity.ERROR
    if kind in NOTES:
        return Severity.NOTE
    assert kind in ERRORS_UNDER_STRICT
    if strict and role != "prediction":
        return Severity.ERROR
    if kind in ERRORS_OF_A_CHECK and role == "check":
        return Severity.ERROR
    return Severity.WARNING


def test_the_golden_file_lists_every_broken_file() -> None:
    assert sorted(GOLDEN) == [path.name for path in FILES]


def test_every_kind_of_finding_has_a_broken_file() -> None:
    assert {kind_in_name(path) for path in FILES} == set(KINDS) - WITHOUT_A_FILE


def test_the_documented_severities_cover_every_kind() -> None:
    assert set(KINDS) == ALWAYS_ERRORS | ERRORS_UNDER_STRICT | NOTES


@each_file
def test_findings_are_those_of_the_golden_file(path: Path) -> None:
    assert findings_of(path) == GOLDEN[path.name]


@each_file
def test_the_flaw_in_the_name_is_the_only_kind_found(path: Path) -> None:
    companions = COMPANIONS.get(path.name, set())
    assert {finding["id"] for finding in findings_of(path)} == {kind_in_name(path)} | companions


@each_file
def test_severity_depends_on_role_and_strictness(path: Path) -> None:
    for role, strict in WAYS_TO_READ:
        found, _ = read_anyhow(path, role=role, strict=strict)
        severities = {finding.kind: finding.severity for finding in found}
        # A head behind the last word tells of a cut file, except where a system made it up.
        if (path.name, role) != ("truncated-file-head.conllu", "prediction"):
            assert kind_in_name(path) in severities
        for kind, severity in severities.items():
            assert severity == expected_severity(kind, role=role, strict=strict)


@each_file
def test_reading_fails_exactly_where_there_is_an_error(path: Path) -> None:
    for role, strict in WAYS_TO_READ:
        found, error = read_anyhow(path, role=role, strict=strict)
        has_error = Severity.ERROR in {finding.severity for finding in found}
        assert (error is not None) == has_error
        if error is not None:
            assert error.findings is found
            assert str(error) == message_of(found)


@each_file
def test_a_warning_is_given_where_nobody_collects_findings(path: Path) -> None:
    found = {finding["severity"] for finding in GOLDEN[path.name]}
    if "error" in found:
        with pytest.raises(tg.FormatError, match=rf"\[{kind_in_name(path)}\]|unknown format"):
            tg.read(path)
    elif "warning" in found:
        with pytest.warns(tg.FormatWarning, match=rf"{kind_in_name(path)} \(\d+\)"):
            tg.read(path)
    else:
        tg.read(path)  # warnings are errors in these tests: a note must not warn


@each_file
def test_every_finding_says_what_to_do(path: Path) -> None:
    findings, _ = read_anyhow(path)
    assert all(finding.advice for finding in findings)
    assert all(finding.file == str(path) for finding in findings)


@pytest.mark.parametrize(
    "name",
    ["byte-order-mark.conllu", "line-ends.conllu", "line-ends-doubled.conllu", "blank-line.conllu"],
)
def test_a_repaired_file_equals_the_flawless_one(name: str) -> None:
    folder = EXPECTED.parent
    flawless = (folder / "compression.conllu.gz").read_bytes()  # plain text under a wrong name
    assert tg.to_text(tg.read(folder / name)).encode() == flawless


def test_git_keeps_the_bytes_of_broken_files() -> None:
    folder = EXPECTED.parent
    assert (folder / "line-ends.conllu").read_bytes().count(b"\r\n") == 9
    assert (folder / "encoding.conllu").read_bytes().count(b"\xed") == 1
    assert (folder / "byte-order-mark.conllu").read_bytes().startswith(b"\xef\xbb\xbf")
    assert not (folder / "final-blank-line-no-line-end.conllu").read_bytes().endswith(b"\n")
    with pytest.raises(EOFError):
        gzip.decompress((folder / "truncated-file.conllu.gz").read_bytes())
    with pytest.raises(lzma.LZMAError):
        lzma.decompress((folder / "truncated-file.conllu.xz").read_bytes())
