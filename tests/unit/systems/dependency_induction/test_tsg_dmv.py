"""The system over chains: averages, interruptions, decoding, and what it says of itself."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.systems import SystemsError, SystemsWarning, make_system
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.tree_substitution.chains import Chains, Schedule
from treegauge.systems.dependency_induction.tsg_dmv import _most_probable_arcs
from treegauge.treebank import tree_flaws

QUICK = {"iterations": 3, "max_length": 5, "chains": 3}


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:60]


def heads_of(system, text) -> list[int]:
    return system.annotate(text).head.tolist()


@pytest.mark.parametrize("fragments", [True, False])
def test_threads_do_not_matter_and_seeds_do(toy, monkeypatch, fragments) -> None:
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        system = make_system("tsg-dmv", {**QUICK, "fragments": fragments}, seed=4).fit(toy)
        found.append((heads_of(system, toy), [step.objective for step in system.history]))
    assert found[0] == found[1]
    other = make_system("tsg-dmv", {**QUICK, "fragments": fragments}, seed=5).fit(toy)
    assert other.history != system.history
    assert not system.is_deterministic
    assert system.has_converged is None


def test_chains_do_not_know_of_each_other(toy) -> None:
    three = make_system("tsg-dmv", QUICK).fit(toy)
    one = make_system("tsg-dmv", {**QUICK, "chains": 1}).fit(toy)
    assert len(three.samples) == 3 * len(one.samples)
    assert three.samples[0].nodes.tolist() == one.samples[0].nodes.tolist()
    assert three.samples[1].nodes.tolist() != one.samples[0].nodes.tolist()


def test_an_interrupted_fit_goes_on_chain_by_chain(toy, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("TREEGAUGE_THREADS", "1")
    whole = make_system("tsg-dmv", QUICK).fit(toy)
    run = []
    chain = Chains.chain

    def interrupted(self, number, on_sweep):
        run.append(number)
        if number == 2 and len(run) == 3:
            raise KeyboardInterrupt
        return chain(self, number, on_sweep)

    monkeypatch.setattr(Chains, "chain", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make_system("tsg-dmv", QUICK).fit(toy, keep_in=tmp_path / "p")
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == [
        "chain0.piece",
        "chain1.piece",
    ]
    again = make_system("tsg-dmv", QUICK).fit(toy, keep_in=tmp_path / "p")
    assert run == [0, 1, 2, 2]
    assert heads_of(again, toy) == heads_of(whole, toy)
    assert again.history == whole.history
    again.partial_work.remove()
    assert not (tmp_path / "p").exists()


def test_other_settings_start_anew_and_say_so(toy, tmp_path) -> None:
    make_system("tsg-dmv", QUICK).fit(toy, keep_in=tmp_path / "p")
    with pytest.warns(SystemsWarning, match="of other settings: the work starts anew"):
        make_system("tsg-dmv", {**QUICK, "max_rules": 3}).fit(toy, keep_in=tmp_path / "p")


def test_the_challenge_had_forty_chains() -> None:
    system = make_system("tsg-dmv", {"schedule": "challenge", "chains": 2})
    assert system.n_chains == 40
    assert make_system("tsg-dmv").n_chains == 10


@pytest.mark.parametrize(
    ("iterations", "burn_in", "thin", "kept"),
    [(100, 0.5, 10, 5), (300, 0.5, 10, 15), (3, 0.5, 10, 1), (10, 0.0, 3, 4), (10, 1.0, 1, 1)],
)
def test_samples_are_kept_after_a_while(iterations, burn_in, thin, kept) -> None:
    schedule = Schedule(iterations, burn_in, thin)
    chosen = [done for done in range(1, iterations + 1) if schedule.is_kept(done)]
    assert len(chosen) == kept
    assert chosen[-1] == iterations


def test_without_iterations_the_start_is_the_sample(toy) -> None:
    system = make_system("tsg-dmv", {**QUICK, "iterations": 0, "chains": 1}).fit(toy)
    assert len(system.samples) == 1
    assert system.history == []
    assert not tree_flaws(system.annotate(toy)).any()


def test_no_more_sentences_than_wanted(toy, monkeypatch) -> None:
    seen = []

    class CountedError(Exception):
        pass

    def count(self, *_arguments):
        seen.append(self.corpus)
        raise CountedError

    monkeypatch.setattr(Chains, "run", count)
    for most in (7, 10_000):
        with pytest.raises(CountedError):
            make_system("tsg-dmv", {"max_sentences": most, "max_length": 15}).fit(toy)
    assert seen[0].n_sentences == 7
    assert seen[1].n_sentences > 20


def test_a_length_that_leaves_nothing_is_said() -> None:
    text = tg.parse("a/X b/X c/X\n", format="slashed")
    with pytest.raises(SystemsError, match="raise max_length \\(the shortest has 3\\)"):
        make_system("tsg-dmv", {"max_length": 2}).fit(text)


def test_how_long_it_takes_depends_on_what_is_learnt_from(toy, monkeypatch) -> None:
    monkeypatch.setenv("TREEGAUGE_THREADS", "2")
    usual = make_system("tsg-dmv").expected_seconds(toy)
    assert make_system("tsg-dmv", {"chains": 20}).expected_seconds(toy) == 2 * usual
    assert make_system("tsg-dmv", {"max_sentences": 5}).expected_seconds(toy) < usual / 4
    over = make_system("tags-then-trees", {"tags_from": "brown:4", "inducer": "tsg-dmv"})
    assert over.expected_seconds(toy) > usual


# ---------------------------------------------------------------------- decoding


def test_words_get_their_most_probable_heads_where_these_are_a_tree() -> None:
    corpus = TagCorpus([0] * 5, [0, 2, 2, 5], 1)
    arcs = np.zeros(int(corpus.arc_offsets[-1]))
    corpus.arc_matrix(arcs, 0)[:] = [[0.4, 0.4], [0, 0.6], [0.6, 0]]  # a circle
    crossing = [[0.5, 0.3, 0.1], [0, 0.4, 0.5], [0.1, 0, 0.4], [0.4, 0.3, 0]]
    corpus.arc_matrix(arcs, 2)[:] = crossing
    trees = np.array([0, 1, 0, 1, 2], np.int32)
    assert _most_probable_arcs(arcs, corpus, trees).tolist() == [0, 1, 0, 1, 1]


def test_both_decodings_give_trees(toy) -> None:
    system = make_system("tsg-dmv", QUICK).fit(toy)
    best = heads_of(system, toy)
    arrays, facts = system.state()
    other = make_system("tsg-dmv", {**QUICK, "decode": "argmax"})
    other.restore(arrays, facts)
    other.is_fitted = True
    annotated = other.annotate(toy)
    assert not tree_flaws(annotated).any()
    assert np.mean(annotated.head == np.array(best)) > 0.8


# ---------------------------------------------------------------------- for people


def test_the_grammar_shows_fragments(toy) -> None:
    system = make_system("tsg-dmv", {**QUICK, "iterations": 12}).fit(toy)
    text = system.describe_grammar(top=2)
    shown = text.split("\n\n")[-1]
    assert shown.startswith("most used fragments, with uses in a sample")
    assert "└─" in shown
    plain = make_system("tsg-dmv", {**QUICK, "fragments": False}).fit(toy)
    assert "fragments" not in plain.describe_grammar(top=2)


def test_rules_are_told_to_the_sampler(toy) -> None:
    told = make_system("tsg-dmv", {**QUICK, "rules": "noji", "rule_share": 0.9}).fit(toy)
    assert told.supervision == "universal rules"
    assert told.constraints.dual > 0
    assert not tree_flaws(told.annotate(toy)).any()
