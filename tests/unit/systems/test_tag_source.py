"""Tags from taggers under parsers and inducers: as bad as at test time, and nothing beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tests.unit.systems.test_system import found_by_looking
from tests.unit.treebank.small_trees import heads, sentences, treebank
from treegauge.systems import (
    Settings,
    System,
    SystemEntry,
    SystemsError,
    load_system,
    make_system,
    registry,
    setting,
    systems,
)
from treegauge.systems.parsers.parser import Parser, ParserSettings
from treegauge.systems.tag_source import TagSource
from treegauge.systems.tags_then_trees import TagsThenTrees, with_tags_from
from treegauge.toys import toy_parts
from treegauge.treebank import Column, Treebank, concatenate, punctuation_mask

# ---------------------------------------------------------------------- stubs


@dataclass(frozen=True)
class ClassesSettings(Settings):
    """The setting that inducers of classes have."""

    classes: int = setting(2, "classes", minimum=1)


class ByLength(System):
    """An inducer of classes: words of one length, counted from the longest that it has seen."""

    name = "by-length"
    task = "tags"
    settings_type = ClassesSettings

    def _fit(self, treebank, _on_progress):
        self.seen = found_by_looking(treebank)
        self.longest = max(map(len, treebank.form))

    def _annotate(self, treebank, _on_progress):
        self.seen_later = found_by_looking(treebank)
        classes = [f"c{(self.longest - len(w)) % self.settings.classes}" for w in treebank.form]
        return treebank.replace(columns={"upos": Column.from_strings(classes)})

    def _state(self):
        return {"longest": np.array([self.longest])}, {"note": "größer"}

    def _restore(self, arrays, facts):
        assert set(arrays) == {"longest"}
        assert facts == {"note": "größer"}
        self.longest = int(arrays["longest"][0])


@dataclass(frozen=True)
class ReciterSettings(Settings):
    """The setting that supervised taggers have."""

    tags: str = setting("u", "tags")


class Reciter(System):
    """A supervised tagger that knows the sentences it has seen, and nothing else."""

    name = "reciter"
    task = "tags"
    settings_type = ReciterSettings
    is_supervised = True

    def _fit(self, treebank, _on_progress):
        tags = list(treebank.tags(self.settings.tags))
        begins = treebank.offsets
        self.known = {
            str(s): tags[a:b] for s, a, b in zip(treebank, begins[:-1], begins[1:], strict=True)
        }

    def _annotate(self, treebank, _on_progress):
        tags = [t for s in treebank for t in self.known.get(str(s), ["?"] * len(s))]
        column = "xpos" if self.settings.tags == "p" else "upos"
        return treebank.replace(columns={column: Column.from_strings(tags)})


class Recorder(Parser):
    """A parser that keeps what it was given, and hangs everything on the first word."""

    name = "recorder"

    def _learn(self, treebank, on_progress):
        on_progress(1.0, "learnt")
        self.learnt_from = treebank
        self.strength = np.array([treebank.n_words])

    def _parse(self, treebank, _on_progress):
        self.parsed = treebank
        head = np.ones(treebank.n_words, np.int32)
        head[treebank.offsets[:-1]] = 0
        return head, Column.constant("dep", treebank.n_words)

    def _state(self):
        return {"strength": self.strength}, {"mood": "good"}

    def _restore(self, arrays, facts):
        # A parser need not know that it holds a tagger.
        assert set(arrays) == {"strength"}
        assert facts == {"mood": "good"}
        self.strength = arrays["strength"]


@pytest.fixture(autouse=True)
def stubs(monkeypatch):
    entries = {
        cls.name: SystemEntry(cls.name, __name__, cls.__name__, cls.task, "?", "")
        for cls in (ByLength, Reciter, Recorder)
    }
    monkeypatch.setattr(registry, "systems", lambda: {**systems(), **entries})


GOLD = treebank("""
1 birds LEMbird NOUNX FINEa Fea=Aa 3 relda 3:depsa Misc=aa
2 often LEMoft  ADVX  FINEb Fea=Bb 3 reldb 3:depsb Misc=bb
3 sing  LEMsing VERBX FINEc Fea=Cc 0 reldc 0:depsc Misc=cc
4 .     LEMdot  PUNCT FINEd Fea=Dd 3 reldd 3:depsd Misc=dd
""")
SECRETS = ("LEM", "NOUNX", "ADVX", "VERBX", "FINE", "Fea", "Misc", "depsa")
SEVEN = sentences(*[f"a{i}/A b{i}/B" for i in range(7)]).replace(head=[0, 1] * 7)


def knows(found: tuple[bytes, list[list[int]]], *secrets: str) -> list[str]:
    return [secret for secret in secrets if secret.encode() in found[0]]


# ---------------------------------------------------------------------- the text of a setting


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dmv", "tags_from: dmv annotates dependencies, not tags"),
        ("reciter:3", "tags_from: reciter has no number of classes"),
        ("by-length:0", "by-length: setting classes: expected at least 1"),
        ("by-length?x=1", "by-length: unknown setting 'x'"),
        ("by-lenght", "unknown system 'by-lenght'; did you mean by-length"),
    ],
)
def test_what_is_no_tagger_is_refused_at_once(text, message) -> None:
    with pytest.raises(SystemsError, match=message):
        TagSource(text)
    with pytest.raises(SystemsError, match=message):
        make_system("recorder", {"tags_from": text})


# ---------------------------------------------------------------------- fitting and tagging


def test_given_tags_stay_as_they_are() -> None:
    source = TagSource("given")
    assert source.is_given
    assert source.fit(GOLD) is GOLD
    assert source.annotate(GOLD) is GOLD
    assert source.state() == ({}, {})


def test_no_sentence_is_tagged_by_a_tagger_that_learnt_from_it() -> None:
    source = TagSource("reciter")
    assert set(source.fit(SEVEN).upos) == {"?"}
    # What comes later is tagged by a tagger that learnt from everything.
    assert list(source.annotate(SEVEN).upos) == list(SEVEN.upos)


def test_the_parts_of_a_jackknife_are_of_equal_size_and_in_order() -> None:
    doubled = concatenate([SEVEN, SEVEN])
    # Of twins, the other one has been seen if it is in another part; neighbours are in one.
    tagged = TagSource("reciter").fit(doubled)
    assert tagged.form == doubled.form
    assert list(tagged.upos) == list(doubled.upos)
    neighbours = SEVEN.take(np.repeat(np.arange(7), 2))[:10]  # parts of two sentences
    assert set(TagSource("reciter").fit(neighbours).upos) == {"?"}


def test_one_sentence_cannot_be_tagged_by_what_learnt_from_others() -> None:
    assert list(TagSource("reciter").fit(SEVEN[:1]).upos) == ["A", "B"]


def test_an_inducer_of_classes_learns_from_blind_text_and_tags_it() -> None:
    source = TagSource("by-length:3")
    tagged = source.fit(GOLD)
    assert list(tagged.upos) == ["c0", "c0", "c1", "c1"]
    assert isinstance(source.tagger, ByLength)
    assert knows(source.tagger.seen, *SECRETS, "reld") == []
    assert knows(source.tagger.seen_later, *SECRETS, "reld") == []


@pytest.mark.parametrize("text", ["by-length", "most-frequent-tag"])
def test_nothing_is_left_beside_the_tags(text) -> None:
    tagged = TagSource(text).fit(concatenate([GOLD] * 3))
    assert knows(found_by_looking(tagged), *(s for s in SECRETS if not s.endswith("X"))) == []
    assert heads(tagged) == [[3, 3, 0, 3]] * 3
    assert list(tagged.deprel)[:2] == ["relda", "reldb"]
    # What is punctuation is known by the text's own tags, not by those of a tagger.
    assert punctuation_mask(tagged).tolist() == [False, False, False, True] * 3


def test_a_supervised_tagger_learns_the_tags_that_are_read() -> None:
    assert list(TagSource("reciter", tags="p").fit(GOLD).upos) == [f"FINE{x}" for x in "abcd"]
    assert "NOUNX" in TagSource("reciter?tags=u", tags="p").fit(GOLD).upos


def test_the_share_that_is_done_never_falls() -> None:
    shares: list[float] = []
    TagSource("most-frequent-tag").fit(SEVEN, lambda share, _: shares.append(share))
    make_system("recorder", {"tags_from": "most-frequent-tag"}).fit(
        SEVEN, on_progress=lambda share, _: shares.append(share)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


# ---------------------------------------------------------------------- under parsers


def test_a_parser_reads_given_tags_unless_told_otherwise() -> None:
    parser = make_system("recorder").fit(GOLD)
    assert list(parser.learnt_from.upos) == list(GOLD.upos)
    parser.annotate(GOLD)
    assert list(parser.parsed.feats) == list(GOLD.feats)


def test_a_parser_over_a_tagger_never_sees_a_gold_tag_again() -> None:
    parser = make_system("recorder", {"tags_from": "by-length"}).fit(GOLD)
    assert knows(found_by_looking(parser.learnt_from), *SECRETS) == []
    answer = parser.annotate(GOLD)
    assert knows(found_by_looking(parser.parsed), *SECRETS, "reld") == []
    assert list(parser.parsed.upos) == ["c0", "c0", "c1", "c0"]
    assert knows(found_by_looking(parser.sees(GOLD)), *SECRETS, "reld") == []
    # It finds trees; tags are not its to change.
    assert answer.upos == GOLD.upos
    assert heads(answer) == [[0, 1, 1, 1]]


def test_a_parser_learns_from_tags_as_bad_as_those_to_come() -> None:
    parser = make_system("recorder", {"tags_from": "reciter"}).fit(SEVEN)
    assert set(parser.learnt_from.upos) == {"?"}
    assert np.array_equal(parser.learnt_from.head, SEVEN.head)


def test_a_saved_parser_has_its_tagger(tmp_path) -> None:
    text = sentences("a/X bb/X ccc/X")
    parser = make_system("recorder", {"tags_from": "by-length:3"}).fit(GOLD)
    parser.annotate(text)
    parser.save(tmp_path / "m")
    loaded = load_system(tmp_path / "m")
    assert loaded.settings.tags_from == "by-length:3"
    loaded.annotate(text)
    assert loaded.parsed == parser.parsed
    assert list(loaded.parsed.upos) == ["c1", "c0", "c2"]


def test_a_subclass_of_a_parser_keeps_the_tagger_too(tmp_path) -> None:
    class Verbose(Recorder):
        def _state(self):
            arrays, facts = super()._state()
            return arrays, {**facts, "more": 1}

    arrays, facts = Verbose({"tags_from": "by-length"}).fit(GOLD).state()
    assert set(arrays) == {"strength", "tagger.longest"}
    assert facts == {"mood": "good", "more": 1, "tagger": {"note": "größer"}}


def test_tags_that_are_not_read_need_not_be_found() -> None:
    with pytest.raises(SystemsError, match="recorder: tags_from is set, but columns has no upos"):
        make_system("recorder", {"tags_from": "by-length", "columns": "form"})


def test_a_parser_is_as_deterministic_as_its_tagger(monkeypatch) -> None:
    assert make_system("recorder", {"tags_from": "by-length"}).is_deterministic
    monkeypatch.setattr(ByLength, "is_deterministic", False)
    assert not make_system("recorder", {"tags_from": "by-length"}).is_deterministic
    assert make_system("recorder").is_deterministic
    assert "tags_from" in ParserSettings().to_dict()


# ---------------------------------------------------------------------- under inducers


@pytest.fixture(scope="module")
def toy() -> dict[str, Treebank]:
    return toy_parts("toy:svo", tokens=800)


def test_trees_over_induced_tags_are_trees_over_these_tags(toy) -> None:
    train, test = toy["train"], toy["test"]
    system = make_system("tags-then-trees", {"tags_from": "by-length:4", "inducer": "dmv"})
    answer = system.fit(train).annotate(test)
    by_hand = make_system("by-length", {"classes": 4}).fit(train)
    dmv = make_system("dmv").fit(by_hand.annotate(train.blind(tags=True)))
    tagged = by_hand.annotate(test.blind(tags=True))
    assert np.array_equal(answer.head, dmv.annotate(tagged).head)
    assert answer.upos == tagged.upos
    assert not answer.xpos.is_annotated
    assert system.supervision == "unsupervised"
    assert len(system.history) == len(dmv.history) > 1


def test_an_inducer_over_induced_tags_sees_no_gold_tag() -> None:
    def shown(gold: Treebank) -> list[list[int]]:
        system = make_system("tags-then-trees", {"tags_from": "by-length", "inducer": "dmv"})
        assert knows(found_by_looking(system.sees(gold)), *SECRETS, "reld") == []
        assert knows(found_by_looking(system.sees_in_training(gold)), *SECRETS, "reld") == []
        return heads(system.fit(gold).annotate(gold))

    other = GOLD.replace(
        columns={"upos": Column.from_strings(["A", "A", "B", "PUNCT"]), "feats": GOLD.lemma}
    )
    assert shown(GOLD) == shown(other)


def test_over_a_supervised_tagger_only_trees_are_induced(toy) -> None:
    settings = {"tags_from": "most-frequent-tag", "inducer": "dmv?max_length=8"}
    system = TagsThenTrees(settings).fit(toy["train"])
    assert (system.supervision, system.is_supervised) == ("supervised", True)
    assert system.inducer.settings.max_length == 8
    # Other gold trees, same induced trees.
    flat = toy["train"].replace(head=np.zeros(toy["train"].n_words, np.int32))
    again = TagsThenTrees(settings).fit(flat)
    assert again.annotate(toy["test"]) == system.annotate(toy["test"])


def test_saved_with_everything_it_is_made_of(toy, tmp_path) -> None:
    for inducer in ("dmv?rules=noji", "left-branching"):
        system = TagsThenTrees({"tags_from": "by-length:5", "inducer": inducer}, seed=3)
        system.fit(toy["train"]).save(tmp_path / "m")
        loaded = load_system(tmp_path / "m")
        assert (loaded.settings, loaded.seed) == (system.settings, 3)
        assert loaded.annotate(toy["test"]) == system.annotate(toy["test"])


def test_what_only_the_inducer_can_tell_is_not_made_up() -> None:
    plain = TagsThenTrees({"tags_from": "by-length", "inducer": "left-branching"})
    assert plain.history is plain.has_converged is None
    assert plain.describe_grammar() == "left-branching has no grammar to show"
    with pytest.raises(SystemsError, match="paths: tags-then-trees has no bit strings to write"):
        plain.write_paths("paths")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tags_from": "given"}, "tags_from=given needs no tagger; use dmv directly"),
        ({"tags_from": "by-length", "inducer": "recorder"}, "recorder is no inducer of depend"),
        ({"tags_from": "by-length", "inducer": "by-length"}, "by-length is no inducer of depend"),
        ({"tags_from": "by-length", "inducer": "dmv?x=1"}, "dmv: unknown setting 'x'"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, message) -> None:
    with pytest.raises(SystemsError, match=message):
        TagsThenTrees(settings)


def test_parsers_have_a_setting_and_inducers_are_wrapped() -> None:
    parser = with_tags_from("recorder", "by-length:3", {"tags": "p"}, seed=2)
    assert isinstance(parser, Recorder)
    assert (parser.settings.tags_from, parser.settings.tags) == ("by-length:3", "p")
    inducer = with_tags_from("dmv", "by-length:3", {"max_length": "7"}, seed=2)
    assert inducer.settings.to_dict() == {"tags_from": "by-length:3", "inducer": "dmv?max_length=7"}
    assert inducer.inducer.seed == inducer.tags.tagger.seed == 2
    with pytest.raises(SystemsError, match="reciter annotates tags; only trees are found over"):
        with_tags_from("reciter", "by-length", {})
