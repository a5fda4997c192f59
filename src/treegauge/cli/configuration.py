"""`treegauge.toml`: defaults for options, in the folder of a project or in one above it.

    [all]                       # for every verb that has the option
    seed = 3

    [evaluate]
    preset = "pascal"
    by = ["relation", "edge_length"]

    [dictionary.score]
    worst = 5

    [named.paper.evaluate]      # with `treegauge --use paper evaluate ...`
    resamples = 10000

What is typed wins over the file, a named set over the rest of the file, and a verb over `all`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from treegauge.errors import TreegaugeError
from treegauge.formats.texts import read_text
from treegauge.settings import read_value
from treegauge.wording import unknown_name

_TRUST = "a file that comes with a project may not decide it"
_WRITES = "a file that comes with a project may not say where to write"
REFUSED = {
    "allow-commands": _TRUST,
    **dict.fromkeys(("max-bytes", "max-files", "max-words", "timeout", "memory"), _TRUST),
    **dict.fromkeys(("address", "scheduler", "checksum"), _TRUST),
    **dict.fromkeys(
        ("output", "folder", "figures", "figure", "save", "into", "paths", "force", "fix", "zip"),
        _WRITES,
    ),
    "json": 'write format = "json"',
}
"""Options that are never read from the file, and why: what is trusted, limits, addresses, paths of
output. `--json` is short for another option."""

_COMMAND = re.compile(r"command\W*[=:]", re.IGNORECASE)
"""A setting that is a program to run, as in `--set command=...`."""


_SETS = "sets"
"""The table of treebanks by name, which `catalogue/` reads."""


class ConfigurationError(TreegaugeError):
    """A `treegauge.toml` that cannot be used."""


@dataclass(frozen=True)
class Given:
    """What the file says about an option of a verb."""

    option: Any
    value: Any
    place: str
    """File and line."""

    def words(self) -> list[str]:
        """Return what has to be typed for the same."""
        flag = _long_names(self.option)[0]
        if isinstance(self.value, bool):
            off = [name for name in self.option.secondary_opts if name.startswith("--")]
            return [flag] if self.value else off[:1]
        values = self.value if isinstance(self.value, list) else [self.value]
        return [word for one in values for word in (flag, str(one))]

    def is_blamed(self, message: str, option: Any = None) -> bool:
        """Return whether a message is about this value: by the option, or by quoting it."""
        if option is not None:
            return bool(option.name == self.option.name)
        values = self.value if isinstance(self.value, list) else [self.value]
        pieces = [piece.strip() for one in values for piece in (str(one), *str(one).split(","))]
        return any(repr(piece) in message for piece in pieces if piece)


@dataclass(frozen=True)
class Configuration:
    """What a `treegauge.toml` says, and which of its named sets is in use."""

    name: str
    """The file, as messages call it."""
    tables: Mapping[str, Any]
    lines: Mapping[tuple[str, ...], int]
    chosen: str = ""

    def given(self, verb: Sequence[str], group: Any) -> list[Given]:
        """Return what is in force for a verb, by the place of its option in the file.

        Parameters
        ----------
        verb : sequence of str
            The names that are typed: `evaluate`, or `dictionary` and `score`.
        group : command
            The program, in which all verbs are found.

        Raises
        ------
        ConfigurationError
            If the file has a key that is no option, or a value that does not fit.
        """
        command = _found(group, verb)
        options = options_of(command)
        given: dict[str, Given] = {}
        for prefix in self._prefixes():
            self._check_names(prefix, verb, group)
            for section in ((*prefix, "all"), (*prefix, *verb)):
                for key, value in self._table(section).items():
                    place = self._place((*section, key))
                    name = key.replace("_", "-")
                    if name in REFUSED:
                        why = f"{name} is never read from a file: {REFUSED[name]}"
                        raise ConfigurationError(f"{place}: {why}")
                    if name in options:
                        given[name] = self._read(name, options[name], value, place)
                    elif section[-1] != "all" or not _is_option_somewhere(name, group):
                        raise self._unknown(place, key, " ".join(verb), section, options)
        return list(given.values())

    @property
    def sets(self) -> list[str]:
        """The names of the sets that can be chosen."""
        return list(self._table(("named",)))

    def _prefixes(self) -> list[tuple[str, ...]]:
        """Return where tables of verbs stand, the weaker place first."""
        if not self.chosen:
            return [()]
        if self.chosen not in self.sets:
            advice = "" if self.sets else f"{self.name} has no tables [named.NAME.COMMAND]"
            unknown = unknown_name("named set", self.chosen, self.sets, advice=advice)
            raise ConfigurationError(f"{self.name}: {unknown}")
        return [(), ("named", self.chosen)]

    def _check_names(self, prefix: tuple[str, ...], verb: Sequence[str], group: Any) -> None:
        """Refuse tables that are called like no verb."""
        for depth in range(len(verb)):
            path = (*prefix, *verb[:depth])
            known = _names(_found(group, verb[:depth]))
            known += [] if depth else ["all"]
            known += [] if path else ["named", _SETS]
            for key in self._table(path):
                if key not in known:
                    place = self._place((*path, key))
                    raise ConfigurationError(f"{place}: {unknown_name('table', key, known)}")

    def _table(self, path: tuple[str, ...]) -> Mapping[str, Any]:
        table = self.tables
        for depth, key in enumerate(path, start=1):
            inner = table.get(key, {})
            if not isinstance(inner, Mapping):
                place, name = self._place(path[:depth]), ".".join(path[:depth])
                raise ConfigurationError(f"{place}: expected a table [{name}], found {inner!r}")
            table = inner
        return table

    def _place(self, path: tuple[str, ...]) -> str:
        """Return file and line of a key, or of what it stands in."""
        for length in range(len(path), 0, -1):
            inside = [n for key, n in self.lines.items() if key[:length] == path[:length]]
            if inside:
                return f"{self.name}:{min(inside)}"
        return self.name

    def _unknown(
        self, place: str, key: str, verb: str, section: tuple[str, ...], options: Iterable[str]
    ) -> ConfigurationError:
        known = [name for name in options if name not in REFUSED]
        advice = f"`treegauge list settings {verb}` shows what there is"
        noun = "option of all commands" if section[-1] == "all" else f"option of {verb}"
        return ConfigurationError(f"{place}: {unknown_name(noun, key, known, advice=advice)}")

    def _read(self, name: str, option: Any, value: Any, place: str) -> Given:
        limits = {"minimum": getattr(option.type, "min", None)}
        limits["maximum"] = getattr(option.type, "max", None)
        limits = {side: limit for side, limit in limits.items() if limit is not None}
        kind = _kind(option)
        if option.multiple and not isinstance(value, list):
            value = [value]
        elif kind is str and isinstance(value, list):
            value = ",".join(map(str, value))
        if kind is str:
            value = [*map(_text, value)] if isinstance(value, list) else _text(value)
        wanted: Any = tuple.__class_getitem__((kind, ...)) if option.multiple else kind
        where = f"{place}: {name}"
        read = read_value(value, wanted, place=where, limits=limits, error=ConfigurationError)
        if _COMMAND.search(str(read)):
            raise ConfigurationError(f"{place}: a command is never read from a file: {_TRUST}")
        if option.metavar in ("DIR", "FILE"):
            read = tuple(map(self._beside, read)) if option.multiple else self._beside(read)
        return Given(option, list(read) if isinstance(read, tuple) else read, place)

    def _beside(self, path: str) -> str:
        """Return a path as seen from here, if the file means something beside itself."""
        beside = Path(self.name).parent / path
        return str(beside) if beside.exists() else path


def read_configuration(path: str | Path, chosen: str = "") -> Configuration:
    """Read a `treegauge.toml`; which options there are is not known yet."""
    text = read_text(path, what="TOML", error=ConfigurationError)
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, or brackets without an end
        line = re.search(r"at line (\d+)", str(error))
        number = line[1] if line else text.count("\n") + 1  # at the end of the document
        raise ConfigurationError(f"{path}:{number}: this is not TOML: {error}") from None
    return Configuration(str(path), tables, lines_of_keys(text), chosen)


def lines_of_keys(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of every table and key of a TOML text: its reader does not tell.

    >>> lines_of_keys('[all]\\nseed = 3\\n[named.paper.evaluate]\\ntags = "p"')
    {('all',): 1, ('all', 'seed'): 2, ('named', 'paper', 'evaluate'): 3, \
('named', 'paper', 'evaluate', 'tags'): 4}
    """
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        header = re.match(r"\s*\[\[?([^\[\]]+)\]\]?\s*(#.*)?$", line)
        key = re.match(r"\s*([^=#\[]+)=", line)
        if header and (path := _path(header[1])):
            table = path
            lines.setdefault(path, number)
        elif key and (path := _path(key[1])):
            lines.setdefault((*table, *path), number)
    return lines


def _path(text: str) -> tuple[str, ...]:
    """Return the parts of a key with dots, or nothing if a text is no key."""
    try:
        content: Any = tomllib.loads(f"{text} = 0")
    except ValueError:
        return ()
    path = []
    while isinstance(content, dict) and content:
        ((key, content),) = content.items()
        path.append(key)
    return tuple(path)


def options_of(command: Any) -> dict[str, Any]:
    """Return the options of a verb by their names in the file."""
    return {
        name.removeprefix("--"): one
        for one in command.params
        if one.param_type_name == "option"
        for name in _long_names(one)
    }


def verbs_of(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Give every verb of a program: what is typed, and the command."""
    command = _found(group, path)
    if not hasattr(command, "list_commands"):
        yield path, command
        return
    for name in _names(command):
        yield from verbs_of(group, (*path, name))


def _found(group: Any, path: Sequence[str]) -> Any:
    for name in path:
        group = group.get_command(None, name)
    return group


def _names(group: Any) -> list[str]:
    return list(group.list_commands(None))


def _is_option_somewhere(name: str, group: Any) -> bool:
    return any(name in options_of(command) for _, command in verbs_of(group))


def _long_names(option: Any) -> list[str]:
    return [name for name in option.opts if name.startswith("--")]


def _kind(option: Any) -> Any:
    """Return the type of an option's value, or of one of its values."""
    choices = getattr(option.type, "choices", None)
    if choices:
        return Literal[tuple(str(getattr(one, "value", one)) for one in choices)]
    kinds = {"boolean": bool, "int": int, "integer": int, "float": float}
    return kinds.get(option.type.name.removesuffix(" range"), str)


def _text(value: Any) -> Any:
    """Return a number as it would be typed; nothing else is a text."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
