"""An oracle: gold tags, some of them made wrong on purpose.

No tagger at all, but what a tagger of a known accuracy would say, for experiments on measures that
do without gold (`treegauge.dictionaries.corruption`). It sees the gold tags of what it annotates;
every table says `oracle`. A run of experiments hides gold from all systems, this one included,
so that it has no place there: it refuses, and `corrupted_treebank` does the same from Python.
"""

from __future__ import annotations

from dataclasses import dataclass

from treegauge.dictionaries import corrupted_treebank
from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress, Supervision, System
from treegauge.treebank import EMPTY, Column, Treebank


@dataclass(frozen=True)
class CorruptedSettings(Settings):
    """How wrong it is."""

    rate: float = setting(0.1, "share of words that get a wrong tag", minimum=0, maximum=1)


class Corrupted(System):
    """Gold tags, among the 12, of which a share is replaced by others.

    >>> import treegauge as tg
    >>> gold = tg.parse("old/ADJ dogs/NOUN run/VERB ./PUNCT\\n", format="slashed")
    >>> list(Corrupted({"rate": 0}).annotate(gold).upos)
    ['ADJ', 'NOUN', 'VERB', '.']
    """

    name = "corrupted"
    task = "tags"
    settings_type = CorruptedSettings
    learns = False
    is_deterministic = False
    seconds_per_word = 1e-6

    @property
    def supervision(self) -> Supervision:
        """It is told the answer."""
        return "oracle"

    def sees(self, treebank: Treebank) -> Treebank:
        """Return the treebank with its gold tags.

        The one system that is not blind: to corrupt gold it must see it.
        """
        return treebank

    def _annotate(self, treebank: Treebank, _on_progress: OnProgress) -> Treebank:
        if not treebank.upos.is_annotated:
            raise SystemsError(
                f"{self.name} is an oracle: it corrupts gold tags, and this text has none\n"
                "  a run hides gold from every system; use `treegauge annotate` on a gold file, or "
                "treegauge.dictionaries.corrupted_treebank"
            )
        answer = corrupted_treebank(treebank, 1 - self.settings.rate, seed=self.seed)
        # Fine tags beside wrong ones would give the right ones away.
        hidden = Column.constant(EMPTY, treebank.n_words)
        return answer.replace(columns={"xpos": hidden, "cpos": hidden})
