"""The site that `make docs` has built, opened from the disk without a network."""

from __future__ import annotations

from pathlib import Path

import pytest

SITE = Path(__file__).parents[2] / "build" / "site"
PAGES = ("index.html", "guides/score_my_parser.html", "reference/metrics.html", "results.html")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not SITE.exists(), reason="needs the built site: make docs"),
]


@pytest.fixture
def window(browser):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_offline(True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_pages_need_no_network_and_fit_a_telephone(window, name):
    requests, complaints = [], []
    window.on("request", lambda request: requests.append(request.url))
    window.on("pageerror", lambda error: complaints.append(str(error)))
    window.goto((SITE / name).as_uri())
    window.wait_for_selector(".md-content")
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    width = window.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


@pytest.mark.parametrize(
    ("words", "page"),
    [("add a metric", "guides/add_a_metric.html"), ("uas@10", "reference/metrics.html")],
)
def test_the_search_works_from_a_disk(window, words, page):
    window.set_viewport_size({"width": 1280, "height": 900})
    window.goto((SITE / "guides" / "index.html").as_uri())
    window.click(".md-search__input")
    window.type(".md-search__input", words)
    first = window.wait_for_selector(".md-search-result__link")
    assert f"{SITE.as_uri()}/{page}" in first.get_attribute("href")
