"""Which heavy modules a verb may import: each costs everybody who calls it a share of a second."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest
import typer

import treegauge as tg
from tests.in_process import cells_in_process, run_in_process
from treegauge.cli.configuration import verbs_of
from treegauge.cli.main import app

HEAVY = (
    *("numba", "polars", "jinja2", "altair", "dask", "torch", "pydantic"),
    *("sqlalchemy", "starlette", "uvicorn", "argon2"),
)
"""Packages that take long to import, or that not everybody has."""
PARTS_OF_SCIPY = (
    *("cluster", "constants", "fft", "integrate", "interpolate", "io", "linalg", "ndimage", "odr"),
    *("optimize", "signal", "sparse", "spatial", "special", "stats"),
)
"""The package alone is light, and numba imports it."""

NOTHING: set[str] = set()
KERNELS = {"numba"}

WORKING = {
    "evaluate gold.conllu gold.conllu": KERNELS,
    "evaluate gold.conllu gold.conllu --by relation": {*KERNELS, "scipy.sparse"},
    "evaluate gold.conllu gold.conllu -o out.html": {*KERNELS, "scipy.sparse", "jinja2"},
    "compare gold.conllu gold.conllu gold.conllu": KERNELS,
    "draw gold.conllu": KERNELS,
    "validate gold.conllu": KERNELS,
    "convert gold.conllu out.conllx": KERNELS,
    "describe gold.conllu --perplexity": KERNELS,
    "permute gold.conllu out.conllu --order random": KERNELS,
    "derive gold.conllu out.conllu": KERNELS,
    "predict-accuracy toy:svo": KERNELS,
    "induce right-branching gold.conllu -o out.conllu": KERNELS,
    "induce best gold.conllu -o out.conllu": {*KERNELS, "scipy.special"},
    "train most-frequent-tag gold.conllu -o out.model": KERNELS,
    "annotate tagger.model gold.conllu -o out.conllu": KERNELS,
    "export-prompt gold.conllu -o prompts.jsonl": KERNELS,
    "import-answers answers.jsonl -o out.conllu": KERNELS,
    "init first.toml --treebanks toy:svo --systems random": NOTHING,
    "run experiment.toml --dry-run": {*KERNELS, "polars"},
    "report runs/experiment": {"polars"},
    "dictionary from-treebank gold.conllu out.tsv": KERNELS,
    "dictionary score words.tsv gold.conllu": KERNELS,
    "dictionary rank words.tsv gold.conllu tagged.conllu": KERNELS,
    "dictionary curve words.tsv gold.conllu": KERNELS,
    "dictionary quality words.tsv words.tsv": NOTHING,
    "dictionary translate words.tsv words.tsv out.tsv": NOTHING,
    "dictionary import words.tsv out.tsv --kind tsv": NOTHING,
    "data list": NOTHING,
    "challenge init other --treebanks svo": KERNELS,
    "challenge pack demo -o packs": KERNELS,
    "challenge fill licensed/private-release.zip --source svo -o out.zip": KERNELS,
    "challenge check packs/demo-dependencies-test.zip packs/demo-dependencies-example.zip": KERNELS,
    "challenge score demo packs/demo-dependencies-example.zip": {
        *(*KERNELS, "polars", "scipy.sparse")
    },
    "challenge board demo -o site": {"jinja2"},
    "challenge archive demo -o kept --private": {"jinja2"},
    "challenge serve demo --check --port 0": {"sqlalchemy"},
    "challenge organiser add Olga --folder demo": {"sqlalchemy", "argon2"},
    "challenge team add blue --folder demo": {"sqlalchemy", "argon2"},
    "challenge team invite red --folder demo": {"sqlalchemy", "argon2"},
    "challenge backup demo -o demo.tar": {"sqlalchemy"},
    "challenge restore served.tar copy": {"sqlalchemy"},
    "challenge doctor demo": {"sqlalchemy"},
    "reproduce ned --published": {"polars", "scipy.special"},
}
"""What each verb may import when it works."""
NOT_RUN = {
    "demo": "it types the others",
    "warm-up": "it types the others, elsewhere",
    "data get": "it needs a network",
    "challenge worker": "it works until it is ended",
    "challenge join": "it needs a server",
    "challenge submit": "it needs a server",
    "list": "all of it is tested below",
}
LISTS = (
    *("formats", "findings", "metrics", "strata", "systems", "sets", "toys"),
    *("settings", "settings evaluate"),
)
MISUSES = (
    *("evaluat", "evaluate gold.conllu", "evaluate gold.conllu gold.conllu --metrik uas"),
    *("list metric", "train", "run", "reproduce", "reproduce ned --nothing", "dictionary score"),
)

CODE = """
import json, sys
from treegauge.cli.main import main
codes = []
for command in json.loads(sys.argv[1]):
    sys.argv = ["treegauge", *command]
    try:
        main()
    except SystemExit as end:
        codes.append(end.code or 0)
sys.stderr.write("\\n" + json.dumps([codes, sorted(sys.modules)]))
"""


def heavy_modules(folder, *commands: str, code: int = 0) -> set[str]:
    """Return the heavy modules that commands import, one behind the other in one process."""
    words = json.dumps([shlex.split(command) for command in commands])
    result = subprocess.run(
        [sys.executable, "-c", CODE, words], cwd=folder, capture_output=True, text=True
    )
    codes, modules = json.loads(result.stderr.splitlines()[-1])
    assert set(codes) == {code}, result.stderr
    return heavy_among(modules)


def heavy_among(modules: list[str]) -> set[str]:
    """Return the heavy ones of modules; `scipy.stats` stands for all that it imports."""
    scipy = {f"scipy.{part}" for part in PARTS_OF_SCIPY} & set(modules)
    return set(HEAVY) & set(modules) | ({"scipy.stats"} & scipy or scipy)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebanks")
    treebank = tg.toy_treebank("toy:svo", tokens=100)
    for name in ("gold", "tagged"):
        tg.write(treebank, folder / f"{name}.conllu")
    tg.make_system("most-frequent-tag").fit(treebank).save(folder / "tagger.model")
    (folder / "words.tsv").write_text("de\tDET\n")
    (folder / "answers.jsonl").write_text('{"id": "s1", "words": ["de"], "answer": "1\\tde"}\n')
    (folder / "experiment.toml").write_text(
        'treebanks = ["toy:svo"]\ntracks = ["dependencies"]\n[[systems]]\nsystem = "random"\n'
    )
    with cells_in_process():
        run_in_process(["run", "experiment.toml"], folder=folder)
    write_challenges(folder)
    return folder


def write_challenges(folder) -> None:
    """Write two challenges and their packs; one of them may not give its words out."""
    (folder / "svo").mkdir()
    for part in ("train", "dev", "test"):
        tg.write(tg.toy_treebank("toy:svo", tokens=100, part=part), folder / f"svo/{part}.conllu")
    for name, packs in (("demo", "packs"), ("private", "licensed")):
        commands = f"challenge init {name} --treebanks svo", f"challenge pack {name} -o {packs}"
        assert not run_in_process(commands[0].split(), folder=folder).returncode
        about = folder / name / "challenge.toml"
        if name == "private":
            about.write_text(
                about.read_text().replace("redistribute = true", "redistribute = false")
            )
        assert not run_in_process(commands[1].split(), folder=folder).returncode
    for command in ("team add red --folder demo", "backup demo -o served.tar"):
        assert not run_in_process(f"challenge {command}".split(), folder=folder).returncode


def all_verbs() -> list[str]:
    """Return every verb, as it is typed."""
    return [" ".join(path) for path, _ in verbs_of(typer.main.get_command(app))]


@pytest.mark.parametrize("command", WORKING)
def test_a_verb_imports_no_heavy_module_that_it_can_do_without(folder, command):
    assert heavy_modules(folder, command) == WORKING[command]


def test_every_verb_is_tested():
    papers = {verb for verb in all_verbs() if verb.startswith("reproduce ")}
    tested = {verb for verb in all_verbs() if any(c.startswith(f"{verb} ") for c in WORKING)}
    tested |= {verb for verb in all_verbs() if verb in WORKING}
    assert set(all_verbs()) - papers == tested - papers | set(NOT_RUN)
    assert papers & tested


def test_help_imports_nothing_heavy(folder):
    pages = [f"{verb} --help".strip() for verb in ("", "reproduce", *all_verbs())]
    assert heavy_modules(folder, *pages) == NOTHING


def test_lists_import_nothing_heavy(folder):
    assert heavy_modules(folder, *(f"list {topic}" for topic in LISTS)) == NOTHING


def test_misuse_imports_nothing_heavy(folder):
    assert heavy_modules(folder, *MISUSES, code=2) == NOTHING


def test_reading_a_file_needs_neither_scipy_nor_polars_nor_typer(folder):
    code = "import sys, treegauge; treegauge.read('gold.conllu'); print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True
    )
    modules = result.stdout.split()
    assert not {"typer", "rich"} & set(modules)
    assert heavy_among(modules) == KERNELS  # or this test reads nothing


def test_the_package_alone_imports_no_numpy():
    code = "import sys, treegauge; print('numpy' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "False\n"
