"""Are the words of a submission those of the pack? If not: which sentence, which word, how.

Sentences that occur once on both sides hold the two together, so that one missing sentence is
one finding, and not one for every sentence behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from treegauge.challenges.submission_findings import SubmissionFindings
from treegauge.treebank import Treebank
from treegauge.wording import counted

Sentences = list[tuple[str, ...]]

_SHOWN_WORDS = 6


def is_without_words(submitted: Treebank, words: Treebank) -> bool:
    """Return whether every word of a file is `_`, and those of the pack are not."""
    return not submitted.form.is_annotated and words.form.is_annotated


def has_same_words(
    words: Treebank, submitted: Treebank, file: str, findings: SubmissionFindings
) -> bool:
    """Return whether a file has the pack's words; add a finding for every difference."""
    same_cut = np.array_equal(words.offsets, submitted.offsets)
    if is_without_words(submitted, words):
        if not same_cut:
            _Differences(words, submitted, file, findings).compare_lengths()
        return same_cut
    if same_cut and words.form == submitted.form:
        return True
    _Differences(words, submitted, file, findings).compare()
    return False


class _Differences:
    """Where the sentences of a file differ from those of the pack."""

    def __init__(
        self, words: Treebank, submitted: Treebank, file: str, findings: SubmissionFindings
    ) -> None:
        self.expected = _sentences(words)
        self.found = _sentences(submitted)
        self.submitted = submitted
        self.file = file
        self.findings = findings
        self.expected_counts = Counter(self.expected)
        self.found_counts = Counter(self.found)

    def compare(self) -> None:
        """Add a finding for every sentence that differs."""
        if self.expected_counts == self.found_counts:
            self._say_order()
            return
        for a, b, c, d in different_stretches(self.expected, self.found):
            paired = self._changed_pairs(range(a, b), range(c, d))
            for i, j in paired:
                self._say_changed(i, j)
            for i in sorted(set(range(a, b)) - {i for i, _ in paired}):
                self._say_missing(i, c)
            for j in sorted(set(range(c, d)) - {j for _, j in paired}):
                self._say_added(j)

    def compare_lengths(self) -> None:
        """Add a finding for every sentence of another length, where there are no words."""
        if len(self.expected) != len(self.found):
            self.findings.add(
                "sentence-missing" if len(self.found) < len(self.expected) else "sentence-added",
                self.file,
                expected=counted(len(self.expected), "sentence"),
                found=f"{len(self.found):,}",
                advice="annotate every sentence of the pack once",
            )
            return
        for i, (a, b) in enumerate(zip(self.expected, self.found, strict=True)):
            if len(a) != len(b):
                self._say_count(i, i)

    def _changed_pairs(self, expected: range, found: range) -> list[tuple[int, int]]:
        """Return sentences that were changed: as many on both sides, or alike by their words."""
        if len(expected) == len(found):
            # A sentence that stands elsewhere was moved, not changed.
            return [
                (i, j)
                for i, j in zip(expected, found, strict=True)
                if self.expected[i] not in self.found_counts
                and self.found[j] not in self.expected_counts
            ]
        left = [i for i in expected if self.expected[i] not in self.found_counts]
        pairs = []
        for j in found:
            if self.found[j] in self.expected_counts:
                continue
            alike = [i for i in left[:50] if _share_of_words(self.expected[i], self.found[j]) > 0.5]
            if alike:
                pairs.append((alike[0], j))
                left = left[left.index(alike[0]) + 1 :]
        return pairs

    def _line(self, j: int, position: int = 0) -> int:
        return self.submitted.line(j, position) if j < self.submitted.n_sentences else 0

    def _say_order(self) -> None:
        pairs = zip(self.expected, self.found, strict=True)
        elsewhere = [i for i, (a, b) in enumerate(pairs) if a != b]
        at, number = elsewhere[0], len(elsewhere)
        self.findings.add(
            "sentence-order",
            self.file,
            line=self._line(at),
            sentence=str(at + 1),
            expected=f"{_shown(self.expected[at])} as sentence {at + 1:,}",
            found=f"{_shown(self.found[at])}; {counted(number, 'sentence')} are elsewhere",
            advice="write sentences in the pack's order",
        )

    def _say_missing(self, i: int, before: int) -> None:
        self.findings.add(
            "sentence-missing",
            self.file,
            line=self._line(before),
            sentence=str(i + 1),
            expected=f"sentence {i + 1:,} of the pack, {_shown(self.expected[i])}",
            found="the next one" if before < len(self.found) else "the end of the file",
            advice="annotate every sentence of the pack once",
        )

    def _say_added(self, j: int) -> None:
        sentence = self.found[j]
        is_known = sentence in self.expected_counts
        is_doubled = self.found_counts[sentence] > self.expected_counts[sentence]
        self.findings.add(
            "sentence-doubled" if is_known and is_doubled else "sentence-added",
            self.file,
            line=self._line(j),
            sentence=str(j + 1),
            expected="the sentences of the pack, in their order",
            found=_shown(sentence),
            advice="remove it: every sentence of the pack is annotated once",
        )

    def _say_changed(self, i: int, j: int) -> None:
        expected, found = self.expected[i], self.found[j]
        if len(expected) != len(found):
            self._say_count(i, j)
            return
        for position, (a, b) in enumerate(zip(expected, found, strict=True), start=1):
            if a != b:
                self.findings.add(
                    "word-changed",
                    self.file,
                    line=self._line(j, position),
                    sentence=str(i + 1),
                    expected=f'"{a}"',
                    found=f'"{b}"',
                    advice="keep the words of the pack as they are, byte for byte",
                )

    def _say_count(self, i: int, j: int) -> None:
        self.findings.add(
            "word-count",
            self.file,
            line=self._line(j),
            sentence=str(i + 1),
            expected=counted(len(self.expected[i]), "word"),
            found=f"{len(self.found[j]):,}",
            advice="keep the words of the pack: do not split or join any",
        )


def different_stretches(
    expected: Sentences, found: Sentences
) -> Iterator[tuple[int, int, int, int]]:
    """Give stretches [a, b) and [c, d) of two texts that stand for each other and differ.

    What lies between two stretches is the same in both. A text in which every sentence is
    another one, or every sentence the same, takes no longer than others.

    >>> list(different_stretches([("a",), ("b",), ("c",)], [("a",), ("c",), ("c",)]))
    [(1, 2, 1, 2)]
    """
    start, other_start = 0, 0
    for a, c in [*_anchors(expected, found), (len(expected), len(found))]:
        end, other_end = a, c
        while start < end and other_start < other_end and expected[start] == found[other_start]:
            start, other_start = start + 1, other_start + 1
        while start < end and other_start < other_end and expected[end - 1] == found[other_end - 1]:
            end, other_end = end - 1, other_end - 1
        if start < end or other_start < other_end:
            yield start, end, other_start, other_end
        start, other_start = a, c


def _anchors(expected: Sentences, found: Sentences) -> list[tuple[int, int]]:
    """Return places of sentences that both texts have once, the most that are in one order."""
    place = _places_of_single(found)
    pairs = [(i, place[s]) for s, i in _places_of_single(expected).items() if s in place]
    # The longest increasing subsequence; of each length, the pair with the smallest end.
    ends: list[int] = []
    last_pairs: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(last_pairs[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        last_pairs[length : length + 1] = [number]
    chosen = []
    number = last_pairs[-1] if last_pairs else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]


def _places_of_single(sentences: Sentences) -> dict[tuple[str, ...], int]:
    counts = Counter(sentences)
    return {sentence: i for i, sentence in enumerate(sentences) if counts[sentence] == 1}


def _sentences(treebank: Treebank) -> Sentences:
    forms = list(treebank.form)
    return [tuple(forms[a:b]) for a, b in pairwise(treebank.offsets.tolist())]


def _share_of_words(expected: tuple[str, ...], found: tuple[str, ...]) -> float:
    common = sum((Counter(expected) & Counter(found)).values())
    return common / max(len(expected), len(found), 1)


def _shown(sentence: tuple[str, ...]) -> str:
    more = " …" if len(sentence) > _SHOWN_WORDS else ""
    return f'"{" ".join(sentence[:_SHOWN_WORDS])}{more}"'
