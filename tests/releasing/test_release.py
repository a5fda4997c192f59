"""A release in a small checkout: what it writes, and what is left when it fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from releasing.__main__ import build, main, outlook, release
from releasing.empty_environment import try_wheel
from releasing.errors import ReleaseError
from releasing.version import require_newer

ROOT = Path(__file__).parents[2]
PAGE = "v:0.1.0 was measured\n\n```console\n$ treegauge evaluate\nuas|v:0.1.0\n```\n"
FILES = {
    "src/treegauge/__init__.py": '__version__ = "0.1.0"\n',
    "CITATION.cff": "cff-version: 1.2.0\nversion: 0.1.0\n",
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n",
    "README.md": "# treegauge\n",
    "LICENSE": "free\n",
    "docs/guides/a.md": PAGE,
    "tests/golden/outputs/evaluate/a.txt": "uas|v:0.1.0\n",
    ".gitignore": "dist/\n",
}


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


@pytest.fixture
def checkout(tmp_path, monkeypatch) -> Path:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A developer")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "developer@example.org")
    write(tmp_path, FILES)
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def passes(*_given: object) -> None:
    """Find nothing wrong."""


def fails(*_given: object) -> None:
    raise ReleaseError("make test fails")


def test_a_release_writes_its_version_everywhere_and_is_tagged(checkout):
    seen = {}

    def look(wheel: Path, version: str) -> None:
        seen[version] = wheel.name

    release("0.2.0", checkout, is_tested=passes, works_alone=look)
    assert seen == {"0.2.0": "treegauge-0.2.0-py3-none-any.whl"}
    assert (checkout / "dist" / "treegauge-0.2.0.tar.gz").exists()
    assert git(checkout, "tag", "--list").split() == ["v0.2.0"]
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "log", "-1", "--format=%s").strip() == "Release 0.2.0"
    assert '"0.2.0"' in (checkout / "src/treegauge/__init__.py").read_text()
    assert "\nversion: 0.2.0\ndate-released: 2" in (checkout / "CITATION.cff").read_text()
    log = (checkout / "CHANGELOG.md").read_text()
    assert log.index("## Unreleased") < log.index("## 0.2.0 (") < log.index("- A thing.")
    assert (checkout / "docs/guides/a.md").read_text() == PAGE.replace("|v:0.1.0", "|v:0.2.0")
    assert (checkout / "tests/golden/outputs/evaluate/a.txt").read_text() == "uas|v:0.2.0\n"


@pytest.mark.parametrize("step", ["is_tested", "works_alone"])
def test_a_release_that_fails_leaves_the_checkout_as_it_was(checkout, step):
    steps = {"is_tested": passes, "works_alone": passes, step: fails}
    with pytest.raises(ReleaseError, match="make test fails"):
        release("0.2.0", checkout, **steps)
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "tag", "--list") == ""
    assert (checkout / "CITATION.cff").read_text() == FILES["CITATION.cff"]


def test_a_release_wants_committed_changes_on_main_and_something_to_release(checkout):
    def refused() -> str:
        with pytest.raises(ReleaseError) as error:
            release("0.2.0", checkout, is_tested=passes, works_alone=passes)
        return str(error.value)

    git(checkout, "tag", "v0.2.0")
    assert "exists already" in refused()
    git(checkout, "tag", "--delete", "v0.2.0")
    git(checkout, "switch", "--quiet", "--create", "other")
    assert "on main, and this is other" in refused()
    git(checkout, "switch", "--quiet", "main")
    (checkout / "README.md").write_text("changed\n")
    assert "not committed" in refused()
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 0.1.0\n- A.\n")
    git(checkout, "commit", "--quiet", "--all", "--message", "Empty the log")
    assert "nothing to release" in refused()


def test_a_dry_run_says_everything_and_writes_nothing(checkout):
    text = outlook("0.2.0", checkout)
    assert "in the way" not in text
    assert 'src/treegauge/__init__.py: __version__ = "0.2.0"\n' in text
    assert "docs/guides/a.md: uas|v:0.2.0\n" in text
    assert "CITATION.cff: 2 lines\n" in text
    assert text.endswith("git commit, git tag v0.2.0\n")
    (checkout / "LICENSE").write_text("changed\n")
    git(checkout, "tag", "v0.1.0")
    git(checkout, "switch", "--quiet", "--create", "other")
    text = outlook("0.1.0", checkout)
    assert text.count("in the way: ") == 4
    assert git(checkout, "status", "--porcelain").split() == ["M", "LICENSE"]
    assert (checkout / "src/treegauge/__init__.py").read_text() == '__version__ = "0.1.0"\n'


@pytest.mark.parametrize(
    "version", ["", "1", "0.2", "v0.2.0", "0.2.0rc1", "00.2.0", "0.1.0", "0.0.9"]
)
def test_versions_that_are_none_or_not_newer_are_refused(version):
    with pytest.raises(ReleaseError, match=r"is no version|is not newer"):
        require_newer(version, "0.1.0")


def test_misuse_is_one_sentence():
    with pytest.raises(SystemExit, match="no release: '2' is no version"):
        main(["2"])


def test_a_wheel_that_does_not_install_is_no_release(tmp_path):
    (tmp_path / "treegauge-1.0.0-py3-none-any.whl").write_bytes(b"no zip")
    with pytest.raises(ReleaseError, match="failed"):
        try_wheel(tmp_path / "treegauge-1.0.0-py3-none-any.whl", "1.0.0")


@pytest.mark.slow
def test_the_wheel_of_this_checkout_works_in_an_empty_environment(tmp_path):
    """With a copy, so that nothing is written into the checkout."""
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{ROOT}", "copy")
    source = (ROOT / "src/treegauge/__init__.py").read_text(encoding="utf-8")
    version = source.partition('__version__ = "')[2].partition('"')[0]
    try_wheel(build(tmp_path / "copy", version), version)
