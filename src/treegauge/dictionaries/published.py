"""Table 1 of Agić, Plank and Søgaard (2017) as data, in per cent and as printed.

What the rows say and what the paper prints below them is not always the same: the printed means
(`PRINTED_MEANS`) of A_soft (83.27), A_trans (86.40) and the last tau (0.27) are 83.58, 84.68 and
0.32 over the rows. The A_soft of Irish, 91.97 ± 2.88, repeats the A_true of Ancient Greek, which is
probably a slip: 84.31 in its place would restore the printed mean. French (48.08) and Norwegian
(33.99) have a low A_soft in spite of a high precision: frequent words have wrong entries.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from types import MappingProxyType

PAPER = "Agić, Plank and Søgaard (2017), Cross-lingual tagger evaluation without test data"


@dataclass(frozen=True)
class PublishedRow:
    """A language of the table; None where there is no translated dictionary.

    Attributes
    ----------
    code, language : str
        The language.
    dev : bool
        Whether it is one of the nine development languages.
    forms, forms_trans : int or None
        Thousands of forms of the dictionary, and of the translated one.
    precision, recall, precision_trans, recall_trans : float or None
        Of the dictionaries.
    a_true, a_soft, a_trans : float or None
        Means over five taggers; `_ci` what is printed behind ±.
    p1_soft, tau_soft, p1_trans, tau_trans : float or None
        Of the rankings.
    """

    code: str
    language: str
    dev: bool
    forms: int
    precision: float
    recall: float
    forms_trans: int | None
    precision_trans: float | None
    recall_trans: float | None
    a_true: float
    a_true_ci: float
    a_soft: float
    a_soft_ci: float
    p1_soft: int
    tau_soft: float
    a_trans: float | None
    a_trans_ci: float | None
    p1_trans: int | None
    tau_trans: float | None


PRINTED_MEANS = MappingProxyType(
    {
        "precision": 86.81,
        "recall": 18.38,
        "precision_trans": 58.09,
        "recall_trans": 11.01,
        "a_true": 95.25,
        "a_true_ci": 0.89,
        "a_soft": 83.27,
        "a_soft_ci": 5.69,
        "p1_soft": 14 / 25,
        "tau_soft": 0.42,
        "a_trans": 86.40,
        "a_trans_ci": 2.89,
        "p1_trans": 11 / 20,
        "tau_trans": 0.27,
    }
)
"""The row `Mean` of the table, as printed."""

_WHOLE = ("forms", "forms_trans", "p1_soft", "p1_trans")


@cache
def published_table() -> tuple[PublishedRow, ...]:
    """Return the rows of the table.

    >>> row = {row.code: row for row in published_table()}["da"]
    >>> row.precision, row.recall, row.a_true, row.a_soft
    (83.89, 19.0, 96.07, 88.94)
    """
    text = (files("treegauge.dictionaries") / "data" / "table1.tsv").read_text("utf-8")
    _, *lines = text.splitlines()
    names = [field.name for field in fields(PublishedRow)]
    rows = []
    for line in lines:
        cells: dict[str, object] = {}
        for name, cell in zip(names, line.split("\t"), strict=True):
            if name in ("code", "language"):
                cells[name] = cell.replace("_", " ")
            elif name == "dev":
                cells[name] = cell == "1"
            else:
                number = int if name in _WHOLE else float
                cells[name] = None if cell == "NA" else number(cell)
        rows.append(PublishedRow(**cells))  # type: ignore[arg-type]
    return tuple(rows)
