"""The Pitman-Yor HMM by its definition: dictionaries, one customer at a time."""

from __future__ import annotations

from collections import Counter
from math import log


class Restaurant:
    """One table for every dish; a new table asks the parent."""

    def __init__(self, discount, concentration, parent):
        self.discount, self.concentration, self.parent = discount, concentration, parent
        self.customers = Counter()

    def seat(self, dish) -> float:
        """Seat a customer; return the log probability of where it sits."""
        n, total = self.customers[dish], sum(self.customers.values())
        tables = sum(1 for count in self.customers.values() if count)
        self.customers[dish] += 1
        if n:
            return log((n - self.discount) / (total + self.concentration))
        weight = self.concentration + self.discount * tables
        return log(weight / (total + self.concentration)) + self.parent(dish)


def log_joint(sentences, classes, n_classes, strengths, characters, n_symbols) -> float:
    """The log probability of sentences of words whose types have classes."""
    boundary = n_classes

    def uniform(n):
        return lambda _dish: -log(n)

    rooms: dict = {}

    def room(kind, where, parent):
        key = kind, where
        if key not in rooms:
            rooms[key] = Restaurant(*strengths[kind], parent)
        return rooms[key]

    def unigram():
        return room("unigram", (), uniform(n_classes + 1))

    def bigram(j):
        return room("bigram", j, lambda k: unigram().seat(k))

    def spell(c):
        def probability(word):
            padded = ["<"] * (characters - 1) + list(word) + [">"] if characters else []
            total = 0.0
            for at in range(max(characters - 1, 0), len(padded)):
                total += gram(c, tuple(padded[at - characters + 1 : at])).seat(padded[at])
            return total

        return probability

    def gram(c, context):
        if context:
            return room(
                f"characters after {len(context)}",
                (c, context),
                lambda dish: gram(c, context[1:]).seat(dish),
            )
        return room("characters after 0", (c, ()), uniform(n_symbols))

    total = 0.0
    for sentence in sentences:
        tags = [boundary, boundary, *(classes[word] for word in sentence), boundary]
        for i, j, k in zip(tags, tags[1:], tags[2:], strict=False):
            total += room("trigram", (i, j), lambda k, j=j: bigram(j).seat(k)).seat(k)
        for word in sentence:
            c = classes[word]
            total += room("emission", c, spell(c)).seat(word)
    return total
