"""The inducer to use when there is no treebank: chosen by what a text has.

Universal tags: `universal-dmv`. Other tags: `openclass-dmv`, which reads no names of tags. Words
only: `frequent-leaves`. Where no universal tag says what is punctuation, Unicode decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.errors import SystemsError
from treegauge.systems.registry import make_system
from treegauge.systems.system import System
from treegauge.treebank import EMPTY, PETROV_TAGS, UD_TAGS, Column, Treebank, is_punctuation_form
from treegauge.treebank.punctuation import PUNCTUATION_TAGS
from treegauge.wording import alternatives, counted

BEST = "best"
"""What `treegauge induce` calls the choice."""
KindOfTags = Literal["universal", "other", "none"]
SYSTEMS: Mapping[KindOfTags, str] = {
    "universal": "universal-dmv",
    "other": "openclass-dmv",
    "none": "frequent-leaves",
}
"""The strongest inducer for each kind of text."""
UNIVERSAL_TAGS = UD_TAGS | PETROV_TAGS
LEAST_TAGGED = 0.9
"""Share of words that have a tag in a column that is learnt from."""
COLUMNS = {"upos": "u", "cpos": "c", "xpos": "p"}
"""Columns of tags and what settings call them; coarse tags first, they are learnt better."""


@dataclass(frozen=True)
class BestInducer:
    """The best inducer for a text, and how it reads the text.

    Attributes
    ----------
    kind : "universal", "other" or "none"
        The kind of tags that the text has.
    column : str
        The column of tags, such as `upos`; empty if there are only words.
    reason : str
        Why this inducer was chosen.

    Examples
    --------
    >>> best = BestInducer("universal", "upos", "all tags in UPOS are universal")
    >>> best.system, best.make(seed=1).name
    ('universal-dmv', 'universal-dmv')
    """

    kind: KindOfTags
    column: str = ""
    reason: str = ""

    @property
    def system(self) -> str:
        """The name of the inducer."""
        return SYSTEMS[self.kind]

    def make(self, settings: Mapping[str, Any] | None = None, *, seed: int = 0) -> System:
        """Return the inducer. It reads the chosen column of tags.

        Parameters
        ----------
        settings : mapping, optional
            Its other settings.
        seed : int
            The random seed.

        Returns
        -------
        System
            The inducer, not yet fitted.

        Raises
        ------
        SystemsError
            If the settings choose tags, or do not fit.
        """
        if settings and "tags" in settings:
            raise SystemsError(
                f"{BEST} chooses the tags itself; name the system, as in "
                f"`treegauge induce {self.system}`, to set tags"
            )
        tags = {"tags": COLUMNS[self.column]} if self.column else {}
        return make_system(self.system, {**tags, **(settings or {})}, seed=seed)

    def prepared(self, treebank: Treebank) -> Treebank:
        """Return a text with its punctuation marked: by universal tags, or by Unicode.

        Parameters
        ----------
        treebank : Treebank
            The text.

        Returns
        -------
        Treebank
            The text itself if its punctuation is known.

        Examples
        --------
        >>> import treegauge as tg
        >>> text = tg.parse("ja/UH ,/CM ja/UH ,/CM\\n", format="slashed")
        >>> choose_inducer(text).prepared(text).punctuation.tolist()
        [False, True, False, True]
        """
        if treebank.punctuation is not None:
            return treebank
        return treebank.replace(punctuation=_punctuation(treebank, self.kind, self.column))


def choose_inducer(*texts: Treebank) -> BestInducer:
    """Return the best inducer for what all of some texts have.

    Parameters
    ----------
    *texts : Treebank
        What is learnt from, and what is annotated.

    Raises
    ------
    SystemsError
        If a text has no words, or nothing but punctuation.

    Examples
    --------
    >>> import treegauge as tg
    >>> choose_inducer(tg.parse("Ann/PROPN sings/VERB\\n", format="slashed")).system
    'universal-dmv'
    >>> choose_inducer(tg.parse("Ann/NNP sings/VBZ\\n", format="slashed")).system
    'openclass-dmv'
    >>> choose_inducer(tg.parse("Ann sings\\n", format="tokens")).system
    'frequent-leaves'
    """
    chosen = _by_tags(texts)
    for text in texts:
        if not text.n_words:
            raise SystemsError(f"{BEST}: nothing to learn from: the treebank has no words")
        if _punctuation(text, chosen.kind, chosen.column).all():
            raise SystemsError(f"{BEST}: there is nothing to learn from but punctuation")
    return chosen


def words_ending_in_punctuation(text: Treebank) -> int:
    """Return how many words end in punctuation in a text in which it stands nowhere by itself.

    >>> import treegauge as tg
    >>> words_ending_in_punctuation(tg.parse("Ann sings. Bo, too.\\n", format="tokens"))
    3
    >>> words_ending_in_punctuation(tg.parse("Ann sings .\\n", format="tokens"))
    0
    """
    forms = text.form.vocabulary.strings
    if any(map(is_punctuation_form, forms)):
        return 0
    ends = np.array([is_punctuation_form(form[-1:]) for form in forms], np.bool_)
    return int(ends[text.form.codes].sum())


def _by_tags(texts: tuple[Treebank, ...]) -> BestInducer:
    of_texts = [_tagged_columns(text) for text in texts]
    common: list[str] = [c for c in COLUMNS if all(c in columns for columns in of_texts)]
    for column in common:
        tags = reduce(set.union, (columns[column] for columns in of_texts))
        if tags <= UNIVERSAL_TAGS:
            return BestInducer("universal", column, f"all tags in {column.upper()} are universal")
    if common:
        column = common[0]
        tags = reduce(set.union, (columns[column] for columns in of_texts))
        others = sorted(tags - UNIVERSAL_TAGS)
        reason = f"{column.upper()} has {counted(len(tags), 'tag')} that are not all universal"
        return BestInducer("other", column, f"{reason} ({', '.join(others[:3])})")
    return BestInducer("none", "", _why_words_only(texts))


def _why_words_only(texts: tuple[Treebank, ...]) -> str:
    for text in texts:
        for name in COLUMNS:
            if text.columns[name].is_annotated:
                tagged = int(_is_tagged(text.columns[name]).sum())
                return (
                    f"too few words have a tag in {name.upper()}, "
                    f"{tagged:,} of {counted(text.n_words, 'word')}, or all have the same"
                )
    return "there are words and no tags"


def _tagged_columns(text: Treebank) -> dict[str, set[str]]:
    """Return the tags of columns in which nearly all words have one, and not all the same."""
    found = {}
    for name in COLUMNS:
        column = text.columns[name]
        tags = {tag for tag in column.counts() if tag not in ("", EMPTY)}
        if len(tags) > 1 and _is_tagged(column).mean() >= LEAST_TAGGED:
            found[name] = tags
    return found


def _is_tagged(column: Column) -> NDArray[np.bool_]:
    by_value = np.array([tag not in ("", EMPTY) for tag in column.vocabulary], np.bool_)
    mask: NDArray[np.bool_] = by_value[column.codes]
    return mask


def _punctuation(text: Treebank, kind: KindOfTags, name: str) -> NDArray[np.bool_]:
    if text.punctuation is not None:
        return text.punctuation
    if kind == "universal":
        column = text.columns[name]
        by_value = np.array([tag in PUNCTUATION_TAGS for tag in column.vocabulary], np.bool_)
    else:
        column = text.form
        by_value = np.array([is_punctuation_form(form) for form in column.vocabulary], np.bool_)
    mask: NDArray[np.bool_] = by_value[column.codes]
    return mask


def loaded_inducer(system: System, model: str) -> BestInducer:
    """Return how a system that was saved reads a text.

    Raises
    ------
    SystemsError
        If it is none that `best` chooses.
    """
    kinds: dict[str, KindOfTags] = {name: kind for kind, name in SYSTEMS.items()}
    if system.name not in kinds:
        raise SystemsError(
            f"{model}: this is a model of {system.name}; {BEST} takes {alternatives(kinds)}"
        )
    tags = system.settings.to_dict().get("tags", "")
    column = next((name for name, short in COLUMNS.items() if short == tags), "upos" * bool(tags))
    return BestInducer(kinds[system.name], column, f"{model} has learnt that already")
