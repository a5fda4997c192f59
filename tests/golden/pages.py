"""The visible text of the tables, captions and headings of an HTML page."""

from __future__ import annotations

from html.parser import HTMLParser

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "caption", "figcaption", "summary"})
CELLS = frozenset({"td", "th"})
UNSEEN = frozenset({"script", "style", "svg", "template"})


def visible_text(page: str) -> str:
    """Return a line for every heading, caption and row of a table.

    >>> visible_text("<h1>One</h1><script>x</script><tr><th>a<td>1</td></tr>")
    'h1: One\\na\\t1\\n'
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return "".join(f"{line}\n" for line in reader.lines)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._unseen = 0
        self._heading = ""
        self._said: list[str] = []
        self._row: list[list[str]] = []
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        if tag in UNSEEN:
            self._unseen += 1
        elif tag == "tr":
            self._row = []
        elif tag in CELLS:
            self._row.append([])
            self._in_cell = True
        elif tag in HEADINGS:
            self._heading, self._said = tag, []

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN:
            self._unseen -= 1
        elif tag in CELLS:
            self._in_cell = False
        elif tag == "tr":
            self.lines.append("\t".join(_joined(cell) for cell in self._row))
            self._in_cell = False
        elif tag == self._heading:
            self.lines.append(f"{tag}: {_joined(self._said)}")
            self._heading = ""

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        if self._heading:
            self._said.append(data)
        elif self._in_cell:
            self._row[-1].append(data)


def _joined(parts: list[str]) -> str:
    return " ".join("".join(parts).split())
