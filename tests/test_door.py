"""The one door for files of users: no module opens them by itself, and no reader breaks on them.

`formats/sources.py` opens files, decompresses them, counts their bytes and recognises what is no
text; `formats/texts.py` makes text of them.
"""

from __future__ import annotations

import ast
import gzip
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import treegauge
from treegauge.catalogue import read_sets
from treegauge.catalogue.manifest import read_manifest
from treegauge.cli.configuration import read_configuration
from treegauge.dictionaries import import_dictionary, read_dictionary, read_word_list
from treegauge.dictionaries.language_rankings import read_records
from treegauge.errors import TreegaugeError
from treegauge.evaluation.accuracy_prediction import read_rows
from treegauge.formats import read, read_brackets, read_tag_map
from treegauge.properties.language_model.arpa_reading import read_arpa
from treegauge.runs.experiment_file import read_experiment
from treegauge.systems.dependency_induction.universal_weights import read_weights
from treegauge.systems.taggers.word_classes import read_word_classes
from treegauge.systems.word_alignment import read_bitext

SOURCE = Path(treegauge.__file__).parent

DOOR = "formats/sources.py"
EXCEPTIONS = {
    "catalogue/catalogue.py": "opens treebanks, with formats.read",
    "catalogue/languages.py": "package data",
    "catalogue/downloading.py": "writes what is downloaded",
    "catalogue/checksums.py": "adds up archives that we downloaded, and reads our records of them",
    "challenge_server/blobs.py": "files that we keep under their sums, to add them up",
    "challenge_server/backup.py": "files of a challenge's folder, which are kept as they are",
    "challenge_server/doctor.py": "settings of Git, of which one word is looked for",
    "challenge_server/file_systems.py": "/proc",
    "challenge_server/page_writing.py": "package data",
    "challenge_server/token_files.py": "makes a file for a token; reads it through the door",
    "challenge_server/restore.py": "backups that we wrote, name by name and with their sums",
    "challenges/packs.py": "files of packs and submissions, bounded; text is made by the door",
    "challenges/archive.py": "files of a challenge's folder, which are kept as they are",
    "challenges/reading_process.py": "a file without a name that we have just written",
    "challenges/scorer.py": "our own source code",
    "challenges/site.py": "pages that we have just written",
    "challenges/verification.py": "files of an archive, whose bytes are added up",
    "challenges/zip_reading.py": "zips, which it checks itself, member by member",
    "catalogue/unpacking.py": "unpacks archives that we downloaded, with the door's limits",
    "evaluation/accuracy_prediction.py": "package data",
    "papers/paper.py": "package data",
    "papers/pascal/measure.py": "package data",
    "results/published.py": "package data",
    "shards/numbering.py": "files of numbers that the first pass wrote",
    "shards/windows.py": "files of counts that the second pass wrote",
    "systems/adapters/adapter.py": "adds up the bytes of a tool's model",
    "systems/adapters/udpipe_model.py": "a model of UDPipe, which a process of its own reads",
    "systems/dependency_induction/universal_weights.py": "package data, or read_text",
    "systems/expected_accuracy.py": "package data",
    "systems/registry.py": "package data",
    "systems/model_file.py": "models, which it checks itself before an array is made",
    "systems/neural/archive.py": "codes that treegauge wrote, where it is not installed",
    "systems/native_reader.py": "a model that we have just written, in a process of its own",
    "systems/partial_work.py": "a piece that we have just written",
    "systems/process_family.py": "/proc",
    "temporaries.py": "/proc, and files that are being written",
    "toys/names.py": "package data",
    "cli/demo.py": "files that the demo has just written",
    "cli/main.py": "writes to nowhere",
    "cli/warm_up_worker.py": "its own standard streams",
    "reports/pages/run_page.py": "the experiment in a run's folder, which we wrote",
    "runs/run_folder.py": "what we keep of a run",
    "results/long_table.py": "tables of scores that we wrote",
    "runs/job.py": "models that we have just saved, and /proc",
    "runs/scoring.py": "our own source code",
    "systems/code_version.py": "our own source code",
    "systems/external.py": "what an external program has just written, bounded there",
    "systems/udpipe_trainer.py": "a program of its own that learns from what we have just written",
    "systems/taggers/crf.py": "a model that the library has just written",
}
"""Modules that read files which no user gave us, and which files."""

_OPENERS = {
    "open",
    "read_text",
    "read_bytes",
    "fdopen",
    "GzipFile",
    "LZMAFile",
    "BZ2File",
    "ZipFile",
    "read_csv",
    "read_parquet",
    "scan_csv",
    "loadtxt",
    "genfromtxt",
    "fromfile",
    "memmap",
}


def opened_files(source: str) -> Iterator[int]:
    """Give the lines on which a module opens a file to read it."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        on_module = isinstance(getattr(function, "value", None), ast.Name) and function.value.id
        is_load = name == "load" and on_module in ("np", "numpy", "tomllib", "json", "pickle")
        is_door = name == "read_text" and isinstance(function, ast.Name)
        is_other = is_door or _is_writing(node) or _is_no_file(function)
        if is_load or (name in _OPENERS and not is_other):
            yield node.lineno


def _is_writing(call: ast.Call) -> bool:
    arguments = [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]
    modes = [a.value for a in arguments if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return any(mode[:1] in "wax" and len(mode) <= 3 for mode in modes if mode)


def _is_no_file(function: ast.expr) -> bool:
    """Return whether what is opened is a name of the catalogue, or a server's database."""
    owner = getattr(function, "value", None)
    name = getattr(owner, "attr", getattr(owner, "id", ""))
    return getattr(function, "attr", "") == "open" and name in ("catalogue", "Database")


def test_a_module_opened_a_file_past_the_door() -> None:
    opening = {
        path.relative_to(SOURCE).as_posix(): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if (lines := list(opened_files(path.read_text(encoding="utf-8"))))
    }
    assert DOOR in opening  # or this test tests nothing
    past = {path: lines for path, lines in opening.items() if path not in {DOOR, *EXCEPTIONS}}
    assert past == {}, "read files of users with formats.read, read_text or byte_chunks"


@pytest.mark.parametrize(
    "source",
    [
        "open(path)",
        "path.open()",
        "path.open('rb')",
        "Path(path).read_text(encoding='utf-8')",
        "gzip.open(path)",
        "lzma.LZMAFile(path)",
        "np.load(path)",
        "tomllib.load(file)",
        "pl.read_csv(path)",
        "os.fdopen(number, 'rb')",
    ],
)
def test_what_opens_a_file_is_seen(source: str) -> None:
    assert list(opened_files(source)) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "path.open('wb')",
        "open(path, mode='w')",
        "read_text(path)",
        "self.catalogue.open(text)",
        "Database.open(folder)",
    ],
)
def test_what_opens_no_file_of_a_user_is_allowed(source: str) -> None:
    assert list(opened_files(source)) == []


# ---------------------------------------------------------------------- every reader

READERS: dict[str, Callable[[Path], Any]] = {
    "treebank": read,
    "plain text": lambda path: read(path, format="tokens"),
    "brackets": read_brackets,
    "language model": read_arpa,
    "dictionary": read_dictionary,
    "word list": read_word_list,
    "wiktextract": lambda path: import_dictionary(path, "wiktextract"),
    "freedict": lambda path: import_dictionary(path, "freedict"),
    "records": lambda path: read_records(str(path)),
    "tag map": read_tag_map,
    "sets": read_sets,
    "manifest": read_manifest,
    "experiment": read_experiment,
    "settings": read_configuration,
    "word classes": read_word_classes,
    "accuracies": read_rows,
    "weights of tags": read_weights,
    "bitext": lambda path: read_bitext(str(path)),
}

COMPRESSED = {".gz": gzip.compress, ".xz": lzma.compress}
TEXT = b"a b c\n" * 1000


@pytest.fixture(params=READERS)
def message(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., str]:
    """Give a function that returns what a reader says of a file of these bytes."""

    def read_it(content: bytes, ending: str = ".txt") -> str:
        path = tmp_path / f"file{ending}"
        path.write_bytes(content)
        with pytest.raises(TreegaugeError) as caught:
            READERS[request.param](path)
        assert str(caught.value).startswith(str(path))
        return str(caught.value).removeprefix(str(path))

    return read_it


@pytest.mark.parametrize("ending", COMPRESSED)
def test_a_damaged_compressed_file_was_a_traceback(message, ending: str) -> None:
    packed = COMPRESSED[ending](TEXT)
    middle = len(packed) // 2
    flipped = bytes([*packed[:middle], packed[middle] ^ 0xFF, *packed[middle + 1 :]])
    assert "end of the compressed data" in message(packed[:-12], ending)
    assert "[compression] expected compressed data" in message(flipped, ending)
    assert "[compression] expected compressed data" in message(TEXT, ending)


def test_files_that_are_no_text_are_named(message) -> None:
    assert message(b"%PDF-1.7\n").startswith(": this is a PDF file, not ")
    assert message(bytes(10_000)).startswith(": this is a binary file, not ")
    assert "`iconv -f UTF-16 -t UTF-8`" in message(TEXT.decode().encode("utf-16"))


@pytest.mark.parametrize("ending", ["", *COMPRESSED])
def test_a_file_of_any_size_was_read(message, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREEGAUGE_MAX_BYTES", "5KB")
    content = COMPRESSED.get(ending, bytes)(TEXT)
    assert "[size] expected at most 5 KB after decompression" in message(content, ending)
