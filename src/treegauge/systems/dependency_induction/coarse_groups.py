"""Coarse groups of tags: what is a noun, a verb, a conjunction, whatever the inventory.

Fine tags belong to the group of the universal tag that most of their words have. Where
universal inventories differ in what they keep apart (AUX from VERB, PROPN from NOUN, CCONJ from
SCONJ), the group is the wider one, so that all of them have the same groups.
"""

from __future__ import annotations

from types import MappingProxyType

from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.systems.errors import SystemsError

_GROUPS = MappingProxyType(
    {
        "adjective": ("ADJ",),
        "adverb": ("ADV",),
        "conjunction": ("CONJ", "CCONJ", "SCONJ"),
        "determiner": ("DET",),
        "interjection": ("INTJ",),
        "noun": ("NOUN", "PROPN"),
        "number": ("NUM",),
        "particle": ("PART", "PRT"),
        "preposition": ("ADP",),
        "pronoun": ("PRON",),
        "verb": ("VERB", "AUX"),
    }
)
_GROUP_OF = {tag: group for group, tags in _GROUPS.items() for tag in tags}


def coarse_groups(inventory: TagInventory, *, purpose: str) -> tuple[str, ...]:
    """Return the group of each tag; empty for symbols, foreign words and the like.

    Raises
    ------
    SystemsError
        If there are no universal tags; the message names the purpose and what can be done.

    Examples
    --------
    >>> tags = TagInventory("p", ("NN", "MD", "VBZ", "SYM"), (0.4, 0.3, 0.2, 0.1),
    ...                     ("NOUN", "AUX", "VERB", "SYM"))
    >>> coarse_groups(tags, purpose="ties")
    ('noun', 'verb', 'verb', '')
    """
    if not any(inventory.universal):
        raise SystemsError(
            f"{purpose} go by coarse groups of tags, which are known by universal tags, and the "
            "text has none; fill them in with a tag map"
        )
    return tuple(_GROUP_OF.get(tag, "") for tag in inventory.universal)
