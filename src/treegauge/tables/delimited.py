"""Tables as TSV and CSV: data, not pictures of tables."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from treegauge.tables.records import record_keys, records
from treegauge.tables.table import Table, Value


def to_tsv(table: Table) -> str:
    """Return tab-separated values; tabs and line ends inside texts become spaces."""
    lines = [record_keys(table), *(map(_plain, one.values()) for one in records(table))]
    return "".join("\t".join(re.sub(r"[\t\r\n]+", " ", x) for x in line) + "\n" for line in lines)


def to_csv(table: Table) -> str:
    """Return comma-separated values, quoted where RFC 4180 wants it."""
    lines = [record_keys(table), *(map(_plain, one.values()) for one in records(table))]
    return "".join(map(_csv_line, lines))


def _csv_line(texts: Iterable[str]) -> str:
    out = io.StringIO(newline="")
    # Told that lines end with both, the writer quotes texts that hold either.
    csv.writer(out, lineterminator="\r\n").writerow(texts)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _plain(value: Value) -> str:
    return "" if value is None else str(value)
