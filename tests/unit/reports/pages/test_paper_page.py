from __future__ import annotations

import re

from treegauge.reports.charts import Bar, Point, bar_chart
from treegauge.reports.pages import PaperResults, make_paper_page
from treegauge.tables import Cell, Row, Table

TABLE = Table(
    ["system", "uas"],
    [
        Row(["dmv", Cell(0.3, 0.29, 0.31, best=True, n=12)]),
        Row(["DMV, published", Cell(0.293)], published=True),
    ],
    title="Table 3: <dependencies>",
    notes=["a note"],
)
REMARKS = Table(["section", "remark", "published"], [["5", "DMV is beaten.", "holds"]])


def results(**other):
    return PaperResults("The challenge", "Gelling et al. (2012)", "About it.", [TABLE], **other)


def test_everything_is_on_the_page():
    figure = bar_chart("f", "Bars", x_title="x", groups={"": [Bar("dmv", Point(1.0), "1")]})
    page = make_paper_page(
        results(
            figures=[figure],
            remarks=REMARKS,
            facts=[("1 of 1", "remarks hold")],
            settings={"seed": 0, "treebanks": ["toy:svo"], "fit_on": "union"},
            command="treegauge reproduce pascal --small",
            readme="# What differs",
            notes=["said once"],
            failures=["dmv on toy:svo: timeout"],
        )
    )
    parts = [part.name for part in page.parts]
    assert parts == ["summary", "figures", "tables", "remarks", "reproduce"]
    html = page.to_html()
    for text in (
        "Gelling et al. (2012)", "About it.", "Table 3: &lt;dependencies&gt;", "DMV is beaten.",
        "1 of 1", "[&#34;toy:svo&#34;]", "treegauge reproduce pascal --small", "# What differs",
        "said once", "dmv on toy:svo: timeout", "a note",
    ):  # fmt: skip
        assert text in html
    assert page.figures() == [figure]


def test_published_figures_follow_the_row_above_and_numbers_can_be_sorted():
    html = make_paper_page(results()).to_html()
    assert [part.name for part in make_paper_page(results()).parts] == ["summary", "tables"]
    assert re.search(r'<td class="num best" data-v="0.3" data-n="12">0.30<small>0.29, 0.31', html)
    assert '<tr class="published follower"><th scope="row">DMV, published</th>' in html
