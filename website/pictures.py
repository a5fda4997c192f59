"""`python -m website.pictures [PAGE.md...]`: makes the pictures that pages show anew.

A picture `docs/pictures/PAGE-NAME.svg` is the file `NAME.svg` that the commands of `PAGE.md` write;
`PAGE-NAME.png` is a photograph of `NAME.html`, or of the site in the folder `NAME`. So all pictures
are of toy languages. A test compares drawings to the byte.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.docs.test_documents import blocks, is_set_up, run_console

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
"""What a photograph may weigh: pages are read over slow lines too."""

_WINDOW = {"width": 1180, "height": 980}
_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\bpictures/([\w.-]+)\)")


def pictures_on(page: Path) -> list[str]:
    """Return the names of the pictures that a page shows; each has to be described."""
    found = _PICTURE.findall(page.read_text(encoding="utf-8"))
    for description, name in found:
        if len(description) < 20:
            raise ValueError(f"{page.name}: {name} needs a description for those who cannot see it")
    return [name for _, name in found]


def made_by(page: Path, name: str, folder: Path) -> Path | None:
    """Return the file from which a picture is made, if the commands of a page make it.

    >>> made_by(Path("a.md"), "a-tree.svg", Path("here"))
    PosixPath('here/tree.svg')
    >>> made_by(Path("a.md"), "b-tree.svg", Path("here"))
    """
    owner, _, file = name.partition("-")
    if owner != page.stem:
        return None
    if file.endswith(".svg"):
        return folder / file
    html = (folder / file).with_suffix(".html")
    return html if html.exists() else folder / Path(file).stem / "index.html"


def make_pictures(page: Path) -> None:
    """Run the commands of a page, and keep the pictures of what they make."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for language, block in blocks(page):
            if language == "console" and not is_set_up(block):
                run_console(block, folder)
        for picture in pictures_on(page):
            source = made_by(page, picture, folder)
            if source is not None and source.suffix == ".svg":
                shutil.copy(source, PICTURES / picture)
            elif source is not None:
                _photograph(source, PICTURES / picture)


def _photograph(page: Path, picture: Path) -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import BROWSERS

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("photographs need a browser: install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        window = browser.new_page(viewport=_WINDOW, color_scheme="light")
        window.goto(page.as_uri())
        window.screenshot(path=picture)
        browser.close()


def main(names: Sequence[str]) -> None:
    """Make the pictures of the pages that are named, or of all."""
    PICTURES.mkdir(exist_ok=True)
    os.environ["NO_COLOR"] = "1"
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if page.name in (names or [page.name]) and any(
            made_by(page, name, PICTURES) for name in pictures_on(page)
        ):
            make_pictures(page)
            sys.stdout.write(f"{page.relative_to(ROOT)}: pictures made\n")


if __name__ == "__main__":
    main(sys.argv[1:])
