"""Level 2: comments of one sentence, its text beside its words, and what sentences share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from treegauge.formats.line_flaws import quoted
from treegauge.formats.universal_dependencies.backbone import (
    FORM,
    ID,
    MISC,
    RANGE_ID,
    CheckedSentence,
    is_node,
)

_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(\S+)")
_PARALLEL_ID = re.compile(
    r"#\s*parallel_id\s*=\s*([a-z]+/[-0-9a-z]+"
    r"(?:/(?=alt|part)(?:alt[1-9][0-9]{0,17})?(?:part[1-9][0-9]{0,17})?)?)"
)
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")
# As in the official validator: "# newdoc id = …" is no such line.
_NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+\S+)?")
_NEW_PARAGRAPH = re.compile(r"#\s*newpar(?:\s+\S+)?")


@dataclass
class Metadata:
    """What the rules about several sentences need to know of one."""

    sent_id: str = ""
    """Its id, if it has exactly one."""
    starts_part: bool = False
    """Whether a document or a paragraph begins with it."""
    ends_without_space: bool | None = None
    """Whether no space follows its last word; nothing if its text does not tell."""
    parallel_id: str = ""
    """Its parallel id, if it has exactly one."""


def check_metadata(sentence: CheckedSentence) -> Metadata:
    """Check the comments of a sentence, and its text beside its words."""
    metadata = Metadata()
    _check_sent_id(sentence, metadata)
    _check_parallel_id(sentence, metadata)
    documents = sum(_NEW_DOCUMENT.fullmatch(comment) is not None for comment in sentence.comments)
    paragraphs = sum(_NEW_PARAGRAPH.fullmatch(comment) is not None for comment in sentence.comments)
    if documents > 1:
        sentence.break_in_row(0, "multiple-newdoc", str(documents))
    if paragraphs > 1:
        sentence.break_in_row(0, "multiple-newpar", str(paragraphs))
    metadata.starts_part = documents + paragraphs > 0
    texts = [match[1] for comment in sentence.comments if (match := _TEXT.fullmatch(comment))]
    if not texts:
        sentence.break_in_row(0, "missing-text", "none")
    elif len(texts) > 1:
        sentence.break_in_row(0, "multiple-text", str(len(texts)))
    else:
        metadata.ends_without_space = _check_text(sentence, texts[0])
    return metadata


def _check_sent_id(sentence: CheckedSentence, metadata: Metadata) -> None:
    ids = []
    for comment in sentence.comments:
        if match := _SENT_ID.fullmatch(comment):
            ids.append(match[1])
        elif comment.startswith(("# sent_id", "#sent_id")):
            sentence.break_in_row(0, "invalid-sent-id", quoted(comment))
    if not ids:
        sentence.break_in_row(0, "missing-sent-id", "none")
    elif len(ids) > 1:
        sentence.break_in_row(0, "multiple-sent-id", ", ".join(map(quoted, ids)))
    else:
        metadata.sent_id = ids[0]
        if ids[0].count("/") > 1:
            sentence.break_in_row(0, "slash-in-sent-id", quoted(ids[0]))


def _check_parallel_id(sentence: CheckedSentence, metadata: Metadata) -> None:
    ids = []
    for comment in sentence.comments:
        if match := _PARALLEL_ID.fullmatch(comment):
            ids.append(match[1])
        elif comment.startswith(("# parallel_id", "#parallel_id")):
            sentence.break_in_row(0, "invalid-parallel-id", quoted(comment))
    if len(ids) > 1:
        sentence.break_in_row(0, "multiple-parallel-id", str(len(ids)))
    elif ids:
        metadata.parallel_id = ids[0]


def _check_text(sentence: CheckedSentence, text: str) -> bool | None:
    """Compare a text with words and SpaceAfter; return whether no space follows the last word."""
    if not text:
        sentence.break_in_row(0, "empty-text", "nothing")
    elif text[-1].isspace():
        sentence.break_in_row(0, "text-trailing-whitespace", quoted(text[-10:]))
    rest = text
    without_space: bool | None = None
    fits = True
    inside: set[str] = set()
    for i, row in enumerate(sentence.rows):
        _check_space_after(sentence, i, row)
        if is_node(row) or row[ID] in inside:
            if "SpaceAfter=No" in row[MISC]:
                rule = "spaceafter-empty-node" if is_node(row) else "spaceafter-mwt-node"
                sentence.break_in_row(i, rule, quoted(row[MISC]))
            continue
        if span := RANGE_ID.fullmatch(row[ID]):
            inside.update(map(str, range(int(span[1]), int(span[2]) + 1)))
        form = row[FORM]
        if not rest.startswith(form):
            if fits:
                shown = f"{quoted(rest[: len(form) + 10])} where the word is {quoted(form)}"
                sentence.break_in_row(i, "text-form-mismatch", shown)
            fits = False
            continue
        rest = rest[len(form) :]
        without_space = "SpaceAfter=No" in row[MISC].split("|")
        if not without_space:
            if rest and not rest[0].isspace():
                shown = f"{quoted(rest[:10])} after {quoted(form)}"
                sentence.break_in_row(i, "missing-spaceafter", shown)
            rest = rest.lstrip()
    if rest:
        sentence.break_in_row(0, "text-extra-chars", quoted(rest))
    return without_space


def _check_space_after(sentence: CheckedSentence, i: int, row: list[str]) -> None:
    misc = row[MISC]
    if "SpaceAfter" not in misc:
        return
    if "NoSpaceAfter=Yes" in misc:
        sentence.break_in_row(i, "nospaceafter-yes", quoted(misc))
    if any(a.startswith("SpaceAfter=") and a != "SpaceAfter=No" for a in misc.split("|")):
        sentence.break_in_row(i, "spaceafter-value", quoted(misc))
