"""What a shell offers when the Tab key is pressed, for bash, zsh and fish.

Every function takes what has been typed of a word and returns words that may be meant, each with
a line of help; Typer leaves out those that begin otherwise. A file is offered by the shell
itself, where nothing else is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import typer
from typer._click.shell_completion import CompletionItem, add_completion_class
from typer._completion_classes import BashComplete

from treegauge.cli.settings_in_sources import KnownSetting, settings_in_source

if TYPE_CHECKING:
    from treegauge.settings import Settings

Offers = list[tuple[str, str]]
"""Words, each with a line of help."""
BEST = "best"
"""What stands for the best inducer of a text; help pages and completion import no system."""


# ---------------------------------------------------------------------- what there is


def offer_metrics(incomplete: str) -> Offers:
    """Offer metrics and families, also behind commas."""
    from treegauge.metrics import METRICS
    from treegauge.metrics.registry import FAMILIES

    known = {name: metric.summary for name, metric in METRICS.items()}
    known |= dict.fromkeys(FAMILIES, "all metrics of this family")
    return _behind(",", incomplete, known)


def offer_strata(incomplete: str) -> Offers:
    """Offer strata, also the second of two."""
    from treegauge.strata import STRATA

    return _behind("*", incomplete, {name: one.summary for name, one in STRATA.items()})


def offer_presets() -> Offers:
    """Offer conventions of scoring."""
    from treegauge.metrics.conventions import PRESETS

    return _without_help(PRESETS)


def offer_formats() -> Offers:
    """Offer formats of files."""
    from treegauge.formats import FORMATS

    return [(name, one.summary) for name, one in FORMATS.items()]


def offer_bundles(incomplete: str) -> Offers:
    """Offer annotation styles by name, also behind commas."""
    from treegauge.rewrite.styles.style import BUNDLES

    return _behind(",", incomplete, dict.fromkeys(("all", *BUNDLES), "an annotation style"))


def offer_styles(incomplete: str) -> Offers:
    """Offer annotation styles by name, and switches that change them, also behind commas."""
    from treegauge.rewrite.styles.style import BUNDLES, Style

    begun, last = _divided(",", incomplete)
    switches = [(f"{begun}{word}", about) for word, about in _assignments(_switches(Style), last)]
    return [*_behind(",", incomplete, dict.fromkeys(BUNDLES, "an annotation style")), *switches]


def offer_head_rules() -> Offers:
    """Offer ways to choose heads in Penn brackets."""
    from treegauge.rewrite.head_rules.conversion import SCHEMES

    return _without_help(SCHEMES)


def offer_orders() -> Offers:
    """Offer word orders."""
    from treegauge.rewrite.word_orders.permutation import ORDERS

    return _without_help(ORDERS)


def offer_transition_systems() -> Offers:
    """Offer transition systems."""
    from treegauge.transitions import TransitionSystem

    return _without_help(system.spelling for system in TransitionSystem)


def offer_systems() -> Offers:
    """Offer systems."""
    from treegauge.systems import systems

    return [(name, one.summary) for name, one in systems().items()]


def offer_inducers() -> Offers:
    """Offer systems, and the best for what a text has."""
    return [(BEST, "the strongest inducer for this text"), *offer_systems()]


def offer_listed(ctx: typer.Context) -> Offers:
    """Offer what can follow a topic of `list`: systems, or verbs for their settings."""
    topic = ctx.params.get("topic") or next(iter(ctx.args), "")
    if topic != "settings":
        return offer_systems() if topic == "systems" else []
    from treegauge.cli.configuration import verbs_of

    # A dot between names, where people would type a space: it is one word.
    return _without_help(".".join(path) for path, _ in verbs_of(ctx.find_root().command))


def offer_verbs_and_systems() -> Offers:
    """Offer what can be compiled ahead."""
    from treegauge.cli.main import VERBS

    return [*_without_help(VERBS), *offer_systems()]


def offer_systems_between_commas(incomplete: str) -> Offers:
    """Offer systems, also behind commas."""
    return _behind(",", incomplete, dict(offer_systems()))


def offer_taggers() -> Offers:
    """Offer systems that find tags."""
    from treegauge.systems import systems

    return [(name, one.summary) for name, one in systems().items() if one.task == "tags"]


def offer_settings(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer settings of the system that the command line names, and values of one."""
    # Behind an option without a value, arguments are not told apart yet.
    name = ctx.params.get("system") or next(iter(ctx.args), "")
    return _settings_of_system(name, incomplete)


def offer_settings_of_systems(incomplete: str) -> Offers:
    """Offer systems and, behind a dot, their settings."""
    system, dot, begun = incomplete.partition(".")
    if not dot:
        return [(f"{name}.", about) for name, about in offer_systems()]
    return [(f"{system}.{word}", about) for word, about in _settings_of_system(system, begun)]


def offer_treebanks(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer toy languages, sets, and treebanks of data folders; parts behind a colon.

    Before a letter is typed nothing is offered, so that the shell offers files.
    """
    from treegauge.catalogue import Catalogue
    from treegauge.errors import TreegaugeError
    from treegauge.toys.names import TOY_LANGUAGES

    if not incomplete:
        return []
    offers = [(name, "a toy language") for name in TOY_LANGUAGES]
    with contextlib.suppress(TreegaugeError, OSError):
        catalogue = Catalogue.from_environment(ctx.params.get("data") or ())
        offers += [(name, "a set of treebanks") for name in catalogue.sets]
        for entry in catalogue.entries:
            offers.append((entry.name, entry.language))
            if incomplete.startswith(f"{entry.name}:"):
                offers += [(f"{entry.name}:{part}", "a part of it") for part in entry.parts]
    return offers


# ---------------------------------------------------------------------- parts of words


def _without_help(names: Iterable[str]) -> Offers:
    return [(name, "") for name in names]


def _divided(separator: str, incomplete: str) -> tuple[str, str]:
    """Return a word up to its last separator, and what is behind it."""
    before, found, last = incomplete.rpartition(separator)
    return before + found, last


def _behind(separator: str, incomplete: str, known: Mapping[str, str]) -> Offers:
    """Return names behind those that are typed already, without repeating any."""
    begun, _ = _divided(separator, incomplete)
    typed = begun.split(separator)
    return [(f"{begun}{name}", about) for name, about in known.items() if name not in typed]


def _settings_of_system(name: str, incomplete: str) -> Offers:
    from treegauge.systems import systems

    entry = systems().get(name)
    known = [] if entry is None else settings_in_source(entry.module, entry.cls)
    return list(_assignments(known, incomplete))


def _switches(kind: type[Settings]) -> list[KnownSetting]:
    """Return settings that are imported anyway, and whose values are few."""
    from treegauge.settings import choices, describe_settings

    values = choices(kind)
    return [
        KnownSetting(one.name, tuple(map(str, values.get(one.name, ()))), one.help)
        for one in describe_settings(kind)
    ]


def _assignments(known: list[KnownSetting], incomplete: str) -> Iterator[tuple[str, str]]:
    """Offer `KEY=`; of a key that is sure its values too, so that shells add no space to it."""
    key, equals, _ = incomplete.partition("=")
    fitting = [one for one in known if one.name == key or (one.name.startswith(key) and not equals)]
    for one in fitting:
        yield f"{one.name}=", one.help
        if len(fitting) == 1:
            yield from ((f"{one.name}={value}", "") for value in one.values)


# ---------------------------------------------------------------------- what bash makes of words


class BashWords(BashComplete):
    """Bash, which divides `toy:svo` and `KEY=VALUE` into three words and replaces the last."""

    _kept = ""
    """What stands before the last part of the word, and stays."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return whole words, and the last one as far as it is typed."""
        before, last = super().get_completion_args()
        words: list[str] = []
        is_open = False
        for part in [*before, last]:
            is_break = re.fullmatch("[:=]+", part) is not None
            self._kept = words[-1] if words and (is_break or is_open) else ""
            if self._kept:
                words[-1] += part
            else:
                words.append(part)
            if is_break:
                self._kept = words[-1]
            is_open = is_break
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Return what bash puts in the place of the last part."""
        kept = self._kept.partition("=")[2] if self._kept.startswith("-") else self._kept
        return str(item.value).removeprefix(kept)


def complete_whole_words() -> None:
    """Let bash complete words with colons and equals signs."""
    add_completion_class(BashWords, "bash")
