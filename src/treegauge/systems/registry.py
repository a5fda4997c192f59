"""The one table of systems: from names to modules, so that listing imports nothing heavy.

Our own are in `systems.tsv`: a name, module and class, task, supervision, and a sentence.

Other packages add theirs through the entry-point group `treegauge.systems`: the name of the
entry point is the system's name, its object a subclass of `System`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from typing import Any

from treegauge.errors import TreegaugeError
from treegauge.systems.commands import noted_commands
from treegauge.systems.errors import SystemsError
from treegauge.systems.model_file import read_model
from treegauge.systems.saved_state import damaged
from treegauge.systems.system import System
from treegauge.systems.system_names import is_plain_name, parse_system
from treegauge.wording import unknown_name

ENTRY_POINTS = "treegauge.systems"


@dataclass(frozen=True)
class SystemEntry:
    """What is known of a system before its module is imported."""

    name: str
    module: str
    cls: str
    task: str
    supervision: str
    summary: str
    package: str = "treegauge"

    def load(self) -> type[System]:
        """Import the system."""
        try:
            system_class = getattr(import_module(self.module), self.cls)
        except Exception as error:  # a module of another package can fail in any way
            reason = str(error) or type(error).__name__
            raise SystemsError(f"{self.name}: cannot be imported: {reason}") from error
        if not (isinstance(system_class, type) and issubclass(system_class, System)):
            raise SystemsError(
                f"{self.name}: {self.module}:{self.cls} of {self.package} is no subclass of "
                "treegauge.systems.System"
            )
        lacking = [
            attribute for attribute in ("name", "task") if not hasattr(system_class, attribute)
        ]
        lacking += sorted(system_class.__abstractmethods__)
        if lacking:
            raise SystemsError(f"{self.name}: {self.cls} does not say {', '.join(lacking)}")
        if system_class.name != self.name:
            # A saved model is found again by the name that its system has.
            raise SystemsError(f"{self.name}: {self.cls} calls itself {system_class.name!r}")
        return system_class


def _own_systems() -> list[SystemEntry]:
    """Return the systems of this package, one per line of `systems.tsv`, as tables list them."""
    text = files("treegauge.systems").joinpath("systems.tsv").read_text("utf-8")
    entries = []
    for line in text.splitlines()[1:]:
        name, place, task, supervision, summary = line.split("\t")
        module, cls = place.split(":")
        entries.append(
            SystemEntry(name, f"treegauge.systems.{module}", cls, task, supervision, summary)
        )
    return entries


@cache
def systems() -> Mapping[str, SystemEntry]:
    """Return all systems by name, those of other packages included."""
    table = {entry.name: entry for entry in _own_systems()}
    for point in entry_points(group=ENTRY_POINTS):
        # Our own names cannot be taken: a table that says `dmv` means ours.
        table.setdefault(point.name, _foreign(point))
    return table


def _foreign(point: EntryPoint) -> SystemEntry:
    package = point.dist.name if point.dist else point.module
    entry = SystemEntry(point.name, point.module, point.attr, "?", "?", "", package)
    try:
        cls = entry.load()
    except SystemsError as error:
        return SystemEntry(
            point.name, point.module, point.attr, "?", "?", f"({error})".replace("\n", " "), package
        )
    summary = (cls.__doc__ or "").strip().partition("\n")[0]
    supervision = "supervised" if cls.is_supervised else "unsupervised"
    return SystemEntry(
        point.name, point.module, point.attr, cls.task, supervision, summary, package
    )


def find_system(name: str) -> SystemEntry:
    """Return a system by name, or say which names are near."""
    known = systems()
    if name not in known:
        advice = f"`treegauge list systems` shows all {len(known)}"
        raise SystemsError(unknown_name("system", name, known, advice=advice))
    return known[name]


def make_system(
    name: str, settings: Mapping[str, Any] | None = None, *, seed: int = 0, **more: Any
) -> System:
    """Return a system by name, ready to be fitted.

    Parameters
    ----------
    name : str
        A name from `treegauge list systems`, optionally with its main setting after a colon:
        `brown:45`, `spacy:en_core_web_sm`.
    settings : mapping, optional
        Settings by name. Default: those of the paper.
    seed : int
        The random seed.
    **more
        More settings. `tags_from="brown:45"` lets a dependency inducer find trees over the tags
        of a tagger.

    Returns
    -------
    System
        Not fitted yet.

    Raises
    ------
    SystemsError
        If the system or a setting does not exist, or a value does not fit.

    Examples
    --------
    >>> make_system("left-branching").supervision
    'unsupervised'
    >>> make_system("dmv", iterations=3).settings.iterations
    3
    >>> make_system("brown:45").settings.classes
    45
    """
    if not is_plain_name(name):
        name, named = parse_system(name)
        settings = {**named, **(settings or {})}
    if not more:
        return find_system(name).load()(settings, seed=seed)
    chosen = {**(settings or {}), **more}
    if "tags_from" not in more:
        return find_system(name).load()(chosen, seed=seed)
    from treegauge.systems.tags_then_trees import with_tags_from

    return with_tags_from(name, chosen.pop("tags_from"), chosen, seed=seed)


def load_system(
    path: str | os.PathLike[str],
    *,
    allow_commands: bool = False,
    on_command: Callable[[str], None] | None = None,
    max_bytes: int | None = None,
) -> System:
    """Load a system that was saved.

    A model is data. Loading it and annotating with it runs no code from the file. There is one
    exception: a model of `external`, or of a system that contains it, names a command to run.

    Parameters
    ----------
    path : path
        A file from `treegauge train`, `treegauge induce --save` or `System.save`.
    allow_commands : bool
        Load a model that runs commands, and let it run them.
    on_command : callable, optional
        Called with every command line that the model would run, before it runs.
    max_bytes : int, optional
        The largest size of the model in memory. Default: `TREEGAUGE_MAX_BYTES`, or 2 GiB.

    Returns
    -------
    System
        Fitted, ready to annotate.

    Raises
    ------
    SystemsError
        If there is no such model, if it is damaged or too large, or if it runs commands and
        `allow_commands` is not set.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> treebank = tg.toy_treebank(tokens=200)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tg.make_system("most-frequent-tag").fit(treebank).save(f"{folder}/tagger.model")
    ...     tagger = load_system(f"{folder}/tagger.model")
    >>> tagger.annotate(treebank).upos.is_annotated
    True
    """
    arrays, about = read_model(path, max_bytes=max_bytes)
    try:
        with noted_commands() as commands:
            system = make_system(about["system"], about["settings"], seed=about["seed"])
            if commands and not allow_commands:
                raise SystemsError(_refused_commands(commands))
            for command in commands:
                if on_command is not None:
                    on_command(command)
            system.restore(arrays, about["facts"])
    except TreegaugeError as error:
        raise SystemsError(f"{path}: {error}") from error
    except Exception as error:  # whatever a forged name or setting leads to
        raise SystemsError(f"{path}: {damaged(type(error).__name__)}") from error
    system.is_fitted = True
    return system


def _refused_commands(commands: list[str]) -> str:
    return (
        f"this model runs {'a command' if len(commands) == 1 else 'commands'}, which nobody "
        f"allowed: {' and '.join(commands)}\n"
        "  if you trust it: --allow-commands, in Python load_system(path, allow_commands=True)"
    )
