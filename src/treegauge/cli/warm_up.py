"""`treegauge warm-up`: kernels compiled ahead, for containers and clusters."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_verbs_and_systems
from treegauge.cli.console import prints_summary
from treegauge.errors import TreegaugeError
from treegauge.wording import counted

if TYPE_CHECKING:
    from treegauge.cli.compiling_ahead import Compiled
    from treegauge.cli.first_calls import Piece


@prints_summary
def warm_up_cli(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND...",
            autocompletion=offer_verbs_and_systems,
            help="Commands, such as evaluate, and systems, such as dmv. Default: all.",
        ),
    ] = None,
) -> dict[str, Any]:
    """Compile the code of commands and systems ahead of time, in parallel, and keep it on disk.

    Without this, code is compiled when it is first used, once per machine. An interrupted warm-up
    keeps what it has compiled. `TREEGAUGE_THREADS` sets the number of processes, and
    `NUMBA_CACHE_DIR` the folder of the compiled code.

    Example: `treegauge warm-up evaluate describe dmv`
    """
    from treegauge.cli.first_calls import pieces_for
    from treegauge.kernel_cache import cache_folder

    pieces = pieces_for(names or ())
    folder = cache_folder()
    if folder is None:
        raise TreegaugeError(
            "compiled code cannot be stored: neither treegauge's own folder nor your cache "
            "is writable\n"
            "  set NUMBA_CACHE_DIR to a writable folder"
        )
    begin = time.monotonic()
    done: list[Compiled] = []
    try:
        _compile(pieces, done)
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C, and the signals of a scheduler
        console.say(f"interrupted; what is compiled is kept {_place(folder)}")
        raise
    seconds = time.monotonic() - begin
    n_kernels = sum(len(piece.kernels) for piece in done)
    compiled = f"{counted(n_kernels, 'kernel')} compiled in {seconds:.0f} s"
    said = compiled if n_kernels else "everything was compiled already"
    console.say(f"{said}; it is kept {_place(folder)}", style="bold")
    failures = [f"{piece.name}: {piece.failure}" for piece in done if piece.failure]
    if failures:
        raise TreegaugeError("\n".join(failures))
    return {
        "folder": str(folder),
        "kernels": n_kernels,
        "seconds": round(seconds, 1),
        "compiled": {piece.name: piece.kernels for piece in done},
        "left_out": {piece.name: piece.missing for piece in done if piece.missing},
    }


def _compile(pieces: Sequence[Piece], done: list[Compiled]) -> None:
    """Compile, add to what is done, and show how it goes."""
    from treegauge.cli.compiling_ahead import compile_ahead
    from treegauge.kernels import threads

    n_kernels = 0
    with console.progress("compiling") as advance:

        def show(piece: str, kernel: str) -> None:
            nonlocal n_kernels
            n_kernels += 1
            name = kernel.rpartition(".")[2]
            advance(len(done) / len(pieces), f"{name} for {piece}; {n_kernels} so far")

        processes = min(threads(), len(pieces))
        for piece in compile_ahead(pieces, processes=processes, on_kernel=show):
            done.append(piece)
            advance(len(done) / len(pieces))
            if piece.missing:
                console.say(f"{piece.name}: left out: {piece.missing}", style="yellow")
            elif not (sys.stderr.isatty() or piece.failure):
                n_new = counted(len(piece.kernels), "kernel")
                new = f"{n_new}, {piece.seconds:.1f} s" if piece.kernels else "all there"
                console.say(f"{piece.name}: {new}")


def _place(folder: Path) -> str:
    """Return where machine code is kept, as a sentence has it."""
    if folder == Path(__file__).parents[1]:
        return f"in {folder}, in its folders __pycache__"
    return f"in {folder}"
