"""Which sentences of an output are which sentences of gold.

By `# sent_id` where both have it; else by place, where there are as many sentences and most words
stand where gold has them; else by their words, where no other sentence has the same; and what is
left between two such sentences by how many words are shared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_MOST_PAIRS = 250_000
"""So many pairs of sentences between two known ones are compared at most."""


@dataclass(frozen=True)
class NamedWords:
    """A sentence as it is paired: its name and its words."""

    id: str
    forms: tuple[str, ...]


@dataclass(frozen=True)
class Pairing:
    """Which sentence of gold every sentence of an output is.

    Attributes
    ----------
    partner : list of int
        The sentence of gold, -1 where there is none.
    regrouped : list of pairs of lists
        Sentences of the output and of gold that are one text, cut into sentences differently.
    """

    partner: list[int]
    regrouped: list[tuple[list[int], list[int]]]


def pair_sentences(gold: Sequence[NamedWords], loose: Sequence[NamedWords]) -> Pairing:
    """Pair the sentences of an output with those of gold.

    Sentences in another order are known by their ids or by all of their words; one that is damaged
    as well has no partner.

    >>> birds, fish = NamedWords("", ("birds", "sing")), NamedWords("", ("fish", "swim"))
    >>> pair_sentences([birds, fish], [fish, birds]).partner
    [1, 0]
    >>> pair_sentences([birds, fish], [fish, NamedWords("", ("birds",))]).partner
    [1, -1]
    """
    partner = [-1] * len(loose)
    _pair_unique(partner, [one.id for one in gold], [one.id for one in loose])
    if all(one < 0 for one in partner) and _stand_in_place(gold, loose):
        return Pairing(list(range(len(loose))), [])
    _pair_unique(partner, [one.forms for one in gold], [one.forms for one in loose])
    return Pairing(partner, _pair_between(partner, gold, loose))


def _runs_between(partner: Sequence[int], n_gold: int) -> list[tuple[list[int], list[int]]]:
    """Return runs of sentences without a partner, and those of gold they may be.

    Where the sentences around a run stand in order, gold's sentences between them; otherwise those
    behind the one before it.
    """
    taken = {one for one in partner if one >= 0}
    runs: list[tuple[list[int], list[int]]] = []
    place = 0
    while place < len(partner):
        if partner[place] >= 0:
            place += 1
            continue
        end = place
        while end < len(partner) and partner[end] < 0:
            end += 1
        first = partner[place - 1] + 1 if place else 0
        last = partner[end] if end < len(partner) else n_gold
        if last < first:
            last = next((one for one in range(first, n_gold) if one in taken), n_gold)
        free = [one for one in range(first, last) if one not in taken]
        # Sentences in another order leave some that stand nowhere near their place.
        if not free and place == 0 and end == len(partner):
            free = [one for one in range(n_gold) if one not in taken]
        runs.append((list(range(place, end)), free))
        taken.update(free)
        place = end
    return runs


def _pair_unique(partner: list[int], gold: Sequence[object], loose: Sequence[object]) -> None:
    """Pair what has a key that no other sentence without a partner has."""
    taken = set(partner)
    free = [place for place in range(len(gold)) if place not in taken and gold[place]]
    open_ones = [place for place, one in enumerate(partner) if one < 0 and loose[place]]
    times_in_gold = Counter(gold[place] for place in free)
    times = Counter(loose[place] for place in open_ones)
    place_of = {gold[place]: place for place in free if times_in_gold[gold[place]] == 1}
    for place in open_ones:
        if times[loose[place]] == 1 and loose[place] in place_of:
            partner[place] = place_of[loose[place]]


def _stand_in_place(gold: Sequence[NamedWords], loose: Sequence[NamedWords]) -> bool:
    if len(gold) != len(loose):
        return False
    shared = sum(_shared(a, b) for a, b in zip(gold, loose, strict=True))
    return 2 * shared >= sum(len(one.forms) for one in loose)


def _pair_between(
    partner: list[int], gold: Sequence[NamedWords], loose: Sequence[NamedWords]
) -> list[tuple[list[int], list[int]]]:
    """Pair what is left between sentences with a partner; return what is cut differently."""
    regrouped = []
    for run, free in _runs_between(partner, len(gold)):
        if len(run) != len(free) and _text(run, loose) == _text(free, gold):
            regrouped.append((run, free))
            continue
        if len(run) == len(free) or len(run) * len(free) > _MOST_PAIRS:
            chosen = list(zip(run, free, strict=False))
        else:
            chosen = _most_shared(run, free, gold, loose)
        for place, one in chosen:
            partner[place] = one
    return regrouped


def _text(places: list[int], sentences: Sequence[NamedWords]) -> str:
    return "".join(form for place in places for form in sentences[place].forms)


def _most_shared(
    run: list[int], free: list[int], gold: Sequence[NamedWords], loose: Sequence[NamedWords]
) -> list[tuple[int, int]]:
    """Return the pairs, in order, that share most words; each shares half of the shorter one."""
    best = [[0] * (len(free) + 1) for _ in range(len(run) + 1)]
    worth = [[_worth(gold[g], loose[s]) for g in free] for s in run]
    for i in range(len(run) - 1, -1, -1):
        for j in range(len(free) - 1, -1, -1):
            together = best[i + 1][j + 1] + worth[i][j] if worth[i][j] else 0
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(run) and j < len(free):
        if worth[i][j] and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            pairs.append((run[i], free[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _worth(gold: NamedWords, loose: NamedWords) -> int:
    shared = _shared(gold, loose)
    return shared if 2 * shared >= min(len(gold.forms), len(loose.forms)) else 0


def _shared(a: NamedWords, b: NamedWords) -> int:
    return (Counter(a.forms) & Counter(b.forms)).total()
