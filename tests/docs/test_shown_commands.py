"""The commands that pages show without what they print.

`test_documents.py` runs `console` and `python` blocks. Other blocks, and prose, show commands too.
The program's own parser reads all of these: verbs and options must be there. Those in blocks are
run as well, on a small toy language, unless `NOT_RUN` says why not.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

import treegauge as tg
from tests.docs.test_documents import DOCUMENTS, ROOT
from tests.in_process import cells_in_process, run_in_process
from treegauge.cli.main import app

PAGES = [
    *DOCUMENTS,
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "src" / "treegauge" / "papers").glob("*/README.md")),
]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
INLINE = re.compile(r"`(treegauge [^`]+)`")

REAL_DATA = "reads real treebanks; the paper's own tests run it on toy languages"
PENN = "reads the Penn Treebank; blocks of the same page run on brackets that it shows"
RELEASE = "reads a whole release; tests/cli/test_many_treebanks.py makes a small one"
CLUSTER = "needs a Dask cluster; tests/unit/runs/test_cluster.py starts one"
SERVER = "needs a server that listens; tests/cli/test_challenge_server.py starts one"
PYTORCH = "needs PyTorch; make test-neural trains these systems"
COMPILES = "compiles for minutes; tests/cli/test_warm_up.py runs it on few kernels"
NOT_RUN = {
    r"treegauge reproduce .*": REAL_DATA,
    r"treegauge convert (wsj|trees\.mrg).* --heads .*": PENN,
    r"treegauge .* --data ud-treebanks-v2\.16.*": RELEASE,
    r"treegauge data get .*": "asks a network; tests/unit/catalogue/test_getting.py has a server",
    r"treegauge run .* --scheduler .*": CLUSTER,
    r"treegauge warm-up.*": COMPILES,
    r"treegauge challenge (serve .* --workers \d+|join .*|submit .*)": SERVER,
    r"treegauge challenge fill .*": "needs a licence; tests/cli/test_challenge.py has a toy",
    r"treegauge (train biaffine|induce mmi) .*": PYTORCH,
}
WORDS = {
    "GOLD": ["gold.conllu"],
    "SYSTEM...": ["a.conllu", "b.conllu"],
    "A": ["a.conllu"],
    "B": ["b.conllu"],
    "FILE": ["gold.conllu"],
    "ID": ["2"],
    "TREEBANK": ["gold.conllu"],
    "RUN": ["runs/grid"],
}
"""What stands for the words in capitals."""
SET_UP = {
    "challenge.md": [
        "treegauge challenge init demo --template pascal --treebanks toy:svo "
        "--open-now dependencies --quiet",
        "treegauge challenge pack demo -o packs --quiet",
    ],
    "formats.md": ["treegauge convert gold.conllu train.conllx --quiet"],
    "reports.md": [
        "treegauge init grid.toml --treebanks toy:svo --systems left-branching --quiet",
        "treegauge run grid.toml --quiet",
    ],
}
"""What a page takes to be there already."""


def shown_in_blocks(page: Path) -> list[str]:
    """Return commands in blocks that `test_documents.py` does not run."""
    text = page.read_text(encoding="utf-8")
    fenced = [body for kind, body in FENCE.findall(text) if kind not in ("console", "python")]
    plain = [*fenced, *INDENTED.findall(FENCE.sub("\n", text))]
    lines = [line.strip() for block in plain for line in block.replace("\\\n", " ").splitlines()]
    commands = [re.split(r"\s+# ", line)[0].strip() for line in lines]
    return [command for command in commands if command.startswith("treegauge ")]


def shown_in_prose(page: Path) -> list[str]:
    """Return commands in prose; where one is cut short, it is no command."""
    text = FENCE.sub("\n", page.read_text(encoding="utf-8"))
    commands = [" ".join(command.split()) for command in INLINE.findall(text)]
    return [command for command in commands if "…" not in command]


def reason_not_to_run(command: str) -> str | None:
    """Return why a command is not run here, if it is not."""
    reasons = [why for pattern, why in NOT_RUN.items() if re.fullmatch(pattern, command)]
    return reasons[0] if reasons else None


def complaint_about(command: str) -> str:
    """Return what the program's own parser says against a command; it runs nothing."""
    words = shlex.split(command)[1:]
    current: Any = typer.main.get_command(app)
    while words and hasattr(current, "list_commands") and not words[0].startswith("-"):
        if words[0].isupper() or words[0] == "...":  # any verb
            return ""
        if words[0] not in current.list_commands(None):
            return f"there is no verb {words[0]}"
        current, words = current.get_command(None, words[0]), words[1:]
    options = {name: one for one in current.params for name in (*one.opts, *one.secondary_opts)}
    # Prose may name an option alone, without its value.
    if words and words[-1] in options and not options[words[-1]].is_flag:
        words.append("VALUE")
    parser = current.make_parser(current.context_class(current))
    try:
        parser.parse_args(args=words)
    except Exception as error:  # its class belongs to the Click inside Typer
        return str(getattr(error, "message", error))
    return ""


SHOWN = [(page, command) for page in PAGES for command in shown_in_blocks(page)]
TO_RUN = sorted({page for page, command in SHOWN if reason_not_to_run(command) is None})


def test_every_command_on_a_page_can_be_typed():
    misprints = {"treegauge evaluat", "treegauge list metric"}  # pages show what is said of these
    complaints = [
        f"{page.name}: {command}: {complaint}"
        for page in PAGES
        for command in (*shown_in_blocks(page), *shown_in_prose(page))
        if command not in misprints and (complaint := complaint_about(command))
    ]
    assert complaints == []


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("treegauge evaluate GOLD SYSTEM... -m uas", ""),
        ("treegauge challenge team add blue --folder demo", ""),
        ("treegauge evaluat GOLD", "no verb evaluat"),
        ("treegauge evaluate GOLD --metrix uas", "--metrix"),
    ],
)
def test_the_parser_tells_right_from_wrong(command, complaint):
    assert complaint in complaint_about(command)
    assert bool(complaint) == bool(complaint_about(command))


def test_what_is_not_run_is_on_a_page():
    for pattern in NOT_RUN:
        assert any(re.fullmatch(pattern, command) for _, command in SHOWN), pattern
    assert len(TO_RUN) > 7  # or nothing is run at all


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that pages take to be there."""
    gold = tg.toy_treebank("toy:svo", part="test", tokens=2000)
    trees = {"a": "left-branching", "b": "right-branching", "parsed": "left-branching"}
    for name in ("gold", "test", "en"):
        tg.write(gold, tmp_path / f"{name}.conllu")
    train = tg.toy_treebank("toy:svo", part="train", tokens=2000)
    tg.write(train, tmp_path / "train.conllu")
    for name, system in trees.items():
        tg.write(tg.induce(system, gold).treebank, tmp_path / f"{name}.conllu")
    answers = (tmp_path / "gold.conllu").read_text("utf-8")
    (tmp_path / "answers.txt").write_text(f"Here you are:\n```\n{answers}```\n", "utf-8")
    (tmp_path / "answers.jsonl").write_text('{"id": "toy-svo-test-1", "answer": "?"}\n', "utf-8")
    tags = {
        line.split("\t")[4]: line.split("\t")[3] for line in answers.splitlines() if "\t" in line
    }
    (tmp_path / "sv-talbanken.map").write_text("".join(f"{a}\t{b}\n" for a, b in tags.items()))
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("page", TO_RUN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_shown_commands_end_well(page, folder):
    shown = [command for command in shown_in_blocks(page) if reason_not_to_run(command) is None]
    for command in (*SET_UP.get(page.name, ()), *shown):
        words = [part for word in shlex.split(command)[1:] for part in WORDS.get(word, [word])]
        with cells_in_process():
            result = run_in_process(words, folder=folder)
        assert result.returncode == 0, f"$ {command}\n{result.stdout}{result.stderr}"
