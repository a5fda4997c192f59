from __future__ import annotations

from tests.unit.tables.test_table import SCORES
from treegauge.reports.markdown import to_markdown
from treegauge.tables import Table


def test_markdown_aligns_numbers_and_escapes_bars() -> None:
    table = Table(("tag", "words", "share"), [("A_B|C", 12345, 0.5), ("50%", None, 1.0)], "Tags")
    assert to_markdown(table) == (
        "**Tags**\n\n"
        "| tag | words | share |\n"
        "| :-- | --: | --: |\n"
        "| A_B\\|C | 12,345 | 0.50 |\n"
        "| 50% | – | 1.00 |\n"
    )


def test_groups_have_headings_and_bold_keeps_to_the_number() -> None:
    assert to_markdown(SCORES.with_best([1])).splitlines()[2:] == [
        "|  | UAS | words |",
        "| :-- | --: | --: |",
        "| *x & y* |  |  |",
        "| a | 50.00 [40.00, 60.00] | 12,345 |",
        "| b | **70.00** a[1] | 2 |",
        "| paper | 90.00 | – |",
        "| *z* |  |  |",
        "| c | –[1] | – |",
        "",
        "[1] why",
        "",
        "how",
    ]
