"""Cuts the long page of results into short ones by track."""

from __future__ import annotations

import re
from collections.abc import Mapping

TITLES = {
    "results.md": "The PASCAL challenge, reproduced",
    "results/tags.md": "Results: induced tags",
    "results/dependencies.md": "Results: dependencies over given tags",
    "results/bare_text.md": "Results: trees from bare text",
    "results/penn.md": "Results: the Wall Street Journal sample",
    "results/seeds.md": "Results: several seeds",
    "results/measures.md": "Results: references, relations, metrics",
}
"""Every page, and its title."""


def short_title(place: str) -> str:
    """Return what a page is called where it is clear that it is one of results.

    >>> short_title("results/penn.md"), short_title("results.md")
    ('The Wall Street Journal sample', 'In short')
    """
    title = TITLES[place].partition(": ")[2]
    return title[:1].upper() + title[1:] or "In short"


_WORDS = {
    "results/tags.md": ("induced tags", "induced classes", "raw text"),
    "results/bare_text.md": ("bare text",),
    "results/penn.md": ("wall street", "penn"),
    "results/seeds.md": ("seeds",),
    "results/measures.md": ("references", "by relation", "metrics", "remarks"),
    "results/dependencies.md": ("given tags", "per treebank", "chains", "inducers"),
}
"""Words of headings by which a section finds its page; others stay on the first one."""

_HEADING = re.compile(r"^(#{2,6}) (.+)$", re.MULTILINE)
_ALL_TABLES = "All tables"


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and the site have it.

    >>> anchor_of("Weights: `universal-dmv`, and more")
    'weights-universal-dmv-and-more'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def cut_results(text: str) -> dict[str, str]:
    """Return the pages of results, from the one that scripts write.

    A section goes with its heading of the second level. Below "All tables", those of the third
    level are sections.
    """
    pages = {place: f"# {title}\n\n" for place, title in TITLES.items()}
    first, *sections = _sections(text)
    pages["results.md"] = f"{first.rstrip()}\n\n{_list_of_pages()}\n\n"
    for section in sections:
        pages[_page_of(section.partition("\n")[0])] += f"{section.strip()}\n\n"
    places = _places(pages)
    return {place: _with_links(page, place, places) for place, page in pages.items()}


def _places(pages: Mapping[str, str]) -> dict[str, str]:
    """Return the page on which each section is, by its anchor."""
    return {
        anchor_of(heading): place
        for place, page in pages.items()
        for _, heading in _HEADING.findall(page)
    }


def follow_sections(text: str, pages: Mapping[str, str]) -> str:
    """Return another page, whose links to sections of results lead to where these are now.

    >>> follow_sections("[a](results.md#b)", {"results/penn.md": "## B\\n"})
    '[a](results/penn.md#b)'
    """
    places = _places(pages)

    def followed(link: re.Match[str]) -> str:
        return f"{places.get(link[1], 'results.md')}#{link[1]}"

    return re.sub(r"\bresults\.md#([\w-]+)", followed, text)


def _sections(text: str) -> list[str]:
    before, _, tables = text.partition(f"\n## {_ALL_TABLES}\n")
    parts = re.split(r"^(?=#{2,3} )", tables, flags=re.MULTILINE)
    return [
        *re.split(r"^(?=## )", before, flags=re.MULTILINE),
        *(part.removeprefix("#") for part in parts if part.startswith("### ")),
        *(part for part in parts if part.startswith("## ")),
    ]


def _page_of(heading: str) -> str:
    lowered = heading.lower()
    matches = (p for p, words in _WORDS.items() if any(word in lowered for word in words))
    return next(matches, "results.md")


def _list_of_pages() -> str:
    return "By track:\n\n" + "\n".join(
        f"- [{short_title(place)}]({place})" for place in TITLES if place != "results.md"
    )


def _with_links(page: str, place: str, places: Mapping[str, str]) -> str:
    """Return a page whose links lead to where sections are now."""
    up = "../" if "/" in place else ""

    def anchor(link: re.Match[str]) -> str:
        target = places.get(link[1], place)
        return f"](#{link[1]})" if target == place else f"]({up}{target}#{link[1]})"

    page = re.sub(r"\]\(#([^)]+)\)", anchor, page)
    if up:
        page = re.sub(r"\]\((?!\.\.|#|[a-z]+:)([^)]+\.md)", rf"]({up}\1", page)
    return page
