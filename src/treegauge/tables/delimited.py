"""Tables as TSV and CSV: data, not pictures of tables."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from treegauge.tables.records import record_keys, records
from treegauge.tables.table import Table, Value
from treegauge.wording import is_number


def to_tsv(table: Table) -> str:
    """Return tab-separated values; tabs and line ends inside texts become spaces."""
    lines = _lines(table)
    return "".join("\t".join(re.sub(r"[\t\r\n]+", " ", x) for x in line) + "\n" for line in lines)


def to_csv(table: Table) -> str:
    """Return comma-separated values, quoted where RFC 4180 wants it."""
    lines = _lines(table)
    return "".join(map(_csv_line, lines))


def _lines(table: Table) -> Iterator[Iterable[str]]:
    yield map(_no_formula, record_keys(table))
    yield from (map(_plain, one.values()) for one in records(table))


def _csv_line(texts: Iterable[str]) -> str:
    out = io.StringIO(newline="")
    # Told that lines end with both, the writer quotes texts that hold either.
    csv.writer(out, lineterminator="\r\n").writerow(texts)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _plain(value: Value) -> str:
    return "" if value is None else _no_formula(value) if isinstance(value, str) else str(value)


def _no_formula(text: str) -> str:
    """Return a text that a spreadsheet takes for one: `=1+1` in a name is not to be computed.

    >>> _no_formula("=cmd"), _no_formula("-0.5"), _no_formula("en-ewt")
    ("'=cmd", '-0.5', 'en-ewt')
    """
    return f"'{text}" if re.match(r"\s*[-=+@]", text) and not is_number(text) else text
