"""Checks a file and says everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from treegauge.formats.findings import Findings, FormatError, Role, Severity
from treegauge.formats.reading import read
from treegauge.formats.sources import Source, source_name
from treegauge.formats.streaming import TreebankStream
from treegauge.treebank import Treebank
from treegauge.wording import counted


@dataclass(frozen=True)
class Validation:
    """The findings in a file; made by `validate`. It prints as a list of findings.

    Attributes
    ----------
    file : str
        The name of the file.
    findings : Findings
        The findings.
    treebank : Treebank or None
        The content; None if there are errors, for a stream, or if a level was asked for.
    size : (int, int) or None
        The number of sentences and words, if they were only counted.
    level : int or None
        The level of Universal Dependencies that was asked for.

    Examples
    --------
    >>> import io, treegauge as tg
    >>> text = "1\\tbirds\\t_\\tNOUN\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
    >>> validation = tg.validate(io.StringIO(text))
    >>> validation.is_valid, validation.verdict
    (True, '<stream>: valid, 1 sentence, 1 word; no findings')
    >>> validation.to_dict()["words"]
    1
    >>> validation.without_treebank().size
    (1, 1)
    """

    file: str
    findings: Findings
    treebank: Treebank | None
    size: tuple[int, int] | None = None
    level: int | None = None

    def without_treebank(self) -> Validation:
        """Return the validation without the treebank, with its size only, to save memory.

        Returns
        -------
        Validation
            The validation itself if it has no treebank.
        """
        if self.treebank is None:
            return self
        size = (self.treebank.n_sentences, self.treebank.n_words)
        return replace(self, treebank=None, size=size)

    @property
    def is_valid(self) -> bool:
        """Whether there is no error; warnings and notes do not count."""
        return not self.findings.total(Severity.ERROR)

    def __str__(self) -> str:
        """Return the findings as a compiler would print them, and a line that sums them up."""
        listed = f"{self.findings}\n" if len(self.findings) else ""
        return f"{listed}{self.verdict}\n"

    @property
    def verdict(self) -> str:
        """The line that sums the findings up."""
        counts = [
            counted(total, severity)
            for severity in Severity
            if (total := self.findings.total(severity))
        ]
        word = "valid" if self.is_valid else "not valid"
        sentences, words = self._size
        size = ""
        if sentences is not None and words is not None:
            size = f", {counted(sentences, 'sentence')}, {counted(words, 'word')}"
        return f"{self.file}: {word}{size}; {', '.join(counts) or 'no findings'}"

    @property
    def _size(self) -> tuple[int, int] | tuple[None, None]:
        if self.treebank is not None:
            return self.treebank.n_sentences, self.treebank.n_words
        return self.size or (None, None)

    def to_dict(self) -> dict[str, Any]:
        """Return the validation as in JSON output.

        Returns
        -------
        dict
            `file`, `valid`, `sentences`, `words`, `counts` and `findings`.
        """
        sentences, words = self._size
        official = {name: n for (_, name), n in sorted(self.findings.official.items())}
        return {
            "file": self.file,
            "valid": self.is_valid,
            "sentences": sentences,
            "words": words,
            "counts": dict(self.findings.counts),
            **({"official_counts": official} if self.level else {}),
            "findings": [finding.to_dict() for finding in self.findings],
        }


def validate(
    source: Source,
    *,
    format: str | None = None,
    role: Role = "check",
    strict: bool = False,
    level: int | None = None,
    every: bool = False,
    max_bytes: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    stream: bool = False,
    part_bytes: int | None = None,
) -> Validation:
    """Check a file and report its flaws.

    A file that cannot be opened is a finding too, so that other files are still checked.

    Parameters
    ----------
    source : path, '-' or open file
        The file to check.
    format : str, optional
        The format of the file. Default: detected.
    role : "check", "gold" or "prediction"
        How strictly the file is judged. `check`: a sentence that is not a tree is an error.
        `gold`: gold data that is used as it is. `prediction`: the output of a system.
    strict : bool
        Treat every flaw that is not repaired automatically as an error.
    level : 1 or 2, optional
        Check CoNLL-U against the rules of the official validator of Universal Dependencies, up
        to this level. The role is then `check`.
    every : bool
        Keep all findings, not only the first twenty of each kind. A stream keeps at most 10,000
        of each kind.
    max_bytes, on_progress
        As for `read`.
    stream : bool
        Read the file part by part, in memory that does not depend on its length.
    part_bytes : int, optional
        The size of a part of a stream. Default: some megabytes.

    Returns
    -------
    Validation
        With `is_valid`, `findings`, `verdict` and `to_dict()`. It prints as a list of findings.

    Raises
    ------
    FormatError
        If the format is unknown.

    Examples
    --------
    >>> import io
    >>> text = "1\\tbirds\\t_\\tNOUN\\t_\\t_\\t1\\tnsubj\\t_\\t_\\n\\n"
    >>> validation = validate(io.StringIO(text))
    >>> validation.is_valid
    False
    >>> for finding in validation.findings:
    ...     print(finding)
    <stream>:1: [cycle] expected a tree, found the cycle 1 -> 1
      attach one of these words outside the cycle
    <stream>:1: [no-root] expected one word with head 0, found none
      give the sentence a root
    """
    findings = Findings(role=role, strict=strict, every=every)
    treebank = None
    if level is not None:
        return _validated_at_level(
            source, level, findings, format=format, max_bytes=max_bytes, on_progress=on_progress,
            stream=stream,
        )  # fmt: skip
    if stream:
        parts = TreebankStream(
            source,
            findings=findings,
            format=format,
            on_progress=on_progress,
            max_bytes=max_bytes,
            tag_column="xpos",  # whatever they are
            part_bytes=part_bytes,
        )
        return Validation(source_name(source), findings, None, _size_of_stream(parts))
    try:
        treebank = read(
            source,
            format=format,
            role=role,
            strict=strict,
            max_bytes=max_bytes,
            findings=findings,
            on_progress=on_progress,
        )
    except FormatError as error:
        if error.findings is None:  # not a flaw of the file: there is no such format
            raise
    return Validation(source_name(source), findings, treebank)


def _size_of_stream(parts: TreebankStream) -> tuple[int, int] | None:
    """Read a stream to its end; return how many sentences and words it has, if it can be used."""
    try:
        for _ in parts:
            pass
    except FormatError:
        return None
    return parts.n_sentences, parts.n_words


def _validated_at_level(
    source: Source, level: int, findings: Findings, **options: Any
) -> Validation:
    from treegauge.formats.universal_dependencies.checking import check_levels

    size = None
    try:
        size = check_levels(source, findings, level=level, **options)
    except FormatError as error:
        if error.findings is None:
            raise
    return Validation(source_name(source), findings, None, size, level)
