"""Dictionaries made of something else: of a treebank, or of a dictionary in another language."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.files import WordPair, multiword
from treegauge.dictionaries.tag_dictionary import TagDictionary, normalised
from treegauge.dictionaries.tag_sets import CODE, TAGS, Symbols, tag_code
from treegauge.formats import read_pieces
from treegauge.shards import GivenUp, in_order, shard_files, stop_if
from treegauge.treebank import EMPTY, Treebank, tag_column


def from_treebank(treebank: Treebank, *, symbols: Symbols = "X") -> TagDictionary:
    """Read the dictionary G off an annotated treebank: every form with the tags it has there.

    >>> import treegauge as tg
    >>> gold = tg.parse("old/ADJ dogs/NOUN dog/VERB dogs/VERB\\n", format="slashed")
    >>> dict(from_treebank(gold).items())
    {'old': ('ADJ',), 'dogs': ('NOUN', 'VERB'), 'dog': ('VERB',)}
    """
    return TagDictionary.from_pairs(_tags_of_forms(treebank, symbols), name=treebank.name)


def from_shards(
    names: Iterable[str | os.PathLike[str]],
    *,
    symbols: Symbols = "X",
    format: str | None = None,
    executor: Executor | None = None,
    name: str = "",
) -> TagDictionary:
    """Read a dictionary off many annotated files, which need not fit in memory.

    It is that of `from_treebank` for all files together, whatever the executor.

    Parameters
    ----------
    names : iterable of paths
        Files, folders or patterns, plain or compressed.
    executor : Executor, optional
        Where files are read, `treegauge.runs.cluster_executor(ADDRESS)` for example; on threads
        when missing. Workers elsewhere see the same paths.

    Raises
    ------
    ShardError, FormatError
        If a file cannot be read to its end; the message names it.
    """
    files = [str(file.absolute()) for file in shard_files(names)]
    tasks = [(file, format, symbols) for file in files]
    masks: dict[str, int] = {}
    for own in in_order(_masks_of_shard, tasks, executor, files):
        for form, mask in own.items():
            masks[form] = masks.get(form, 0) | mask
    return TagDictionary.from_masks(masks, name=name)


def _masks_of_shard(
    file: str, format: str | None, symbols: Symbols, given_up: GivenUp | None = None
) -> dict[str, int]:
    masks: dict[str, int] = {}
    for piece in read_pieces(file, format=format):
        stop_if(given_up)
        for form, mask in _tags_of_forms(piece, symbols):
            form = normalised(form)
            masks[form] = masks.get(form, 0) | mask
    return masks


def _tags_of_forms(treebank: Treebank, symbols: Symbols) -> Iterator[tuple[str, int]]:
    """Give every form that has a tag, and the set of its tags."""
    tag_column(treebank, "u12")  # complains about what are no universal tags
    forms, tags = treebank.form, treebank.upos
    code_of = np.array([tag_code(tag, symbols=symbols) for tag in tags.vocabulary], np.int64)
    annotated = np.array([tag not in ("", EMPTY) for tag in tags.vocabulary], np.bool_)
    chosen = annotated[tags.codes]
    masks = np.zeros(len(forms.vocabulary), np.int64)
    bits = np.left_shift(1, np.maximum(code_of, 0))
    np.bitwise_or.at(masks, forms.codes[chosen], bits[tags.codes[chosen]])
    seen = np.flatnonzero(masks)
    strings = forms.vocabulary.strings
    return ((strings[code], int(masks[code])) for code in seen.tolist())


@dataclass(frozen=True)
class Translation:
    """A translated dictionary, and what became of the word list.

    Attributes
    ----------
    dictionary : TagDictionary
        D_trans.
    pairs : int
        Distinct pairs of the word list.
    dropped_multiword : int
        Pairs with several words on a side.
    without_tags : int
        Pairs whose source word the dictionary does not have.
    """

    dictionary: TagDictionary
    pairs: int
    dropped_multiword: int
    without_tags: int

    def to_dict(self) -> dict[str, Any]:
        """Return what was done as JSON has it."""
        counts = {"pairs": self.pairs, "dropped_multiword": self.dropped_multiword}
        return {**self.dictionary.summary(), **counts, "without_tags": self.without_tags}


def translate(
    dictionary: TagDictionary,
    word_list: Iterable[WordPair | tuple[str, str]],
    *,
    match_tags: bool = False,
    min_share: float = 0.0,
    max_tags: int = len(TAGS),
    name: str = "",
) -> Translation:
    """Translate a dictionary through a list of word pairs.

    `D_trans[f]` is the union of `D[e]` over all e that f translates: the "very simple" look-up
    of Agić et al. (2017, section 2). The options, off by default, make it less simple.

    Parameters
    ----------
    dictionary : TagDictionary
        Of the source language, usually English.
    word_list : pairs (source word, target word), perhaps with tags
        Pairs with several words on a side are dropped and counted.
    match_tags : bool
        Where a pair has tags, take over only those.
    min_share : float
        Drop tags that fewer than this share of the source words have. The best supported tag
        stays.
    max_tags : int
        Keep so many tags a form at most, the best supported ones.

    Examples
    --------
    >>> english = TagDictionary.from_mapping({"dog": ["NOUN", "VERB"], "hound": ["NOUN"]})
    >>> pairs = [("dog", "hund"), ("hound", "hund"), ("hot dog", "pølse")]
    >>> translation = translate(english, pairs)
    >>> dict(translation.dictionary.items()), translation.dropped_multiword
    ({'hund': ('NOUN', 'VERB')}, 1)
    >>> translate(english, pairs, min_share=0.6).dictionary["hund"]
    ('NOUN',)
    """
    if not 0 <= min_share <= 1 or max_tags < 1:
        raise DictionaryError(
            f"min_share is between 0 and 1, max_tags at least 1; found {min_share}, {max_tags}"
        )
    masks: dict[str, list[int]] = {}
    pairs = {WordPair(normalised(p[0]), normalised(p[1]), *p[2:]): None for p in word_list}
    several = without_tags = 0
    for source, target, allowed in pairs:
        if multiword(source) or multiword(target):
            several += 1
            continue
        mask = dictionary.mask(source)
        if match_tags and allowed:
            mask &= allowed
        if mask:
            masks.setdefault(target, []).append(mask)
        else:
            without_tags += 1
    mask_of_form = {target: _supported(of, min_share, max_tags) for target, of in masks.items()}
    return Translation(
        TagDictionary.from_masks(
            mask_of_form, name=name or f"{dictionary.name or 'dictionary'} translated"
        ),
        len(pairs),
        several,
        without_tags,
    )


def _supported(masks: list[int], min_share: float, max_tags: int) -> int:
    """Unite sets of tags, but for tags that too few of them have."""
    support = {code: sum(mask >> code & 1 for mask in masks) for code in CODE.values()}
    ranked = sorted((code for code in support if support[code]), key=lambda code: -support[code])
    kept = [code for code in ranked if support[code] >= min_share * len(masks)] or ranked[:1]
    return sum(1 << code for code in kept[:max_tags])
