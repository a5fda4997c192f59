"""Reports in a real browser: they open, sort, filter, draw, print, and ask nobody for anything."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
from itertools import product

import pytest

from tests.in_process import run_in_process
from treegauge.formats import Findings, read
from treegauge.reports.text_widths import text_width
from treegauge.reports.trees.drawing import Arc, Drawing, Tree, drawing_of
from treegauge.reports.trees.layout import laid_out

PANE = "#results .pane:not([hidden])"


def test_opens_from_the_disk_and_asks_nobody_for_anything(opened, report):
    found = opened(report)
    found.page.evaluate("document.getElementById('trees').scrollIntoView()")
    found.page.wait_for_selector("#trees .drawing svg")
    assert found.complaints == []
    assert {url for url in found.requests if not url.startswith("data:")} == {report.as_uri()}
    assert found.page.title() == "small"


def test_sorts_within_kinds_of_supervision_and_back(opened, report):
    page = opened(report).page
    head = page.locator(f"{PANE} thead th").nth(1)

    def column() -> list[list[float]]:
        return page.evaluate(
            """() => [...document.querySelectorAll("#results .pane:not([hidden]) tbody")].map(
                 (body) => [...body.querySelectorAll("tr.row")].map(
                   (row) => +row.cells[1].dataset.v))"""
        )

    before = column()
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column() == [sorted(values, reverse=True) for values in before]
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert column() == [sorted(values) for values in before]
    assert column() != before


def test_filters_rows_and_says_how_many_are_left(opened, report):
    page = opened(report).page
    field = page.locator(f"{PANE} input[type=search]")
    rows = page.locator(f"{PANE} tr.row:visible")
    every = rows.count()
    field.fill("branch")
    assert rows.count() == 2
    assert page.locator(f"{PANE} [role=status]").inner_text() == f"2 of {every} rows"
    assert page.locator(f"{PANE} tr.heading:visible").count() == 1
    field.fill("> 99.9")
    assert rows.count() == 0
    field.fill("")
    assert rows.count() == every


def test_a_number_says_where_it_comes_from(opened, report):
    page = opened(report).page
    cell = page.locator(f"{PANE} td[data-s]").first
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    dialog = page.locator("dialog[open]")
    said = dialog.inner_text()
    assert "uas|punct:removed" in said
    assert "toy:svo#" in said
    command = dialog.locator("pre").inner_text()
    assert re.search(
        r"treegauge evaluate toy:svo:test \S+test.conllu.gz -m uas --preset pascal", command
    )
    # It is the same number that the command gives.
    folder = report.parent
    result = run_in_process([*shlex.split(command)[1:], "--bare"], folder=folder)
    assert result.stdout.strip() == dialog.locator(".large").inner_text()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()


def test_shows_one_table_at_a_time_and_prints_all(opened, report):
    page = opened(report).page
    panes = page.locator("#results .pane")
    assert panes.count() == 3
    assert page.locator("#results .pane:visible").count() == 1
    page.locator("#results > .choice > .controls select").select_option(index=1)
    assert "NED" in page.locator(f"{PANE} caption").inner_text()
    page.emulate_media(media="print")
    assert page.locator("#results .pane:visible").count() == 3


def test_draws_gold_and_systems_and_searches_all_sentences(opened, report):
    found = opened(report)
    page = found.page
    page.locator("#trees").scroll_into_view_if_needed()
    page.wait_for_selector("#trees .drawing svg")
    drawings = page.locator("#trees .drawing")
    assert drawings.count() == 3
    assert drawings.first.locator("g.plain path.line").count() > 0
    assert drawings.first.locator("g.right, g.wrong, g.flipped").count() > 0
    here = int(re.search(r"; (\d+) are here", page.locator("#trees [role=status]").inner_text())[1])
    whole = json.loads(page.locator("#tree-data").text_content())["banks"][0]
    assert here == len(whole["here"]) < whole["total"]
    # A search is about all sentences, those beside the page too: by the name of the last one.
    last = report.parent / whole["files"][-1][0]
    call = re.fullmatch(r"treegaugeTrees\(\d+,\d+,(.*)\)\n", last.read_text("utf-8"))
    name = json.loads(call[1])[-1][0]
    page.locator("#trees input[type=search]").fill(name)
    page.wait_for_function(
        "document.querySelector('#trees [role=status]').textContent.startsWith('1 of')"
    )
    page.locator("#trees li button").click()
    assert page.locator("#trees .viewer h3").inner_text() == name
    assert found.complaints == []
    beside = report.with_name("report-trees").as_uri()
    assert all(url.startswith((report.as_uri(), beside, "data:")) for url in found.requests)


def test_without_the_files_beside_it_says_what_is_missing(opened, report, tmp_path):
    alone = tmp_path / "alone.html"
    shutil.copy(report, alone)
    page = opened(alone).page
    page.locator("#trees").scroll_into_view_if_needed()
    page.wait_for_selector("#trees .drawing svg")
    page.get_by_role("button", name=re.compile("Load all")).click()
    page.wait_for_function(
        "document.querySelector('#trees [role=status]').textContent.includes('not beside')"
    )


def test_prints(opened, report):
    found = opened(report)
    content = found.page.pdf(format="A4")
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") > 3
    assert found.complaints == []


def test_a_reader_who_points_at_a_bar_is_told_its_value(opened, report):
    page = opened(report).page
    page.locator("#summary svg rect").first.hover()
    tip = page.locator("#tip")
    assert re.search(r"left-branching|right-branching|harmonic|dmv|dice", tip.inner_text())


def test_figures_are_saved_with_their_colours(opened, report, tmp_path):
    page = opened(report).page
    page.locator("#summary svg rect").first.hover()
    with page.expect_download() as download:
        page.locator("#summary figure button", has_text="SVG").first.click()
    path = tmp_path / "figure.svg"
    download.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert "#0072b2" in text
    assert "var(" not in text
    assert "<title>" in text


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": {"width": 390, "height": 844}, "has_touch": True},
        {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    ],
    ids=["phone", "dark"],
)
def test_fits_phones_and_the_dark(opened, report, options):
    page = opened(report, **options).page
    # Tables and figures scroll in boxes of their own, never the page.
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == options["viewport"]["width"]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    is_dark = sum(map(int, re.findall(r"\d+", paper)[:3])) < 200
    assert is_dark == ("color_scheme" in options)
    page.get_by_role("button", name=re.compile("Dark|Light")).click()
    turned = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert turned != paper


def test_everything_can_be_reached_and_has_a_name(opened, report):
    page = opened(report).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, a, svg[role=img], table")]
             .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim()
               || one.caption || one.labels?.length))
             .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert nameless == []
    assert page.locator("th:not([scope])").count() == 0
    doubled = page.evaluate(
        "() => { const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);"
        " return ids.length - new Set(ids).size; }"
    )
    assert doubled == 0


SENTENCES = [
    ([2, 0, 2], ["a", "b", "c"], False),
    ([0, 1, 2, 3, 4, 5], ["long-words", "everywhere", "in", "this", "one", "sentence"], False),
    ([3, 5, 0, 3, 4, 2, 7], ["w1", "w2", "w3", "w4", "w5", "w6", "w7"], True),
    ([1, -1, 2, 0, 4, 4, 4, 4, 4, 4, 4, 4], [f"word{i}" for i in range(12)], False),
]


@pytest.mark.parametrize(("heads", "forms", "right_to_left"), SENTENCES)
def test_the_browser_lays_out_trees_as_the_library_does(
    opened, report, heads, forms, right_to_left
):
    page = opened(report).page
    arcs = [
        Arc(head, word, f"relation{word % 4}")
        for word, head in enumerate(heads, start=1)
        if 0 <= head <= len(heads)
    ]
    tags = tuple("TAG" for _ in forms)
    drawing = Drawing("", tuple(forms), tags, (Tree("gold", tuple(arcs)),), right_to_left)
    expected = laid_out(drawing)
    texts = {*forms, *tags, *(arc.label for arc in arcs), *(f"{arc.label} ↻" for arc in arcs)}
    given = {
        "words": [{"form": form, "tag": "TAG"} for form in forms],
        "arcs": [{"head": a.head, "dependent": a.dependent, "label": a.label} for a in arcs],
        "widths": {
            f"{text} {size:g}": text_width(text, size) for text in texts for size in (15, 10.5)
        },
        "rightToLeft": right_to_left,
    }
    found = page.evaluate(
        """({words, arcs, widths, rightToLeft}) => treeViewer.layout(words, [arcs], rightToLeft,
             (text, size) => widths[`${text} ${size}`])""",
        given,
    )
    assert found["width"] == pytest.approx(expected.width)
    assert [w["x"] for w in found["words"]] == pytest.approx([w.x for w in expected.words])
    (side,), (of_library,) = found["sides"], expected.sides
    assert side["height"] == pytest.approx(of_library.height)
    for one, other in zip(side["arcs"], of_library.arcs, strict=True):
        places = [one["headX"], one["dependentX"], one["height"], one["labelX"]]
        assert places == pytest.approx(
            [other.head_x, other.dependent_x, other.height, other.label_x]
        )


def test_the_browser_judges_heads_as_the_metrics_do(opened, report):
    page = opened(report).page
    every = list(product(range(4), repeat=3))
    for gold in [(0, 1, 2), (2, 0, 2), (2, 3, 0), (3, 3, 0), (0, 0, 1)]:
        said = page.evaluate(
            "([gold, all]) => all.map((heads) => treeViewer.verdicts(gold, heads))", [gold, every]
        )
        for heads, verdicts in zip(every, said, strict=True):
            drawing = drawing_of(sentence(gold), sentence(heads))
            assert verdicts == [str(arc.verdict) for arc in drawing.trees[1].arcs]


def sentence(heads):
    """Read a sentence, which need not be a tree."""
    lines = [f"{i}\tw\t_\tX\t_\t_\t{h}\tx\t_\t_" for i, h in enumerate(heads, start=1)]
    text = io.StringIO("\n".join([*lines, "", ""]))
    return read(text, role="prediction", findings=Findings())[0]
