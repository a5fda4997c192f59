"""`python -m releasing VERSION`: version, changelog, build, check, commit, tag; or nothing."""

from __future__ import annotations

import argparse
import datetime as dt
import difflib
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from releasing import version as versions
from releasing.empty_environment import try_wheel
from releasing.errors import ReleaseError
from treegauge.wording import counted

ROOT = Path(__file__).parents[1]
_LONGEST_LINE = 100
"""Of a changed line that a dry run shows."""


def release(
    version: str,
    root: Path,
    *,
    is_tested: Callable[[Path], None],
    works_alone: Callable[[Path, str], None] = try_wheel,
) -> None:
    """Make a release in a checkout; where a step fails, its files are as they were.

    Parameters
    ----------
    is_tested : function
        Raises an error where the checkout does not pass its tests.
    works_alone : function
        Raises an error where a wheel does not work by itself.
    """
    if found := obstacles(version, root):
        raise ReleaseError(found[0])
    try:
        for path, text in changes(version, root).items():
            path.write_text(text, encoding="utf-8")
        is_tested(root)
        works_alone(build(root, version), version)
    except BaseException:
        _git(root, "checkout", "--quiet", "--", ".")
        raise
    _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"treegauge {version}")


def obstacles(version: str, root: Path) -> list[str]:
    """Return everything that forbids a release, one sentence each; nothing is written."""
    found: list[str] = []

    def must(check: Callable[[], object]) -> None:
        try:
            check()
        except ReleaseError as error:
            found.append(str(error))

    must(lambda: versions.require_newer(version, current_version(root)))
    if _git(root, "status", "--porcelain").strip():
        found.append("there are changes that are not committed; commit or stash them first")
    branch = _git(root, "branch", "--show-current").strip()
    if branch != "main":
        found.append(f"releases are made on main, and this is {branch or 'no branch'}")
    if _git(root, "tag", "--list", f"v{version}").strip():
        found.append(f"the tag v{version} exists already")
    must(lambda: changes(version, root))
    if importlib.util.find_spec("hatchling") is None:
        found.append("hatchling, which builds the package, is not installed: make setup")
    return found


def current_version(root: Path) -> str:
    """Return the version that a checkout has."""
    return versions.version_in((root / versions.PLACE).read_text(encoding="utf-8"))


def changes(version: str, root: Path) -> dict[Path, str]:
    """Return the new text of every file that states or repeats the version."""
    date = dt.datetime.now(dt.UTC).date().isoformat()
    current = current_version(root)
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    outputs = sorted((root / "tests" / "golden" / "outputs").rglob("*.*"))
    new: list[tuple[Path, Callable[[str], str]]] = [
        (root / versions.PLACE, lambda text: versions.with_version(text, version)),
        (root / "CITATION.cff", lambda text: versions.cite_version(text, version, date)),
        (root / "CHANGELOG.md", lambda text: versions.close_section(text, version, date)),
        *((page, lambda text: versions.sign_examples(text, current, version)) for page in pages),
        *((output, lambda text: versions.sign(text, current, version)) for output in outputs),
    ]
    texts = ((path, path.read_text(encoding="utf-8"), change) for path, change in new)
    return {path: change(text) for path, text, change in texts if change(text) != text}


def outlook(version: str, root: Path) -> str:
    """Return what a release would do, in words; nothing is written."""
    found = obstacles(version, root)
    lines = [f"release {version}, after {current_version(root)}; nothing is written now"]
    lines += [f"in the way: {one}" for one in found]
    try:
        changed = changes(version, root)
    except ReleaseError:
        changed = {}
    for path, text in changed.items():
        old = path.read_text(encoding="utf-8").splitlines()
        lines.append(f"{path.relative_to(root)}: {_changed_lines(old, text.splitlines())}")
    steps = ("make test", "python -m hatchling build", "the wheel in an empty environment")
    lines.append(f"then: {', '.join(steps)}, git commit, git tag v{version}")
    return "\n".join(lines) + "\n"


def _changed_lines(old: Sequence[str], new: Sequence[str]) -> str:
    added = [line[2:] for line in difflib.ndiff(old, new) if line.startswith("+ ")]
    if len(added) == 1 and len(added[0]) <= _LONGEST_LINE:
        return added[0].strip()
    return counted(len(added), "line")


def build(root: Path, version: str) -> Path:
    """Build the source distribution and the wheel into `dist/`, and return the wheel."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", "dist"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    wheel = root / "dist" / f"treegauge-{version}-py3-none-any.whl"
    if done.returncode or not wheel.exists():
        raise ReleaseError(f"the wheel could not be built: {done.stderr.strip()}")
    return wheel


def _run_tests(root: Path) -> None:
    if subprocess.run(["make", "test"], cwd=root).returncode:
        raise ReleaseError("make test fails")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def main(arguments: list[str] | None = None) -> None:
    """Make the release that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m releasing", description=__doc__)
    parser.add_argument("version", help="x.y.z")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done, and what is in the way"
    )
    options = parser.parse_args(arguments)
    version = options.version
    try:
        if options.dry_run:
            sys.stdout.write(outlook(version, ROOT))
            sys.exit(1 if obstacles(version, ROOT) else 0)
        release(version, ROOT, is_tested=_run_tests)
    except ReleaseError as error:
        sys.exit(f"no release: {error}")
    sys.stdout.write(
        f"release {version} is committed and tagged, and lies in dist/; to publish it:\n"
        f"  git push origin main v{version}\n"
    )


if __name__ == "__main__":
    main()
