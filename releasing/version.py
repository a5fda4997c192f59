"""The version, which is written in one place, and everything that repeats it."""

from __future__ import annotations

import re
from pathlib import Path

from releasing.errors import ReleaseError

PLACE = Path("src/treegauge/__init__.py")
"""The one place; the build and the program read it there."""

_LINE = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_BLOCK = re.compile(r"^```(?:console|python)\n.*?^```", re.MULTILINE | re.DOTALL)
_UNRELEASED = "## Unreleased\n"


def version_in(source: str) -> str:
    """Return the version that a module states.

    >>> version_in('__version__ = "1.2.3"\\n')
    '1.2.3'
    """
    match = _LINE.search(source)
    if match is None:
        raise ReleaseError(f"{PLACE} has no line __version__ = …")
    return match[1]


def require_newer(version: str, current: str) -> None:
    """Complain of what is no version, or not newer than the current one.

    >>> require_newer("0.10.0", "0.9.1")
    """
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise ReleaseError(f"{version!r} is no version; write x.y.z, as in VERSION=0.2.0")
    if _numbers(version) <= _numbers(current):
        raise ReleaseError(f"{version} is not newer than {current}")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def with_version(source: str, version: str) -> str:
    """Return a module that states another version."""
    return _LINE.sub(f'__version__ = "{version}"', source)


def cite_version(citation: str, version: str, date: str) -> str:
    """Return `CITATION.cff` with a version and its date.

    >>> cite_version("title: a\\nversion: 0.1.0\\n", "0.2.0", "2026-11-18")
    'title: a\\nversion: 0.2.0\\ndate-released: 2026-11-18\\n'
    """
    without_date = re.sub(r"^date-released: .*\n", "", citation, flags=re.MULTILINE)
    lines = f"version: {version}\ndate-released: {date}"
    return re.sub(r"^version: .*$", lines, without_date, count=1, flags=re.MULTILINE)


def close_section(changelog: str, version: str, date: str) -> str:
    """Return a changelog whose unreleased changes are those of a version.

    >>> print(close_section("# Log\\n\\n## Unreleased\\n\\n### Added\\n- a\\n", "0.2.0", "today"))
    # Log
    <BLANKLINE>
    ## Unreleased
    <BLANKLINE>
    ## 0.2.0 (today)
    <BLANKLINE>
    ### Added
    - a
    <BLANKLINE>
    """
    before, heading, after = changelog.partition(_UNRELEASED)
    if not heading:
        raise ReleaseError("CHANGELOG.md has no section Unreleased")
    if not re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0].strip():
        raise ReleaseError("CHANGELOG.md has nothing under Unreleased: nothing to release")
    return f"{before}{heading}\n## {version} ({date})\n{after}"


def sign_examples(page: str, current: str, version: str) -> str:
    """Return a page whose examples have the signatures that the new version prints.

    What was measured keeps the version that it was measured with: only examples change, which
    tests run.

    >>> page = "v:0.1.0\\n```console\\n$ a\\nuas|v:0.1.0\\n```\\n"
    >>> print(sign_examples(page, "0.1.0", "0.2.0"), end="")
    v:0.1.0
    ```console
    $ a
    uas|v:0.2.0
    ```
    """
    return _BLOCK.sub(lambda block: sign(block[0], current, version), page)


def sign(text: str, current: str, version: str) -> str:
    """Return an output with the signatures of another version.

    >>> sign("len:all|v:0.1.0|track:tags v:0.1.01", "0.1.0", "0.2.0")
    'len:all|v:0.2.0|track:tags v:0.1.01'
    """
    return re.sub(rf"\bv:{re.escape(current)}(?!\d)", f"v:{version}", text)
