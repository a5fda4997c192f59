"""Documents of a tool, one or several, told from what people give by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from treegauge.formats.findings import FormatError


def documents_of(docs: Any, attributes: tuple[str, ...], kind: str) -> Iterator[Any]:
    """Give one document, or each of several.

    Parameters
    ----------
    attributes : tuple of str
        What tells a document from other things, without importing the tool.
    kind : str
        What the tool calls a document, with its article.

    Raises
    ------
    FormatError
        If something else is given.
    """

    def is_document(thing: Any) -> bool:
        return all(hasattr(thing, name) for name in attributes)

    def complaint(thing: Any) -> str:
        return f"expected {kind}, or several of them, found {type(thing).__name__}"

    if is_document(docs):
        yield docs
        return
    if isinstance(docs, (str, bytes)) or not isinstance(docs, Iterable):
        raise FormatError(complaint(docs))
    for number, doc in enumerate(docs, start=1):
        if not is_document(doc):
            raise FormatError(f"{complaint(doc)} as number {number}")
        yield doc
