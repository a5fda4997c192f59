"""Settings: frozen dataclasses, read from text and checked before any work."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from treegauge.errors import TreegaugeError
from treegauge.wording import did_you_mean


class SettingsError(TreegaugeError):
    """A setting that there is not, or a value that does not fit."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """What can be chosen about a system; the defaults are the paper's.

    Every field has a type out of bool, int, float, str, `Literal`, a tuple of these, or one
    of them `| None`; `metadata={"help": ...}` says what it does, and `minimum` and `maximum`
    bound numbers.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON has them."""
        return {
            field.name: _as_json(getattr(self, field.name)) for field in dataclasses.fields(self)
        }

    def deviations(self) -> dict[str, Any]:
        """Return the settings that are not the defaults."""
        standard = type(self)().to_dict()
        return {name: value for name, value in self.to_dict().items() if value != standard[name]}


S = TypeVar("S", bound=Settings)


def setting(default: Any, help: str, **about: Any) -> Any:
    """Return a field of settings: a default, a line of help, `minimum` and `maximum`.

    Where settings are options of a verb, `flags` and `metavar` say how they are written there.
    """
    return dataclasses.field(default=default, metadata={"help": help, **about})


def read_settings(kind: type[S], values: Mapping[str, Any], *, system: str) -> S:
    """Make settings from a mapping, as TOML or JSON gives it, or from text.

    Raises
    ------
    SettingsError
        If there is no such setting, or a value does not fit; the message says what fits.
    """
    hints = get_type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    read = {}
    for name, value in values.items():
        key = name.replace("-", "_")
        if key not in fields:
            known = f"{system} has {', '.join(fields)}" if fields else f"{system} has none"
            raise SettingsError(
                f"{system}: unknown setting {name!r}{did_you_mean(key, fields)}\n  {known}"
            )
        read[key] = _converted(value, hints[key], f"{system}: setting {key}")
        _check_bounds(read[key], fields[key].metadata, f"{system}: setting {key}")
    return kind(**read)


@dataclasses.dataclass(frozen=True)
class SettingDescription:
    """What a user should know about a setting."""

    name: str
    kind: str
    """Its type and bounds, such as `whole number >= 1 or none`."""
    default: str
    help: str


def describe_settings(kind: type[Settings]) -> list[SettingDescription]:
    """Say in words what can be chosen about a system."""
    hints = get_type_hints(kind)
    return [
        SettingDescription(
            field.name,
            _kind_in_words(hints[field.name], field.metadata),
            _as_text(field.default),
            field.metadata.get("help", ""),
        )
        for field in dataclasses.fields(kind)
    ]


def parse_assignments(texts: list[str]) -> dict[str, str]:
    """Read `KEY=VALUE` texts, as the command line has them.

    >>> parse_assignments(["seed=1", "init=smith"])
    {'seed': '1', 'init': 'smith'}
    """
    values = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise SettingsError(f"expected KEY=VALUE, found {text!r}")
        values[key.strip()] = value.strip()
    return values


def _kind_in_words(wanted: Any, bounds: Mapping[str, Any]) -> str:
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        return " or ".join(_kind_in_words(kind, bounds) for kind in arguments)
    if origin is Literal:
        return ", ".join(map(str, arguments))
    if origin is tuple:
        return f"list of {_kind_in_words(arguments[0], bounds)}"
    if wanted is NoneType:
        return "none"
    signs = {"minimum": ">=", "maximum": "<="}
    limits = [f"{sign} {bounds[key]}" for key, sign in signs.items() if key in bounds]
    return " ".join([_IN_WORDS[wanted].removeprefix("a "), *limits])


def _as_text(value: Any) -> str:
    """Write a value as `read_settings` reads it."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return ",".join(map(_as_text, value)) if isinstance(value, tuple) else str(value)


def _as_json(value: Any) -> Any:
    return [_as_json(item) for item in value] if isinstance(value, tuple) else value


def _converted(value: Any, wanted: Any, place: str) -> Any:
    """Return a value in its field's type; text is read, everything else must fit."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        if NoneType in arguments and (value is None or value in ("none", "None", "")):
            return None
        others = [kind for kind in arguments if kind is not NoneType]
        for kind in others[:-1]:
            try:
                return _converted(value, kind, place)
            except SettingsError:
                continue
        return _converted(value, others[-1], place)
    if origin is Literal:
        # Text from the command line means the number that looks like it.
        by_text = {str(choice): choice for choice in arguments}
        if str(value) in by_text:
            return by_text[str(value)]
        raise SettingsError(
            f"{place}: expected one of {', '.join(by_text)}, found {value!r}"
            f"{did_you_mean(str(value), by_text)}"
        )
    if origin is tuple:
        if isinstance(value, str):
            value = [item.strip() for item in value.split(",")] if value.strip() else []
        if not isinstance(value, (list, tuple)):
            raise SettingsError(f"{place}: expected a list, found {value!r}")
        return tuple(_converted(item, arguments[0], place) for item in value)
    return _converted_scalar(value, wanted, place)


_IN_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _converted_scalar(value: Any, wanted: type, place: str) -> Any:
    if wanted is bool and isinstance(value, str) and value.lower() in _TRUTH:
        return _TRUTH[value.lower()]
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if wanted in (int, float) and isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = wanted(value)
    # NaN is the one value that is not equal to itself, and it is no number.
    if type(value) is wanted and value == value:
        return value
    raise SettingsError(f"{place}: expected {_IN_WORDS[wanted]}, found {value!r}")


def _check_bounds(value: Any, bounds: Mapping[str, Any], place: str) -> None:
    if isinstance(value, tuple):
        for item in value:
            _check_bounds(item, bounds, place)
        return
    if not isinstance(value, (int, float)):
        return
    if "minimum" in bounds and not value >= bounds["minimum"]:
        raise SettingsError(f"{place}: expected at least {bounds['minimum']}, found {value}")
    if "maximum" in bounds and not value <= bounds["maximum"]:
        raise SettingsError(f"{place}: expected at most {bounds['maximum']}, found {value}")
