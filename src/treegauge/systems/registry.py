"""The one table of systems: from names to modules, so that listing imports nothing heavy.

Other packages add theirs through the entry-point group `treegauge.systems`: the name of the
entry point is the system's name, its object a subclass of `System`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numpy as np

from treegauge.errors import reason_of
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import System
from treegauge.wording import unknown_name

ENTRY_POINTS = "treegauge.systems"


@dataclass(frozen=True)
class SystemEntry:
    """What is known of a system before its module is imported."""

    name: str
    module: str
    cls: str
    task: str
    supervision: str
    summary: str
    package: str = "treegauge"

    def load(self) -> type[System]:
        """Import the system."""
        try:
            found = getattr(import_module(self.module), self.cls)
        except Exception as error:  # a module of another package can fail in any way
            reason = str(error) or type(error).__name__
            raise SystemsError(f"{self.name}: cannot be imported: {reason}") from error
        if not (isinstance(found, type) and issubclass(found, System)):
            raise SystemsError(
                f"{self.name}: {self.module}:{self.cls} of {self.package} is no subclass of "
                "treegauge.systems.System"
            )
        lacking = [attribute for attribute in ("name", "task") if not hasattr(found, attribute)]
        lacking += sorted(found.__abstractmethods__)
        if lacking:
            raise SystemsError(f"{self.name}: {self.cls} does not say {', '.join(lacking)}")
        if found.name != self.name:
            # A saved model is found again by the name that its system has.
            raise SystemsError(f"{self.name}: {self.cls} calls itself {found.name!r}")
        return found


def _own(name: str, place: str, task: str, supervision: str, summary: str) -> SystemEntry:
    module, cls = place.split(":")
    return SystemEntry(name, f"treegauge.systems.{module}", cls, task, supervision, summary)


_BRANCHING = "dependency_induction.branching"
_OWN = (
    _own(
        "left-branching",
        f"{_BRANCHING}:LeftBranching",
        "dependencies",
        "unsupervised",
        "Every word hangs on the next one; the last is the root.",
    ),
    _own(
        "right-branching",
        f"{_BRANCHING}:RightBranching",
        "dependencies",
        "unsupervised",
        "Every word hangs on the one before it; the first is the root.",
    ),
    _own(
        "random",
        "dependency_induction.random_trees:RandomTrees",
        "dependencies",
        "unsupervised",
        "A tree drawn uniformly among all projective trees of the sentence.",
    ),
    _own(
        "soegaard-pagerank",
        "dependency_induction.soegaard_pagerank:SoegaardPagerank",
        "dependencies",
        "unsupervised",
        "Words ranked by PageRank; each hangs on the nearest of higher rank (S1).",
    ),
    _own(
        "soegaard-rules",
        "dependency_induction.soegaard_rules:SoegaardRules",
        "dependencies",
        "universal rules",
        "Every word hangs on the nearest one that a universal rule allows (S2).",
    ),
    _own(
        "udp",
        "dependency_induction.udp:Udp",
        "dependencies",
        "universal rules",
        "Head rules and PageRank, content words first, function words as leaves.",
    ),
    _own(
        "harmonic",
        "dependency_induction.harmonic:Harmonic",
        "dependencies",
        "unsupervised",
        "The initialiser of the DMV alone: near words are arguments of each other.",
    ),
    _own(
        "dmv",
        "dependency_induction.dmv:Dmv",
        "dependencies",
        "unsupervised",
        "The dependency model with valence, EM (Klein and Manning 2004).",
    ),
    _own(
        "viterbi-dmv",
        "dependency_induction.viterbi_dmv:ViterbiDmv",
        "dependencies",
        "unsupervised",
        "The dependency model with valence, hard EM (Spitkovsky et al. 2010).",
    ),
    _own(
        "less-is-more",
        "dependency_induction.less_is_more:LessIsMore",
        "dependencies",
        "unsupervised",
        "The DMV from sentences of at most 15 words (Spitkovsky et al. 2010).",
    ),
    _own(
        "baby-steps",
        "dependency_induction.baby_steps:BabySteps",
        "dependencies",
        "unsupervised",
        "The DMV from ever longer sentences (Spitkovsky et al. 2010).",
    ),
    _own(
        "leapfrog",
        "dependency_induction.leapfrog:Leapfrog",
        "dependencies",
        "unsupervised",
        "Both joined, then long strides (Spitkovsky et al. 2010).",
    ),
    _own(
        "evg",
        "dependency_induction.evg:Evg",
        "dependencies",
        "unsupervised",
        "The extended valence grammar, smoothed (Headden et al. 2009).",
    ),
    _own(
        "unambiguity",
        "dependency_induction.unambiguity:Unambiguity",
        "dependencies",
        "unsupervised",
        "EM that begins hard and becomes soft (Tu and Honavar 2012).",
    ),
    _own(
        "posterior-sparse",
        "dependency_induction.posterior_sparse:PosteriorSparse",
        "dependencies",
        "unsupervised",
        "EM that is told to use few types of arcs (Gillenwater et al. 2010).",
    ),
    _own(
        "feature-dmv",
        "dependency_induction.feature_dmv:FeatureDmv",
        "dependencies",
        "unsupervised",
        "The DMV with features that related tags share (Berg-Kirkpatrick et al. 2010).",
    ),
    _own(
        "lndmv",
        "dependency_induction.lndmv:Lndmv",
        "dependencies",
        "unsupervised",
        "A grammar a sentence, from a logistic normal prior (Cohen et al. 2008).",
    ),
    _own(
        "slndmv",
        "dependency_induction.slndmv:Slndmv",
        "dependencies",
        "unsupervised",
        "The same with ties between heads of one coarse group (Cohen and Smith 2009).",
    ),
    _own(
        "most-frequent-tag",
        "taggers.most_frequent_tag:MostFrequentTag",
        "tags",
        "supervised",
        "Every word gets the tag it had most often in training.",
    ),
    _own(
        "tnt",
        "taggers.tnt:Tnt",
        "tags",
        "supervised",
        "Trigrams of tags and endings of unknown words (Brants 2000).",
    ),
    _own(
        "tree",
        "taggers.tree_tagger:TreeTagger",
        "tags",
        "supervised",
        "Transitions from a decision tree, a pruned tree of endings (Schmid 1994, 1995).",
    ),
    _own(
        "perceptron",
        "taggers.perceptron:Perceptron",
        "tags",
        "supervised",
        "An averaged perceptron, greedy from left to right (Collins 2002).",
    ),
    _own(
        "udpipe-tagger",
        "taggers.udpipe_tagger:UdpipeTagger",
        "tags",
        "supervised",
        "UDPipe 1's tagger, an averaged perceptron with a guesser (Straka et al. 2016).",
    ),
    _own(
        "udpipe",
        "parsers.udpipe:UdpipeParser",
        "dependencies",
        "supervised",
        "UDPipe 1's parser, transitions chosen by a network (Straka and Straková 2017).",
    ),
    _own(
        "tags-then-trees",
        "tags_then_trees:TagsThenTrees",
        "joint",
        "unsupervised",
        "A dependency inducer over the tags of a tagger.",
    ),
    _own(
        "transition",
        "parsers.transition.transition_parser:TransitionParser",
        "dependencies",
        "supervised",
        "Greedy transitions, rich features, an averaged perceptron (Zhang and Nivre 2011).",
    ),
    _own(
        "brown",
        "tag_induction.brown:Brown",
        "tags",
        "unsupervised",
        "Clusters merged so that neighbours stay informative (Brown et al. 1992).",
    ),
    _own(
        "mkcls",
        "tag_induction.mkcls:Mkcls",
        "tags",
        "unsupervised",
        "Words exchanged between classes of a class bigram model (Och 1999).",
    ),
    _own(
        "predictive-exchange",
        "tag_induction.predictive_exchange:PredictiveExchange",
        "tags",
        "unsupervised",
        "The same, with classes predicted from words (Dehdari et al. 2016).",
    ),
    _own(
        "bmmm",
        "tag_induction.bmmm:Bmmm",
        "tags",
        "unsupervised",
        "A mixture of types with like neighbours and endings (Christodoulopoulos et al. 2011).",
    ),
    _own(
        "pyp-hmm",
        "tag_induction.pyp_hmm:PypHmm",
        "tags",
        "unsupervised",
        "A Pitman-Yor HMM with one tag a type and spelt words (Blunsom and Cohn 2011).",
    ),
    _own(
        "hmm",
        "tag_induction.hmm:Hmm",
        "tags",
        "unsupervised",
        "A hidden Markov model over words, by EM or Gibbs sampling (Johnson 2007).",
    ),
    _own(
        "hmm-pr",
        "tag_induction.hmm_pr:HmmPr",
        "tags",
        "unsupervised",
        "An HMM with features of words, each of which is to have few tags (Graça et al. 2009).",
    ),
    _own(
        "lda-classes",
        "tag_induction.lda_classes:LdaClasses",
        "tags",
        "unsupervised",
        "Soft classes of types by LDA, then a tree of types that is cut (Chrupała 2012).",
    ),
    _own(
        "joint",
        "tag_induction.joint:Joint",
        "joint",
        "unsupervised",
        "Classes and trees that learn from each other (Christodoulopoulos et al. 2012).",
    ),
    _own(
        "graph",
        "parsers.graph.graph_parser:GraphParser",
        "dependencies",
        "supervised",
        "Every arc has a score, the best tree is found exactly (McDonald et al. 2005).",
    ),
    _own(
        "ensemble",
        "parsers.ensemble:Ensemble",
        "dependencies",
        "supervised",
        "Several parsers vote for arcs; a spanning tree (Sagae and Lavie 2006).",
    ),
    _own(
        "crf",
        "taggers.crf:Crf",
        "tags",
        "supervised",
        "A linear-chain conditional random field, by CRFsuite (Okazaki 2007).",
    ),
    _own(
        "higher-order-crf",
        "taggers.higher_order_crf:HigherOrderCrf",
        "tags",
        "supervised",
        "Tags that see several before them, coarse to fine (Mueller et al. 2013).",
    ),
    _own(
        "bilstm",
        "taggers.bilstm:Bilstm",
        "tags",
        "supervised",
        "A neural network over words and characters, in PyTorch (Plank et al. 2016).",
    ),
    _own(
        "projection",
        "taggers.projection:Projection",
        "tags",
        "cross-lingual",
        "Tags of other languages, projected through parallel text (Yarowsky et al. 2001).",
    ),
    _own(
        "transfer",
        "taggers.transfer:Transfer",
        "tags",
        "cross-lingual",
        "A perceptron over what languages share, learnt from other treebanks.",
    ),
    _own(
        "dictionary-hmm",
        "taggers.dictionary_hmm:DictionaryHmm",
        "tags",
        "dictionary",
        "An HMM whose words have only the tags of a dictionary (Li et al. 2012).",
    ),
    _own(
        "corrupted",
        "taggers.corrupted:Corrupted",
        "tags",
        "oracle",
        "NO TAGGER: gold tags of the text itself, a share of them made wrong.",
    ),
    _own(
        "external",
        "external:External",
        "dependencies",
        "unsupervised",
        "Any command that reads and writes CoNLL-U.",
    ),
)


@cache
def systems() -> Mapping[str, SystemEntry]:
    """Return all systems by name, those of other packages included."""
    table = {entry.name: entry for entry in _OWN}
    for point in entry_points(group=ENTRY_POINTS):
        # Our own names cannot be taken: a table that says `dmv` means ours.
        table.setdefault(point.name, _foreign(point))
    return table


def _foreign(point: EntryPoint) -> SystemEntry:
    package = point.dist.name if point.dist else point.module
    entry = SystemEntry(point.name, point.module, point.attr, "?", "?", "", package)
    try:
        cls = entry.load()
    except SystemsError as error:
        return SystemEntry(
            point.name, point.module, point.attr, "?", "?", f"({error})".replace("\n", " "), package
        )
    summary = (cls.__doc__ or "").strip().partition("\n")[0]
    supervision = "supervised" if cls.is_supervised else "unsupervised"
    return SystemEntry(
        point.name, point.module, point.attr, cls.task, supervision, summary, package
    )


def find_system(name: str) -> SystemEntry:
    """Return a system by name, or say which names are near."""
    known = systems()
    if name not in known:
        advice = f"`treegauge list systems` shows all {len(known)}"
        raise SystemsError(unknown_name("system", name, known, advice=advice))
    return known[name]


def make_system(name: str, settings: Mapping[str, Any] | None = None, *, seed: int = 0) -> System:
    """Return a system by name, ready to be fitted.

    >>> make_system("left-branching").supervision
    'unsupervised'
    """
    return find_system(name).load()(settings, seed=seed)


def load_system(path: str | os.PathLike[str]) -> System:
    """Return a system that was saved."""
    path = Path(path)
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        about = json.loads(arrays.pop("about").tobytes())
        schema = about["schema"]
    except OSError as error:
        raise SystemsError(f"{path}: cannot be read: {reason_of(error)}") from None
    except Exception as error:  # damaged bytes make zipfile, zlib and NumPy raise all kinds
        raise SystemsError(
            f"{path}: this is no model that treegauge saved, or it is damaged\n"
            "  `treegauge train` and `treegauge induce --save` write models"
        ) from error
    if schema != 1:
        raise SystemsError(f"{path}: a model of schema {schema}; this reads schema 1")
    try:
        system = make_system(about["system"], about["settings"], seed=about["seed"])
        system.restore(arrays, about["facts"])
    except KeyError as error:
        raise SystemsError(f"{path}: this model has no {error}; save it anew") from error
    system.is_fitted = True
    return system
