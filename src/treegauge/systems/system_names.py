"""The one parser of system names: what can be written wherever a system is named.

    SYSTEM                      a system
    SYSTEM:N                    an inducer of N classes
    TOOL:MODEL                  a tool with a model that was trained elsewhere
    SYSTEM?key=value&key=value  with settings; what would be misread is written as in URLs (%26)

Tools are spaCy, Stanza and UDPipe. `udpipe` alone is trained on the spot; `udpipe:MODEL` is
another system, which is given its model, so that tables can tell them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from treegauge.settings import SettingsError, parse_assignments
from treegauge.systems.errors import SystemsError

SYSTEMS_OF_TOOLS = {
    "spacy": "spacy",
    "stanza": "stanza",
    "udpipe": "udpipe-model",
    "udpipe-server": "udpipe-server",
}
"""The tools that can be named with a model, and the systems that these are."""


def parse_system(text: str) -> tuple[str, dict[str, str]]:
    """Read a system with its settings from one text.

    >>> parse_system("brown:45?seed_words=a%26b&window=2")
    ('brown', {'classes': '45', 'seed_words': 'a&b', 'window': '2'})
    >>> parse_system("udpipe:./czech.udpipe"), parse_system("udpipe")
    (('udpipe-model', {'model': './czech.udpipe'}), ('udpipe', {}))
    """
    place, _, query = text.partition("?")
    name, colon, argument = place.partition(":")
    is_tool = bool(colon) and name in SYSTEMS_OF_TOOLS
    is_understood = argument if is_tool else not colon or argument.isdecimal()
    if not name or not is_understood:
        tools = ", ".join(f"{tool}:MODEL" for tool in SYSTEMS_OF_TOOLS)
        raise SystemsError(
            f"expected SYSTEM, SYSTEM:N or SYSTEM?key=value&key=value, found {text!r}\n"
            f"  models that were trained elsewhere: {tools}"
        )
    try:
        assigned = parse_assignments(query.split("&")) if query else {}
    except SettingsError as error:
        raise SystemsError(str(error)) from None
    settings = {unquote(key): unquote(value) for key, value in assigned.items()}
    if is_tool:
        return SYSTEMS_OF_TOOLS[name], {"model": unquote(argument), **settings}
    return name, {"classes": argument, **settings} if colon else settings


def write_system(name: str, settings: Mapping[str, Any]) -> str:
    """Write a system with its settings as one text that `parse_system` reads.

    >>> write_system("dmv", {"rules": "noji+adp", "max_length": 15})
    'dmv?rules=noji+adp&max_length=15'
    """
    query = "&".join(
        f"{quote(key)}={quote(str(value), safe='+,/: ')}" for key, value in settings.items()
    )
    return f"{name}?{query}" if query else name


def is_plain_name(text: str) -> bool:
    """Return whether a text is the name of a system, with nothing behind it."""
    return ":" not in text and "?" not in text
