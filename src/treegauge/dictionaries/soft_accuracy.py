"""Soft accuracy: how often a tag is one that the dictionary warrants.

With a text of n words w_i, a tagger's tags t_i and a dictionary D,

    cov    = |{i : w_i in D}| / n
    A_soft = |{i : w_i in D and t_i in D[w_i]}| / |{i : w_i in D}|

Nothing here needs gold tags. A_soft is undefined, None and never 0, where no word is covered. An
ambiguous dictionary accepts wrong tags: *permissiveness* is the mean over covered words of
(|D[w]| - 1) / 11, the chance that one of the 11 wrong tags, drawn at random, is accepted. A wrong
dictionary rejects right ones: the *ceiling*, where there is gold, is the A_soft of gold itself.

References
----------
Agić, Plank and Søgaard (2017), Cross-lingual tagger evaluation without test data. EACL.
https://aclanthology.org/E17-2040
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.tag_sets import TAGS, set_sizes, tags_of
from treegauge.dictionaries.texts import Codes, Text
from treegauge.significance import Interval, Resampler, interval

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class CostlyEntry:
    """An entry of the dictionary that rejects many words.

    Attributes
    ----------
    form : str
        As in the dictionary.
    tags : tuple of str
        What the dictionary allows.
    rejected : int
        Words of the text that were not accepted.
    words : int
        Words of the text.
    usual_tag : str
        The tag that was rejected most often.
    """

    form: str
    tags: tuple[str, ...]
    rejected: int
    words: int
    usual_tag: str


@dataclass(frozen=True)
class SoftAccuracy:
    """What a dictionary says of a tagger; shares in 0..1, None where nothing can be divided.

    Attributes
    ----------
    value : float or None
        A_soft.
    low, high : float or None
        Its interval over resampled sentences.
    hits, covered, n : int
        Accepted words, words with an entry, all words that are scored.
    coverage, type_coverage : float or None
        The share of words, and of distinct forms, that have an entry.
    type_macro : float or None
        The mean over covered forms of their own soft accuracy.
    without_punctuation : float or None
        A_soft of words that are no punctuation marks.
    permissiveness : float or None
        The chance that a uniformly wrong tag is accepted.
    mean_tags : float or None
        Tags in the entry of a covered word.
    singleton_share, on_singletons : float or None
        Covered words whose entry has one tag, and A_soft of these.
    costly : tuple of CostlyEntry
        The entries that reject most words, worst first.
    """

    value: float | None
    low: float | None
    high: float | None
    hits: int
    covered: int
    n: int
    coverage: float | None
    type_coverage: float | None
    type_macro: float | None
    without_punctuation: float | None
    permissiveness: float | None
    mean_tags: float | None
    singleton_share: float | None
    on_singletons: float | None
    costly: tuple[CostlyEntry, ...]


@dataclass(frozen=True)
class GoldBlock:
    """What gold tags add; shares in 0..1, None where nothing can be divided.

    Attributes
    ----------
    accuracy : float or None
        A_true.
    low, high : float or None
        Its interval over resampled sentences.
    ceiling : float or None
        A_soft of gold itself: the share of covered words whose gold tag the dictionary has.
    wrong_accepted : float or None
        The share of covered words with a wrong tag that the dictionary accepts nevertheless.
    on_covered, on_others : float or None
        A_true of covered words, and of the others.
    known, unknown, ambiguous : float or None
        A_true of words that a trusted dictionary has, that it lacks, and of those to which it
        gives several tags; None without one.
    """

    accuracy: float | None
    low: float | None
    high: float | None
    ceiling: float | None
    wrong_accepted: float | None
    on_covered: float | None
    on_others: float | None
    known: float | None = None
    unknown: float | None = None
    ambiguous: float | None = None


def soft_accuracy(
    text: Text,
    codes: Codes,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    listed: int = 10,
) -> SoftAccuracy:
    """Score a tagger's tags of a text by its dictionary.

    Parameters
    ----------
    text : Text
        Words, dictionary and conventions.
    codes : int8 array, one per word
        Tags, as `text.codes` gives them.
    resamples, confidence, seed
        Of the bootstrap over sentences; 0 resamples for no interval.
    listed : int
        How many costly entries to name.
    """
    covered, accepted = text.is_covered, text.accepted(codes)
    n, hits, n_covered = (int(mask.sum()) for mask in (text.is_scored, accepted, covered))
    ends = share_interval(text, accepted, covered, resamples, confidence, seed)
    sizes = set_sizes(text.mask[covered])
    single = covered & (set_sizes(text.mask) == 1)
    letters = ~text.is_punctuation
    of_type = np.bincount(text.type[covered], minlength=text.type.max(initial=-1) + 1)
    hits_of_type = np.bincount(text.type[accepted], minlength=len(of_type))
    seen = of_type > 0
    mean_tags = float(sizes.mean()) if n_covered else None
    return SoftAccuracy(
        value=share(hits, n_covered),
        low=ends.low if ends else None,
        high=ends.high if ends else None,
        hits=hits,
        covered=n_covered,
        n=n,
        coverage=share(n_covered, n),
        type_coverage=share(int(seen.sum()), len(np.unique(text.type[text.is_scored]))),
        type_macro=float(np.mean(hits_of_type[seen] / of_type[seen])) if n_covered else None,
        without_punctuation=share((accepted & letters).sum(), (covered & letters).sum()),
        permissiveness=None if mean_tags is None else (mean_tags - 1) / (len(TAGS) - 1),
        mean_tags=mean_tags,
        singleton_share=share(single.sum(), n_covered),
        on_singletons=share((accepted & single).sum(), single.sum()),
        costly=_costly(text, codes, covered & ~accepted, listed),
    )


def gold_block(
    text: Text,
    codes: Codes,
    gold: Codes,
    *,
    trusted: TagDictionary | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> GoldBlock:
    """Return what gold tags say of a tagger and of the dictionary.

    Parameters
    ----------
    trusted : TagDictionary, optional
        That of the training set, for known, unknown and ambiguous words; forms as they stand.
    """
    scored, covered = text.is_scored, text.is_covered
    right = (codes == gold) & scored
    wrong = scored & covered & ~right
    accepted = text.accepted(codes)
    ends = share_interval(text, right, scored, resamples, confidence, seed)
    others = scored & ~covered
    by_training: list[float | None] = [None, None, None]
    if trusted is not None:
        sizes = Text(text.treebank, trusted).mask
        for i, of in enumerate((sizes > 0, sizes == 0, set_sizes(sizes) > 1)):
            by_training[i] = share((right & of).sum(), (scored & of).sum())
    return GoldBlock(
        share(right.sum(), scored.sum()),
        ends.low if ends else None,
        ends.high if ends else None,
        share(text.accepted(gold).sum(), covered.sum()),
        share((accepted & wrong).sum(), wrong.sum()),
        share((right & covered).sum(), covered.sum()),
        share((right & others).sum(), others.sum()),
        *by_training,
    )


def share(part: float, whole: float) -> float | None:
    """Return part / whole, None where the whole is nothing."""
    return float(part / whole) if whole else None


def share_interval(
    text: Text, part: Bools, whole: Bools, resamples: int, confidence: float, seed: int
) -> Interval | None:
    """Return the interval of a share of words over resampled sentences."""
    if not resamples:
        return None
    resampler = Resampler(text.treebank.n_sentences, resamples=resamples, seed=seed)
    scores = resampler.scores(text.by_sentence(part, whole), ratio_of_sums)
    return interval(scores, confidence=confidence)


def ratio_of_sums(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first of two sums divided by the second, NaN where that is nothing."""
    part, whole = sums[..., 0], sums[..., 1]
    out: NDArray[np.float64] = np.divide(
        part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0
    )
    return out


def _costly(text: Text, codes: Codes, rejected: Bools, listed: int) -> tuple[CostlyEntry, ...]:
    """Return the entries that cost most: `loss(w)`, covered words of w that are not accepted."""
    loss = np.bincount(text.entry[rejected], minlength=len(text.dictionary) + 1)
    # Numbers have no entry; ties by form.
    worst = np.flatnonzero(loss[:-1]).tolist()
    forms = {code: text.dictionary.forms[code] for code in worst}
    ranked = sorted(worst, key=lambda code: (-loss[code], forms[code]))
    entries = []
    for code in ranked[:listed]:
        of = text.entry == code
        tags = np.bincount(codes[of & rejected], minlength=len(TAGS))
        entries.append(
            CostlyEntry(
                forms[code],
                tags_of(int(text.dictionary.masks[code])),
                int(loss[code]),
                int((of & text.is_scored).sum()),
                TAGS[int(tags.argmax())],
            )
        )
    return tuple(entries)
