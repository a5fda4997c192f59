"""What neural systems promise about a GPU; skipped where there is none."""

from __future__ import annotations

import pytest

from treegauge.systems import SystemsError, make_system
from treegauge.toys import toy_treebank

pytestmark = pytest.mark.neural

SYSTEMS = {
    "biaffine": {"epochs": 2, "hidden": 20},
    "bilstm": {"epochs": 1},
    "mmi": {"epochs": 1, "classes": 5},
    "neural-dmv": {"epochs": 2},
}


@pytest.fixture(autouse=True)
def gpu():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("there is no GPU")
    return torch.cuda


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_same_seed_gives_the_same_model_on_a_gpu(name, tmp_path):
    text = toy_treebank("toy:svo", tokens=900, seed=1)
    models = []
    for number in range(2):
        path = tmp_path / str(number)
        make_system(name, {**SYSTEMS[name], "device": "cuda"}, seed=3).fit(text).save(path)
        models.append(path.read_bytes())
    assert models[0] == models[1]


def test_the_end_of_the_memory_of_a_gpu_is_one_sentence(gpu):
    text = toy_treebank("toy:svo", tokens=900, seed=1)
    parser = make_system("biaffine", {"hidden": 4000, "layers": 4, "device": "cuda"})
    gpu.set_per_process_memory_fraction(0.001)
    try:
        with pytest.raises(SystemsError, match="the memory of the GPU is full"):
            parser.fit(text)
    finally:
        gpu.set_per_process_memory_fraction(1.0)
