"""Coarse classes of tags, for models in which related tags share what is learnt of them."""

from __future__ import annotations

from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.systems.dependency_induction.universal_rules import spellings

CLASSES = {
    "nouns": spellings(["NOUN", "PROPN", "PRON"]),
    "verbs": spellings(["VERB", "AUX"]),
    "modifiers": spellings(["ADJ", "ADV", "NUM", "DET"]),
    "function words": spellings(["ADP", "CONJ", "SCONJ", "PART", "PRT"]),
}
"""Of universal tags; all others are a class of their own."""


def tag_classes(inventory: TagInventory) -> list[int]:
    """Return the class of each tag: its universal tag, or the class of that.

    Fine tags are classed by their universal tags, universal tags by `CLASSES`; tags of which
    nothing universal is known (induced ones) are all of one class.

    Examples
    --------
    >>> tags = ("NN", "NNS", "VB")
    >>> tag_classes(TagInventory("p", tags, (0.5, 0.3, 0.2), ("NOUN", "NOUN", "VERB")))
    [0, 0, 1]
    >>> tags = ("NOUN", "PRON", "VERB", "X")
    >>> tag_classes(TagInventory("u", tags, (0.4, 0.3, 0.2, 0.1), tags))
    [0, 0, 1, 2]
    """
    names = list(inventory.universal)
    if inventory.tags == inventory.universal:
        of_tag = {tag: name for name, tags in CLASSES.items() for tag in tags}
        names = [of_tag.get(tag, "others") for tag in names]
    number = {name: k for k, name in enumerate(dict.fromkeys(names))}
    return [number[name] for name in names]
