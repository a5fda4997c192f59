from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from tests.unit.results.made_up import results, row
from treegauge.evaluation import compare, evaluate
from treegauge.reports import RunReport
from treegauge.reports.charts import Palette
from treegauge.reports.pages import (
    Annotations,
    Provenance,
    RunAnnotations,
    make_comparison_page,
    make_evaluation_page,
    make_run_page,
    options_of,
    write_figures,
    write_page,
)
from treegauge.reports.run_facts import run_facts
from treegauge.reports.run_tables import run_tables
from treegauge.runs import RunFolder
from treegauge.systems import make_system
from treegauge.toys import toy_parts


@pytest.fixture(scope="module")
def annotations():
    gold = toy_parts("toy:svo", tokens=2000)["test"]
    systems = {
        name: make_system(name).annotate(gold).replace(name=name)
        for name in ("left-branching", "right-branching")
    }
    return Annotations("toy:svo", gold, systems)


@pytest.fixture(scope="module")
def made():
    return Provenance("gold file", ["l.conllu", "r.conllu"], "treegauge evaluate …", resamples=20)


class Checked(HTMLParser):
    """Reads a page, and notes what it would load and what is not closed."""

    def __init__(self):
        super().__init__()
        self.open, self.links = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "input", "br", "path", "rect", "circle"):
            self.open.append(tag)
        self.links += [v for k, v in attrs if k in ("src", "href", "data", "action")]

    def handle_startendtag(self, _tag, attrs):
        self.links += [v for k, v in attrs if k in ("src", "href")]

    def handle_endtag(self, tag):
        if tag in self.open[-1:]:
            self.open.pop()
        else:
            assert tag in ("path", "rect", "circle"), (tag, self.open[-3:])


def check(html):
    reader = Checked()
    reader.feed(html)
    assert reader.open == []
    # Nothing but places in the page itself, and an icon that is empty.
    assert {link for link in reader.links if not link.startswith("#")} == {"data:,"}
    assert "http" not in re.sub(r"http://www.w3.org/\d+/svg", "", html)


def facts_of(html):
    """What the script of a page is told."""
    text = html.partition('<script type="application/json" id="facts">')[2]
    return json.loads(text.partition("</script>")[0])


def report_of(table, folder):
    place = RunFolder(folder)
    return RunReport(place, table, run_facts(table, place.record), run_tables(table), (), ())


def test_an_evaluation(annotations, made):
    evaluation = evaluate(
        annotations.gold,
        *annotations.systems.values(),
        metrics=["uas", "ned"],
        resamples=20,
        trials=100,
    )
    page = make_evaluation_page(evaluation, annotations, made)
    html = page.to_html()
    check(html)
    for system in evaluation.systems:
        for score in system.scores.values():
            assert f">{score.shown()}<small>{score.shown(score.low)}" in html
            assert str(score.signature) in facts_of(html)["signatures"]
    commands = facts_of(html)["commands"]
    assert [words for words in commands if words.startswith("treegauge")] == [
        "treegauge evaluate 'gold file' l.conllu",
        "treegauge evaluate 'gold file' r.conllu",
    ]
    assert "-m uas --preset conll2018 --resamples 20" in commands
    names = [part.name for part in page.parts]
    assert names == [
        "summary", "results", "lengths", "confusions", "systems", "trees", "reproduce",
    ]  # fmt: skip


def test_a_system_has_one_colour_in_all_figures_of_a_page(annotations, made):
    names = list(annotations.systems)
    evaluation = evaluate(
        annotations.gold, *annotations.systems.values(), metrics=["uas", "ned"], resamples=0
    )
    figures = make_evaluation_page(evaluation, annotations, made).figures()
    palette = Palette(sorted(names))
    bars = [figure for figure in figures if figure.name.startswith("scores-")]
    lines = [figure for figure in figures if "-by-" in figure.name]
    assert bars
    assert lines
    for name in names:
        for figure in bars:
            row = next(row for row in figure.body.split('<g class="row">') if f">{name}<" in row)
            assert f'<rect class="{palette[name].fill}"' in row
        for figure in lines:
            own = next(g for g in figure.body.split('<g class="series">') if f">{name}<" in g)
            assert f'class="l {palette[name].line}"' in own


def test_one_system(annotations, made):
    evaluation = evaluate(
        annotations.gold, annotations.systems["left-branching"], metrics=["uas"], resamples=0
    )
    alone = Annotations(
        "toy:svo", annotations.gold, {"left-branching": annotations.systems["left-branching"]}
    )
    check(make_evaluation_page(evaluation, alone, made).to_html())


def test_a_comparison(annotations, made):
    found = compare(
        annotations.gold,
        *annotations.systems.values(),
        metrics=["uas"],
        by=["relation"],
        resamples=20,
        trials=100,
    )
    page = make_comparison_page(found, annotations, made)
    html = page.to_html()
    check(html)
    assert "Which system is right, by relation" in html
    assert "uas by relation" in html


@pytest.fixture
def table():
    about = {"low": 0.19, "high": 0.21, "settings": '{"tags": "u"}'}
    rows = [
        row(treebank, system, value + k / 100, metric=metric, **about)
        for k, treebank in enumerate(("ar_padt", "da_ddt"))
        for metric in ("uas", "ned")
        for system, value in (("klein-manning-dmv", 0.2), ("<b>ours", 0.3))
    ]
    rows.append(row("sl_ssj", "klein-manning-dmv", 0.25, **about))
    rows.append(row("sl_ssj", "<b>ours", None, reason="timeout: 5 s"))
    return results(*rows)


def test_a_run_without_gold_has_its_tables(table, tmp_path):
    nothing = RunAnnotations({}, {}, ("gold is not here",))
    page = make_run_page(report_of(table, tmp_path), nothing)
    html = page.to_html()
    check(html)
    assert "gold is not here" in html
    assert "<b>ours" not in html
    assert "&lt;b&gt;ours" in html
    assert "DMVu, published" in html
    assert "timeout: 5 s" in html
    # Of two treebanks that both have, and of three: two averages.
    assert html.count("average (available)") == html.count("average (common)") > 0
    assert "trees" not in [part.name for part in page.parts]


def test_wins_are_letters(annotations, tmp_path):
    rows = [
        row("toy:svo", name, value, settings="{}")
        for name, value in (("left-branching", 0.1), ("right-branching", 0.2))
    ]
    table = results(*rows)
    from treegauge.metrics import preset

    conventions = preset("pascal")
    own = Annotations("toy:svo", annotations.gold, annotations.systems, conventions)
    known = RunAnnotations({("pascal", "u"): conventions}, {"dependencies": {"toy:svo": own}})
    page = make_run_page(report_of(table, tmp_path), known, trials=500)
    tested = evaluate(
        annotations.gold,
        *annotations.systems.values(),
        metrics=["uas"],
        conventions=conventions,
        resamples=0,
        trials=500,
    )
    winners = [letter.name for letter in tested.letters("uas") if letter.beats]
    html = page.to_html()
    assert len(winners) == 1
    found = re.findall(
        r'<th scope="row"><span class="letter">.</span>([\w-]+)</th><td[^>]*>.*?</td>', html
    )
    marked = re.findall(
        r'</span>([\w-]+)</th><td[^>]*>[^<]*(?:<small>[^<]*</small>)?<small class="beats">', html
    )
    assert set(found) == set(annotations.systems)
    assert set(marked) == set(winners)


def test_files(annotations, made, tmp_path):
    evaluation = evaluate(
        annotations.gold, *annotations.systems.values(), metrics=["uas"], resamples=0, trials=0
    )
    page = make_evaluation_page(evaluation, annotations, made)
    path, *others = write_page(page, tmp_path / "page.html", in_page=3_000)
    assert path.read_text("utf-8").startswith("<!doctype html>")
    assert others
    assert {other.parent.name for other in others} == {"page-trees"}
    written, missing = write_figures(page.figures(), tmp_path / "figures")
    kinds = {file.suffix for file in written}
    if missing:
        assert kinds == {".svg"}
        assert "treegauge[figures]" in missing
    else:
        assert kinds == {".svg", ".pdf"}
        assert all(p.read_bytes().startswith(b"%PDF") for p in written if p.suffix == ".pdf")


def test_options_say_all_that_deviates():
    from treegauge.metrics import preset

    conventions = preset(
        "conll2006", average="sentence", tags="p", skip_length_one=True, count_root=False
    )
    assert options_of(conventions) == (
        "--preset conll2006 --average sentence --tags p --skip-length-one --no-count-root"
    )
