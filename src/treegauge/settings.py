"""Settings: frozen dataclasses, read from text and checked before any work."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from treegauge.errors import TreegaugeError
from treegauge.wording import did_you_mean, unknown_name

SETTINGS_FILE = "treegauge.toml"
"""What a project says of itself: defaults of options, and sets of treebanks."""


class SettingsError(TreegaugeError):
    """A setting that there is not, or a value that does not fit."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """The settings of a system, a style or an experiment. Defaults are those of the paper.

    Every field has a type out of bool, int, float, str, `Literal`, a tuple or table of these, or
    one of them `| None`. `setting` describes a field and limits its values.

    Examples
    --------
    >>> from treegauge import make_system
    >>> make_system("dmv", {"iterations": 5}).settings.changes()
    'iterations=5'
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as in JSON output.

        Returns
        -------
        dict
            Values by name.

        Examples
        --------
        >>> from treegauge import Style
        >>> Style().to_dict()["names"]
        'first'
        """
        return {
            field.name: _as_json(getattr(self, field.name)) for field in dataclasses.fields(self)
        }

    def deviations(self) -> dict[str, Any]:
        """Return the settings that are not the defaults.

        Returns
        -------
        dict
            Values by name.

        Examples
        --------
        >>> from treegauge import Style
        >>> Style(names="last").deviations()
        {'names': 'last'}
        """
        standard = type(self)().to_dict()
        return {name: value for name, value in self.to_dict().items() if value != standard[name]}

    def changes(self) -> str:
        """Return the settings that are not the defaults as text.

        Returns
        -------
        str
            KEY=VALUE, separated by commas.

        Examples
        --------
        >>> from treegauge import Style
        >>> Style(names="last", fixed="last").changes()
        'names=last,fixed=last'
        """
        return ",".join(f"{name}={value}" for name, value in self.deviations().items())

    def check(self, *, place: str, error: type[TreegaugeError] = SettingsError) -> None:
        """Check that all values fit.

        Parameters
        ----------
        place : str
            Whose settings they are, for the message.
        error : type
            The exception to raise.

        Raises
        ------
        TreegaugeError
            Of the type `error`, for the first value that does not fit.

        Examples
        --------
        >>> from treegauge import Style
        >>> Style().check(place="style")
        """
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        _read_values(type(self), values, place, error)


S = TypeVar("S", bound=Settings)


def setting(default: Any, help: str, **about: Any) -> Any:
    """Return a field of settings: a default, a line of help, `minimum`, `maximum`, `choices`.

    Where settings are options of a verb, `flags` and `metavar` say how they are written there.
    """
    return dataclasses.field(default=default, metadata={"help": help, **about})


def read_settings(
    kind: type[S],
    values: Mapping[str, Any],
    *,
    place: str,
    error: type[TreegaugeError] = SettingsError,
) -> S:
    """Make settings from a mapping, as TOML or JSON gives it, or from text.

    Parameters
    ----------
    place : str
        Whose settings they are, for messages: a system, or a table of a file.
    error : type
        What is raised if there is no such setting, one is missing, or a value does not fit; the
        message says what fits.
    """
    if not isinstance(values, Mapping):
        raise error(f"{place}: expected a table, found {values!r}")
    read = _read_values(kind, values, place, error)
    for field in dataclasses.fields(kind):
        if field.name not in read and _is_required(field):
            raise error(f"{place} lacks {field.name}")
    return kind(**read)


def _read_values(
    kind: type[Settings], values: Mapping[str, Any], place: str, error: type[TreegaugeError]
) -> dict[str, Any]:
    """Return the values in the types of their fields."""
    hints = get_type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    read = {}
    for name, value in values.items():
        key = name.replace("-", "_")
        if key not in fields:
            raise error(_unknown_setting(place, name, list(fields)))
        try:
            read[key] = _converted(value, hints[key], f"{place}: setting {key}")
            _check_limits(read[key], fields[key].metadata, f"{place}: setting {key}")
        except SettingsError as problem:
            raise error(str(problem)) from None
    return read


def read_value(
    value: Any,
    kind: Any,
    *,
    place: str,
    limits: Mapping[str, Any] = MappingProxyType({}),
    error: type[TreegaugeError] = SettingsError,
) -> Any:
    """Return one value in its type, as `read_settings` reads those of fields.

    >>> read_value("3", int, place="treegauge.toml:2: seed", limits={"minimum": 0})
    3
    """
    try:
        read = _converted(value, kind, place)
        _check_limits(read, limits, place)
    except SettingsError as problem:
        raise error(str(problem)) from None
    return read


def find_settings_file() -> Path | None:
    """Return the nearest `treegauge.toml`: that of the current folder, or of one above it.

    A folder that is gone, or that nobody may look into, has none.
    """
    with contextlib.suppress(OSError):
        folder = Path.cwd()
        for place in (folder, *folder.parents):
            with contextlib.suppress(OSError):
                if (place / SETTINGS_FILE).is_file():
                    return place / SETTINGS_FILE
    return None


def _unknown_setting(place: str, name: str, known: Sequence[str]) -> str:
    near = did_you_mean(name.replace("-", "_"), known)
    return f"{place}: unknown setting {name!r}{near}\n  {place} has {', '.join(known) or 'none'}"


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is field.default_factory is dataclasses.MISSING


def parse_preset(
    text: str,
    presets: Mapping[str, S],
    *,
    noun: str,
    place: str,
    error: type[TreegaugeError] = SettingsError,
    shorthands: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> S:
    """Read a preset, changes of the first one, or a preset and changes of it, between commas.

    Parameters
    ----------
    presets : mapping
        From names to settings. A setting that is itself called `preset` cannot be changed.
    noun : str
        What a preset is called in messages.
    place : str
        Whose settings they are, for messages.
    error : type
        What is raised if there is no such preset or setting, or a value does not fit.
    shorthands : mapping
        From words that stand for changes to the settings that they change.
    """
    base, *_ = presets.values()
    fields = [field.name for field in dataclasses.fields(base) if field.name != "preset"]
    changes: dict[str, Any] = {}
    for number, part in enumerate(part.strip() for part in text.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if part in presets:
            if number:
                raise error(f"{part} is a {noun}, which can only be the first in {text!r}")
            base = presets[part]
        elif part in shorthands:
            changes |= shorthands[part]
        elif not number and not equals:
            raise error(unknown_name(noun, part, presets))
        elif key.replace("-", "_") not in fields:
            raise error(_unknown_setting(place, key, [*shorthands, *fields]))
        elif not equals:
            raise error(f"{place}: setting {key}: expected {key}=VALUE, found {part!r}")
        else:
            changes[key] = value
    return dataclasses.replace(base, **_read_values(type(base), changes, place, error))


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


def choices(kind: type[Settings]) -> dict[str, tuple[Any, ...]]:
    """Return the values of every setting that is one of a few."""
    hints = get_type_hints(kind)
    return {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Literal}


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
    words = _IN_WORDS[wanted].removeprefix("a ")
    if "minimum" in bounds and "maximum" in bounds:
        return f"{words} from {bounds['minimum']} to {bounds['maximum']}"
    signs = {"minimum": ">=", "maximum": "<="}
    limits = [f"{sign} {bounds[key]}" for key, sign in signs.items() if key in bounds]
    return " ".join([words, *limits])


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
        return _one_of(value, arguments, place)
    if origin is tuple:
        if isinstance(value, str):
            value = [item.strip() for item in value.split(",")] if value.strip() else []
        if not isinstance(value, (list, tuple)):
            raise SettingsError(f"{place}: expected a list, found {value!r}")
        return tuple(_converted(item, arguments[0], place) for item in value)
    if origin is dict:
        if not isinstance(value, Mapping):
            raise SettingsError(f"{place}: expected a table, found {value!r}")
        return {key: _converted(item, arguments[1], place) for key, item in value.items()}
    if wanted is Any:
        return value
    return _converted_scalar(value, wanted, place)


def _one_of(value: Any, known: Sequence[Any], place: str) -> Any:
    # Text from the command line means the number that looks like it.
    by_text = {str(choice): choice for choice in known}
    if str(value) in by_text:
        return by_text[str(value)]
    raise SettingsError(
        f"{place}: expected one of {', '.join(by_text)}, found {value!r}"
        f"{did_you_mean(str(value), by_text)}"
    )


_IN_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_LARGEST = 2**53
"""Of whole numbers: kernels could not hold much larger ones, and no setting means one."""
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
    fits = type(value) is wanted and value == value
    if fits and not (wanted is int and abs(value) > _LARGEST):
        return value
    raise SettingsError(f"{place}: expected {_IN_WORDS[wanted]}, found {value!r}")


def _check_limits(value: Any, limits: Mapping[str, Any], place: str) -> None:
    if isinstance(value, tuple):
        for item in value:
            _check_limits(item, limits, place)
        return
    if "choices" in limits:
        _one_of(value, limits["choices"], place)
    if not isinstance(value, (int, float)):
        return
    if "minimum" in limits and not value >= limits["minimum"]:
        raise SettingsError(f"{place}: expected at least {limits['minimum']}, found {value}")
    if "maximum" in limits and not value <= limits["maximum"]:
        raise SettingsError(f"{place}: expected at most {limits['maximum']}, found {value}")
