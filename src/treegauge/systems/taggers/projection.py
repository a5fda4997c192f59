"""Annotation projection: tags that come over from other languages through parallel text.

The source side of a parallel text is tagged, its words are aligned, and words get the tags of
their translations (Yarowsky, Ngai and Wicentowski 2001). Several sources vote (Agić, Hovy and
Søgaard 2015); sentences with many certain labels are kept; tags that are rare for a type are taken
for errors (Täckström et al. 2013). A supervised tagger then learns from what was projected.

The source side is tagged by a tagger, or has tags already if it is a treebank.

No gold of the target is seen, in training or later; what the system is shown of the target is not
even needed, except to make sure that a source is not the target's own treebank. Of a treebank on
the target side only words are read. Source taggers give one tag per word, so that votes are weighed
by alignments alone.
"""

from __future__ import annotations

import warnings
import zipfile
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from treegauge.dictionaries.matching import Matching, look_up
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.tag_sets import tag_code
from treegauge.dictionaries.training_use import FACT
from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError, SystemsWarning
from treegauge.systems.registry import find_system, load_system
from treegauge.systems.saved_state import SavedState
from treegauge.systems.source_treebanks import open_source, refuse_target
from treegauge.systems.system import Arrays, OnProgress, Supervision, System
from treegauge.systems.system_names import parse_system
from treegauge.systems.tag_source import GIVEN, part_of
from treegauge.systems.taggers.projected_votes import TaggedBitext, Votes, labelled_treebank
from treegauge.systems.taggers.training_dictionary import marked, open_dictionary
from treegauge.systems.word_alignment import Bitext, Links, Side, align, read_bitext
from treegauge.treebank import Column, Treebank, blind, is_punctuation_form, to_petrov

_PREFIX = "tagger."
_EXPECTED_MARKS = 0.75
"""Fewer marks linked with marks than this, and the sentences are hardly translations; of good
ones 95% are, and fewer where links are made to grow."""


@dataclass(frozen=True)
class ProjectionSettings(Settings):
    """What can be chosen about projection."""

    parallel: tuple[str, ...] = setting(
        (),
        "parallel texts: FILE with lines `source ||| target`, SOURCE::TARGET (text or treebanks), "
        "or toy:svo::toy:sov",
    )
    sources: tuple[str, ...] = setting(
        (),
        "for each text: a treebank of its source language, the model of a tagger, or given: the "
        "tags that the source side has",
    )
    tags: Literal["u", "u12"] = setting("u", "the tags of source treebanks: u or u12")
    source_tagger: str = setting(
        "tnt", "the tagger of the source side, which learns from its treebank"
    )
    tagger: str = setting(
        "tnt", "the tagger that learns from projected tags; with settings: SYSTEM?key=value"
    )
    aligner: Literal["diagonal", "hmm"] = setting(
        "diagonal",
        "the aligner: prefers links near the diagonal, or near the previous link (slower)",
    )
    symmetrisation: Literal["intersection", "grow-diag-final"] = setting(
        "intersection", "links in both directions, or grow-diag-final"
    )
    iterations: int = setting(5, "iterations of the aligner", minimum=1)
    null: float = setting(
        0.08, "probability of a word without a translation", minimum=1e-6, maximum=0.999
    )
    longest: int = setting(
        100, "the longest sentence, in words; longer ones are left out", minimum=1
    )
    source_weights: Literal["uniform", "alignment"] = setting(
        "uniform", "weights of sources: equal, or the mean probability of their links"
    )
    labelled: float = setting(
        0.8, "smallest share of tagged words in a sentence", minimum=0, maximum=1
    )
    best: float = setting(
        1.0, "share of those sentences to keep, the most certain first", minimum=0, maximum=1
    )
    sentences: int = setting(20_000, "largest number of sentences to keep", minimum=1)
    type_share: float = setting(
        0.1, "smallest share of a type's votes that a tag needs", minimum=0, maximum=1
    )
    type_votes: int = setting(10, "smallest number of votes for this filter", minimum=1)
    unlabelled: Literal["type", "cut"] = setting(
        "type", "words without votes: use the best tag of their type, or cut the sentence there"
    )
    dictionary: str = setting("", "a dictionary; a word keeps only the tags that it lists")


class Projection(System):
    """A tagger that learns from tags projected through parallel text."""

    name = "projection"
    task = "tags"
    settings_type = ProjectionSettings
    seconds_per_word = 5e-5

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        chosen = self.settings
        if len(chosen.parallel) != len(chosen.sources):
            raise SystemsError(
                f"{self.name}: {len(chosen.parallel)} parallel texts and {len(chosen.sources)} "
                "sources; name a source for every text"
            )
        self.tagger = self._supervised(chosen.tagger, {"tags": "u"})
        source = self._supervised(chosen.source_tagger, {"tags": chosen.tags})
        self.is_deterministic = self.tagger.is_deterministic and source.is_deterministic
        self.made_of = (self.tagger.name, source.name)
        self._fingerprint = ""

    def _supervised(self, text: str, defaults: dict[str, str]) -> System:
        name, inner = parse_system(text)
        cls = find_system(name).load()
        if cls.task != "tags" or not cls.is_supervised:
            raise SystemsError(f"{self.name}: {name} is no supervised tagger")
        known = {field.name for field in fields(cls.settings_type)}
        given = {key: value for key, value in defaults.items() if key in known}
        return cls({**given, **inner}, seed=self.seed)

    @property
    def supervision(self) -> Supervision:
        """It is told annotation of other languages."""
        return "cross-lingual"

    # ------------------------------------------------------------------ learning

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        chosen = self.settings
        if not chosen.parallel:
            raise SystemsError(
                f"{self.name} needs parallel texts and treebanks of their source languages\n"
                "  --set parallel=FILE --set sources=TREEBANK"
            )
        texts = []
        share = 0.9 / len(chosen.parallel)
        for number, (text, source) in enumerate(zip(chosen.parallel, chosen.sources, strict=True)):
            on_step = part_of(on_progress, number * share, (number + 1) * share)
            texts.append(self._tagged(text, source, treebank, on_step))
        votes = self._weighed_by_dictionary(Votes.of(texts)).constrained(
            share=chosen.type_share, least=chosen.type_votes
        )
        kept = votes.kept_sentences(
            labelled=chosen.labelled, best=chosen.best, at_most=chosen.sentences
        )
        learnt_from = labelled_treebank(votes, votes.labels(fill=chosen.unlabelled == "type"), kept)
        if not learnt_from.n_words:
            raise SystemsError(
                f"{self.name}: no sentence has tags on {chosen.labelled:.0%} of its words\n"
                "  set labelled lower, or symmetrisation=grow-diag-final"
            )
        on_progress(0.9, f"projected: {len(kept):,} sentences, {learnt_from.n_words:,} words")
        self.tagger.fit(learnt_from, on_progress=part_of(on_progress, 0.9, 1))

    def _tagged(
        self, text: str, source: str, target: Treebank, on_progress: OnProgress
    ) -> TaggedBitext:
        bitext = read_bitext(text, longest=self.settings.longest)
        tags = self._source_tags(source, text, bitext.source, target)
        links = align(
            bitext,
            aligner=self.settings.aligner,
            iterations=self.settings.iterations,
            null=self.settings.null,
            symmetrisation=self.settings.symmetrisation,
            on_progress=on_progress,
        )
        self._check_links(text, bitext, links)
        tagged_bitext = TaggedBitext(bitext, links, tags)
        on_progress(1.0, f"{text}: mean probability of links {tagged_bitext.mean_probability:.3f}")
        if self.settings.source_weights == "alignment":
            return replace(tagged_bitext, weight=tagged_bitext.mean_probability)
        return tagged_bitext

    def _source_tags(self, source: str, text: str, side: Side, target: Treebank) -> Column:
        """Return the tags of the source side: those that it has, or those of a tagger."""
        words = Treebank({"form": side.words}, offsets=side.offsets)
        if source == GIVEN:
            if side.tags is None:
                raise SystemsError(
                    f"{self.name}: {text} has no tags on its source side, as sources=given needs\n"
                    "  name a treebank with universal tags there: SOURCE.conllu::TARGET.conllu"
                )
            refuse_target(self.name, [text], [words], target)
            return to_petrov(side.tags) if self.settings.tags == "u12" else side.tags
        tagged = self._source_tagger(source, target).annotate(words)
        if not tagged.upos.is_annotated:
            raise SystemsError(f"{self.name}: the tagger of {source} gives no universal tags")
        return tagged.upos

    def _source_tagger(self, source: str, target: Treebank) -> System:
        if Path(source).is_file() and zipfile.is_zipfile(source):
            tagger = load_system(source)
            if tagger.task != "tags" or not tagger.is_supervised:
                raise SystemsError(f"{source}: {tagger.name} is no supervised tagger")
            return tagger
        treebank = open_source(source)
        refuse_target(self.name, [source], [treebank], target)
        tagger = self._supervised(self.settings.source_tagger, {"tags": self.settings.tags})
        return tagger.fit(blind(treebank, heads=True))

    def _check_links(self, text: str, bitext: Bitext, links: Links) -> None:
        """Warn where marks are not translated by marks: a test that needs no gold."""
        sides = ((bitext.source, links.source), (bitext.target, links.target))
        is_mark = [
            np.array([is_punctuation_form(word) for word in side.words.vocabulary], np.bool_)[
                side.words.codes[places]
            ]
            for side, places in sides
        ]
        either, both = is_mark[0] | is_mark[1], is_mark[0] & is_mark[1]
        if either.any() and both.sum() < _EXPECTED_MARKS * either.sum():
            warnings.warn(
                f"{text}: of the links of punctuation marks only {both.sum() / either.sum():.0%} "
                "are with others; do lines translate each other?",
                SystemsWarning,
                stacklevel=2,
            )

    def _weighed_by_dictionary(self, votes: Votes) -> Votes:
        """Return the votes that a dictionary warrants; words that it lacks keep all of theirs."""
        if not self.settings.dictionary:
            return votes
        dictionary: TagDictionary = open_dictionary(self.settings.dictionary)
        self._fingerprint = dictionary.fingerprint
        words = votes.words.words
        masks = look_up(dictionary, words.vocabulary, Matching(casing="backoff")).mask
        codes = np.array([tag_code(tag) for tag in votes.tags])
        if (codes < 0).any():
            unknown = votes.tags[int(codes.argmin())]
            raise SystemsError(f"{self.name}: {unknown!r} is no universal tag, as a dictionary has")
        listed = (masks[:, None] >> codes.astype(np.uint16) & 1 > 0) | (masks == 0)[:, None]
        return replace(votes, votes=np.where(listed[words.codes], votes.votes, 0.0))

    # ------------------------------------------------------------------ tagging, save and load

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        return self.tagger.annotate(treebank, on_progress=on_progress)

    def _merged(self, treebank: Treebank, annotated: Treebank) -> Treebank:
        merged = super()._merged(treebank, annotated)
        return marked(merged, self._fingerprint) if self._fingerprint else merged

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = self.tagger.state()
        dictionary_facts = {FACT: self._fingerprint} if self._fingerprint else {}
        return (
            {f"{_PREFIX}{name}": array for name, array in arrays.items()},
            {"tagger": facts, **dictionary_facts},
        )

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        saved.restore(self.tagger, prefix=_PREFIX, facts=saved.fact("tagger"))
        self._fingerprint = saved.text(FACT) if self.settings.dictionary else ""
