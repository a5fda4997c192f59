"""The commands on pages that are not `treegauge`: make, pip, python, curl, servers, clusters.

Every one of them matches a line of `CHECKED`, which says how it is checked. What can run here runs.
Configurations are read by the programs that they are for, where these are installed. What needs a
cluster, or the right to change a machine, is only read.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import treegauge as tg
from tests.docs.test_documents import ROOT
from tests.docs.test_shown_commands import FENCE, INDENTED, PAGES as PAGES_OF_THE_PROGRAM

PAGES = [*PAGES_OF_THE_PROGRAM, *sorted((ROOT / "studies").glob("*.md"))]
PROGRAMS = (
    *("make", "pip", ".venv/bin/pip", "python", "python3", ".venv/bin/pre-commit", "git"),
    *("curl", "export", "RUN", "useradd", "systemctl", "nginx", "caddy"),
    *("dask", "sbatch", "srun", "kubectl", "docker"),
)
FIRST_WORD = "|".join(map(re.escape, PROGRAMS))
INLINE = re.compile(rf"`((?:{FIRST_WORD}) [^`]+)`")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CHALLENGE = (ROOT / "docs" / "challenge.md").read_text("utf-8")
PORT = 8000


def other_commands(page: Path) -> list[str]:
    """Return the commands of other programs on a page, in blocks and in prose."""
    text = page.read_text(encoding="utf-8")
    fenced = [body for kind, body in FENCE.findall(text) if kind not in ("console", "python")]
    prose = FENCE.sub("\n", text)
    plain = [*fenced, *INDENTED.findall(prose)]
    lines = [
        re.split(r"\s+# ", line)[0].strip()
        for block in plain
        for line in re.sub(r"\\\n\s*", "", block).splitlines()
    ]
    in_blocks = [line for line in lines if re.match(rf"(?:{FIRST_WORD}) ", line)]
    return [*in_blocks, *(" ".join(one.split()) for one in INLINE.findall(prose))]


# ---------------------------------------------------------------------- ways to check a command


def is_target(command: str) -> None:
    """The target of `make` is in the Makefile."""
    targets = re.findall(r"^([a-z-]+)(?: [a-z-]+)*:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert command.split()[1] in [*targets, "docs-serve"], command


def installs_an_extra(command: str) -> None:
    """`pip install` names this project, or extras that it has."""
    for extra in re.findall(r"treegauge\[([^\]]+)\]", command):
        assert set(extra.split(",")) <= set(PROJECT["optional-dependencies"]), command
    assert re.search(r"treegauge|\.", command), command


def is_module(command: str) -> None:
    """A module that Python runs is there, and knows the options."""
    module = command.split()[2]
    spec = importlib.util.find_spec(module)
    assert spec is not None, command
    assert spec.origin is not None
    package = Path(spec.origin)
    sources = package.parent.glob("*.py") if package.name == "__init__.py" else [package]
    source = "\n".join(path.read_text("utf-8") for path in sources)
    for option in re.findall(r" (--[a-z-]+)", command):
        assert f'"{option}"' in source, command


def is_option_of_dask(command: str) -> None:
    """The program of the extra `cluster` has the options of the page."""
    pytest.importorskip("distributed")
    words = command.rstrip(" &").split()
    program = ["-m", "distributed.cli.dask_" + words[1], "--help"]
    done = subprocess.run([sys.executable, *program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert all(word in done.stdout for word in words if word.startswith("--")), command


def is_run_by(test: str) -> Callable[[str], None]:
    """Another test runs the command."""

    def is_there(command: str) -> None:
        path, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), (command, test)

    return is_there


def is_only_read(command: str) -> None:
    """Nobody runs it here: it would change this machine, or needs a cluster."""


CHECKED: dict[str, Callable[[str], None]] = {
    r"make [a-z-]+( VERSION=x\.y\.z)?": is_target,
    r"pip install \.": is_run_by(
        "tests/packaging/test_wheel.py::test_a_wheel_brings_its_dependencies"
    ),
    r".*\bpip install [\"'](treegauge|\.)\[[a-z,]+\][\"']": installs_an_extra,
    r"RUN pip install treegauge && treegauge warm-up": installs_an_extra,
    r"python -m neural( .*)?": is_run_by(
        "tests/cli/test_learning_elsewhere.py::test_the_commands_of_the_page_of_parsers_work"
    ),
    r"python -m (tests|studies|benchmarks|releasing)\b.*": is_module,
    r"python -c 'import numpy, numba'": is_only_read,
    r"\.venv/bin/pre-commit install": is_run_by(
        "tests/test_repository_files.py::test_hooks_need_no_network"
    ),
    r"curl .*": is_run_by(
        "tests/cli/test_challenge_server.py::test_every_line_of_the_chapter_works_as_shown"
    ),
    r"dask (scheduler|worker) .*": is_option_of_dask,
    r"export NUMBA_CACHE_DIR=\S+": is_only_read,
    r"(useradd|systemctl enable --now) .*": is_only_read,
    r"kubectl apply": is_only_read,
}
"""How a command is checked, by its form."""

SHOWN = sorted({command for page in PAGES for command in other_commands(page)})


def ways_of(command: str) -> list[Callable[[str], None]]:
    return [way for form, way in CHECKED.items() if re.fullmatch(form, command)]


@pytest.mark.parametrize("command", SHOWN)
def test_a_command_is_checked_in_one_way(command):
    ways = ways_of(command)
    assert len(ways) == 1, f"{command}: {len(ways)} lines of CHECKED fit"
    ways[0](command)


def test_every_form_is_on_a_page():
    assert all(any(re.fullmatch(form, one) for one in SHOWN) for form in CHECKED)


@pytest.mark.parametrize(
    ("way", "command"),
    [
        (is_target, "make coffee"),
        (installs_an_extra, 'pip install "treegauge[tea]"'),
        (is_module, "python -m tests.attack --sugar"),
        (is_run_by("tests/docs/test_site.py::test_nothing"), "curl"),
    ],
)
def test_what_is_wrong_is_noticed(way, command):
    with pytest.raises(AssertionError):
        way(command)


# ---------------------------------------------------------------------- configurations


def has(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {program}")


def complaints_of(*command: str) -> str:
    """Return what a program says against a configuration."""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode or done.stderr else ""


@pytest.fixture
def units(tmp_path) -> list[Path]:
    """The units of the page; their program is one that is here."""
    texts = re.findall(r"^```ini\n(.*?)^```", CHALLENGE, re.MULTILINE | re.DOTALL)
    here = Path(sys.executable).with_name("treegauge")
    paths = [tmp_path / name for name in ("challenge.service", "challenge-worker@.service")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text.replace("/opt/challenge/bin/treegauge", str(here)), "utf-8")
    return paths


@has("systemd-analyze")
def test_systemd_accepts_the_units(units):
    assert complaints_of("systemd-analyze", "verify", *map(str, units)) == ""
    units[0].write_text(units[0].read_text().replace("Restart=", "Restrat="))
    assert "Restrat" in complaints_of("systemd-analyze", "verify", str(units[0]))


def proxy(beginning: str) -> str:
    """Return the indented configuration of a proxy that begins in this way."""
    blocks = map(textwrap.dedent, INDENTED.findall(CHALLENGE))
    return next(block for block in blocks if block.startswith(beginning))


def test_proxies_lead_to_the_port_of_the_server():
    for text in (proxy("server {"), proxy("challenge.example.org {")):
        assert text.count("{") == text.count("}") > 0
        assert f"127.0.0.1:{PORT}" in text
    assert tg_option("challenge serve", "--port") == PORT


def tg_option(path: str, name: str) -> object:
    """Return the default of an option."""
    import typer

    from treegauge.cli.main import app

    command = typer.main.get_command(app)
    for word in path.split():
        command = command.get_command(None, word)
    return next(one.default for one in command.params if name in one.opts)


@has("nginx")
def test_nginx_accepts_its_configuration(tmp_path):
    key = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x"]
    subprocess.run([*request, *key], check=True, capture_output=True)
    server = re.sub(r"/etc/letsencrypt/live/[^/]+", str(tmp_path), proxy("server {"))
    (tmp_path / "nginx.conf").write_text(f"events {{}}\nhttp {{\n{server}}}\n", "utf-8")
    done = subprocess.run(
        ["nginx", "-t", "-p", str(tmp_path), "-c", "nginx.conf"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@has("caddy")
def test_caddy_accepts_its_configuration(tmp_path):
    (tmp_path / "Caddyfile").write_text(proxy("challenge.example.org {"), "utf-8")
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", "Caddyfile"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


SLURM = ROOT / "tests" / "golden" / "clusters" / "slurm.sh"
"""The job script that `slurm_options` leads to; tests/unit/runs/test_recipes.py writes it."""


def test_bash_reads_the_job_script_of_slurm(tmp_path):
    assert complaints_of("bash", "-n", str(SLURM)) == ""
    (tmp_path / "broken.sh").write_text(SLURM.read_text() + "if\n")
    assert complaints_of("bash", "-n", str(tmp_path / "broken.sh"))


@has("sbatch")
def test_slurm_would_take_the_job_script():
    assert complaints_of("sbatch", "--test-only", str(SLURM)) == ""


# ---------------------------------------------------------------------- Python that needs a cluster

WITH_GAPS = re.compile(r"(?:^    .*\n(?:\n(?=    ))?)+", re.MULTILINE)


def indented_python(page: Path) -> list[str]:
    """Return the indented blocks of a page that are Python."""
    text = FENCE.sub("\n", page.read_text(encoding="utf-8"))
    blocks = [textwrap.dedent(block) for block in WITH_GAPS.findall(text)]
    return [block for block in blocks if re.search(r"^(from \S+ )?import ", block, re.MULTILINE)]


PYTHON = [(page, block) for page in PAGES for block in indented_python(page)]


def test_names_that_such_examples_import_are_there():
    names = 0
    for _, block in PYTHON:
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("treegauge"):
                module = importlib.import_module(str(node.module))
                assert all(hasattr(module, one.name) for one in node.names), block
                names += len(node.names)
    assert names > 3


@pytest.mark.slow
def test_examples_on_a_cluster_run(tmp_path, monkeypatch):
    """All but those that ask SLURM for a cluster."""
    pytest.importorskip("distributed")
    from tests.local_cluster import LocalCluster

    monkeypatch.chdir(tmp_path)
    for name in ("text", "scratch"):
        (tmp_path / name).mkdir()
    treebank = tg.toy_treebank("toy:svo", tokens=2000)
    for number in range(2):
        path = tmp_path / "text" / f"part-{number}.gz"
        tg.write(treebank[number::2], path, format="tokens")
    cluster = LocalCluster(tmp_path)
    names: dict[str, object] = {"treebank": treebank}
    try:
        for page, block in PYTHON:
            if "dask_jobqueue" in block:
                continue
            code = block.replace("tcp://host:8786", cluster.address)
            code = code.replace("/shared/scratch", str(tmp_path / "scratch"))
            exec(compile(code, str(page), "exec"), names)
    finally:
        cluster.end()
    assert names["model"].vocabulary  # type: ignore[attr-defined]
