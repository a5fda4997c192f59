"""Reports of many treebanks open at once, and filters answer which languages and families."""

from __future__ import annotations

import re
from statistics import fmean

import pytest

from benchmarks.report_opening import METRICS, open_page, processor_clock
from tests.browser.many_treebanks import score, treebank_names, write_report
from treegauge.catalogue.languages import language_of

SECONDS = 1.5
"""Of the processor: what else the machine does is no fault of the page."""
MEGABYTES = 12.0
TREEBANKS, SYSTEMS = 120, 4
GRID = "#results .grid"
BODY = f"{GRID} tbody:nth-of-type(2)"


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A report with more treebanks than a page of rows has room for."""
    return write_report(tmp_path_factory.mktemp("many"), TREEBANKS, SYSTEMS, ("uas", "ned"))


def choose(page, label, text):
    page.get_by_label(label, exact=True).select_option(text)


def column(page, number):
    return [
        float(text.splitlines()[0])
        for text in page.locator(f"{BODY} tr td:nth-child({number})").all_inner_texts()
    ]


def names_of(page):
    return page.locator(f"{BODY} tr th").all_inner_texts()


def members(**wanted):
    """Return the numbers of the treebanks whose language has these facts."""
    return [
        i
        for i, name in enumerate(treebank_names(TREEBANKS))
        if all(getattr(language_of(name), key) == value for key, value in wanted.items())
    ]


def test_shows_a_page_of_rows_at_a_time(opened, many):
    found = opened(many)
    page = found.page
    assert len(names_of(page)) == 50
    assert page.locator(f"{GRID} [role=status]").inner_text() == "120 of 120 treebanks"
    assert "rows 1–50 of 120" in page.locator(f"{GRID} .pager").inner_text()
    first = names_of(page)
    page.get_by_role("button", name="the rows after").click()
    page.get_by_role("button", name="the rows after").click()
    assert len(names_of(page)) == 20
    assert page.get_by_role("button", name="the rows after").is_disabled()
    assert not set(first) & set(names_of(page))
    assert found.complaints == []


def test_filters_by_family_and_script_and_averages_what_is_left(opened, many):
    page = opened(many).page
    choose(page, "Family", "Indo-European")
    chosen = members(family="Indo-European")
    status = page.locator(f"{GRID} [role=status]")
    assert status.inner_text() == f"{len(chosen)} of 120 treebanks"
    choose(page, "Script", "Cyrillic")
    chosen = members(family="Indo-European", script="Cyrillic")
    assert 1 < len(chosen) < 50
    assert status.inner_text() == f"{len(chosen)} of 120 treebanks"
    assert sorted(names_of(page)) == sorted(treebank_names(TREEBANKS)[i] for i in chosen)
    # One column of names, three of what treebanks are; then systems, here the first one.
    labels = page.locator(f"{GRID} thead .sort").all_inner_texts()
    k = int(labels[4].rpartition("-")[2])
    mean = page.locator(f"{GRID} tbody").first.locator("td").nth(3).inner_text()
    assert mean == f"{100 * fmean(score(i, k) for i in chosen):.2f}"
    # What the other filters leave is offered, with its number.
    offered = page.get_by_label("Language", exact=True).locator("option").all_inner_texts()
    languages = {language_of(treebank_names(TREEBANKS)[i]).name for i in chosen}
    assert {re.sub(r" \(\d+\)$", "", text) for text in offered} == {"all", *languages}


def test_groups_rows_by_family_and_opens_one(opened, many):
    page = opened(many).page
    choose(page, "Rows", "families")
    families = {language_of(name).family for name in treebank_names(TREEBANKS)}
    assert set(names_of(page)) == families
    counts = dict(zip(names_of(page), column(page, 2), strict=True))
    assert counts["Turkic"] == len(members(family="Turkic"))
    labels = page.locator(f"{GRID} thead .sort").all_inner_texts()
    k = int(labels[2].rpartition("-")[2])
    means = dict(zip(names_of(page), column(page, 3), strict=True))
    expected = 100 * fmean(score(i, k) for i in members(family="Turkic"))
    assert means["Turkic"] == pytest.approx(expected, abs=0.006)
    page.get_by_role("button", name="Turkic", exact=True).click()
    turkic = [treebank_names(TREEBANKS)[i] for i in members(family="Turkic")]
    assert sorted(names_of(page)) == sorted(turkic)


def test_sorts_all_rows_and_not_the_page_alone(opened, many):
    page = opened(many).page
    head = page.locator(f"{GRID} thead th").nth(4)
    head.locator("button").click()
    assert page.locator(f"{GRID} thead th").nth(4).get_attribute("aria-sort") == "descending"
    k = int(page.locator(f"{GRID} thead .sort").nth(4).inner_text().rpartition("-")[2])
    every = sorted((100 * score(i, k) for i in range(TREEBANKS)), reverse=True)
    assert column(page, 5) == pytest.approx(every[:50], abs=0.006)


def test_a_number_says_where_it_comes_from(opened, many):
    page = opened(many).page
    page.get_by_label("Name", exact=True).fill(treebank_names(TREEBANKS)[3])
    assert names_of(page) == [treebank_names(TREEBANKS)[3]]
    page.locator(f"{BODY} td[data-s]").first.click()
    said = page.locator("dialog[open]").inner_text()
    assert "uas|punct:removed" in said
    assert treebank_names(TREEBANKS)[3] in said


def test_prints_all_rows(opened, many):
    page = opened(many).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(names_of(page)) == TREEBANKS
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(names_of(page)) == 50


def test_everything_has_a_name(opened, many):
    page = opened(many).page
    nameless = page.evaluate(
        """() => [...document.querySelectorAll(".grid :is(button, select, input, table)")]
             .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim()
               || one.caption || one.labels?.length))
             .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert nameless == []
    assert page.locator(".grid th:not([scope])").count() == 0
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == page.viewport_size["width"]


@pytest.mark.slow
def test_250_treebanks_and_20_systems_open_at_once(browser, tmp_path):
    path = write_report(tmp_path, 250, 20, METRICS)
    assert path.stat().st_size < 1e6 * MEGABYTES
    page = browser.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    computed = processor_clock(page)
    open_page(page, path)
    opened_after = computed()
    assert 0 < opened_after < SECONDS
    choose(page, "Family", "Indo-European")
    choose(page, "Rows", "scripts")
    assert "Cyrillic" in names_of(page)
    assert computed() - opened_after < SECONDS
    assert complaints == []
    page.close()
