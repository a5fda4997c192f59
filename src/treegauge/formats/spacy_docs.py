"""Treebanks from spaCy's documents, without importing spaCy.

Tokens of white space are spaCy's own: they are left out, and what hangs on one goes to its
nearest ancestor that is a word. `SpaceAfter=No` in MISC says where no white space followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from treegauge.formats.findings import FormatError
from treegauge.formats.tool_documents import documents_of
from treegauge.treebank import EMPTY, NOT_ANNOTATED, Column, Treebank

_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")
_Row = tuple[int, list[str]]
"""The head, and what stands in the columns."""


def from_spacy(
    docs: Any, *, name: str = "", sentences: Literal["spacy", "documents"] = "spacy"
) -> Treebank:
    """Convert documents of spaCy to a treebank.

    Sentences are those of `doc.sents`; a document without sentence boundaries is one sentence.
    What spaCy has not annotated is `_` (heads -1). Its relation `ROOT` becomes `root`.

    Parameters
    ----------
    docs : spacy.tokens.Doc or iterable of them
        Such as `nlp(text)` or `nlp.pipe(texts)`.
    name : str
        The name of the treebank in tables.
    sentences : "spacy" or "documents"
        `documents`: every document is a sentence and every token a word, white space included.
        This is for documents that were made from the words of a treebank.

    Returns
    -------
    Treebank
        All sentences of all documents.

    Raises
    ------
    FormatError
        If an argument is not a document, or a head is in another sentence.

    Examples
    --------
    >>> import spacy  # doctest: +SKIP
    >>> nlp = spacy.load("en_core_web_sm")  # doctest: +SKIP
    >>> from_spacy(nlp("Birds sing."), name="spacy")  # doctest: +SKIP
    <Treebank spacy: 1 sentence, 3 words; lemma upos xpos feats deprel head>
    >>> from_spacy([]).n_words
    0
    """
    if sentences == "documents":
        of_sentences = [_rows(doc, list(doc)) for doc in _documents(docs)]
    else:
        of_sentences = [
            rows
            for doc in _documents(docs)
            for span in _spans(doc)
            if (rows := _rows(doc, [token for token in span if not _is_space(token)]))
        ]
    rows = [row for sentence in of_sentences for row in sentence]
    columns = {
        column: Column.from_strings(values[i] for _, values in rows)
        for i, column in enumerate(_COLUMNS)
    }
    offsets = [0]
    for sentence in of_sentences:
        offsets.append(offsets[-1] + len(sentence))
    return Treebank(columns, [head for head, _ in rows], offsets=offsets, name=name)


def _documents(docs: Any) -> Iterator[Any]:
    return documents_of(docs, ("sents", "has_annotation"), "a spaCy Doc")


def _spans(doc: Any) -> Iterator[Any]:
    if doc.has_annotation("SENT_START"):
        yield from doc.sents
    else:
        yield doc


def _rows(doc: Any, words: list[Any]) -> list[_Row]:
    position = {token.i: place for place, token in enumerate(words, start=1)}
    rows = []
    for token in words:
        head = _head(token, position)
        values = [token.text, token.lemma_, token.pos_, token.tag_, str(token.morph)]
        values.append("root" if head == 0 else token.dep_)
        values.append(_space_after(doc, token))
        rows.append((head, [_value(text) for text in values]))
    return rows


def _is_space(token: Any) -> bool:
    # Not token.is_space: it needs a vocabulary that knows, and a bare Vocab() does not.
    return bool(token.text.isspace())


def _head(token: Any, position: dict[int, int]) -> int:
    # spaCy hangs a root, and a word without annotation, on itself.
    if token.head.i == token.i and not token.dep_:
        return NOT_ANNOTATED
    word = token
    while token.head.i != token.i:
        token = token.head
        if token.i in position:
            return position[token.i]
        if not _is_space(token):
            raise FormatError(
                f"the head of {word.text!r} (token {word.i}) is {token.text!r} (token "
                f"{token.i}), which is in another sentence: were sentence boundaries set "
                "after parsing?"
            )
    return 0


def _space_after(doc: Any, token: Any) -> str:
    is_last = token.i + 1 == len(doc)
    is_followed = is_last or token.whitespace_ or _is_space(doc[token.i + 1])
    return "" if is_followed else "SpaceAfter=No"


def _value(text: str) -> str:
    # Tabs and line ends divide columns and lines.
    return text.translate({9: " ", 10: " ", 13: " "}) or EMPTY
