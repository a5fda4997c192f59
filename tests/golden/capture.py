"""Runs a case and returns everything that its golden files keep."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from tests.golden.cases import MISUSES, Case
from tests.golden.masks import mask_document, mask_text
from tests.golden.material import write_material
from tests.golden.pages import visible_text
from tests.in_process import cells_in_process, run_in_process
from treegauge.runs.job import Job, run_job
from treegauge.runs.outcome import Outcome

OUTPUTS = Path(__file__).parent / "outputs"
EXTENSIONS = {"table": "txt", "markdown": "md", "latex": "tex", "tsv": "tsv", "json": "json"}
ENVIRONMENT = {
    "COLUMNS": "100",
    "TREEGAUGE_DATA": "",
    "TREEGAUGE_SAY_COMPILING": "0",
    "XDG_DATA_HOME": os.devnull,  # treebanks that somebody has downloaded are not seen
}
LONG_LIST = 40
"""Members of a JSON list from which on only every eighth is kept, and how many there were."""
SECONDS, MEBIBYTES = 2.0, 100.0
"""What every cell is said to have taken: tables of costs then do not depend on the machine."""


def outputs_of(case: Case) -> dict[str, str]:
    """Return the files of a case by their names below `outputs`."""
    with (
        tempfile.TemporaryDirectory() as name,
        _cells_with_fixed_costs(),
        _files_for_all_to_read(),
        # Usage lines name the program by how Python was started.
        mock.patch.object(sys.modules["__main__"], "__package__", None, create=True),
    ):
        folder = Path(name).resolve()
        shutil.copytree(_material(), folder, dirs_exist_ok=True)
        if case.name == "misuse":
            return {"misuse.txt": _misuses(folder)}
        return _captured(case, folder)


@cache
def _material() -> Path:
    """Return a folder with the files of all cases, which goes when the program ends."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    write_material(Path(folder))
    return Path(folder)


def golden_of(case: Case) -> dict[str, str]:
    """Return the golden files of a case as they are stored."""
    return {
        path.relative_to(OUTPUTS).as_posix(): path.read_text(encoding="utf-8")
        for path in (OUTPUTS / case.name).parent.glob(f"{Path(case.name).name}.*")
    }


def _captured(case: Case, folder: Path) -> dict[str, str]:
    for before in case.before:
        done = run_in_process(before, folder=folder, environment=ENVIRONMENT)
        assert done.returncode == 0, f"{' '.join(before)}: {done.stderr}"
    found = {}
    for format in case.formats or ("",):
        chosen = ("--format", format) if format else ()
        done = run_in_process((*case.arguments, *chosen), folder=folder, environment=ENVIRONMENT)
        if not found:
            # A later format finds what the first one has left, so only this one tells everything.
            said = f"exit code {done.returncode}\n" if done.returncode else ""
            said += mask_text(done.stderr, folder)
            if said:
                found[f"{case.name}.err"] = said
        if done.stdout:
            is_json = format == "json" or "--json" in case.arguments
            extension = "json" if is_json else EXTENSIONS.get(format, "txt")
            found[f"{case.name}.{extension}"] = _masked(done.stdout, extension, folder)
    for written in case.written:
        path = folder / written
        text = path.read_text(encoding="utf-8") if path.exists() else "was not written\n"
        if path.suffix == ".html":
            text = visible_text(text)
        found[f"{case.name}.{path.name}.txt"] = mask_text(text, folder)
    return found


def _masked(text: str, extension: str, folder: Path) -> str:
    if extension != "json":
        return mask_text(text, folder)
    return json_lines(_thinned(mask_document(json.loads(text), folder)))


def _thinned(document: Any) -> Any:
    """Return a document with the number of members and a few of them for very long lists."""
    if isinstance(document, dict):
        return {key: _thinned(value) for key, value in document.items()}
    if isinstance(document, list) and len(document) > LONG_LIST:
        return [{"members": len(document)}, *map(_thinned, document[:: LONG_LIST // 5])]
    return [_thinned(value) for value in document] if isinstance(document, list) else document


def json_lines(document: Any, depth: int = 3) -> str:
    """Return JSON with a line for every member of the outer levels, and floats of 12 digits.

    >>> print(json_lines({"a": [{"b": [1, 2]}, 0.1 + 0.2]}, depth=2), end="")
    {"a":[
    {"b":[1,2]},
    0.3]}
    """
    return _lines(_rounded(document), depth) + "\n"


def _lines(value: Any, depth: int) -> str:
    if depth and value and isinstance(value, dict):
        inner = [f"{json.dumps(key)}:{_lines(one, depth - 1)}" for key, one in value.items()]
        return "{" + ",\n".join(inner) + "}"
    if depth and value and isinstance(value, list):
        return "[\n" + ",\n".join(_lines(one, depth - 1) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _misuses(folder: Path) -> str:
    told = []
    for arguments in MISUSES:
        done = run_in_process(arguments, folder=folder, environment=ENVIRONMENT)
        said = mask_text(done.stderr + done.stdout, folder)
        told.append(f"$ treegauge {' '.join(arguments)}\nexit code {done.returncode}\n{said}")
    return "\n".join(told)


@contextlib.contextmanager
def _files_for_all_to_read() -> Iterator[None]:
    """Make files readable by others: `challenge doctor` remarks on it."""
    usual = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(usual)


@contextlib.contextmanager
def _cells_with_fixed_costs() -> Iterator[None]:
    def run_with_fixed_costs(job: Job) -> Outcome:
        return replace(run_job(job), seconds=SECONDS, elapsed=SECONDS, peak_memory=MEBIBYTES)

    with cells_in_process(), mock.patch("tests.in_process.run_job", run_with_fixed_costs):
        yield
