"""What verbs with language models have in common: their settings, and what they warn of."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Annotated

import typer

from treegauge.cli import console


def _known_settings(text: str) -> str:
    from treegauge.errors import TreegaugeError
    from treegauge.properties.derivation_perplexity import PerplexitySettings

    if not text:
        return text
    try:
        PerplexitySettings.parse(text)
    except TreegaugeError as error:
        raise typer.BadParameter(str(error)) from None
    return text


LanguageModelOption = Annotated[
    str,
    typer.Option(
        "--language-model",
        metavar="NAME[,KEY=VALUE]",
        callback=_known_settings,
        help="How perplexity is measured: kenlm or srilm ways, and changes of order, field, system "
        "and minimum_count (or just closed) behind commas.",
    ),
]


@contextlib.contextmanager
def heard() -> Iterator[None]:
    """Say on standard error, each once, what is warned of inside."""
    from treegauge.properties.attachment_order import HeadlessWordsWarning
    from treegauge.properties.language_model import SmallCorpusWarning

    ours = (HeadlessWordsWarning, SmallCorpusWarning)
    with warnings.catch_warnings(record=True) as caught:
        for category in ours:
            warnings.simplefilter("always", category)
        yield
    for warning in caught:
        if not issubclass(warning.category, ours):
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    said = (str(warning.message) for warning in caught if issubclass(warning.category, ours))
    for message in dict.fromkeys(said):
        console.say(message, style="yellow")
