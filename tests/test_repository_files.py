"""Files for forges and citation managers keep to their schemas."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import treegauge

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = [ROOT / ".github" / "ISSUE_TEMPLATE" / name for name in ("bug.yml", "idea.yml")]


def is_refused(path: Path, schema: str) -> str:
    """Return what is wrong with a file, by a schema that check-jsonschema brings along."""
    pytest.importorskip("check_jsonschema", reason="needs check-jsonschema: make setup")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_keep_to_the_schema(path):
    assert is_refused(path, "github-workflows") == ""


def test_a_workflow_that_does_not_is_refused(tmp_path):
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(WORKFLOWS[0].read_text().replace("runs-on:", "runs-at:"))
    assert is_refused(wrong, "github-workflows")


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_forms_keep_to_the_schema(path):
    assert is_refused(path, "github-issue-forms") == ""


def test_the_choice_of_forms_and_the_citation_keep_to_their_schemas():
    forms = ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"
    assert is_refused(forms, "github-issue-config") == ""
    assert is_refused(ROOT / "CITATION.cff", "citation-file-format") == ""


def test_workflows_test_the_versions_of_python_that_the_package_names():
    named = re.findall(r"Python :: (3\.\d+)\"", (ROOT / "pyproject.toml").read_text("utf-8"))
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert named
    assert re.findall(r'"(3\.\d+)"', workflow.partition("python: [")[2].partition("]")[0]) == named
    assert "- run: .ci/run\n" in workflow


def test_the_citation_has_the_version_and_the_five_papers():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {treegauge.__version__}\n" in citation
    verbs = set(re.findall(r"notes: treegauge reproduce ([\w-]+)", citation))
    assert verbs == {"pascal", "ned", "word-order", "perplexity", "tagger-evaluation"}
    assert citation.count("  - type: ") == 5


def test_hooks_need_no_network():
    """Every hook is a program of the development environment; pre-commit accepts the file."""
    file = ROOT / ".pre-commit-config.yaml"
    text = file.read_text("utf-8")
    assert re.findall(r"repo: (\S+)", text) == ["local"]
    assert set(re.findall(r"language: (\S+)", text)) == {"system"}
    programs = set(re.findall(r"entry: \.venv/bin/(\S+)", text))
    assert programs
    assert programs <= {path.name for path in Path(sys.executable).parent.iterdir()}
    pytest.importorskip("pre_commit", reason="needs pre-commit: make setup")
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
