"""`python -m website.check FOLDER`: whether a built site needs no network and lacks no file.

It reads pages, style sheets and scripts. It also follows links from the front page: what strangers
ask is at most two clicks away.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "script", "source", "video"), "src"),
    "link": "href",
    "object": "data",
}
"""What a browser loads by itself, by the attribute that says where from."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_OF_STYLES = re.compile(
    r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')"""
)
"""Addresses in a style sheet: of fonts, of pictures, of further sheets."""
_OF_SCRIPTS = re.compile(r"""(?<!\\)["'`]((?:https?://[\w$]|//[\w-]+\.\w)[^"'`\s]*)""")
"""Strings of a script that are foreign addresses; text that only mentions one begins otherwise."""

_ASKED_BY_THE_THEME = {
    "https://unpkg.com/mermaid@": 'class="mermaid"',
    "https://api.github.com/": 'data-md-component="source"',
    "https://${": 'data-md-component="source"',
    "https://unpkg.com/resize-observer-polyfill": "",
}
"""What the script of the theme loads, and what a page must have for that: a diagram, a link to a
repository, or a browser from before 2020."""

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
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of a tag."""
        self._tag = tag
        attributes = dict(attrs)
        self.loaded += addresses_of_styles(attributes.get("style") or "")
        address = attributes.get(_LOADED.get(tag, ""))
        if address and attributes.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(address)
        elif tag == "a" and attributes.get("href"):
            self.linked.append(str(attributes["href"]))

    def handle_data(self, data: str) -> None:
        """Note the addresses in styles and scripts that are part of the page."""
        if self._tag == "style":
            self.loaded += addresses_of_styles(data)
        elif self._tag == "script":
            self.loaded += addresses_of_script(data)

    def handle_endtag(self, _tag: str) -> None:
        """Forget the tag whose text has ended."""
        self._tag = ""


def addresses_of_styles(text: str) -> list[str]:
    """Return what a style sheet loads; what it contains itself (`data:`) is not loaded.

    >>> addresses_of_styles("@import 'a.css'; p { background: url(b.png) } /* url(c.png) */")
    ['a.css', 'b.png']
    >>> addresses_of_styles("p { background: url('data:image/svg+xml,<svg xmlns=http://x/>') }")
    []
    """
    found = ("".join(groups) for groups in _OF_STYLES.findall(_COMMENT.sub("", text)))
    return [address for address in found if not address.startswith("data:")]


def addresses_of_script(text: str) -> list[str]:
    """Return the foreign addresses that a script may load.

    >>> addresses_of_script("fetch('https://example.org/x'); log('see https://example.org')")
    ['https://example.org/x']
    """
    return _OF_SCRIPTS.findall(text)


def flaws(site: Path) -> list[str]:
    """Return what is wrong with a site, one line each."""
    pages = sorted(site.rglob("*.html"))
    found = [flaw for page in pages for flaw in _flaws_of_page(page, site)]
    for sheet in sorted(site.rglob("*.css")):
        addresses = addresses_of_styles(sheet.read_text(encoding="utf-8"))
        found += [*_foreign(addresses, sheet, site), *_missing(addresses, sheet, site)]
    for script in sorted(site.rglob("*.js")):
        addresses = addresses_of_script(script.read_text(encoding="utf-8"))
        others = [one for one in addresses if not _is_never_asked(one, pages)]
        found += _foreign(others, script, site)
    return found


def _is_never_asked(address: str, pages: list[Path]) -> bool:
    """Return whether only the theme asks for an address, and no page makes it do so."""
    for begin, sign in _ASKED_BY_THE_THEME.items():
        if address.startswith(begin):
            return not sign or not any(sign in page.read_text(encoding="utf-8") for page in pages)
    return False


def _flaws_of_page(page: Path, site: Path) -> list[str]:
    addresses = _Addresses()
    addresses.feed(page.read_text(encoding="utf-8"))
    found = _foreign(addresses.loaded, page, site)
    # The page for what is not found stands in every folder; it has absolute links.
    if page.name != "404.html":
        found += _missing((*addresses.loaded, *addresses.linked), page, site)
    return found


def _foreign(addresses: Iterable[str], file: Path, site: Path) -> list[str]:
    name = file.relative_to(site)
    return [f"{name}: loads {one} from a network" for one in addresses if urlsplit(one).netloc]


def _missing(addresses: Iterable[str], file: Path, site: Path) -> list[str]:
    found = []
    for address in addresses:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or not parts.path:
            continue
        start = site if parts.path.startswith("/") else file.parent
        if not (start / unquote(parts.path).lstrip("/")).exists():
            found.append(f"{file.relative_to(site)}: {address} is missing")
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
