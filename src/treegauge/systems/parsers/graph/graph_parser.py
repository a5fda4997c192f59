"""The graph-based parser of McDonald and others: scores of arcs, the best tree, relations last.

The score of a tree is the sum of its arcs' scores. `eisner` finds the best projective tree, `cle`
the best of all trees. With `eisner`, neighbouring dependents of a head have scores as well.
Training trees with crossing arcs are made projective for `eisner`.

References
----------
McDonald, Crammer and Pereira (2005), Online large-margin training of dependency parsers. ACL.
McDonald, Pereira, Ribarov and Hajič (2005), Non-projective dependency parsing using spanning tree
algorithms. HLT-EMNLP.
McDonald and Pereira (2006), Online learning of approximate dependency parsing algorithms. EACL
(siblings).
McDonald, Lerman and Pereira (2006), Multilingual dependency analysis with a two-stage
discriminative parser. CoNLL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite.projectivise import projectivise
from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import whole_up_to
from treegauge.systems.parsers.eisner import best_projective_tree, projective_marginals
from treegauge.systems.parsers.graph.arc_model import ArcModel, ArcTraining
from treegauge.systems.parsers.graph.relation_labeller import RelationLabeller
from treegauge.systems.parsers.graph.word_atoms import AtomInventory
from treegauge.systems.parsers.parser import Parser, ParserSettings
from treegauge.systems.parsers.siblings import marginals_with_siblings
from treegauge.systems.parsers.spanning_trees import best_spanning_tree, spanning_tree_marginals
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import Column, Treebank

_SINGLE_FEATURES, _SIBLINGS, _ROOT_TAGS = "single_features", "siblings", "root_tags"
_SHARE_OF_ARCS = 0.8
"""How much of the training time goes into arcs."""


@dataclass(frozen=True)
class GraphParserSettings(ParserSettings):
    """What can be chosen about the graph-based parser."""

    decoder: Literal["eisner", "cle"] = setting(
        "eisner", "projective trees (eisner) or all trees (cle)"
    )
    siblings: bool = setting(
        True, "score neighbouring dependents of a head too (only with decoder=eisner)"
    )
    learner: Literal["mira", "perceptron"] = setting(
        "mira", "learn from margins (mira) or from mistakes only (perceptron)"
    )
    epochs: int = setting(15, "epochs that learn arcs", minimum=1)
    relation_epochs: int = setting(10, "epochs that learn relations", minimum=1)
    relation_margin: float = setting(
        0.7,
        "learn from right relations too if they win by less than this per feature; 0: from "
        "mistakes only",
        minimum=0.0,
    )
    single_features: bool = setting(
        True, "let relations depend on every morphological feature by itself too"
    )
    aggressiveness: float = setting(0.01, "the largest step of mira (C)", minimum=0.0)
    unknown_share: float = setting(
        0.5,
        "share of words seen once that are treated as unknown; fewer of more frequent words",
        minimum=0.0,
        maximum=1.0,
    )
    minimum_risk: bool = setting(
        False, "choose the tree with the most expected right heads, not the most probable tree"
    )
    table_bits: int = setting(
        24, "2 to this power: number of weights of arcs and of relations", minimum=10, maximum=28
    )
    longest_whole: int = whole_up_to(600)


class GraphParser(Parser):
    """Every arc has a score, and the best tree is found exactly.

    >>> import treegauge as tg
    >>> text = "".join(f"{i}\\t{form}\\t_\\t{tag}\\t_\\t_\\t{head}\\t{relation}\\t_\\t_\\n"
    ...                for i, form, tag, head, relation in [
    ...                    (1, "the", "DET", 2, "det"), (2, "birds", "NOUN", 3, "nsubj"),
    ...                    (3, "sing", "VERB", 0, "root")])
    >>> parser = GraphParser({"table_bits": 16}).fit(tg.parse(text + "\\n"))
    >>> parsed = parser.annotate(tg.parse("a/DET cat/NOUN sleeps/VERB\\n", format="slashed"))
    >>> parsed.head.tolist(), list(parsed.deprel)
    ([2, 3, 0], ['det', 'nsubj', 'root'])
    """

    name = "graph"
    settings_type = GraphParserSettings
    is_deterministic = False
    seconds_per_word = 4e-4

    def _learn(self, treebank: Treebank, on_progress: OnProgress) -> None:
        chosen: GraphParserSettings = self.settings
        self._require_memory(treebank.lengths)
        self._inventory = AtomInventory.of(treebank)
        table = self._inventory.encode(treebank)
        occurrences = self._inventory.occurrences(treebank)
        projective = projectivise(treebank) if chosen.decoder == "eisner" else treebank
        self._arcs = ArcModel.learn(
            table,
            projective.head,
            self._inventory.atoms,
            occurrences,
            ArcTraining(
                chosen.learner,
                chosen.decoder,
                self._uses_siblings,
                chosen.single_root,
                chosen.epochs,
                chosen.aggressiveness,
                chosen.unknown_share,
            ),
            table_bits=chosen.table_bits,
            seed=self.seed,
            on_progress=lambda share, line: on_progress(_SHARE_OF_ARCS * share, line),
        )
        self._labeller = RelationLabeller.learn(
            table,
            treebank.head,
            treebank.deprel,
            self._inventory.atoms,
            occurrences,
            unknown_share=chosen.unknown_share,
            single_features=chosen.single_features,
            margin=chosen.relation_margin,
            epochs=chosen.relation_epochs,
            table_bits=chosen.table_bits,
            seed=self.seed,
            on_progress=lambda share, line: on_progress(
                _SHARE_OF_ARCS + (1 - _SHARE_OF_ARCS) * share, line
            ),
        )

    def _parse(
        self, treebank: Treebank, on_progress: OnProgress
    ) -> tuple[NDArray[np.int32], Column]:
        blocks = self._blocks(treebank)
        if self.settings.minimum_risk:
            heads = self._minimum_risk_heads(blocks.treebank)
        else:
            heads = self._arcs.parse(
                self._inventory.encode(blocks.treebank),
                decoder=self.settings.decoder,
                single_root=self.settings.single_root,
                on_progress=on_progress,
            )
        heads = blocks.joined(heads)
        return heads, self._labeller.label(self._inventory.encode(treebank), heads)

    def marginals(self, treebank: Treebank) -> Iterator[NDArray[np.float64]]:
        """Yield how probable every arc [head, dependent] of every sentence is.

        Trees are taken to be as probable as the exponential of their scores. The scores were
        learnt to rank trees, so these are degrees of confidence, not frequencies.
        """
        if not self.is_fitted:
            raise SystemsError(f"{self.name} is not fitted yet: call fit first, or load a model")
        self._require_memory(treebank.lengths)
        return self._posteriors(self._readable(self.tag_source.annotate(self.sees(treebank))))

    def _posteriors(self, treebank: Treebank) -> Iterator[NDArray[np.float64]]:
        table, single_root = self._inventory.encode(treebank), self.settings.single_root
        if self._arcs.siblings:
            both = zip(self._arcs.scores(table), self._arcs.sibling_scores(table), strict=True)
            for scores, siblings in both:
                yield marginals_with_siblings(scores, siblings, single_root)[1]
            return
        is_projective = self.settings.decoder == "eisner"
        of_scores = projective_marginals if is_projective else spanning_tree_marginals
        for scores in self._arcs.scores(table):
            yield of_scores(scores, single_root)[1]

    def _minimum_risk_heads(self, treebank: Treebank) -> NDArray[np.int32]:
        """Return trees whose arcs' posteriors sum to the most (Goodman 1996)."""
        is_projective = self.settings.decoder == "eisner"
        best = best_projective_tree if is_projective else best_spanning_tree
        trees = [best(arcs, self.settings.single_root) for arcs in self._posteriors(treebank)]
        return np.concatenate([np.zeros(0, np.int32), *trees])

    @property
    def _uses_siblings(self) -> bool:
        chosen: GraphParserSettings = self.settings
        return chosen.siblings and chosen.decoder == "eisner"

    def memory_for(self, words: int) -> int:
        """Return the bytes of scores and charts, of siblings or of sums over spanning trees."""
        sums_over_trees = 8 * words**3 // 3 if self.settings.decoder == "cle" else 0
        return (
            160 * words**2
            + (4 * words**3 if self._uses_siblings else 0)
            + (sums_over_trees if self.settings.minimum_risk else 0)
        )

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays = {
            **self._inventory.to_arrays(),
            **self._arcs.to_arrays(),
            **self._labeller.to_arrays(),
        }
        return arrays, {
            _SINGLE_FEATURES: self._labeller.single_features,
            _SIBLINGS: self._arcs.siblings,
            _ROOT_TAGS: self._arcs.root_tags,
        }

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._inventory = AtomInventory.restored(saved)
        atoms, bits = self._inventory.atoms, self.settings.table_bits
        self._arcs = ArcModel.restored(
            saved,
            atoms,
            siblings=_truth(saved, _SIBLINGS),
            root_tags=_truth(saved, _ROOT_TAGS),
            table_bits=bits,
        )
        self._labeller = RelationLabeller.restored(
            saved,
            atoms,
            single_features=_truth(saved, _SINGLE_FEATURES),
            table_bits=bits,
        )


def _truth(saved: SavedState, name: str) -> bool:
    """Return a fact; models that were saved before there was such a thing have no word of it."""
    return name in saved.fact_names and saved.truth(name)
