from __future__ import annotations

import json
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.cli.conftest import BIRDS


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "data" / "xx_birds"
    home.mkdir(parents=True)
    for part in ("train", "test"):
        (home / f"{part}.conllu").write_text(BIRDS, encoding="utf-8")
    return tmp_path / "data"


def test_list_shows_what_is_found(run, folder):
    document = json.loads(run("data", "list", "--data", "data", "--json").stdout)
    (found,) = document["treebanks"]
    assert (found["name"], sorted(found["parts"])) == ("xx_birds", ["test", "train"])
    assert "xx_birds" in run("data", "list", TREEGAUGE_DATA=str(folder)).stdout


def test_list_without_a_folder_says_how_to_name_one(run, tmp_path):
    result = run("data", "list", TREEGAUGE_DATA="", XDG_DATA_HOME=str(tmp_path / "none"))
    assert result.returncode == 0
    assert "--data" in result.stderr


def test_names_work_wherever_a_treebank_is_expected(run, folder):
    assert "3 words" in run("validate", "xx_birds", "--data", "data").stdout
    assert run("convert", "xx_birds:train", "-", "--data", "data").stdout == BIRDS
    assert "xx_birds train" in run("describe", "xx_birds", "--data", "data").stdout
    assert run("convert", "toy:svo:dev", "toy.conllu").returncode == 0
    shown = run("validate", "--strict", "toy:svo").stdout.splitlines()
    assert [line.partition(": valid")[0] for line in shown[:-1]] == [
        "toy:svo:train",
        "toy:svo:dev",
        "toy:svo:test",
    ]


@pytest.fixture
def mirror(tmp_path):
    """A local server with the archive of a release of one treebank."""
    home = tmp_path / "release" / "ud-treebanks-v2.16" / "UD_Birdish-Song"
    home.mkdir(parents=True)
    (home / "bi_song-ud-test.conllu").write_text(BIRDS, encoding="utf-8")
    served = tmp_path / "served"
    served.mkdir()
    with tarfile.open(served / "ud.tgz", "w:gz") as archive:
        archive.add(home.parent, arcname=home.parent.name)

    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(served)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/ud.tgz"
    server.shutdown()
    server.server_close()


def test_get_downloads_and_unpacks(run, mirror, tmp_path):
    arguments = ("data", "get", "--release", "2.99", "--into", "mine", "--address", mirror)
    result = run(*arguments, "bi_song")
    assert result.returncode == 0, result.stderr
    assert "UD_Birdish-Song" in result.stderr
    assert "no checksum is known for it; its SHA-256 is recorded" in result.stderr
    assert "3 words" in run("validate", "bi_song", "--data", "mine").stdout
    unknown = run(*arguments, "bi_sing")
    assert unknown.returncode == 1
    assert "bi_song" in unknown.stderr


def test_fingerprints_tell_files_apart(run, folder):
    (folder / "xx_birds" / "test.conllu").write_text(BIRDS * 2, encoding="utf-8")
    arguments = ("data", "list", "--data", "data", "--fingerprints", "--json")
    train, test = json.loads(run(*arguments).stdout)["parts"]
    assert (train["part"], train["tokens"], test["tokens"]) == ("train", 3, 6)
    assert train["fingerprint"] != test["fingerprint"]
