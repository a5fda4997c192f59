"""`python -m website.check FOLDER`: whether a built site needs no network and lacks no file."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "link": "href"}
"""What a browser loads by itself, by the attribute that says where from."""


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


def main(arguments: list[str]) -> None:
    """Complain of flaws, or say how many pages there are."""
    site = Path(arguments[0])
    if found := flaws(site):
        sys.exit("\n".join(found))
    sys.stdout.write(f"{site}: {len(list(site.rglob('*.html')))} pages, open index.html\n")


if __name__ == "__main__":
    main(sys.argv[1:])
