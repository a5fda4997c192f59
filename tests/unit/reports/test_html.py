from __future__ import annotations

from tests.unit.tables.test_table import SCORES
from treegauge.reports.html import to_html


def test_html_has_groups_bold_numbers_and_notes() -> None:
    made = to_html(SCORES.with_best([1]))
    assert '<th colspan="3" scope="rowgroup" style="text-align: left">x &amp; y</th>' in made
    assert '<td style="text-align: right"><b>70.00</b> a[1]</td>' in made
    assert '<p class="note">[1] why</p>' in made
    assert "<caption>T</caption>" in made


def test_numbers_stand_to_the_right() -> None:
    assert '<th style="text-align: right">UAS</th>' in to_html(SCORES)
    assert '<th style="text-align: left"></th>' in to_html(SCORES)
