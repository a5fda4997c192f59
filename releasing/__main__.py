"""`python -m releasing VERSION`: version, changelog, build, check, commit, tag; or nothing."""

from __future__ import annotations

import argparse
import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from releasing import version as versions
from releasing.empty_environment import try_wheel
from releasing.errors import ReleaseError

ROOT = Path(__file__).parents[1]


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
    current = versions.version_in((root / versions.PLACE).read_text(encoding="utf-8"))
    versions.require_newer(version, current)
    _require_clean(root, version)
    try:
        write_version(root, current, version)
        is_tested(root)
        works_alone(build(root, version), version)
    except BaseException:
        _git(root, "checkout", "--quiet", "--", ".")
        raise
    _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"treegauge {version}")


def _require_clean(root: Path, version: str) -> None:
    if _git(root, "status", "--porcelain").strip():
        raise ReleaseError("there are changes that are not committed; commit or stash them first")
    branch = _git(root, "branch", "--show-current").strip()
    if branch != "main":
        raise ReleaseError(f"releases are made on main, and this is {branch or 'no branch'}")
    if _git(root, "tag", "--list", f"v{version}").strip():
        raise ReleaseError(f"the tag v{version} exists already")


def write_version(root: Path, current: str, version: str) -> None:
    """Write a version into its place, and whatever repeats it."""
    date = dt.datetime.now(dt.UTC).date().isoformat()

    def rewrite(path: Path, change: Callable[[str], str]) -> None:
        text = path.read_text(encoding="utf-8")
        changed = change(text)
        if changed != text:
            path.write_text(changed, encoding="utf-8")

    rewrite(root / versions.PLACE, lambda text: versions.with_version(text, version))
    rewrite(root / "CITATION.cff", lambda text: versions.cite_version(text, version, date))
    rewrite(root / "CHANGELOG.md", lambda text: versions.close_section(text, version, date))
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        rewrite(page, lambda text: versions.sign_examples(text, current, version))
    for output in sorted((root / "tests" / "golden" / "outputs").rglob("*.*")):
        rewrite(output, lambda text: versions.sign(text, current, version))


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
    version = parser.parse_args(arguments).version
    try:
        release(version, ROOT, is_tested=_run_tests)
    except ReleaseError as error:
        sys.exit(f"no release: {error}")
    sys.stdout.write(
        f"release {version} is committed and tagged, and lies in dist/; to publish it:\n"
        f"  git push origin main v{version}\n"
    )


if __name__ == "__main__":
    main()
