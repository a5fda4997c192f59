from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest

import treegauge as tg
from treegauge.formats import Severity, Validation, validate

TAGGED = b"sul\tPRON\ndorvi\tVERB\n\n"


class FailingDisk(io.RawIOBase):
    """Gives some bytes, and then an error instead of more."""

    name = "disk.tagged"

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int = -1) -> bytes:
        if not self._data:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        given, self._data = self._data[:size], self._data[size:]
        return given


def only_finding(validation: Validation) -> tuple[str, Severity, str]:
    (finding,) = validation.findings
    assert not validation.is_valid
    assert validation.treebank is None
    return finding.kind, finding.severity, finding.found


# ---------------------------------------------------------------- files that cannot be read


def test_a_missing_file_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "nope.conllu"
    validation = validate(path)
    assert only_finding(validation) == (
        "unreadable",
        Severity.ERROR,
        '"no such file or folder"',
    )
    assert str(validation.findings) == (
        f"{path}: [unreadable] expected a file that can be opened and read, "
        'found "no such file or folder"\n'
        "  is the name right, and may you read the file?"
    )
    assert validation.to_dict()["counts"] == {"unreadable": 1}


def test_a_folder_is_a_finding(tmp_path: Path) -> None:
    kind, _, found = only_finding(validate(tmp_path))
    assert (kind, found) == ("unreadable", '"is a folder, not a file"')


def test_a_file_that_may_not_be_read_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not with chmod: these tests may run as root, who reads everything.
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    path = tmp_path / "secret.tagged"
    path.write_bytes(TAGGED)
    monkeypatch.setattr(Path, "open", refuse)
    assert only_finding(validate(path))[2] == '"permission denied"'


@pytest.mark.parametrize("data", [b"", TAGGED[:3], TAGGED, b"\x1f\x8b\x08\x00"])
def test_a_read_error_in_the_middle_is_a_finding(data: bytes) -> None:
    kind, _, found = only_finding(validate(FailingDisk(data)))
    assert (kind, found) == ("unreadable", '"input/output error"')


def test_reading_says_it_in_one_line_and_keeps_the_finding(tmp_path: Path) -> None:
    path = tmp_path / "nope.conllu"
    collected = tg.Findings()
    with pytest.raises(tg.FormatError) as caught:
        tg.read(path, findings=collected)
    assert str(caught.value) == f"{path}: cannot be read: no such file or folder"
    assert caught.value.findings is collected
    assert collected.counts == {"unreadable": 1}


def test_reading_from_a_failing_disk() -> None:
    with pytest.raises(tg.FormatError, match=r"^disk\.tagged: cannot be read: input/output error$"):
        tg.read(FailingDisk(TAGGED))


# ---------------------------------------------------------------- formats


def test_a_file_of_no_format_is_a_finding() -> None:
    validation = validate(io.StringIO("Sul dorvi.\n"))
    assert only_finding(validation) == (
        "format",
        Severity.ERROR,
        "one whose first line is 'Sul dorvi.'",
    )


def test_a_misspelt_format_is_no_flaw_of_the_file(tmp_path: Path) -> None:
    for source in (io.BytesIO(TAGGED), tmp_path / "nope.conllu"):
        with pytest.raises(tg.FormatError, match="unknown format 'taged'") as caught:
            validate(source, format="taged")
        assert caught.value.findings is None
