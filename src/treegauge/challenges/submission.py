"""Submissions: a folder or a zip with `system.toml` and one file per treebank.

A file is called `TREEBANK.conllu` (or `.conllx`, `.pascal`, `.tagged`; in folders also with `.gz`
or `.xz`), and has the words of the pack in the pack's order. Where all words are `_`, as in the
zips that `check --zip` writes, `manifest.json` says which words they were.

Checking needs the blind pack alone. Everything that is wrong is a finding; what is right about
the rest is still read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from treegauge.challenges.challenge import COLUMNS_OF_ANNOTATION, Annotated
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.packs import (
    MANIFEST,
    PackedFiles,
    content_id,
    parse_manifest,
    with_manifest,
)
from treegauge.challenges.submission_findings import SubmissionFindings
from treegauge.challenges.system_file import (
    SYSTEM_FILE,
    SystemDescription,
    is_visible,
    read_system_file,
)
from treegauge.challenges.task import Task, read_member
from treegauge.challenges.word_check import has_same_words, is_without_words
from treegauge.formats import (
    Findings,
    FormatError,
    bare_name,
    format_of_name,
    read,
    to_text,
)
from treegauge.treebank import NOT_ANNOTATED, Column, Treebank
from treegauge.wording import counted, text_of_name

FORMATS_OF_SUBMISSIONS = ("conllu", "conllx", "pascal", "tagged")
_LONGEST_TAG = 100
_SENTENCE_FORMAT = "conllu"


@dataclass(frozen=True)
class Submission:
    """A submission that was read.

    Attributes
    ----------
    source : str
        Where it came from, for messages.
    task : Task
        What it was checked against.
    system : SystemDescription, optional
        None where `system.toml` has errors.
    treebanks : mapping from name to Treebank
        The pack's words with the submitted annotation; only treebanks without errors.
    findings : SubmissionFindings
        What is wrong.
    """

    source: str
    task: Task
    system: SystemDescription | None
    treebanks: Mapping[str, Treebank]
    findings: SubmissionFindings

    def canonical_files(self) -> dict[str, bytes]:
        """Return the submission as it is kept: annotation alone, no word of the text.

        Raises
        ------
        ChallengeError
            If there are errors.
        """
        if self.system is None or not self.findings.is_acceptable:
            raise ChallengeError(f"{self.source}: it has errors; correct them before it is zipped")
        files = {
            f"{name}.conllu": _annotation_alone(treebank, self.task).encode()
            for name, treebank in self.treebanks.items()
        }
        files[SYSTEM_FILE] = self.system.to_toml().encode()
        about = {
            "kind": "submission",
            "challenge": self.task.challenge,
            "track": self.task.track,
            "part": self.task.part,
            "words": {name: self.task.word_ids[name] for name in self.treebanks},
        }
        return with_manifest(about, files)

    @property
    def content(self) -> str:
        """The SHA-256 of the canonical files: the same however the submission was zipped."""
        return content_id(self.canonical_files())


def read_submission(
    source: str | Path,
    task: Task,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> Submission:
    """Read and check a submission.

    Parameters
    ----------
    source : path
        A folder or a zip.
    task : Task
        The words, from the blind pack or from gold.

    Raises
    ------
    ChallengeError
        If it is neither, or a zip that nobody should open.
    """
    reading = _Reading(source, task)
    reading.read_system()
    chosen = reading.files_of_treebanks()
    treebanks = {}
    for number, (name, file) in enumerate(chosen.items(), start=1):
        treebank = reading.treebank(name, file)
        if treebank is not None:
            treebanks[name] = treebank
        on_progress(number / len(chosen))
    return Submission(reading.shown, task, reading.system, treebanks, reading.findings)


def describe_submission(source: str | Path) -> SystemDescription:
    """Return what a submission says of itself.

    Raises
    ------
    ChallengeError
        If it does not say it, or not in order.
    """
    files = PackedFiles(source)
    shown = text_of_name(source)
    names = [name for name in files.names if PurePosixPath(name).name == SYSTEM_FILE]
    if len(names) != 1:
        raise ChallengeError(f"{shown}: expected one file {SYSTEM_FILE}, found {len(names)}")
    findings = SubmissionFindings()
    described = read_system_file(files.read(names[0]), f"{shown}/{names[0]}", findings)
    if described is None:
        raise ChallengeError("\n".join(line for line, _ in findings.lines()))
    return described


def track_of_submission(source: str | Path) -> str:
    """Return the track that a submission says it is for; empty if it does not say."""
    files = PackedFiles(source)
    names = [name for name in files.names if PurePosixPath(name).name == SYSTEM_FILE]
    if len(names) != 1:
        return ""
    described = read_system_file(files.read(names[0]), SYSTEM_FILE, SubmissionFindings())
    return described.track if described else ""


class _Reading:
    """One look at a submission."""

    def __init__(self, source: str | Path, task: Task) -> None:
        path = Path(source)
        if not path.exists():
            raise ChallengeError(f"{path}: cannot be read: no such file or folder")
        self.task = task
        self.shown = text_of_name(path)
        self.files = PackedFiles(path)
        self.findings = SubmissionFindings()
        self.system: SystemDescription | None = None
        self.by_base_name = self._by_base_name()
        self.manifest = self._manifest()

    def _by_base_name(self) -> dict[str, str]:
        """Return the files by their names, without the one folder that all may lie in."""
        folders = {str(PurePosixPath(name).parent) for name in self.files.names}
        inside = folders.pop() if len(folders) == 1 else "."
        return {
            name if inside == "." else PurePosixPath(name).name: name for name in self.files.names
        }

    def _manifest(self) -> Mapping[str, Any]:
        if MANIFEST not in self.by_base_name:
            return {}
        content = self.files.read(self.by_base_name[MANIFEST])
        manifest = parse_manifest(content, self.shown)
        if manifest["kind"] != "submission":
            raise ChallengeError(
                f"{self.shown}: this is a {manifest['kind']} pack, not a submission; give the "
                f"pack first, then the submission"
            )
        return manifest

    def place(self, file: str) -> str:
        """Return what messages call a file."""
        return f"{self.shown}/{self.by_base_name.get(file, file)}"

    # ------------------------------------------------------------------ the system

    def read_system(self) -> None:
        """Read `system.toml`."""
        place = self.place(SYSTEM_FILE)
        if SYSTEM_FILE not in self.by_base_name:
            self.findings.add(
                "system-file",
                place,
                expected=f"a file {SYSTEM_FILE}",
                found="none",
                advice="the example submission has one to begin with",
            )
            return
        content = self.files.read(self.by_base_name[SYSTEM_FILE])
        described = read_system_file(content, place, self.findings)
        if described is None:
            return
        for what, expected, found in (
            ("track", self.task.track, described.track),
            ("part", self.task.part, described.part),
        ):
            if expected != found:
                self.findings.add(
                    "track",
                    place,
                    expected=f"{what} {expected!r}, which the pack is for",
                    found=repr(found),
                    advice=f"correct {what}, or take the pack of {found!r}",
                )
                return
        self.system = described

    # ------------------------------------------------------------------ treebanks

    def files_of_treebanks(self) -> dict[str, str]:
        """Return the file of every treebank that is there."""
        chosen: dict[str, str] = {}
        for file in sorted(self.by_base_name):
            name = bare_name(file)
            if file in (SYSTEM_FILE, MANIFEST):
                continue
            is_treebank = (
                name in self.task.treebanks and format_of_name(file) in FORMATS_OF_SUBMISSIONS
            )
            if not is_treebank:
                self._say_unknown(file)
            elif name in chosen:
                self.findings.add(
                    "treebank-twice",
                    self.place(file),
                    expected=f"one file of {name}",
                    found=f"{chosen[name]} and {file}",
                    advice="keep the one that you mean",
                )
            else:
                chosen[name] = file
        missing = [name for name in self.task.treebanks if name not in chosen]
        if not chosen:
            self._say_nothing_there()
        elif missing:
            self.findings.add(
                "treebank-missing",
                self.shown,
                expected=counted(len(self.task.treebanks), "treebank"),
                found=f"none of {', '.join(missing)}",
                advice="it can be scored; averages need every treebank",
            )
        return chosen

    def _say_unknown(self, file: str) -> None:
        names = ", ".join(f"{name}.conllu" for name in list(self.task.treebanks)[:10])
        self.findings.add(
            "unknown-file",
            self.place(file),
            expected=f"{SYSTEM_FILE} or one of {names}",
            found=file,
            advice="it is not read; is the name of a treebank misspelt?",
        )

    def _say_nothing_there(self) -> None:
        names = ", ".join(f"{name}.conllu" for name in list(self.task.treebanks)[:10])
        self.findings.add(
            "no-treebank",
            self.shown,
            expected=f"some of {names}",
            found="none of them",
            advice="name every file after its treebank in the pack",
        )

    def treebank(self, name: str, file: str) -> Treebank | None:
        """Read the file of a treebank; return it if nothing is wrong."""
        place = self.place(file)
        of_file = Findings(place, role="prediction")
        try:
            if self.files.is_zip:
                submitted = read_member(self.files.read(self.by_base_name[file]), place, of_file)
            else:
                path = self.files.path / self.by_base_name[file]
                submitted = read(path, name=name, role="prediction", findings=of_file)
        except FormatError:
            self.findings.add_all(of_file)
            return None
        # A missing head is a finding of ours, which knows what the track asks for.
        del of_file.counts["head-missing"]
        of_file.listed = [one for one in of_file.listed if one.kind != "head-missing"]
        self.findings.add_all(of_file)
        words = self.task.treebanks[name]
        if is_without_words(submitted, words) and not self._fits_manifest(name, place):
            return None
        if not has_same_words(words, submitted, place, self.findings):
            return None
        annotated = self._annotated(words, submitted, place)
        return annotated if not self.findings.errors_in(place) else None

    def _fits_manifest(self, name: str, place: str) -> bool:
        """Return whether words that are not there were those of the pack."""
        words = self.manifest.get("words")
        known = words.get(name) if isinstance(words, dict) else None
        if known == self.task.word_ids[name]:
            return True
        self.findings.add(
            "other-words",
            place,
            expected=f"words {self.task.word_ids[name][:12]}…",
            found=f"words {str(known)[:12]}…" if known else f"_ for words, and no {MANIFEST}",
            advice="check the submission with words again, with the pack that is out now",
        )
        return False

    def _annotated(self, words: Treebank, submitted: Treebank, place: str) -> Treebank:
        """Return the pack's words with what was submitted."""
        columns = {
            column: submitted.columns[column] for column in self.task.columns if column != "head"
        }
        if "upos" in columns and not submitted.upos.is_annotated:
            columns["upos"] = submitted.cpos
        for kind in self.task.annotate:
            self._check_annotation(kind, submitted, columns, place)
        head = submitted.head if "head" in self.task.columns else None
        return words.replace(columns=columns, head=head)

    def _check_annotation(
        self, kind: Annotated, submitted: Treebank, columns: Mapping[str, Column], place: str
    ) -> None:
        own = COLUMNS_OF_ANNOTATION[kind]
        if kind == "heads":
            missing = submitted.head == NOT_ANNOTATED
        else:
            blank = [_is_blank(columns[column]) for column in own]
            missing = np.logical_and.reduce(blank)
            for column in own:
                self._check_texts(columns[column], place)
        number = int(missing.sum())
        if not number or kind == "features":
            return
        sentence = int(np.searchsorted(submitted.offsets, missing.argmax(), side="right")) - 1
        position = int(missing.argmax() - submitted.offsets[sentence]) + 1
        is_all = number == submitted.n_words
        self.findings.add(
            "not-annotated" if is_all else "partly-annotated",
            place,
            line=0 if is_all else submitted.line(sentence, position),
            sentence="" if is_all else str(sentence + 1),
            expected=f"{kind} for every word",
            found="none" if is_all else f"none for {counted(number, 'word')}, here the first",
            advice=(
                "is this what your system wrote?" if is_all else "words without it count as wrong"
            ),
        )

    def _check_texts(self, column: Column, place: str) -> None:
        """Refuse tags that no page could show."""
        odd = [
            value
            for value in column.compact().vocabulary.strings
            if len(value) > _LONGEST_TAG or not is_visible(value)
        ]
        for value in odd[:1]:
            self.findings.add(
                "tag-text",
                place,
                expected=f"at most {_LONGEST_TAG} visible characters",
                found=ascii(value[:_LONGEST_TAG]),
                advice="write tags, relations and lemmas with visible letters",
            )


def _is_blank(column: Column) -> np.ndarray[Any, np.dtype[np.bool_]]:
    by_value = np.array([value in ("_", "") for value in column.vocabulary.strings], np.bool_)
    blank: np.ndarray[Any, np.dtype[np.bool_]] = by_value[column.codes]
    return blank


def _annotation_alone(treebank: Treebank, task: Task) -> str:
    """Return a file of annotation, with `_` for words and all that was not asked for."""
    n_words = treebank.n_words
    columns = {
        "form": Column.constant("_", n_words),
        **{name: treebank.columns[name] for name in task.columns if name != "head"},
    }
    head = treebank.head if "head" in task.columns else None
    bare = Treebank(columns, head, offsets=treebank.offsets)
    return to_text(bare, format=_SENTENCE_FORMAT)
