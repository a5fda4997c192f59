"""`python -m website.check FOLDER`: whether a built site needs no network and lacks no file.

It also follows links from the front page: what strangers ask is at most two clicks away.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "link": "href"}
"""What a browser loads by itself, by the attribute that says where from."""


ASKED = {
    "How do I score my parser?": ("guides/score_my_parser.html", "treegauge evaluate"),
    "What does UAS@10 mean?": ("reference/metrics.html", "at most ten tokens"),
    "How do I add a metric?": ("guides/add_a_metric.html", "src/treegauge/metrics/"),
    "Which systems exist, and how good are they?": ("reference/all_systems.html", "UAS@10"),
}
"""What strangers ask, the page that answers it, and words of the answer."""
CLICKS = 2


class _Addresses(HTMLParser):
    """Collects what a page loads, and where it leads."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of a tag."""
        attributes = dict(attrs)
        address = attributes.get(_LOADED.get(tag, ""))
        if address and attributes.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(address)
        elif tag == "a" and attributes.get("href"):
            self.linked.append(str(attributes["href"]))


def flaws(site: Path) -> list[str]:
    """Return what is wrong with a site, one line each."""
    return [flaw for page in sorted(site.rglob("*.html")) for flaw in _flaws_of(page, site)]


def _flaws_of(page: Path, site: Path) -> list[str]:
    addresses = _Addresses()
    addresses.feed(page.read_text(encoding="utf-8"))
    name = page.relative_to(site)
    found = [
        f"{name}: loads {address} from a network"
        for address in addresses.loaded
        if urlsplit(address).netloc
    ]
    for address in (*addresses.loaded, *addresses.linked):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or not parts.path:
            continue
        start = site if parts.path.startswith("/") else page.parent
        target = start / unquote(parts.path).lstrip("/")
        # The page for what is not found stands in every folder; it has absolute links.
        if not target.exists() and name.name != "404.html":
            found.append(f"{name}: {address} is missing")
    return found


def unanswered(site: Path) -> list[str]:
    """Return the questions whose answer is too far from the front page, one line each.

    Only links in the text of pages count, not those of menus.
    """
    near = {one for one in [site / "index.html"] if one.exists()}
    for _ in range(CLICKS):
        near |= {target for page in near for target in _targets(page) if target.exists()}
    found = []
    for question, (name, words) in ASKED.items():
        page = site / name
        if page.resolve() not in {one.resolve() for one in near}:
            found.append(f"{question} {name} is more than {CLICKS} clicks from the front page")
        elif words not in _text_of(page):
            found.append(f"{question} {name} does not say: {words}")
    return found


def _targets(page: Path) -> list[Path]:
    addresses = _Addresses()
    addresses.feed(_article_of(page))
    paths = (urlsplit(address) for address in addresses.linked)
    return [
        page.parent / unquote(parts.path)
        for parts in paths
        if not parts.netloc and parts.path.endswith(".html")
    ]


def _article_of(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]


def _text_of(page: Path) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", _article_of(page)).split())


def main(arguments: list[str]) -> None:
    """Print what is wrong, or how many pages there are."""
    site = Path(arguments[0])
    if found := [*flaws(site), *unanswered(site)]:
        sys.exit("\n".join(found))
    sys.stdout.write(f"{site}: {len(list(site.rglob('*.html')))} pages, open index.html\n")


if __name__ == "__main__":
    main(sys.argv[1:])
