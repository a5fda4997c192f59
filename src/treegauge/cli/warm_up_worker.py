"""A process of `treegauge warm-up`: types what it is told to, and says what is compiled meanwhile.

It reads pieces and writes what happens, each a line of JSON. What commands print is thrown away.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import IO, Any

from treegauge.cli.first_calls import write_material
from treegauge.cli.main import app
from treegauge.compilation import CompilationClock, watched_compilation
from treegauge.errors import TreegaugeError
from treegauge.kernel_cache import KernelCache


def main() -> None:
    """Type pieces until no more come; the folder of the process is for its files alone."""
    asked, answers = _own_streams()
    KernelCache.locks = Path(sys.argv[1])

    def answer(**fields: Any) -> None:
        answers.write(f"{json.dumps(fields)}\n")
        answers.flush()

    with watched_compilation(lambda name, _left: answer(kernel=name), lambda: None):
        write_material(Path())
        for line in asked:
            clock = CompilationClock()
            with clock.running():
                missing, failure = _type(json.loads(line))
            answer(seconds=clock.seconds, missing=missing, failure=failure)


def _own_streams() -> tuple[IO[str], IO[str]]:
    """Return the standard streams, for us alone: commands get others, which lead nowhere."""
    asked, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for number, way in enumerate((os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)):
        os.dup2(os.open(os.devnull, way), number)
    return asked, answers


def _type(lines: list[str]) -> tuple[str, str]:
    """Type command lines; return what is missing here, if anything, and what went wrong."""
    for line in lines:
        try:
            app(["--no-config", *shlex.split(line)], standalone_mode=False)
        except TreegaugeError as error:
            return str(error).partition("\n")[0], ""
        except Exception as error:
            return "", f"{line}: {type(error).__name__}: {error}"
    return "", ""


if __name__ == "__main__":
    main()
