"""What strangers put into models: every system refuses it in a sentence, or annotates."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.attack.models import attacked_systems, attacked_text, mutants, trained_model, try_model
from treegauge.systems import SystemsError, load_system

_NATIVE = ("crf", "udpipe", "udpipe-tagger")
"""Libraries that take their time."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("models")


def attack(name: str, folder: Path, *, seed: int, forged: int, damaged: int) -> list[str]:
    """Attack a system with its own model; return what became of every mutant."""
    path, text = trained_model(name, folder), attacked_text()
    answer = try_model(path, text)
    assert answer == "annotated" if name != "external" else "--allow-commands" in answer
    outcomes = []
    for mutant in mutants(path, seed=seed, forged=forged, damaged=damaged):
        target = folder / f"{name}.mutant"
        target.write_bytes(mutant.content)
        try:
            outcomes.append(try_model(target, text))
        except Exception as error:
            raise AssertionError(f"{name}: {mutant.change}: {error!r}") from error
    return outcomes


_TAKES_LONG = ("ccg", "higher-order-crf", "lndmv", "slndmv", "tsg-dmv")
"""What learns or parses for seconds; many hostile models attack these."""


@pytest.mark.parametrize(
    "name", [name for name in attacked_systems() if name not in (*_NATIVE, *_TAKES_LONG)]
)
def test_hostile_models_are_refused_or_harmless(name: str, folder: Path) -> None:
    outcomes = attack(name, folder, seed=0, forged=4, damaged=1)
    assert any(outcome != "annotated" for outcome in outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("name", attacked_systems())
def test_many_hostile_models_are_refused_or_harmless(name: str, folder: Path) -> None:
    outcomes = attack(name, folder, seed=1, forged=300, damaged=60)
    refusals = [outcome for outcome in outcomes if outcome.startswith("loading: ")]
    assert refusals
    assert all(f"{name}.mutant: " in refusal for refusal in refusals)


# ---------------------------------------------------------------------- sizes


def archive(about: dict[str, Any], name: str, content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        text = io.BytesIO()
        np.save(text, np.frombuffer(json.dumps(about).encode(), np.uint8))
        opened.writestr("about.npy", text.getvalue())
        opened.writestr(name, content)
    return target.getvalue()


ABOUT = {"schema": 1, "system": "random", "settings": {}, "seed": 0, "facts": {}}


def test_model_that_unpacks_to_more_than_is_allowed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(archive(ABOUT, "x.npy", bytes(5_000_000)))
    assert (tmp_path / "m").stat().st_size < 10_000
    with pytest.raises(
        SystemsError, match=r"m: this model takes 5,000,\d+ bytes when unpacked; at"
    ):
        load_system(tmp_path / "m", max_bytes=4_000_000)


def test_limit_of_the_command_line_holds_for_models_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m").write_bytes(archive(ABOUT, "x.npy", bytes(5_000_000)))
    monkeypatch.setenv("TREEGAUGE_MAX_BYTES", "4MB")
    with pytest.raises(SystemsError, match="at most 4,000,000 are read\n  if you trust it: --max-"):
        load_system(tmp_path / "m")


@pytest.mark.parametrize("shape", [(2**40,), (2**31, 2**31), (-2, -4), (3,)])
def test_array_that_says_it_is_larger_than_it_is_takes_no_memory(
    tmp_path: Path, shape: tuple[int, ...]
) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"shape": shape, "fortran_order": False, "descr": "<f8"}
    )
    (tmp_path / "m").write_bytes(archive(ABOUT, "x.npy", header.getvalue() + bytes(64)))
    with pytest.raises(SystemsError, match="m: this is no model that treegauge saved"):
        load_system(tmp_path / "m")


@pytest.mark.parametrize("name", ["x", "x.txt", "../x.npz"])
def test_archive_with_other_files_is_no_model(tmp_path: Path, name: str) -> None:
    (tmp_path / "m").write_bytes(archive(ABOUT, name, b"x"))
    with pytest.raises(SystemsError, match="m: this is no model that treegauge saved"):
        load_system(tmp_path / "m")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"settings": []}, "its settings is no table"),
        ({"seed": "x"}, "its seed is no whole number"),
        ({"seed": -1}, "its seed is negative"),
        ({"facts": None}, "its facts is no table"),
        ({"system": 1}, "its system is no text"),
        ({"facts": {"a": 1}}, "random learns nothing, and it holds something"),
    ],
)
def test_description_of_another_type_is_refused(tmp_path: Path, change, message: str) -> None:
    text = np.frombuffer(json.dumps(ABOUT | change).encode(), np.uint8)
    np.savez(tmp_path / "m.npz", about=text)
    with pytest.raises(SystemsError, match=rf"m.npz: this model is damaged: {message}"):
        load_system(tmp_path / "m.npz")
