"""What a treebank is like, counted part by part: the numbers of the whole, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from treegauge.properties.distinct_values import DistinctValues
from treegauge.properties.errors import PropertyError
from treegauge.properties.exact_sums import ExactSum
from treegauge.properties.projectivity import nonprojective_arcs
from treegauge.properties.treebank_statistics import TreebankStatistics
from treegauge.properties.two_way_entropy import two_way_entropy
from treegauge.properties.word_order import WordOrder, WordOrderSettings
from treegauge.spilling import MEMORY, Spill
from treegauge.treebank import EMPTY, Column, PunctuationOfParts, Treebank
from treegauge.treebank.tag_columns import FALLBACKS


class StreamedStatistics:
    """Statistics of a treebank, and two numbers about its word order, from parts of it.

    Examples
    --------
    >>> import treegauge as tg
    >>> counts = StreamedStatistics()
    >>> for text in ("a/DET bird/NOUN sings/VERB\\n", "a/DET song/NOUN\\n"):
    ...     counts.add(tg.parse(text))
    >>> counts.statistics("songs").word_types
    4
    """

    def __init__(self, settings: WordOrderSettings | None = None) -> None:
        self._sentences = self._words = self._longest = 0
        self._values: dict[str, set[str]] = {
            name: set() for name in ("upos", "xpos", "cpos", "feats", "deprel")
        }
        spill = Spill(memory=MEMORY // 2)  # sorting takes as much again
        self._forms = DistinctValues(spill)
        self._lemmas = DistinctValues(spill)
        self._lemmas_with_features = DistinctValues(spill)
        self._has_lemmas = False
        self._trees = self._projective_trees = 0
        self._roots = self._arcs = self._nonprojective_arcs = 0
        self._word_order = _StreamedWordOrder(settings or WordOrderSettings())

    def add(self, part: Treebank) -> None:
        """Count a part."""
        self._sentences += part.n_sentences
        self._words += part.n_words
        self._longest = max(self._longest, int(part.lengths.max(initial=0)))
        for name, values in self._values.items():
            values.update(part.columns[name].compact().vocabulary)
        self._forms.add(_bytes_of(part.form.compact()))
        self._add_lemmas(part)
        counts = nonprojective_arcs(part)
        trees = (counts >= 0) & (part.lengths > 0)
        in_tree = np.repeat(trees, part.lengths)
        roots = int((part.head[in_tree] == 0).sum())
        self._trees += int(trees.sum())
        self._projective_trees += int((counts[trees] == 0).sum())
        self._roots += roots
        self._arcs += int(in_tree.sum()) - roots
        self._nonprojective_arcs += int(counts[trees].sum())
        self._word_order.add(part)

    def _add_lemmas(self, part: Treebank) -> None:
        blanks = [part.lemma.vocabulary.code(value) for value in ("", EMPTY)]
        has_lemma = np.isin(part.lemma.codes, blanks, invert=True)
        lemma, feats = part.lemma.take(has_lemma).compact(), part.feats.take(has_lemma).compact()
        self._has_lemmas |= bool(has_lemma.any())
        self._lemmas.add(_bytes_of(lemma))
        pairs = np.unique(lemma.codes.astype(np.int64) * len(feats.vocabulary) + feats.codes)
        lemmas, bundles = list(_bytes_of(lemma)), list(_bytes_of(feats))
        self._lemmas_with_features.add(
            lemmas[pair // len(bundles)] + b"\t" + bundles[pair % len(bundles)]
            for pair in pairs.tolist()
        )

    def statistics(self, name: str) -> TreebankStatistics:
        """Return what was counted so far; no part says which word types are new."""
        values = {key: own - {"", EMPTY} for key, own in self._values.items()}

        def tags(which: str) -> int:
            return len(next((values[name] for name in FALLBACKS[which] if values[name]), ()))

        types = len(self._forms)
        has_features = self._has_lemmas and values["feats"]
        return TreebankStatistics(
            name=name,
            sentences=self._sentences,
            tokens=self._words,
            tokens_a_sentence=_ratio(self._words, self._sentences),
            longest_sentence=self._longest,
            coarse_tags=tags("c"),
            fine_tags=tags("p"),
            universal_tags=tags("u"),
            feature_values=len({pair for bundle in values["feats"] for pair in bundle.split("|")}),
            relations=len(values["deprel"]),
            word_types=types,
            type_token_ratio=_ratio(types, self._words),
            new_types=None,
            features_a_lemma=_ratio(len(self._lemmas_with_features), len(self._lemmas))
            if has_features
            else None,
            projective_trees=_ratio(self._projective_trees, self._trees),
            projective_arcs=_ratio(self._arcs - self._nonprojective_arcs, self._arcs),
            roots_a_sentence=_ratio(self._roots, self._trees),
        )

    @property
    def dlm_ratio(self) -> float | None:
        """As in `WordOrder`."""
        above, below = (total.value for total in self._word_order.lengths)
        return above / below if below else None

    @property
    def arc_direction_entropy(self) -> float | None:
        """As in `WordOrder`."""
        order = self._word_order
        left = [order.left[kind] for kind in order.arcs]
        right = [order.arcs[kind] - order.left[kind] for kind in order.arcs]
        return two_way_entropy(left, right, base=order.settings.base)


class _StreamedWordOrder:
    """Sums of dependency lengths, and counts of directions."""

    def __init__(self, settings: WordOrderSettings) -> None:
        self.settings = settings
        self.lengths = ExactSum(), ExactSum()
        """Of the sentences as they are, and at their best; both normalised."""
        self.arcs: Counter[tuple[str, str, str]] = Counter()
        self.left: Counter[tuple[str, str, str]] = Counter()
        self._punctuation = PunctuationOfParts()
        self._tags: str | None = None

    def add(self, part: Treebank) -> None:
        order = WordOrder(self._punctuation.marked(part), self.settings)
        selected = order.selection.treebank
        if not selected.n_words:
            return
        for total, column in zip(self.lengths, order.dlm_statistics.T, strict=True):
            total.add(column)
        tags = next((t for t in ("upos", "cpos", "xpos") if selected.columns[t].is_annotated), "")
        if self._tags not in (None, tags):
            raise PropertyError(
                f"{part.name}: some of the stream has other tags than the rest, and kinds of arcs "
                "are told by tags\n  read it with --no-stream"
            )
        self._tags = tags
        counts = order.directions
        for kind, left, right in zip(
            counts.kinds, counts.left.tolist(), counts.right.tolist(), strict=True
        ):
            self.arcs[kind] += left + right
            self.left[kind] += left


def _bytes_of(column: Column) -> Iterable[bytes]:
    """Give the values of a compact column, each once."""
    data, starts = column.vocabulary.data.tobytes(), column.vocabulary.starts.tolist()
    return (data[first:last] for first, last in pairwise(starts))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
