"""The web process of a server, as the supervisor starts it.

python -m treegauge.challenge_server.web_process FOLDER SOCKET ADDRESS PACKS...
"""

from __future__ import annotations

import socket
import sys

from treegauge.challenge_server.app import run_web
from treegauge.challenge_server.supervisor import end_with_the_supervisor
from treegauge.errors import TreegaugeError


def main(folder: str, number: str, address: str, *packs: str) -> None:
    """Serve a challenge on an open socket until told to end."""
    end_with_the_supervisor()
    with socket.socket(fileno=int(number)) as listening:
        try:
            run_web(folder, listening, address=address, packs=packs)
        except TreegaugeError as error:
            sys.exit(f"web process: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
