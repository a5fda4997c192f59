"""Rewrites the outputs in the documents with what really comes out.

Run as `python -m tests.docs.regenerate [PAGE.md...]`, then read the difference. Output that stands
for any lines (`…`) is left alone.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import sys
import tempfile
from pathlib import Path

from tests.docs.test_documents import BLOCK, DOCUMENTS, commands, is_set_up, run_command


def fresh_console(block: str, folder: Path) -> str:
    lines = []
    for command, expected in commands(block):
        shown = run_command(command, folder).rstrip("\n").splitlines()
        lines += [f"$ {command}", *(expected if "…" in expected else shown)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def fresh_python(block: str, names: dict[str, object]) -> str:
    lines = []
    for example in doctest.DocTestParser().get_examples(block):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example.source, "<document>", "single"), names)
        source = example.source.rstrip("\n").splitlines()
        lines += [f">>> {source[0]}", *(f"... {line}" for line in source[1:])]
        lines += (
            example.want.splitlines() if "..." in example.want else printed.getvalue().splitlines()
        )
    return "\n".join(lines) + "\n"


def regenerate(document: Path) -> None:
    names: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):

        def fresh(found) -> str:
            language, block = found.groups()
            if language == "console" and not is_set_up(block):
                block = fresh_console(block, Path(folder))
            elif language == "python":
                block = fresh_python(block, names)
            return f"```{language}\n{block}```"

        text = BLOCK.sub(fresh, document.read_text(encoding="utf-8"))
    document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    for document in DOCUMENTS:
        if document.name in (sys.argv[1:] or [document.name]):
            regenerate(document)
