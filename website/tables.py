"""Folds long tables of numbers, and offers each as a file."""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST_OPEN = 15
"""Rows of a table of numbers that is shown unfolded."""

_TABLE = re.compile(r"^\|.*\|\n\|[ :|-]+\|\n(?:\|.*\|(?:\n|\Z))+", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_CELLS = re.compile(r"(?<!\\)\|")


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

    def folded(table: re.Match[str]) -> str:
        if any(begin <= table.start() < end for begin, end in fences):
            return table[0]
        header, alignment, *rows = table[0].strip().split("\n")
        if len(rows) <= LONGEST_OPEN or not _holds_numbers(alignment):
            return table[0]
        names = ", ".join(_plain(cell) for cell in _cells(header) if cell)
        tsv = "".join("\t".join(map(_plain, _cells(row))) + "\n" for row in (header, *rows))
        return (
            '<details class="table" markdown="1">\n'
            f"<summary>Table of {len(rows)} rows: {names}</summary>\n\n"
            f"[as a file]({keep(tsv)}){{ download }}\n\n{table[0].rstrip()}\n\n</details>\n"
        )

    return _TABLE.sub(folded, text)


def _holds_numbers(alignment: str) -> bool:
    """Tell whether half of the columns are flush right, as numbers are."""
    columns = _cells(alignment)
    return 2 * sum(column.endswith("-:") for column in columns) >= len(columns)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELLS.split(row.strip().strip("|"))]


def _plain(cell: str) -> str:
    """Return a cell without marks of Markdown."""
    return re.sub(r"\*\*|`", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell)).replace("\\|", "|")
