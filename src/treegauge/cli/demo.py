"""`treegauge demo`: a tour."""

from __future__ import annotations

from treegauge.cli import console


def demo_cli() -> None:
    """Take the tour.

    Example: `treegauge demo`
    """
    console.say("demo")
