"""The running text that a treebank annotates, before anybody cut it into words.

A sentence's text is its comment `# text`. A space stands between two sentences, unless the last
token of the first has `SpaceAfter=No`; `# newpar` and `# newdoc` begin a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from treegauge.treebank.alignment import (
    characters_of_sentences,
    id_and_form_columns,
    without_spaces,
)
from treegauge.treebank.column import Column
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.side_lines import COMMENT, MULTIWORD, SideLines, parse_comment
from treegauge.treebank.treebank import Treebank
from treegauge.wording import counted

NO_SPACE = "SpaceAfter=No"
GENERATOR = "generator"
"""The comment of a first sentence that says which tool and which model annotated a treebank."""
GIVEN = "treegauge_given"
"""The comment of a first sentence that says which columns were there before."""
_PARAGRAPH = re.compile(r"#\s*new(par|doc)\b")


def paragraphs_of(treebank: Treebank) -> list[str]:
    """Return the text of a treebank, one string a paragraph.

    Raises
    ------
    TreebankError
        If a sentence has no `# text`, or one that does not fit its words.
    """
    texts: list[str | None] = [None] * treebank.n_sentences
    begins = np.zeros(treebank.n_sentences, np.bool_)
    table = treebank.side_lines
    for line in np.flatnonzero(table.kind == COMMENT).tolist():
        sentence, comment = int(table.sentence[line]), table.text[line]
        if _PARAGRAPH.match(comment):
            begins[sentence] = True
        key, value = parse_comment(comment)
        if key == "text":
            texts[sentence] = value
    checked = _checked_texts(treebank, texts)
    paragraphs: list[str] = []
    is_glued = _is_glued(treebank)
    for sentence, text in enumerate(checked):
        if not sentence or begins[sentence]:
            paragraphs.append(text)
        else:
            paragraphs[-1] += text if is_glued[sentence - 1] else f" {text}"
    return paragraphs


def _checked_texts(treebank: Treebank, texts: list[str | None]) -> list[str]:
    """Return the texts, which are all there and have the characters of the words."""
    name = treebank.name or "gold"
    missing = [number for number, text in enumerate(texts) if text is None]
    if missing:
        raise TreebankError(
            f"{name}: {_place(treebank, missing[0])} has no # text{_like_it(missing)}: "
            "what the raw text was is unknown\n"
            "  take the words as they are with --pretokenised"
        )
    checked = [text for text in texts if text is not None]
    own = characters_of_sentences(treebank)
    other = [number for number, text in enumerate(checked) if without_spaces(text) != own[number]]
    if other:
        raise TreebankError(
            f"{name}: the # text of {_place(treebank, other[0])} has other characters than its "
            f"words{_like_it(other)}\n"
            "  correct it, or take the words as they are with --pretokenised"
        )
    return checked


def _like_it(sentences: list[int]) -> str:
    return f" ({counted(len(sentences), 'sentence')} like this)" if len(sentences) > 1 else ""


def _place(treebank: Treebank, sentence: int) -> str:
    name = treebank.sentence_ids[sentence]
    return f"sentence {sentence + 1:,}" + (f" ({name})" if name else "")


# ---------------------------------------------------------------------- from words to text


def sentence_texts(treebank: Treebank) -> list[str]:
    """Return the text of every sentence, put together from its words.

    Multiword tokens stand for their words; a space follows a token that does not say
    `SpaceAfter=No`.
    """
    tokens = _tokens_with_spaces(treebank)
    return ["".join(tokens[a:b]).rstrip() for a, b in pairwise(treebank.offsets.tolist())]


def _tokens_with_spaces(treebank: Treebank) -> list[str]:
    """Return for every word its token and the space behind it; later words of a token are ""."""
    misc = treebank.columns["misc"].map(_space)
    tokens = [form + space for form, space in zip(treebank.form, misc, strict=True)]
    table = treebank.side_lines
    id_column, form_column = id_and_form_columns(treebank)
    for line in np.flatnonzero(table.kind == MULTIWORD).tolist():
        fields = table.text[line].split("\t")
        first, last = map(int, fields[id_column].split("-"))
        offset = int(treebank.offsets[table.sentence[line]])
        token = fields[form_column] + _space(fields[-1])
        tokens[offset + first - 1 : offset + last] = [token] + [""] * (last - first)
    return tokens


def _space(misc: str) -> str:
    return "" if NO_SPACE in misc.split("|") else " "


def _is_glued(treebank: Treebank) -> list[bool]:
    """Say of every sentence whether the next one begins without a space."""
    tokens = _tokens_with_spaces(treebank)
    return [
        bool("".join(tokens[a:b]).strip()) and not "".join(tokens[a:b]).endswith(" ")
        for a, b in pairwise(treebank.offsets.tolist())
    ]


def with_comments(treebank: Treebank, comments: list[list[str]]) -> Treebank:
    """Return a treebank with other comments: for every sentence its lines, without `# `."""
    table = treebank.side_lines
    rest = table.take(table.kind != COMMENT)
    sentence = [number for number, lines in enumerate(comments) for _ in lines]
    lines = SideLines(
        np.concatenate([np.array(sentence, np.int32), rest.sentence]),
        np.concatenate([np.zeros(len(sentence), np.int32), rest.after]),
        np.concatenate([np.full(len(sentence), COMMENT, np.uint8), rest.kind]),
        Column.concatenate(
            [Column.from_strings(f"# {one}" for own in comments for one in own), rest.text]
        ),
    )
    order = np.lexsort((np.arange(len(lines)), lines.after, lines.sentence))
    return treebank.replace(side_lines=lines.take(order))


def comments_of(treebank: Treebank) -> list[list[str]]:
    """Return the comments of every sentence, as `with_comments` takes them."""
    table = treebank.side_lines
    comments: list[list[str]] = [[] for _ in range(treebank.n_sentences)]
    for line in np.flatnonzero(table.kind == COMMENT).tolist():
        comments[int(table.sentence[line])].append(table.text[line].removeprefix("#").lstrip(" "))
    return comments


def generator_of(treebank: Treebank) -> str:
    """Return the versions of tool and model that annotated a treebank; empty if it does not say."""
    if not treebank.n_sentences:
        return ""
    lines = treebank.side_lines.of_sentence(0)
    comments = dict(parse_comment(text) for kind, _, text in lines if kind == COMMENT)
    return comments.get(GENERATOR, "")


def given_of(treebank: Treebank) -> frozenset[str]:
    """Return the columns that a treebank says it was given, before a system annotated it."""
    if not treebank.n_sentences:
        return frozenset()
    lines = treebank.side_lines.of_sentence(0)
    comments = dict(parse_comment(text) for kind, _, text in lines if kind == COMMENT)
    return frozenset(comments.get(GIVEN, "").split())


def with_columns_given(treebank: Treebank, columns: Iterable[str]) -> Treebank:
    """Return a treebank whose first sentence says which columns were there before."""
    names = " ".join(columns)
    comments = [
        [one for one in own if parse_comment(one)[0] != GIVEN] for own in comments_of(treebank)
    ]
    if comments and names:
        comments[0].insert(0, f"{GIVEN} = {names}")
    return with_comments(treebank, comments)


def with_generator(treebank: Treebank, versions: str) -> Treebank:
    """Return a treebank whose first sentence says what annotated it, and no other does.

    A tool annotates everything: what was said of columns that were there before is gone.
    """
    comments = [
        [one for one in own if parse_comment(one)[0] not in (GENERATOR, GIVEN)]
        for own in comments_of(treebank)
    ]
    if comments:
        comments[0].insert(0, f"{GENERATOR} = {versions}")
    return with_comments(treebank, comments)
