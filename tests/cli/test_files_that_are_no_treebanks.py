"""Every verb that reads treebanks, with files that are none."""

from __future__ import annotations

import gzip

import pytest

from tests.cli.conftest import BIRDS

VERBS = {
    "evaluate gold": "evaluate FILE birds.conllu",
    "evaluate system": "evaluate birds.conllu FILE",
    "compare": "compare birds.conllu birds.conllu FILE",
    "describe": "describe FILE",
    "convert": "convert FILE out.conllx",
    "draw": "draw FILE",
    "induce": "induce right-branching FILE -o out.conllu",
    "train": "train most-frequent-tag FILE -o out.model",
    "annotate": "annotate tagger.model FILE -o out.conllu",
    "permute": "permute FILE out.conllu --order optdl",
    "derive": "derive FILE out.txt",
    "predict-accuracy": "predict-accuracy FILE",
    "validate": "validate FILE",
    "from-treebank": "dictionary from-treebank FILE out.tsv",
}

every_verb = pytest.mark.parametrize("command", VERBS.values(), ids=VERBS)
every_way_in = pytest.mark.parametrize(
    "command", [VERBS["evaluate gold"], VERBS["evaluate system"], VERBS["describe"]]
)


@pytest.fixture
def outcome(run, birds, tmp_path):
    """Give a function that returns what a verb says of a file of these bytes."""

    def run_on(command: str, name: str, content: bytes, *options: str) -> str:
        (tmp_path / name).write_bytes(content)
        if "tagger.model" in command:
            run("train", "most-frequent-tag", "birds.conllu", "-o", "tagger.model")
        done = run(*command.replace("FILE", name).split(), *options)
        said = done.stdout + done.stderr
        assert done.returncode == 1, said
        assert "Traceback" not in said
        assert name in said
        assert not list(tmp_path.glob("out.*"))
        return said

    return run_on


@every_verb
def test_an_empty_file_passed_for_a_treebank(command, outcome):
    said = outcome(command, "empty.conllu", b"")
    assert "empty.conllu: [empty-file] expected at least one sentence, found none" in said


@every_way_in
def test_a_nul_byte_passed_for_a_character(command, outcome):
    said = outcome(command, "nul.conllu", BIRDS.replace("sing\t", "si\0ng\t").encode())
    assert "nul.conllu:4: [nul-byte] expected text, found a NUL byte" in said


@every_way_in
def test_utf_16_was_taken_for_latin_1(command, outcome):
    said = outcome(command, "wide.conllu", BIRDS.encode("utf-16"))
    assert "[encoding] expected UTF-8, found UTF-16\n" in said
    assert "iconv -f UTF-16 -t UTF-8" in said


@every_way_in
def test_a_pdf_file_was_not_recognised(command, outcome):
    said = outcome(command, "paper.pdf", b"%PDF-1.7\n%\xc3\xa4\n1 0 obj\n")
    assert "paper.pdf: this is a PDF file, not a treebank\n" in said


@every_verb
def test_a_small_file_decompressed_into_a_huge_one(command, outcome):
    said = outcome(command, "bomb.conllu", gzip.compress(b"\n" * 3_000_000), "--max-bytes", "2MB")
    assert "[size] expected at most 2 MB after decompression, found more" in said
    assert "--max-bytes SIZE" in said


def test_a_limit_can_be_raised_and_must_be_a_size(run, birds):
    assert run("validate", "birds.conllu", "--max-bytes", "100").returncode == 1
    assert run("validate", "birds.conllu", TREEGAUGE_MAX_BYTES="100").returncode == 1
    raised = run("validate", "birds.conllu", "--max-bytes", "1KB", TREEGAUGE_MAX_BYTES="100")
    assert raised.returncode == 0
    misspelt = run("validate", "birds.conllu", "--max-bytes", "much")
    assert misspelt.returncode == 2
    assert "expected a size above 0, such as 4GB or 500MB, found 'much'" in misspelt.stderr
    in_environment = run("validate", "birds.conllu", TREEGAUGE_MAX_BYTES="much")
    assert in_environment.returncode == 1
    assert in_environment.stderr.startswith("TREEGAUGE_MAX_BYTES: expected a size")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_an_end_filled_the_memory(device, run):
    done = run("validate", device)
    assert done.returncode == 1
    assert f"{device}: [unreadable] expected a treebank, found a binary file" in done.stdout


def test_a_folder_of_too_many_files_was_walked_to_its_end(run, birds, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / "many" / folder).mkdir(parents=True)
        for number in range(4):
            (tmp_path / "many" / folder / f"{number}.conllu").write_text(BIRDS)
    refused = run("validate", "many", "--max-files", "9")
    assert refused.returncode == 1
    assert "found there are more than 9 files in it" in refused.stdout
    assert "--max-files N" in refused.stdout
    assert run("validate", "many", "--max-files", "10").returncode == 0
    assert run("describe", "many", TREEGAUGE_MAX_FILES="9").returncode == 1
