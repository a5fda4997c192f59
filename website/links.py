"""Pages of the repository outside `docs/`, as pages of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

_LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")


def moved(text: str, source: str, target: str, pages: Mapping[str, str]) -> str:
    """Return a page with links that hold where the site has it.

    Parameters
    ----------
    text : str
        The page in Markdown.
    source, target : str
        Its path in the repository, and its path on the site.
    pages : mapping
        The path on the site of every file that is a page outside `docs/`.

    Examples
    --------
    >>> moved("[a](docs/b.md#c)", "CONTRIBUTING.md", "d/e.md", {})
    '[a](../b.md#c)'
    >>> moved("[a](../x/README.md)", "src/y/README.md", "y.md", {"src/x/README.md": "x.md"})
    '[a](x.md)'
    """

    def rewritten(link: re.Match[str]) -> str:
        begin, address, end = link.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), address))
        place = pages.get(path) or path.removeprefix("docs/")
        return begin + posixpath.relpath(place, posixpath.dirname(target) or ".") + end

    return _LINK.sub(rewritten, text)


def pages_outside(root: Path) -> dict[str, str]:
    """Return the path on the site of every page that the repository has outside `docs/`."""
    papers = sorted((root / "src" / "treegauge" / "papers").glob("*/README.md"))
    return {
        "CODE_OF_CONDUCT.md": "code_of_conduct.md",
        "CONTRIBUTING.md": "contributing.md",
        "CHANGELOG.md": "changelog.md",
        **{path.relative_to(root).as_posix(): f"papers/{path.parent.name}.md" for path in papers},
    }
