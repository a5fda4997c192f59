"""Modified Kneser-Ney by the definition: dictionaries of tuples of strings, recursion, no speed."""

from __future__ import annotations

from collections import Counter, defaultdict

from treegauge.properties.language_model import FALLBACK_DISCOUNTS


class DictionaryModel:
    """p(w | h) of a text, given as lists of words."""

    def __init__(self, sentences, order, *, mass="all", minimum_count=1, minimum_word_count=1):
        self.order, self.mass, self.minimum_count = order, mass, minimum_count
        frequency = Counter(word for sentence in sentences for word in sentence)
        self.words = {word for word, n in frequency.items() if n >= minimum_word_count} - {"<unk>"}
        self.types = self.words | {"</s>", "<unk>"}
        texts = [["<s>", *map(self.known, sentence), "</s>"] for sentence in sentences]
        raw = Counter(
            tuple(text[i : i + k])
            for text in texts
            for i in range(len(text))
            for k in range(1, order + 1)
            if i + k <= len(text)
        )
        before = defaultdict(set)
        for gram in raw:
            before[gram[1:]].add(gram[0])
        self.count = {
            gram: n if len(gram) == order or gram[0] == "<s>" else len(before[gram])
            for gram, n in raw.items()
            if gram != ("<s>",)
        }
        self.discounts, self.fallback_orders = {}, []
        for k in range(1, order + 1):
            self.discounts[k] = self.discounts_of(k)
        self.continuations = defaultdict(dict)
        for gram, n in self.count.items():
            self.continuations[gram[:-1]][gram[-1]] = n
        self.memory = {}

    def known(self, word):
        return word if word in self.words else "<unk>"

    def discounts_of(self, k):
        counts = [n for gram, n in self.count.items() if len(gram) == k]
        t = Counter(counts)
        if t[1] and t[2] and t[3]:
            y = t[1] / (t[1] + 2 * t[2])
            found = [c - (c + 1) * y * t[c + 1] / t[c] for c in (1, 2, 3)]
            if min(found) >= 0:
                return found
        if counts:
            self.fallback_orders.append(k)
        return list(FALLBACK_DISCOUNTS)

    def discount(self, k, n):
        return self.discounts[k][min(n, 3) - 1]

    def is_kept(self, gram):
        return gram in self.count and (len(gram) < 3 or self.count[gram] >= self.minimum_count)

    def probability(self, word, history):
        """Return p(word | history); both are words of the model."""
        history = tuple(history)[max(len(history) - self.order + 1, 0) :]
        key = (word, history)
        if key not in self.memory:
            self.memory[key] = self._probability(word, history)
        return self.memory[key]

    def _probability(self, word, history):
        continuations = self.continuations.get(history, {})
        if not history:
            return self._of_word(word)
        if not continuations:
            return self.probability(word, history[1:])
        if self.is_kept((*history, word)):
            return self._interpolated(word, history)
        kept = [w for w in continuations if self.is_kept((*history, w))]
        if len(kept) == len(continuations):
            return self._gamma(history) * self.probability(word, history[1:])
        mass = 1 - sum(self._interpolated(w, history) for w in kept)
        shorter = 1 - sum(self.probability(w, history[1:]) for w in kept)
        return mass / shorter * self.probability(word, history[1:])

    def _interpolated(self, word, history):
        shorter = self.probability(word, history[1:])
        return self._discounted(word, history) + self._gamma(history) * shorter

    def _discounted(self, word, history):
        n = self.continuations[history].get(word, 0)
        if not n:
            return 0.0
        total = sum(self.continuations[history].values())
        return max(n - self.discount(len(history) + 1, n), 0) / total

    def _gamma(self, history):
        counts = self.continuations[history].values()
        return sum(self.discount(len(history) + 1, n) for n in counts) / sum(counts)

    def _of_word(self, word):
        found, gamma = self._discounted(word, ()), self._gamma(())
        if self.mass == "unknown":
            return found + (gamma if word == "<unk>" else 0)
        sharing = self.types
        if self.mass == "known" and ("<unk>",) not in self.count:
            sharing = self.types - {"<unk>"}
        return found + (gamma / len(sharing) if word in sharing else 0)
