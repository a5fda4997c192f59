"""Published figures beside ours."""

from __future__ import annotations

from tests.unit.papers.tagger_evaluation.made_scores import (
    BOTH,
    PAPER,
    QUICK,
    frames_of_the_paper,
)
from treegauge.papers.tagger_evaluation.frames import (
    ANY_TAG,
)
from treegauge.papers.tagger_evaluation.statistics import (
    ranking_frame,
)
from treegauge.papers.tagger_evaluation.tables import ranking_table, score_table


def test_groups_that_are_not_there_are_named():
    table = ranking_table(ranking_frame(BOTH, QUICK), PAPER.published())
    assert f"{ANY_TAG}: there are none here" in table.notes
    first = table.rows[0].cells
    assert (first[4].value, first[4].n) == (1.5, 2)
    assert (first[5].value, first[5].n) == (14, 25)


def test_published_rows_stand_below_ours():
    table = score_table(frames_of_the_paper()["table"], PAPER.published())
    names = [row.cells[0].value for row in table.rows]
    assert names[4:6] == ["da", "  Danish (published)"]
    ours, theirs = table.rows[4].cells, table.rows[5].cells
    assert theirs[7].value == ours[7].value
    assert table.rows[5].published
    assert names[-1] == "  mean (published)"
    assert table.cell_text(table.rows[-1].cells[9], 9) == "14/25"
    # Farsi: the translated dictionary is nearer.
    assert table.rows[names.index("fa")].cells[11].best
    assert table.rows[names.index("da")].cells[8].best
