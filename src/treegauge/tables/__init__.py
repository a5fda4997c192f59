"""Tables: cells with values, intervals and marks, and their plain renderers."""

from treegauge.tables.numbers import (
    DIFFERENCE,
    MISSING,
    NUMBER,
    OUT_OF,
    P_VALUE,
    PERCENT,
    PERCENT_1,
    SECONDS,
    NumberFormat,
    best_places,
    duration,
    show_p,
)
from treegauge.tables.records import from_records, records
from treegauge.tables.scores import (
    ColumnsError,
    MetricHead,
    Scores,
    SystemHead,
    choose_columns,
    data_table,
)
from treegauge.tables.table import Cell, Column, Row, Table, Value, column_key

__all__ = [
    "DIFFERENCE",
    "MISSING",
    "NUMBER",
    "OUT_OF",
    "PERCENT",
    "PERCENT_1",
    "P_VALUE",
    "SECONDS",
    "Cell",
    "Column",
    "ColumnsError",
    "MetricHead",
    "NumberFormat",
    "Row",
    "Scores",
    "SystemHead",
    "Table",
    "Value",
    "best_places",
    "choose_columns",
    "column_key",
    "data_table",
    "duration",
    "from_records",
    "records",
    "show_p",
]
