"""Gold of a challenge as scorers take it: all standards of a treebank, and what strata need."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from treegauge.challenges.challenge import Challenge
from treegauge.challenges.challenge_folder import GoldPack
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.treebank_scores import GOLD, GoldStandards
from treegauge.evaluation.evaluation import in_styles
from treegauge.rewrite import RewriteError
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class PackedGold:
    """The gold pack of a challenge; styles are made of gold when they are asked for."""

    challenge: Challenge
    pack: GoldPack
    _read: dict[tuple[str, str], GoldStandards] = field(default_factory=dict, repr=False)
    """What was read already; tracks share it."""

    def checksums(self, part: str) -> dict[str, str]:
        """Return the SHA-256 of every file of gold that scores of a part depend on."""
        files = self.pack.pack.manifest["files"]
        return {
            name: str(about["sha256"])
            for name, about in files.items()
            if PurePosixPath(name).parent.name in (part, "train")
        }

    def treebanks(self, part: str) -> list[str]:
        """Return the treebanks that have gold of a part."""
        names = [treebank.name for treebank in self.challenge.treebanks]
        return [name for name in names if self.pack.has(name, part)]

    def standards(self, treebank: str, part: str) -> GoldStandards:
        """Return all gold standards of a treebank."""
        if (treebank, part) not in self._read:
            self._read[treebank, part] = self._standards(treebank, part)
        return self._read[treebank, part]

    def _standards(self, treebank: str, part: str) -> GoldStandards:
        about = self.challenge.treebank(treebank)
        gold = self.pack.gold(treebank, part).replace(name=treebank)
        standards: dict[str, Treebank] = {GOLD: gold}
        for reference in about.references:
            if self.pack.has(treebank, part, reference.name):
                own = self.pack.gold(treebank, part, reference.name)
                standards[reference.name] = own.replace(name=f"{treebank}/{reference.name}")
        for style in self._in_styles(gold):
            name = f"style {style.name}"
            standards[name] = style.replace(name=f"{treebank}/{style.name}")
        return GoldStandards(
            treebank, standards, self.pack.training(treebank), shows_words=about.redistribute
        )

    def _in_styles(self, gold: Treebank) -> list[Treebank]:
        try:
            return in_styles(gold, self.challenge.treebank(gold.name).styles)
        except RewriteError:
            # Its message quotes gold.
            raise ChallengeError(
                f"treebank {gold.name!r}: its gold is not in Universal Dependencies, and styles "
                "start from those; leave them out"
            ) from None
