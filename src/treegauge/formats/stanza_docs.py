"""Treebanks from Stanza's documents, without importing Stanza.

A token of several words becomes a multiword token. `SpaceAfter=No` in MISC says where no white
space followed, as far as the document tells: in `spaces_after`, or in the places of characters.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from treegauge.formats.findings import Findings
from treegauge.formats.reading import read
from treegauge.formats.tool_documents import documents_of
from treegauge.treebank import EMPTY, NO_SPACE, Treebank


def from_stanza(docs: Any, *, name: str = "") -> Treebank:
    """Convert documents of Stanza to a treebank.

    What a pipeline has not annotated is `_` (heads -1).

    Parameters
    ----------
    docs : stanza.Document or iterable of them
        Such as `nlp(text)`.
    name : str
        The name of the treebank in tables.

    Returns
    -------
    Treebank
        All sentences of all documents.

    Raises
    ------
    FormatError
        If an argument is not a document, or its content is not valid CoNLL-U.

    Examples
    --------
    >>> import stanza  # doctest: +SKIP
    >>> nlp = stanza.Pipeline("en")  # doctest: +SKIP
    >>> from_stanza(nlp("Birds sing."), name="stanza")  # doctest: +SKIP
    <Treebank stanza: 1 sentence, 3 words; lemma upos xpos feats deprel head>
    >>> from_stanza([]).n_words
    0
    """
    lines = [
        line
        for doc in _documents(docs)
        for sentence in doc.sentences
        if sentence.words
        for line in (*_lines(sentence), "")
    ]
    text = "".join(f"{line}\n" for line in lines)
    return read(
        io.StringIO(text),
        format="conllu",
        name=name,
        role="prediction",
        findings=Findings(),
        allow_empty=True,
    )


def _documents(docs: Any) -> Iterator[Any]:
    return documents_of(docs, ("sentences", "num_words"), "a Stanza Document")


def _lines(sentence: Any) -> Iterator[str]:
    tokens = list(sentence.tokens)
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        words = list(token.words)
        misc = "" if _is_followed_by_space(token, after) else NO_SPACE
        if len(words) > 1:
            place = f"{words[0].id}-{words[-1].id}"
            yield _line([place, token.text, *[""] * 7, misc])
            misc = ""
        for word in words:
            # Relations and heads are missing where no parser ran.
            head = "" if word.head is None else str(word.head)
            tags = [word.lemma, word.upos, word.xpos, word.feats]
            yield _line([str(word.id), word.text, *tags, head, word.deprel, "", misc])


def _is_followed_by_space(token: Any, after: Any) -> bool:
    spaces = getattr(token, "spaces_after", None)
    if spaces is not None:
        return bool(spaces)
    end, begin = getattr(token, "end_char", None), getattr(after, "start_char", None)
    return end is None or begin is None or end < begin


def _line(values: Sequence[str | None]) -> str:
    return "\t".join(_value(value or "") for value in values)


def _value(text: str) -> str:
    # Tabs and line ends divide columns and lines.
    return text.translate({9: " ", 10: " ", 13: " "}) or EMPTY
