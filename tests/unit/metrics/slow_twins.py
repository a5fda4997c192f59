"""The metrics as their definitions have them: pure Python, one word at a time.

Every sentence is a list of `Word`s; gold and system have the same words. A twin returns what
it counts: (correct, in gold, in the system), or the score itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from math import log2
from typing import NamedTuple

# fmt: off
CONTENT = {
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated",
    "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed",
    "flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep",
}
FUNCTION = {"aux", "cop", "mark", "det", "clf", "case", "cc"}
UNIVERSAL_FEATURES = {
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number",
    "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident",
    "Polarity", "Person", "Polite",
}
# fmt: on


class Word(NamedTuple):
    """A word's annotation; the head counts from 1, 0 is the root, -1 none."""

    head: int
    deprel: str = "dep"
    upos: str = "X"
    feats: str = "_"
    lemma: str = "_"


Sentence = Sequence[Word]
Counted = tuple[int, int, int]


def head_of(sentence: Sentence, position: int) -> int | None:
    """The head of a word if it is the root or in the sentence; the root itself has none."""
    if position == 0:
        return None
    head = sentence[position - 1].head
    return head if 0 <= head <= len(sentence) else None


def is_on_cycle(sentence: Sentence, i: int) -> bool:
    """Whether a word is its own ancestor."""
    at: int | None = i
    for _ in sentence:
        at = head_of(sentence, at) if at else None
        if at == i:
            return True
    return False


def predicted_head(sentence: Sentence, i: int) -> int | None:
    """What can be right about a system's word: nothing on a cycle is."""
    return None if is_on_cycle(sentence, i) else head_of(sentence, i)


# ---------------------------------------------------------------------- attachment


def uas(gold: Sentence, system: Sentence, i: int) -> bool:
    return head_of(gold, i) == predicted_head(system, i)


def undirected(gold: Sentence, system: Sentence, i: int) -> bool:
    predicted = predicted_head(system, i)
    return uas(gold, system, i) or (bool(predicted) and head_of(gold, predicted) == i)


def ned(gold: Sentence, system: Sentence, i: int) -> bool:
    predicted, parent = predicted_head(system, i), head_of(gold, i)
    assert parent is not None
    return undirected(gold, system, i) or (
        predicted is not None and predicted == head_of(gold, parent)
    )


def las(gold: Sentence, system: Sentence, i: int) -> bool:
    return uas(gold, system, i) and same_relation(gold[i - 1], system[i - 1])


def same_relation(a: Word, b: Word) -> bool:
    return a.deprel.split(":")[0] == b.deprel.split(":")[0]


def attachment(
    gold: Sequence[Sentence],
    system: Sequence[Sentence],
    is_right: Callable[[Sentence, Sentence, int], bool],
) -> Counted:
    """Count the words that gold has a head for."""
    outcomes = [
        is_right(g, s, i)
        for g, s in zip(gold, system, strict=True)
        for i in range(1, len(g) + 1)
        if head_of(g, i) is not None
    ]
    return sum(outcomes), len(outcomes), len(outcomes)


# ---------------------------------------------------------------------- the shared task


def is_content(word: Word) -> bool:
    return word.deprel.split(":")[0] in CONTENT


def function_words(sentence: Sentence, i: int) -> list[tuple[int, str, str, set[str]]]:
    """The function words below a word, with what MLAS compares of them."""
    return [
        (j, word.deprel.split(":")[0], word.upos, features(word))
        for j, word in enumerate(sentence, start=1)
        if predicted_head(sentence, j) == i and word.deprel.split(":")[0] in FUNCTION
    ]


def features(word: Word) -> set[str]:
    return {f for f in word.feats.split("|") if f.split("=")[0] in UNIVERSAL_FEATURES}


def clas(gold: Sentence, system: Sentence, i: int) -> bool:
    return las(gold, system, i)


def mlas(gold: Sentence, system: Sentence, i: int) -> bool:
    a, b = gold[i - 1], system[i - 1]
    return (
        clas(gold, system, i)
        and a.upos == b.upos
        and features(a) == features(b)
        and function_words(gold, i) == function_words(system, i)
    )


def blex(gold: Sentence, system: Sentence, i: int) -> bool:
    a, b = gold[i - 1], system[i - 1]
    return clas(gold, system, i) and a.lemma in ("_", b.lemma)


def content_words(
    gold: Sequence[Sentence],
    system: Sequence[Sentence],
    is_right: Callable[[Sentence, Sentence, int], bool],
) -> Counted:
    """Count the words with a content relation; gold says which pairs are scored."""
    scored = [
        (g, s, i)
        for g, s in zip(gold, system, strict=True)
        for i in range(1, len(g) + 1)
        if head_of(g, i) is not None
    ]
    in_gold = [(g, s, i) for g, s, i in scored if is_content(g[i - 1])]
    in_system = [(g, s, i) for g, s, i in scored if is_content(s[i - 1])]
    return sum(is_right(*pair) for pair in in_gold), len(in_gold), len(in_system)


# ---------------------------------------------------------------------- the task


Triple = tuple[int, int, str, int]


def triples(sentences: Sequence[Sentence], gold: Sequence[Sentence]) -> set[Triple]:
    """Sentence, verb, role and argument, of words that gold has a head for."""
    roles = {"nsubj": "subject", "nsubj:pass": "subject", "obj": "object"}
    return {
        (number, word.head, roles[word.deprel], i)
        for number, sentence in enumerate(sentences)
        for i, word in enumerate(sentence, start=1)
        if word.deprel in roles
        and predicted_head(sentence, i)
        and head_of(gold[number], i) is not None
    }


def verb_arguments(gold: Sequence[Sentence], system: Sequence[Sentence]) -> Counted:
    wanted, found = triples(gold, gold), triples(system, gold)
    return len(wanted & found), len(wanted), len(found)


def verb_argument_pairs(gold: Sequence[Sentence], system: Sequence[Sentence]) -> Counted:
    wanted = triples(gold, gold)
    right = [predicted_head(system[n], argument) == verb for n, verb, _, argument in wanted]
    return sum(right), len(wanted), len(wanted)


COUNTS: dict[str, Callable[[Sequence[Sentence], Sequence[Sentence]], Counted]] = {
    **{
        twin.__name__: lambda gold, system, twin=twin: attachment(gold, system, twin)
        for twin in (uas, undirected, ned, las)
    },
    **{
        twin.__name__: lambda gold, system, twin=twin: content_words(gold, system, twin)
        for twin in (clas, mlas, blex)
    },
    "verb_arguments": verb_arguments,
    "verb_argument_pairs": verb_argument_pairs,
}
"""Twins by the name of the metric."""


# ---------------------------------------------------------------------- clusters and tags


def many_to_one(clusters: Sequence[str], tags: Sequence[str]) -> float:
    n = Counter(zip(clusters, tags, strict=True))
    best = [max(n[k, t] for t in set(tags)) for k in set(clusters)]
    return sum(best) / len(tags)


def one_to_one_optimal(clusters: Sequence[str], tags: Sequence[str]) -> float:
    n = Counter(zip(clusters, tags, strict=True))
    few, many = sorted((sorted(set(clusters)), sorted(set(tags))), key=len)
    swapped = few == sorted(set(tags)) and few != sorted(set(clusters))
    cell = (lambda a, b: n[b, a]) if swapped else (lambda a, b: n[a, b])
    best = max(sum(map(cell, few, chosen)) for chosen in permutations(many, len(few)))
    return best / len(tags)


def one_to_one_choices(clusters: Sequence[str], tags: Sequence[str]) -> set[float]:
    """Every score that the greedy mapping can have, however it breaks ties."""
    n = Counter(zip(clusters, tags, strict=True))

    def accepted(free: Counter[tuple[str, str]]) -> set[int]:
        if not free:
            return {0}
        most = max(free.values())
        return {
            most + rest
            for cell, count in free.items()
            if count == most
            for rest in accepted(
                Counter({c: m for c, m in free.items() if c[0] != cell[0] and c[1] != cell[1]})
            )
        }

    return {total / len(tags) for total in accepted(n)}


def entropy(values: Sequence[object]) -> float:
    return -sum(m / len(values) * log2(m / len(values)) for m in Counter(values).values())


def information(clusters: Sequence[str], tags: Sequence[str]) -> float:
    """I, by its definition."""
    n = Counter(zip(clusters, tags, strict=True))
    n_k, n_t, words = Counter(clusters), Counter(tags), len(tags)
    return sum(m / words * log2(words * m / (n_k[k] * n_t[t])) for (k, t), m in n.items())


def homogeneity(clusters: Sequence[str], tags: Sequence[str]) -> float:
    return information(clusters, tags) / entropy(tags) if len(set(tags)) > 1 else 1.0


def completeness(clusters: Sequence[str], tags: Sequence[str]) -> float:
    return homogeneity(tags, clusters)


def v_measure(clusters: Sequence[str], tags: Sequence[str]) -> float:
    h, c = homogeneity(clusters, tags), completeness(clusters, tags)
    return 2 * h * c / (h + c) if h + c else 0.0


def vi(clusters: Sequence[str], tags: Sequence[str]) -> float:
    return entropy(clusters) + entropy(tags) - 2 * information(clusters, tags)


def nvi(clusters: Sequence[str], tags: Sequence[str]) -> float:
    norm = entropy(tags) or entropy(clusters)
    return vi(clusters, tags) / norm if norm else 0.0


CLUSTERING: dict[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    twin.__name__: twin
    for twin in (*(many_to_one, one_to_one_optimal, homogeneity, completeness, v_measure, vi, nvi),)
}
"""Twins by the name of the metric; the greedy mapping has `one_to_one_choices`."""
