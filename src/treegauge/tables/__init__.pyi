"""What `tables` gives to other rooms."""

from .numbers import (
    DIFFERENCE as DIFFERENCE,
    MISSING as MISSING,
    NUMBER as NUMBER,
    OUT_OF as OUT_OF,
    P_VALUE as P_VALUE,
    PERCENT as PERCENT,
    PERCENT_1 as PERCENT_1,
    SECONDS as SECONDS,
    NumberFormat as NumberFormat,
    best_places as best_places,
    duration as duration,
    show_p as show_p,
)
from .records import (
    from_records as from_records,
    records as records,
)
from .scores import (
    ColumnsError as ColumnsError,
    MetricHead as MetricHead,
    Scores as Scores,
    SystemHead as SystemHead,
    choose_columns as choose_columns,
    data_table as data_table,
)
from .table import (
    Cell as Cell,
    Column as Column,
    Row as Row,
    Table as Table,
    Value as Value,
    column_key as column_key,
)
