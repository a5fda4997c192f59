"""Tracks that leak into each other.

The pack of one track may show what another track hides of the same text: the PASCAL challenge gave
gold tags to those who induced dependencies, and asked others to induce the tags of that text. As
long as submissions to the other track are taken, such a pack must not be out. (All tracks of a
challenge have the same treebanks.)
"""

from __future__ import annotations

from itertools import product

from treegauge.challenges.challenge import Challenge
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.times import shown_time


def refuse_leaks(challenge: Challenge) -> None:
    """Refuse tracks of which one shows what the other hides while that is open."""
    for showing, hiding in product(challenge.tracks, challenge.tracks):
        seen = sorted(showing.shows & set(hiding.hide))
        if not seen:
            continue
        out_from = min(phase.opens for phase in challenge.phases_of(showing.name))
        taken_until = max(phase.ends for phase in challenge.phases_of(hiding.name))
        if out_from < taken_until:
            raise ChallengeError(
                f"tracks {showing.name!r} and {hiding.name!r} leak: the pack of "
                f"{showing.name!r} is out from {shown_time(out_from)} and shows gold "
                f"{' and '.join(seen)} of the text, which {hiding.name!r} hides until "
                f"{shown_time(taken_until)}\n  open the phase of {showing.name!r} after that of "
                f"{hiding.name!r} has closed, or organise two challenges"
            )
