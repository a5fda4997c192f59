"""`python -m neural CODES WEIGHTS`: learn from codes where treegauge is not installed.

It needs this folder, PyTorch and NumPy. After every epoch the state is kept beside the weights;
the same command continues the run.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import torch

from .archive import ArchiveError, fingerprint, read_archive, write_archive
from .biaffine_learning import learnt_network
from .checkpoint import UnusableStateError

_SYSTEM = "biaffine"


def main():
    """Learn, and write the weights."""
    parser = argparse.ArgumentParser(prog="neural", description="Learn from codes of treegauge.")
    parser.add_argument("codes", help="what `treegauge train biaffine --codes` wrote")
    parser.add_argument("weights", help="where the weights go")
    parser.add_argument("--device", default="", help="cpu, cuda; a GPU if there is one")
    parser.add_argument("--threads", type=int, default=0, help="threads on the CPU")
    options = parser.parse_args()
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if options.threads:
        torch.set_num_threads(options.threads)
    try:
        _learn(options.codes, options.weights, device)
    except torch.OutOfMemoryError:
        sys.exit("the memory of the GPU is full\n  write codes with a smaller batch, or size=small")
    except (ArchiveError, UnusableStateError) as error:
        sys.exit(str(error))


def _learn(codes_path, weights_path, device):
    arrays, about = read_archive(codes_path)
    if about.get("system") != _SYSTEM or "learning" not in about.get("facts", {}):
        raise ArchiveError(f"{codes_path}: these are no codes of {_SYSTEM}")
    facts, seed = about["facts"], about["seed"]
    owner = {**about, "facts": {"codes": fingerprint(arrays, facts)}}
    partial = Path(f"{weights_path}.partial")
    begin = time.perf_counter()

    def keep(state, state_facts):
        kept_facts = {**owner["facts"], "state": state_facts}
        write_archive(partial, state, {**owner, "facts": kept_facts})

    torch.manual_seed(seed)
    network = learnt_network(
        arrays,
        facts,
        seed=seed,
        device=device,
        on_progress=lambda _share, line: _say(f"{line} ({time.perf_counter() - begin:.0f} s)"),
        kept=_kept(partial, owner),
        keep=keep,
    )
    weights = {
        f"network.{name}": tensor.detach().cpu().numpy()
        for name, tensor in network.state_dict().items()
    }
    costs = {"device": _name(device), "seconds": time.perf_counter() - begin}
    write_archive(weights_path, weights, {**owner, "facts": {**owner["facts"], **costs}})
    partial.unlink()
    _say(f"wrote {weights_path}: {costs['seconds']:.0f} s on {costs['device']}")


def _kept(path, owner):
    """Return the state that an interrupted command kept of the same codes, or none."""
    if not path.exists():
        return None
    state, about = read_archive(path)
    if about["facts"].get("codes") != owner["facts"]["codes"]:
        _say(f"{path} is of other codes: the work starts anew")
        return None
    _say(f"resuming from {path}")
    return state, about["facts"]["state"]


def _say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _name(device):
    return torch.cuda.get_device_name(device) if device.startswith("cuda") else device


if __name__ == "__main__":
    main()
