"""The parser of UDPipe 1 (Straka and Straková 2017): transitions chosen by a small network.

Greedy, or with a beam; embeddings of words, tags and features of eighteen nodes around the top
of stack and buffer, one hidden layer. Needs the package `ufal.udpipe`.

UDPipe wants the one root of a tree to be called `root`, and nothing else. Relations are
translated on the way, so that treebanks with other names for it can be learnt from: roots get
the relation that roots had most often.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import CUBIC, whole_up_to
from treegauge.systems.parsers.parser import Parser, ParserSettings
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.udpipe_bridge import UdpipeModel, options, train
from treegauge.treebank import EMPTY, Column, Treebank, TreeFlaw, tree_flaws

_ORACLES = {
    "projective": ("dynamic", "static"),
    "swap": ("static_lazy", "static_eager"),
    "link2": ("static",),
}
"""Those of every transition system; the first is UDPipe's choice."""
_COLUMNS = {
    "form": "form",
    "lemma": "lemma",
    "upostag": "upos",
    "xpostag": "xpos",
    "feats": "feats",
}
"""Embeddings of UDPipe, and the columns that they are of."""
_ROOT = "root"


@dataclass(frozen=True)
class UdpipeSettings(ParserSettings):
    """What can be chosen about UDPipe's parser; the defaults are its own."""

    transition_system: Literal["projective", "swap", "link2"] = setting(
        "projective", "swap derives all trees, link2 some with crossing arcs, projective none"
    )
    oracle: Literal["usual", "static", "dynamic", "static_lazy", "static_eager"] = setting(
        "usual", "usual: dynamic for projective, static_lazy for swap, static for link2"
    )
    structured_interval: int = setting(
        8, "how often to use a search-based oracle; 0: never, which is twice as fast", minimum=0
    )
    iterations: int = setting(10, "number of epochs; official models have 30", minimum=1)
    hidden_layer: int = setting(200, "size of the hidden layer", minimum=1)
    batch_size: int = setting(10, "words per step", minimum=1)
    learning_rate: float = setting(0.02, "initial learning rate", minimum=0)
    learning_rate_final: float = setting(0.001, "final learning rate", minimum=0)
    l2: float = setting(0.5, "strength of regularisation", minimum=0)
    embedding_form: int = setting(50, "size of form vectors; 0: no forms", minimum=0)
    embedding_lemma: int = setting(0, "size of lemma vectors", minimum=0)
    embedding_upostag: int = setting(20, "size of tag vectors", minimum=0)
    embedding_xpostag: int = setting(0, "size of fine-tag vectors", minimum=0)
    embedding_feats: int = setting(20, "size of feature vectors", minimum=0)
    embedding_deprel: int = setting(20, "size of relation vectors", minimum=1)
    embedding_form_mincount: int = setting(2, "rarer forms count as unknown", minimum=1)
    beam: int = setting(1, "beam size; 1: greedy", minimum=1)
    longest_whole: int = whole_up_to(CUBIC)


class UdpipeParser(Parser):
    """The parser of UDPipe 1.

    Seeds make no difference: UDPipe has its own, which cannot be chosen.
    """

    name = "udpipe"
    settings_type = UdpipeSettings
    seconds_per_word = 1.2e-2

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        system, oracle = self.settings.transition_system, self.settings.oracle
        if oracle not in ("usual", *_ORACLES[system]):
            raise SystemsError(
                f"{self.name}: transition_system={system} has no oracle {oracle}\n"
                f"  it has {', '.join(_ORACLES[system])}"
            )

    def _learn(self, treebank: Treebank, on_progress: OnProgress) -> None:
        if self.settings.single_root:
            several = np.flatnonzero(tree_flaws(treebank) & np.uint8(TreeFlaw.SEVERAL_ROOTS))
            if len(several):
                raise SystemsError(
                    f"{self.name}: sentence {several[0] + 1} has several roots, and so have "
                    f"{len(several) - 1} others\n  set single_root=false, or leave them out"
                )
        relations = list(treebank.deprel)
        is_root = (treebank.head == 0).tolist()
        roots = Counter(name for name, is_one in zip(relations, is_root, strict=True) if is_one)
        # Of equally frequent ones the first in the alphabet.
        self._root = min(roots, key=lambda name: (-roots[name], name))
        if self.settings.single_root:
            relations = [
                _ROOT if is_one else _escaped(name)
                for name, is_one in zip(relations, is_root, strict=True)
            ]
        model = train(
            treebank,
            on_progress,
            system=self.name,
            iterations=self.settings.iterations,
            relations=relations,
            parser=options(self._options()),
        )
        self._model = UdpipeModel(model, system=self.name)

    def _options(self) -> dict[str, Any]:
        chosen = self.settings
        oracle = chosen.oracle
        same = (
            *("transition_system", "structured_interval", "single_root", "iterations"),
            *("hidden_layer", "batch_size", "learning_rate", "learning_rate_final", "l2"),
            *("embedding_deprel", "embedding_form_mincount"),
        )
        return {
            **{name: getattr(chosen, name) for name in same},
            "transition_oracle": _ORACLES[chosen.transition_system][0]
            if oracle == "usual"
            else oracle,
            **{
                f"embedding_{theirs}": getattr(chosen, f"embedding_{theirs}")
                if ours in self.columns
                else 0
                for theirs, ours in _COLUMNS.items()
            },
        }

    def _parse(
        self, treebank: Treebank, on_progress: OnProgress
    ) -> tuple[NDArray[np.int32], Column]:
        blocks = self._blocks(treebank)
        heads, relations = self._model.parsed(blocks.treebank, on_progress, beam=self.settings.beam)
        if self.settings.single_root:
            relations = [
                self._root if head == 0 else _unescaped(name)
                for head, name in zip(heads.tolist(), relations, strict=True)
            ]
        names = Column.from_strings(name or EMPTY for name in relations)
        return blocks.joined(heads), blocks.joined_relations(heads, names)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        return self._model.arrays(), {"root": self._root}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._root = saved.text("root")
        self._model = UdpipeModel(saved.content("model"), system=self.name)


def _escaped(relation: str) -> str:
    """Return a relation that is not `root`; `_unescaped` is the way back.

    >>> _escaped("nsubj"), _escaped("root"), _escaped("root'")
    ('nsubj', "root'", "root''")
    """
    return f"{relation}'" if relation.rstrip("'") == _ROOT else relation


def _unescaped(relation: str) -> str:
    return relation[:-1] if relation.rstrip("'") == _ROOT and relation != _ROOT else relation
