"""`treegauge challenge`: a shared task on files, from the first file to the archive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

from treegauge.cli.lazy_verbs import LazyVerbs, verb_at

VERBS = {
    "init": "challenge_files:init_cli",
    "pack": "challenge_files:pack_cli",
    "fill": "challenge_files:fill_cli",
    "check": "challenge_files:check_cli",
    "score": "challenge_results:score_cli",
    "board": "challenge_results:board_cli",
    "archive": "challenge_results:archive_cli",
    "serve": "challenge_serve:serve_cli",
    "worker": "challenge_serve:worker_cli",
    "join": "challenge_client:join_cli",
    "submit": "challenge_client:submit_cli",
    "organiser": "challenge_accounts:organiser_app",
    "team": "challenge_accounts:team_app",
    "backup": "challenge_accounts:backup_cli",
    "restore": "challenge_accounts:restore_cli",
    "doctor": "challenge_accounts:doctor_cli",
}
"""Where every verb is, in the order in which organisers and participants need them."""


class ChallengeVerbs(LazyVerbs):
    """The verbs of a challenge."""

    def names(self) -> Iterable[str]:
        """Return the names of all verbs."""
        return VERBS

    def load(self, name: str) -> Any:
        """Return the command of a verb."""
        return verb_at(name, VERBS[name])


app = typer.Typer(
    cls=ChallengeVerbs,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Organise a shared task, or take part in one.",
    epilog="Example: `treegauge challenge init demo --template pascal --treebanks toy:svo`",
)


@app.callback()
def challenge() -> None:
    """Organise a shared task, or take part in one: all of it on files, by e-mail if need be."""
