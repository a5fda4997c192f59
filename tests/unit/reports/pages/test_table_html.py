from __future__ import annotations

from treegauge.reports.pages.table_html import TableWriter
from treegauge.tables import PERCENT, Cell, Column, Row, Table


def cell(value, **marks):
    return Cell(value, format=PERCENT, **marks)


def html(*rows, **other):
    return TableWriter().html(Table(["system", Column("UAS", below="n = 9")], rows, **other))


def test_a_number_has_all_that_belongs_to_it():
    one = cell(0.5, low=0.4, high=0.6, n=9, best=True, letters="ab", details={"recall": 0.25})
    made = html(Row(["c <x>", one], letter="c"))
    assert '<th scope="row"><span class="letter">c</span>&lt;x&gt;</th>' in made
    assert (
        '<td class="num best" data-v="0.5" data-n="9" title="recall 25.00">50.00'
        '<small>40.00, 60.00</small><small class="beats">ab</small></td>'
    ) in made
    assert "<span>UAS</span><small>n = 9</small>" in made


def test_why_there_is_no_number_is_told_at_the_cell_and_below():
    made = html(["x", cell(None, note="timeout")], ["y", cell(0.5, deviation=0.01, remark="3")])
    assert '<td class="num" title="timeout">–<sup>1</sup></td>' in made
    assert '<p class="note">[1] timeout</p>' in made
    assert "50.00<small>± 1.00 (3)</small>" in made


def test_signatures_and_commands_are_there_once():
    writer = TableWriter()
    rows = [
        [name, cell(0.5, signature="uas|len:all", command=f"treegauge evaluate {name} -m uas")]
        for name in ("x", "y")
    ]
    made = writer.html(Table(["system", "UAS"], rows))
    assert 'data-s="0" data-c="0 1"' in made
    assert 'data-s="0" data-c="2 1"' in made
    assert writer.facts() == {
        "signatures": ["uas|len:all"],
        "commands": ["treegauge evaluate x", "-m uas", "treegauge evaluate y"],
    }


def test_groups_and_totals_are_sorted_apart():
    made = html(
        Row(["x", cell(0.5)], "ours"), Row(["y", cell(0.4)], "theirs"),
        Row(["all", cell(0.45)], "theirs", total=True),
    )  # fmt: skip
    assert made.count("<tbody>") == 3
    assert made.count('<tr class="heading">') == 2
    assert made.index(">all<") > made.rindex("<tbody>")


def test_many_notes_are_folded():
    assert "<details" not in html(notes=["a", "b", "c"])
    assert "<details" in html(notes=["a", "b", "c", "d"])


def test_other_numbers_stand_below_as_in_text():
    made = html(
        ["x", cell(0.5, low=0.4, high=0.6, p=0.038, published=0.45)],
        ["y", cell(0.5, difference=0.025)],
        ["z", Cell(None, low=0.1, high=0.2, format=PERCENT)],
    )
    assert "50.00<small>40.00, 60.00; p = 0.038 (45.00)</small>" in made
    assert "50.00<small>(+2.50)</small>" in made
    assert made.count("10.00") == 1
