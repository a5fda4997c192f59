"""The tagger of UDPipe 1: MorphoDiTa's averaged perceptron (Straková, Straka and Hajič 2014).

A guesser proposes analyses of unknown words by their endings, and a perceptron with features of
neighbouring words and tags chooses. Needs the package `ufal.udpipe`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treegauge.settings import Settings, setting
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.systems.udpipe_bridge import UdpipeModel, options, train
from treegauge.treebank import EMPTY, Column, Treebank, tag_column

_MORPHOLOGY = ("lemma", "xpos", "feats")


@dataclass(frozen=True)
class UdpipeTaggerSettings(Settings):
    """What can be chosen about UDPipe's tagger; the defaults are its own."""

    tags: str = setting("u", "the tags to learn: u, u12, c, p, or p:2 and so on")
    morphology: bool = setting(
        True, "also learn lemmas, XPOS and FEATS, as UDPipe does; this improves the tags"
    )
    iterations: int = setting(20, "passes over the training data", minimum=1)
    guesser_suffix_rules: int = setting(8, "number of rules of the guesser per ending", minimum=1)
    guesser_prefixes_max: int = setting(4, "number of prefixes that the guesser knows", minimum=0)
    guesser_prefix_min_count: int = setting(10, "smallest frequency of a prefix", minimum=1)
    guesser_enrich_dictionary: int = setting(
        6, "number of analyses that the guesser adds to known words", minimum=0
    )


class UdpipeTagger(System):
    """The tagger of UDPipe 1.

    Tags are written where they were read, as other taggers write them. Seeds make no
    difference: UDPipe has its own, which cannot be chosen.
    """

    name = "udpipe-tagger"
    task = "tags"
    settings_type = UdpipeTaggerSettings
    is_supervised = True
    seconds_per_word = 1.2e-3

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        gold = tag_column(treebank, self.settings.tags)
        blank = Column.constant(EMPTY, treebank.n_words)
        hidden = () if self.settings.morphology else _MORPHOLOGY
        lesson = treebank.replace(columns={"upos": gold.column, **dict.fromkeys(hidden, blank)})
        chosen = self.settings.to_dict()
        how = {name: chosen[name] for name in chosen if name not in ("tags", "morphology")}
        model = train(
            lesson,
            on_progress,
            system=self.name,
            iterations=self.settings.iterations,
            tagger=options({"models": 1, **how}),
        )
        self._column = gold.source
        self._model = UdpipeModel(model, system=self.name)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        tags = self._model.tagged(treebank, on_progress)
        return treebank.replace(
            columns={self._column: Column.from_strings(tag or EMPTY for tag in tags)}
        )

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        return self._model.arrays(), {"column": self._column}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._column = saved.tag_column("column")
        self._model = UdpipeModel(saved.content("model"), system=self.name)
