"""What a text tells about its classes of words: which are closed, and which heads sentences.

Classes are numbers; nothing here knows what they are called.

Closed classes    Few words, used again and again, make up a closed class: tokens whose form occurs
                  once with that class are rarer in it than in the whole text.
The predicate     A sentence needs one. Were words dealt out to sentences by chance, a class with
                  the share q of all tokens would be met in 1 - (1 - q)^n of sentences of n words;
                  the class that heads sentences is met in more.
The side          What leans on the next word cannot stand last: a closed class that begins
                  stretches between punctuation more often than it ends them has its heads behind
                  it, and the other way round.
Conjunctions      What stands before a conjunction and what stands behind it are of one class more
                  often than chance would have it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.arc_scores import boundaries
from treegauge.treebank import Treebank

Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

LEAST_WORDS = 4
"""Sentences of fewer words say nothing about predicates."""
LEAST_GAIN = 0.3
LEAST_SURPLUS = -2.0
FEWEST_TOKENS = 20
SEEDS = 30
MOST_CANDIDATES = 150
"""Of sets of tags that head sentences, see `predicate_tags`."""
FEWEST_BETWEEN = 10
"""How often a conjunction stands between words at least."""


def shares_of_new_words(words: Treebank, classes: Codes, n_classes: int) -> tuple[Floats, float]:
    """Return the share of tokens whose form, lower-cased, occurs once with their class.

    By class (0 for classes that do not occur), and over all tokens.
    """
    lowered: dict[str, int] = {}
    codes = [lowered.setdefault(form.lower(), len(lowered)) for form in words.form.vocabulary]
    forms = np.array(codes, np.int64)[words.form.codes]
    _, word, times = np.unique(forms * n_classes + classes, return_inverse=True, return_counts=True)
    is_new = times[word] == 1
    tokens = np.bincount(classes, minlength=n_classes)
    shares: Floats = np.bincount(classes, is_new, minlength=n_classes) / np.maximum(tokens, 1)
    return shares, float(is_new.mean())


def closed_classes(words: Treebank, classes: Codes, n_classes: int, below: float) -> Flags:
    """Return which classes have fewer new words than `below` times the share of all tokens."""
    shares, overall = shares_of_new_words(words, classes, n_classes)
    closed: Flags = shares < below * overall
    return closed


def surplus_of_sentences(words: Treebank, classes: Codes, n_classes: int) -> Floats:
    """Return by how many standard deviations more sentences have a class than by chance.

    Sentences are independent trials that succeed with probability 1 - (1 - q)^n; those of fewer
    than `LEAST_WORDS` words are headings and answers, which need no predicate. Classes that never
    occur, or in all tokens, have no surplus.
    """
    is_whole = words.lengths >= LEAST_WORDS
    kept = is_whole[words.sentence_of_word]
    classes = classes[kept]
    sentence = words.sentence_of_word[kept].astype(np.int64)
    have = np.bincount(np.unique(sentence * n_classes + classes) % n_classes, minlength=n_classes)
    shares = np.bincount(classes, minlength=n_classes) / max(1, classes.size)
    return _surplus(have, shares, words.lengths[is_whole])


def _surplus(have: NDArray[np.int64], shares: Floats, lengths: NDArray[np.int64]) -> Floats:
    """Return how much more sentences have classes, from their shares of tokens."""
    words, times = np.unique(lengths, return_counts=True)
    met = 1 - (1 - shares[:, None]) ** words
    deviation = np.sqrt((met * (1 - met)) @ times)
    surplus: Floats = np.divide(
        have - met @ times, deviation, out=np.zeros(shares.size), where=deviation > 1e-9
    )
    return surplus


def leaning(words: Treebank, classes: Codes, n_classes: int) -> Floats:
    """Return ln((b + 1) / (e + 1)): how often a class begins and ends stretches of words.

    A stretch is two words at least between punctuation or the edges of sentences. Positive for
    classes that lean on what follows.
    """
    begins = boundaries(words)
    begins[words.offsets[:-1][words.lengths > 0]] = True
    ends = np.append(begins[1:], True)[: begins.size]
    several = ~(begins & ends)
    first, last = (np.bincount(classes[at & several], minlength=n_classes) for at in (begins, ends))
    leaning: Floats = np.log((first + 1) / (last + 1))
    return leaning


def surplus_of_equal_neighbours(words: Treebank, classes: Codes, is_closed: Flags) -> Floats:
    """Return by how many standard deviations more often the neighbours are of one open class.

    By class, against neighbours that were drawn independently from those that the class has on its
    left and on its right. Open classes and those that stand between words fewer than
    `FEWEST_BETWEEN` times have -inf.
    """
    n_classes = is_closed.size
    surplus = np.full(n_classes, -np.inf)
    sentence = words.sentence_of_word
    between = np.flatnonzero(is_closed[classes[1:-1]] & (sentence[:-2] == sentence[2:])) + 1
    n = n_classes**2
    left = np.bincount(classes[between] * n_classes + classes[between - 1], minlength=n)
    right = np.bincount(classes[between] * n_classes + classes[between + 1], minlength=n)
    is_equal = (classes[between - 1] == classes[between + 1]) & ~is_closed[classes[between - 1]]
    equal = np.bincount(classes[between][is_equal], minlength=n_classes)
    times = np.bincount(classes[between], minlength=n_classes)
    for one in np.flatnonzero(times >= FEWEST_BETWEEN).tolist():
        row = slice(one * n_classes, (one + 1) * n_classes)
        chance = float((left[row] * right[row])[~is_closed].sum()) / times[one] ** 2
        deviation = np.sqrt(times[one] * chance * (1 - chance))
        if deviation > 0:
            surplus[one] = (equal[one] - times[one] * chance) / deviation
    return surplus


def predicate_tags(words: Treebank, tags: Codes, n_tags: int, may_head: Flags) -> list[int]:
    """Return the tags that together have the largest surplus of sentences.

    Fine tags tell the forms of verbs apart, and no form is in all sentences. From each of the
    tags with the largest surpluses, tags are added as long as the surplus grows by `LEAST_GAIN`;
    the best end counts. Tags that far fewer sentences have than by chance are left out: they fill
    sentences that have no predicate, as numbers and names do.
    """
    surplus = surplus_of_sentences(words, tags, n_tags)
    tokens = np.bincount(tags, minlength=n_tags)
    is_candidate = may_head & (tokens >= FEWEST_TOKENS) & (surplus > LEAST_SURPLUS)
    candidates = np.flatnonzero(is_candidate)[:MOST_CANDIDATES]
    if not candidates.size:
        return [int(np.where(may_head, surplus, -np.inf).argmax())]
    whole = words.take(np.flatnonzero(words.lengths >= LEAST_WORDS))
    kept = (words.lengths >= LEAST_WORDS)[words.sentence_of_word]
    has = np.zeros((candidates.size, whole.n_sentences), np.bool_)
    for row, tag in enumerate(candidates.tolist()):
        has[row, whole.sentence_of_word[tags[kept] == tag]] = True
    shares = np.bincount(tags[kept], minlength=n_tags)[candidates] / max(1, int(kept.sum()))
    best: tuple[float, list[int]] = (-np.inf, [])
    for seed in np.argsort(-surplus[candidates], kind="stable")[:SEEDS].tolist():
        end = _grown(seed, has, shares, whole.lengths)
        best = max(best, end, key=lambda found: found[0])
    return sorted(candidates[best[1]].tolist())


def _grown(
    seed: int, has: Flags, shares: Floats, lengths: NDArray[np.int64]
) -> tuple[float, list[int]]:
    """Return the surplus of a set that begins with a candidate, and the set."""
    found = [seed]
    covered, share = has[seed].copy(), float(shares[seed])
    value = float(_surplus(np.array([covered.sum()]), np.array([share]), lengths)[0])
    while len(found) < shares.size:
        together = covered.sum() + has[:, ~covered].sum(axis=1)
        values = _surplus(together, np.minimum(share + shares, 1.0), lengths)
        values[found] = -np.inf
        following = int(values.argmax())
        if values[following] < value + LEAST_GAIN:
            break
        value = float(values[following])
        found.append(following)
        covered |= has[following]
        share += float(shares[following])
    return value, found
