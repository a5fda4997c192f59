"""Conventions: what a score takes into account, and the presets of the field.

conll2018  punctuation counted, subtypes of relations cut (Zeman et al. 2018)
conll2006  punctuation not counted, relations compared whole (Buchholz and Marsi 2006); as in its
           scorer, forms decide what is punctuation, not tags
pascal     punctuation removed and its children re-attached, before trees are compared; induced
           tags are compared with punctuation (Gelling et al. 2012, section 2: the removal is
           said of the metrics of trees only, and the tables of tags count all tokens)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics.errors import MetricError
from treegauge.treebank import (
    Treebank,
    parse_tag_column,
    punctuation_mask,
    unicode_punctuation_mask,
)
from treegauge.wording import unknown_name

Punctuation = Literal["counted", "ignored", "removed"]
Average = Literal["micro", "sentence"]

_IN_SIGNATURES = {"counted": "yes", "ignored": "no", "removed": "removed"}


@dataclass(frozen=True)
class Conventions:
    """How treebanks are compared. `preset` returns the conventions of a shared task.

    Attributes
    ----------
    punctuation : "counted", "ignored" or "removed"
        Ignored: punctuation stays in the trees but is not scored. Removed: it is removed from both
        trees. Gold decides what is punctuation, never the system.
    induced_punctuation : "same", "counted", "ignored" or "removed"
        The same for metrics of induced tags, which need no trees. `same` means: as `punctuation`.
    punctuation_by : "tags" or "form"
        What is punctuation. `tags`: by universal tags, and by form where there are none. `form`:
        words of which all characters are Unicode punctuation.
    subtypes : bool
        Whether `nsubj:pass` and `nsubj` are different relations.
    tags : str
        The gold tags that induced tags are compared with: `u`, `u12`, `c`, `p` or `p:2`.
    average : "micro" or "sentence"
        Average over all words, or over the scores of sentences.
    skip_length_one : bool
        Whether sentences of one word are left out, as some scripts for WSJ10 do. Only scored words
        count: "Go !" has one word, unless punctuation is counted.
    count_root : bool
        Whether the edge from the root to a word is scored like other edges. If not, the root words
        of gold are left out of all metrics of attachment and relations, except `root`.
    preset : str
        The preset these conventions started from.

    Raises
    ------
    TreebankError
        If there is no such tag column.

    Examples
    --------
    >>> ignoring = Conventions(subtypes=True).with_punctuation("ignored")
    >>> ignoring.deviations()
    ['punct:no', 'subtypes:yes']
    >>> ignoring.described()
    [('punct', 'no'), ('subtypes', 'yes'), ('average', 'micro')]
    >>> preset("pascal").for_family("induced-tags").punctuation
    'counted'
    """

    punctuation: Punctuation = "counted"
    induced_punctuation: Punctuation | Literal["same"] = "same"
    punctuation_by: Literal["tags", "form"] = "tags"
    subtypes: bool = False
    tags: str = "u"
    average: Average = "micro"
    skip_length_one: bool = False
    count_root: bool = True
    preset: str = "conll2018"

    def __post_init__(self) -> None:
        parse_tag_column(self.tags)

    def for_family(self, family: str) -> Conventions:
        """Return the conventions for a family of metrics. Only punctuation can differ.

        Parameters
        ----------
        family : str
            A family from `treegauge list metrics`, such as `induced-tags`.

        Returns
        -------
        Conventions
            The conventions.
        """
        if family != "induced-tags" or self.induced_punctuation == "same":
            return self
        return replace(self, punctuation=self.induced_punctuation, induced_punctuation="same")

    def with_punctuation(self, punctuation: Punctuation) -> Conventions:
        """Return conventions that treat punctuation in the same way for all metrics.

        Parameters
        ----------
        punctuation : "counted", "ignored" or "removed"
            As in the attribute.

        Returns
        -------
        Conventions
            The conventions.
        """
        return replace(self, punctuation=punctuation, induced_punctuation="same")

    def punctuation_in(self, gold: Treebank) -> NDArray[np.bool_]:
        """Return which words are punctuation.

        Parameters
        ----------
        gold : Treebank
            The gold standard.

        Returns
        -------
        bool array
            One value per word.

        Examples
        --------
        >>> import treegauge as tg
        >>> gold = tg.parse("$/PUNCT 5/NUM ./PUNCT\\n", format="slashed")
        >>> preset("conll2018").punctuation_in(gold).tolist()
        [True, False, True]
        >>> preset("conll2006").punctuation_in(gold).tolist()
        [False, False, True]
        """
        # Gold without its words says itself which of them were punctuation.
        by_form = self.punctuation_by == "form" and gold.punctuation is None
        return unicode_punctuation_mask(gold) if by_form else punctuation_mask(gold)

    def deviations(self) -> list[str]:
        """Return what differs from the preset.

        Returns
        -------
        list of str
            As signatures write it, such as `punct:no`.
        """
        standard = PRESETS[self.preset]
        known = {*standard.described(), ("tags", standard.tags)}
        described = [*self.described(), ("tags", self.tags)]
        theirs = standard.for_family("induced-tags").punctuation
        ours = self.for_family("induced-tags").punctuation
        if ours != theirs and ours == standard.punctuation:
            # Signatures of induced tags say `punct`; nothing else shows that it deviates.
            described.append(("induced-punct", _IN_SIGNATURES[ours]))
        return [f"{key}:{value}" for key, value in described if (key, value) not in known]

    def described(self) -> list[tuple[str, str]]:
        """Return the conventions as signatures write them.

        Returns
        -------
        list of (str, str)
            Names and values. Rare ones are listed only if they deviate.
        """
        fields = [
            ("punct", _IN_SIGNATURES[self.punctuation]),
            ("subtypes", "yes" if self.subtypes else "no"),
            ("average", self.average),
        ]
        if self.punctuation != "counted" and self.punctuation_by == "form":
            fields.append(("punct-by", "form"))
        if self.skip_length_one:
            fields.append(("one-word", "no"))
        if not self.count_root:
            fields.append(("root-edges", "no"))
        return fields


PRESETS = {
    "conll2018": Conventions(),
    "conll2006": Conventions(
        punctuation="ignored", punctuation_by="form", subtypes=True, preset="conll2006"
    ),
    "pascal": Conventions(
        punctuation="removed", induced_punctuation="counted", subtypes=True, preset="pascal"
    ),
}
"""Conventions by name."""


def preset(name: str, **deviations: Any) -> Conventions:
    """Return the conventions of a preset, with changes.

    Parameters
    ----------
    name : str
        `conll2018`, `conll2006` or `pascal`.
    **deviations
        Attributes of `Conventions` to change.

    Returns
    -------
    Conventions
        For the argument `conventions` of `evaluate` and `compare`.

    Raises
    ------
    MetricError
        If the preset is unknown.

    Examples
    --------
    >>> preset("pascal", tags="u12").punctuation
    'removed'
    """
    if name not in PRESETS:
        raise MetricError(unknown_name("preset", name, PRESETS))
    if "punctuation" in deviations:
        # Who says what is done with punctuation says it of all metrics.
        deviations.setdefault("induced_punctuation", "same")
    return replace(PRESETS[name], **deviations)
