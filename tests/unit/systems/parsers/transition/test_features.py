"""The features of transition parsers: kernels against strings."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.systems.parsers.transition import slow_transition_features as slow
from treegauge.systems.parsers.transition import _features_numba as kernels
from treegauge.systems.parsers.transition.lexicon import Lexicon
from treegauge.systems.parsers.transition.templates import FEATURE_SETS, templates
from treegauge.toys import toy_treebank
from treegauge.transitions import TransitionSystem, stepping

SYSTEMS = [system.spelling for system in TransitionSystem]
TREEBANK = toy_treebank("toy:free", tokens=400, seed=3)
KINDS = "wmpxfs"


def atoms_as_strings() -> list[dict[str, str]]:
    columns = [getattr(TREEBANK, name) for name in ("form", "lemma", "upos", "xpos", "feats")]
    rows = [["" if value == "_" else value for value in row] for row in zip(*columns, strict=True)]
    return [dict(zip(KINDS, [*row, row[0][-3:].lower()], strict=True)) for row in rows]


def random_walk(system: TransitionSystem, sentence: int, generator: np.random.Generator):
    """Give configurations on the way of random moves with random labels, and their sets."""
    n = int(TREEBANK.lengths[sentence])
    state = stepping.new_configuration(n)
    sets = np.zeros((2, n + 1), np.int64)
    mask = np.zeros(stepping.N_MOVES, np.bool_)
    root_is_last = system.spelling not in slow.ON_STACK
    stepping.start(state, n, int(system), int(root_is_last), True)
    while not stepping.is_terminal(state):
        yield state, sets, root_is_last
        stepping.legal(state, mask)
        move = int(generator.choice(np.flatnonzero(mask)))
        stepping.apply(state, move, int(generator.integers(len(LABELS))))
        kernels.note_relation(state, sets)


LABELS = tuple(TREEBANK.deprel.compact().vocabulary)


def as_plain_python(state, system: str, root_is_last: bool) -> slow.SlowConfiguration:
    n = int(state[stepping.FACTS, stepping.N_WORDS])
    stack, buffer = (
        [word for word in (of(state, k) for k in range(n + 1)) if word != stepping.NO_WORD]
        for of in (stepping.stack_word, stepping.buffer_word)
    )
    arcs = {
        word: (int(state[stepping.HEAD, word]), LABELS[state[stepping.LABEL, word]])
        for word in range(1, n + 1)
        if state[stepping.HEAD, word] != stepping.NO_HEAD
    }
    return slow.SlowConfiguration(system, stack, buffer, arcs, n, root_is_last)


def value_as_string(lexicon: Lexicon, place: int, value: int) -> str:
    """Say what a value of a configuration means."""
    node, kind = divmod(place, kernels.N_KINDS)
    if node >= len(kernels.NODES):
        name = kernels.NUMBERS[place - len(kernels.NODES) * kernels.N_KINDS]
        if ".t" in name:
            assert len(LABELS) < 63  # or bits would be shared
            return " ".join(sorted(LABELS[i] for i in range(len(LABELS)) if value >> i & 1))
        return str(value)
    if value < kernels.N_SPECIAL:
        return (slow.NOTHING, slow.ROOT, slow.UNSEEN)[value]
    if kind == kernels.RELATION:
        return LABELS[value - kernels.N_SPECIAL]
    return tuple(lexicon.vocabularies.values())[kind][value - kernels.N_SPECIAL]


def wrapped(number: int) -> int:
    """Return a number as 64 bits with a sign hold it."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def slow_key(atoms: list[int]) -> int:
    key = 0
    for atom in atoms:
        key = wrapped((key ^ atom) * -7046029254386353131)
        key ^= key >> 29
    key = wrapped(key * -4658895280553007687)
    return key ^ (key >> 32)


@pytest.mark.parametrize("features", FEATURE_SETS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_features_are_those_of_a_slow_twin_of_strings(name: str, features: str) -> None:
    system = TransitionSystem.named(name)
    lexicon = Lexicon.of(TREEBANK)
    words = lexicon.encode(TREEBANK)
    strings = atoms_as_strings()
    chosen = templates(system, features, lexicon.kinds)
    generator = np.random.default_rng(5)
    nodes = np.zeros(kernels.N_NODES, np.int32)
    values = np.zeros(kernels.N_VALUES, np.int64)
    sets_of_a_and_b = np.zeros(2, np.int32)
    keys = np.zeros(1000, np.int64)
    seen = {}
    for sentence in range(1):
        first, last = TREEBANK.offsets[sentence : sentence + 2]
        for state, sets, root_is_last in random_walk(system, sentence, generator):
            expected = slow.features(
                chosen.names, as_plain_python(state, name, root_is_last), strings[first:last]
            )
            kernels.find_values(state, sets, words.atoms, first, nodes, values)
            kernels.find_attribute_sets(nodes, words.feature_set, first, sets_of_a_and_b)
            found, numbers = [], []
            n_for_labels = 0
            for t, template in enumerate(chosen.names):
                places = [place for place in chosen.atoms[t] if place >= 0]
                joined = [value_as_string(lexicon, p, int(values[p])) for p in places]
                plain = [t + 1, *(int(values[p]) for p in places)]
                if chosen.attributes[t]:
                    of = sets_of_a_and_b[chosen.attributes[t] - 1]
                    members = words.members[words.begins[of] : words.begins[of + 1]].tolist()
                    attributes = lexicon.vocabularies["attributes"]
                    for m in members:
                        found.append((template, *joined, attributes[m - kernels.N_SPECIAL]))
                        numbers.append([*plain, m])
                else:
                    found.append((template, *joined))
                    numbers.append(plain)
                if t < chosen.for_labels:
                    n_for_labels = len(found)
            assert found == expected
            count = kernels.find_keys(
                values,
                chosen.atoms,
                chosen.attributes,
                chosen.for_labels,
                sets_of_a_and_b,
                words.begins,
                words.members,
                keys,
            )
            assert count == (len(found), n_for_labels)
            assert keys[: len(found)].tolist() == [slow_key(plain) for plain in numbers]
            seen |= dict(zip(found, keys.tolist(), strict=False))
    assert len(set(seen.values())) == len(seen) > 100  # different features, different keys


# The tables of Zhang and Nivre (2011) as they print them, for arc-eager.
ZHANG_AND_NIVRE = """
S0wp S0w S0p N0wp N0w N0p N1wp N1w N1p N2wp N2w N2p
S0wpN0wp S0wpN0w S0wN0wp S0wpN0p S0pN0wp S0wN0w S0pN0p N0pN1p
N0pN1pN2p S0pN0pN1p S0hpS0pN0p S0pS0lpN0p S0pS0rpN0p S0pN0pN0lp
S0wd S0pd N0wd N0pd S0wN0wd S0pN0pd S0wvr S0pvr S0wvl S0pvl N0wvl N0pvl
S0hw S0hp S0l S0lw S0lp S0ll S0rw S0rp S0rl N0lw N0lp N0ll
S0h2w S0h2p S0hl S0l2w S0l2p S0l2l S0r2w S0r2p S0r2l N0l2w N0l2p N0l2l
S0pS0lpS0l2p S0pS0rpS0r2p S0pS0hpS0h2p N0pN0lpN0l2p
S0wsr S0psr S0wsl S0psl N0wsl N0psl
"""


def in_our_notation(paper: str) -> str:
    ours = paper.replace("S0", " a").replace("N0", " b").replace("N1", " b1").replace("N2", " b2")
    parts = []
    for word in ours.split():
        for end in ("vr", "vl", "sr", "sl", "d"):
            if word.endswith(end):
                break
        else:
            end = ""
        body = word.removesuffix(end)
        node = body.rstrip("wp")
        kinds = body.removeprefix(node)
        if not kinds:  # a label is written l, as a left child is
            node, kinds = node[:-1], "r"
        parts += [f"{node}.{kind}" for kind in kinds]
        if end:
            parts.append("d" if end == "d" else f"{node[0]}.{end.replace('s', 't')}")
    return "+".join(parts)


def test_the_rich_set_has_all_of_zhang_and_nivre() -> None:
    paper = ZHANG_AND_NIVRE.split()
    assert len(paper) == 72
    assert in_our_notation("S0pS0lpN0p") == "a.p+al.p+b.p"
    assert in_our_notation("N0l2l") == "bl2.r"
    rich = templates(TransitionSystem.ARC_EAGER, "rich", frozenset(range(kernels.N_COLUMNS)))
    assert {in_our_notation(name) for name in paper} <= set(rich.names)
    assert len(set(rich.names)) == len(rich.names)


def test_all_rich_templates_decide_about_labels_in_the_full_set() -> None:
    kinds = frozenset(range(kernels.N_COLUMNS))
    for system in TransitionSystem:
        rich, full = (templates(system, name, kinds) for name in ("rich", "full"))
        assert sorted(full.names) == sorted(rich.names)
        assert rich.for_labels < full.for_labels == len(full.names)


def test_templates_of_columns_that_are_missing_are_left_out() -> None:
    chosen = templates(TransitionSystem.SWAP_LAZY, "rich", frozenset([kernels.TAG]))
    kinds = {part.rpartition(".")[2] for name in chosen.names for part in name.split("+")}
    assert kinds == {"p", "r", "d", "vl", "vr", "tl", "tr"}


def test_words_that_were_not_seen_are_unknown_and_blanks_are_nothing() -> None:
    lexicon = Lexicon.of(TREEBANK[:1])
    atoms = lexicon.encode(TREEBANK).atoms
    seen = set(TREEBANK[:1].form)
    expected = [form not in seen for form in TREEBANK.form]
    assert (atoms[:-2, kernels.FORM] == kernels.UNKNOWN).tolist() == expected
    assert any(expected)
    blank = [value == "_" for value in TREEBANK.feats]
    assert (atoms[:-2, kernels.MORPHOLOGY] == kernels.NONE).tolist() == blank
    assert any(blank)
