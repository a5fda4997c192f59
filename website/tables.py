"""Tables on pages: long and wide ones of numbers are folded, and each is offered as a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

LONGEST_OPEN = 15
"""Rows of a table of numbers that is shown unfolded."""

WIDEST_OPEN = 9
"""Columns of a table of numbers that is shown unfolded; on the site, wider ones show averages."""

_FOLD = re.compile(
    r"^<details>\n<summary>[^\n]*</summary>\n\n(.*?\n)\n</details>\n", re.MULTILINE | re.DOTALL
)
_TABLE = re.compile(r"^\|.*\|\n\|[ :|-]+\|\n(?:\|.*\|(?:\n|\Z))+", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_CELLS = re.compile(r"(?<!\\)\|")


def folded(text: str) -> str:
    """Return a page on which long and wide tables are folded where a code host shows it.

    >>> rows = "".join(f"| a{number} | {number} |\\n" for number in range(20))
    >>> table = "| name | n |\\n| :-- | --: |\\n" + rows
    >>> print(folded(table)[:62])
    <details>
    <summary>Table of 20 rows: name, n</summary>
    <BLANKLINE>
    | name
    >>> unfolded(folded(table)) == table
    True
    """

    def fold(found: re.Match[str]) -> str:
        lines = found[0].rstrip("\n").split("\n")
        if len(lines) - 2 <= LONGEST_OPEN and len(_cells(lines[0])) <= WIDEST_OPEN:
            return found[0]
        return f"<details>\n<summary>{_summary(lines)}</summary>\n\n{found[0]}\n</details>\n"

    return _TABLE.sub(fold, text)


def unfolded(text: str) -> str:
    """Return a page without the folds that `folded` makes: a site has its own."""
    return _FOLD.sub(r"\1", text)


def _summary(lines: Sequence[str]) -> str:
    names = ", ".join(plain(cell) for cell in _cells(lines[0]) if cell)
    return f"Table of {len(lines) - 2} rows: {names}"


def fold_long_tables(text: str, keep: Callable[[str], str]) -> str:
    """Return a page with long tables of numbers folded.

    Parameters
    ----------
    text : str
        The page in Markdown.
    keep : function
        Takes a table as TSV, and returns the address under which the site has it.

    Examples
    --------
    >>> rows = "".join(f"| a{number} | {number} |\\n" for number in range(20))
    >>> folded = fold_long_tables("| name | n |\\n| :-- | --: |\\n" + rows, lambda tsv: "t.tsv")
    >>> print(folded.partition("\\n\\n| ")[0])
    <details class="table" markdown="1">
    <summary>Table of 20 rows: name, n</summary>
    <BLANKLINE>
    [as a file](t.tsv){ download }
    >>> "| a19 | 19 |" in folded
    True
    """
    fences = [match.span() for match in _FENCE.finditer(text)]

    def folded(found: re.Match[str]) -> str:
        if any(begin <= found.start() < end for begin, end in fences):
            return found[0]
        header, alignment, *rows = found[0].strip().split("\n")
        averages = _averages(header)
        if not _holds_numbers(alignment) or (len(rows) <= LONGEST_OPEN and not averages):
            return found[0]
        tsv = "".join("\t".join(map(plain, _cells(row))) + "\n" for row in (header, *rows))
        return (
            _open_part(header, alignment, rows, averages) + '<details class="table" markdown="1">\n'
            f"<summary>{_summary((header, alignment, *rows))}</summary>\n\n"
            f"[as a file]({keep(tsv)}){{ download }}\n\n{found[0].rstrip()}\n\n</details>\n"
        )

    return _TABLE.sub(folded, text)


def _averages(header: str) -> list[int]:
    """Return the columns of averages of a wide table, and the first one; otherwise none."""
    columns = _cells(header)
    places = [place for place, column in enumerate(columns) if column.startswith("average")]
    return [0, *places] if places and len(columns) > WIDEST_OPEN else []


def _open_part(header: str, alignment: str, rows: Sequence[str], averages: Sequence[int]) -> str:
    """Return what stays open: rows with the best number of their group, averages of wide tables."""
    best = list(rows) if len(rows) <= LONGEST_OPEN else _best_rows(rows)
    if not best or len(best) > LONGEST_OPEN:
        return ""
    lines = [header, alignment, *best]
    if averages:
        lines = [_row(_cells(line)[place] for place in averages) for line in lines]
    title = (
        "The best of each group, on a treebank or on average:"
        if averages
        else "The best of each group:"
    )
    shown = "\n".join(lines) + "\n\n"
    return shown if len(rows) <= LONGEST_OPEN else f"{title}\n\n{shown}"


def _best_rows(rows: Sequence[str]) -> list[str]:
    best: list[str] = []
    for row in rows:
        if _is_group(row):
            if best and _is_group(best[-1]):
                best.pop()
            best.append(row)
        elif "**" in row:
            best.append(row)
    if best and _is_group(best[-1]):
        best.pop()
    return best if any(map(_is_group, best)) else []


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_group(row: str) -> bool:
    """Tell whether a row only names those below it."""
    first, *others = _cells(row)
    return bool(re.fullmatch(r"\*[^*].*\*", first)) and not any(others)


def fold_signatures(text: str) -> str:
    """Return a page on which signatures that take several lines are folded.

    >>> print(fold_signatures("signature: uas" + "|x" * 100)[:55])
    <details class="table" markdown="1">
    <summary>Signature
    """
    return re.sub(
        r"^signature: (.{90,})$",
        r'<details class="table" markdown="1">\n<summary>Signature</summary>\n\n\1\n\n</details>',
        text,
        flags=re.MULTILINE,
    )


def tables_of(text: str) -> list[tuple[list[str], list[list[str]]]]:
    """Return the header and the rows of every table of a page.

    >>> tables_of("| a | b |\\n| :-- | --: |\\n| c | 1 |\\n")
    [(['a', 'b'], [['c', '1']])]
    """
    found = (match[0].strip().split("\n") for match in _TABLE.finditer(text))
    return [(_cells(header), [_cells(row) for row in rows]) for header, _, *rows in found]


def _holds_numbers(alignment: str) -> bool:
    """Tell whether half of the columns are flush right, as numbers are."""
    columns = _cells(alignment)
    return 2 * sum(column.endswith("-:") for column in columns) >= len(columns)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELLS.split(row.strip().strip("|"))]


def plain(cell: str) -> str:
    """Return a cell without marks of Markdown."""
    return re.sub(r"\*\*|`", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell)).replace("\\|", "|")
