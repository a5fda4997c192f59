"""Tables as TSV and CSV: data, not pictures of tables."""

from __future__ import annotations

import csv
import io
import re

from treegauge.tables.records import record_keys, records
from treegauge.tables.table import Table, Value


def to_tsv(table: Table) -> str:
    """Return tab-separated values; tabs and line ends inside texts become spaces."""
    lines = [record_keys(table), *(map(_plain, one.values()) for one in records(table))]
    return "".join("\t".join(re.sub(r"[\t\r\n]+", " ", x) for x in line) + "\n" for line in lines)


def to_csv(table: Table) -> str:
    """Return comma-separated values, quoted where RFC 4180 wants it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(record_keys(table))
    writer.writerows([_plain(value) for value in one.values()] for one in records(table))
    return out.getvalue()


def _plain(value: Value) -> str:
    return "" if value is None else str(value)
