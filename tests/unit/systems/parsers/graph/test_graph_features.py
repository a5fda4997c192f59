"""Keys of features against a slow twin that writes features as strings."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.systems.parsers.graph.slow_features import (
    SlowFeatures,
    circumstance,
    direction,
)
from tests.unit.treebank.small_trees import sentences
from treegauge.systems.parsers.graph import (
    _arc_model_numba as kernels,
    _relation_labeller_numba as relation_kernels,
    _sibling_model_numba as sibling_kernels,
    _weight_places_numba as places,
)
from treegauge.systems.parsers.graph.arc_features import AROUND, BETWEEN, TEMPLATES
from treegauge.systems.parsers.graph.arc_model import ArcModel
from treegauge.systems.parsers.graph.relation_features import (
    ALL_ATOMS,
    RELATION_TEMPLATES,
    TREE_ATOMS,
)
from treegauge.systems.parsers.graph.sibling_features import SIBLING_PAIRS, SIBLING_TRIPLES
from treegauge.systems.parsers.graph.templates import encoded, usable
from treegauge.systems.parsers.graph.word_atoms import ATOMS, AtomInventory
from treegauge.toys import toy_parts
from treegauge.treebank import Column, Treebank


@pytest.fixture(scope="module")
def text() -> Treebank:
    """Two hundred sentences with lemmas, two kinds of tags, and features."""
    treebank = toy_parts("toy:free", tokens=3200)["train"][:200]
    assert treebank.n_sentences == 200
    return treebank


@pytest.fixture(scope="module")
def inventory(text) -> AtomInventory:
    """What was seen in the first half, so that the second has unseen values."""
    return AtomInventory.of(text[:100])


def keys_of_arcs(table, sentence: int) -> dict[tuple[int, int], list[int]]:
    """Return the keys of every arc of a sentence, by the kernels."""
    first = table.starts[sentence]
    n = int(table.starts[sentence + 1] - first - 1)
    templates = encoded([*TEMPLATES, BETWEEN], ATOMS)
    sides = np.empty((2, n + 1, len(templates)), np.uint64)
    for side in range(2):
        kernels.side_numbers(table.codes, first, n, templates, side, sides[side])
    keys, tags = np.empty(10_000, np.uint64), np.empty(2 * n, np.int32)
    found = {}
    for head in range(n + 1):
        for dependent in range(1, n + 1):
            if head != dependent:
                n_tags = kernels.tags_between(table.codes, first, n, head, dependent, True, tags)
                count = kernels.arc_keys(
                    head,
                    dependent,
                    sides,
                    tags,
                    n_tags,
                    first,
                    table.features,
                    table.feature_starts,
                    table.feature_value,
                    keys,
                )
                found[head, dependent] = keys[:count].tolist()
    return found


@pytest.mark.parametrize("every", [30, pytest.param(1, marks=pytest.mark.slow)])
def test_equal_features_have_equal_keys_and_different_ones_different_keys(text, inventory, every):
    slow = SlowFeatures(text[:100])
    table = inventory.encode(text)
    key_of: dict[str, int] = {}
    feature_of: dict[int, str] = {}
    unseen = 0
    for number in range(0, 200, every):
        keys = keys_of_arcs(table, number)
        features = slow.arcs(text[number : number + 1])
        assert keys.keys() == features.keys()
        for arc, strings in features.items():
            for feature, key in zip(strings, keys[arc], strict=True):
                assert key_of.setdefault(feature, key) == key
                assert feature_of.setdefault(key, feature) == feature
                unseen += "<unseen>" in feature
    assert len(key_of) > 5_000
    assert unseen


def test_direction_and_distance_are_the_slow_twins():
    pairs = [(h, d) for h in range(25) for d in range(1, 25) if h != d]
    number_of: dict[str, int] = {}
    for arc in pairs:
        for kind, fast, slow in (
            ("direction", places.direction, direction),
            ("both", places.circumstance, circumstance),
        ):
            number = fast(*arc)
            assert number_of.setdefault(f"{kind}: {slow(*arc)}", number) == number
    assert sorted(number_of.values()) == list(range(16))


def test_the_weights_of_a_key_are_sixteen_different_ones_in_one_line():
    shift = np.uint64(64 - (20 - 4))
    for key in np.random.default_rng(0).integers(0, 2**63, 50).astype(np.uint64):
        line = {places.place(key, which, shift) for which in range(16)}
        assert len(line) == 16
        assert {place // 16 for place in line} == {min(line) // 16}
        assert max(line) < 1 << 20


def test_scores_are_sums_of_weights(text, inventory):
    weights = np.random.default_rng(1).normal(size=1 << 14).astype(np.float32)
    model = ArcModel(inventory.atoms, weights, siblings=True)
    short = text[text.lengths <= 15][:10]
    table = inventory.encode(short)
    shift = np.uint64(64 - (14 - 4))
    for number, scores in enumerate(model.scores(table)):
        for (head, dependent), keys in keys_of_arcs(table, number).items():
            which = places.circumstance(head, dependent)
            expected = sum(
                float(weights[places.place(np.uint64(key), slot, shift)])
                for key in keys
                for slot in (places.direction(head, dependent), which)
            )
            assert scores[head, dependent] == pytest.approx(expected, abs=1e-4)


def test_tags_around_the_root_word_are_only_there_if_asked_for(inventory):
    text = sentences("a/NOUN b/VERB c/NOUN d/DET e/NOUN")
    codes = AtomInventory.of(text).encode(text).codes
    noun, verb, det = (int(codes[i, kernels.TAG]) for i in (1, 2, 4))
    found = np.empty(10, np.int32)
    assert kernels.tags_between(codes, 0, 5, 0, 2, False, found) == 0
    assert kernels.tags_between(codes, 0, 5, 0, 4, True, found) == 3
    before, after = found[:2].tolist(), int(found[2])
    assert before == [noun, verb]
    assert after not in (noun, verb, det)
    # Between words it makes no difference.
    for root_tags in (False, True):
        assert kernels.tags_between(codes, 0, 5, 5, 1, root_tags, found) == 3
        assert found[:3].tolist() == [verb, noun, det]


def test_scores_of_siblings_are_sums_of_weights_of_the_slow_twins_features(text, inventory):
    slow = SlowFeatures(text[:100])
    weights = np.random.default_rng(2).normal(size=1 << 16).astype(np.float32)
    model = ArcModel(inventory.atoms, weights, siblings=True)
    short = text[text.lengths <= 8][:10]
    table = inventory.encode(short)
    templates = encoded([*SIBLING_PAIRS, *SIBLING_TRIPLES], ATOMS, sides=3)
    shift = np.uint64(64 - (16 - 4))
    key_of: dict[str, int] = {}
    feature_of: dict[int, str] = {}
    keys = np.empty(len(templates), np.uint64)
    for number, scores in enumerate(model.sibling_scores(table)):
        first, n = table.starts[number], int(short.lengths[number])
        sides = sibling_kernels.sibling_sides(table.codes, first, n, templates)
        assert not scores[0].any()
        assert sibling_kernels.sibling_keys(0, 1, 0, sides, keys) == 0
        for (head, dependent, inner), strings in slow.siblings(short[number : number + 1]).items():
            count = sibling_kernels.sibling_keys(head, dependent, inner, sides, keys)
            for feature, key in zip(strings, keys[:count].tolist(), strict=True):
                assert key_of.setdefault(feature, key) == key
                assert feature_of.setdefault(key, feature) == feature
            slots = (
                places.direction(head, dependent),
                places.circumstance(inner or head, dependent),
            )
            expected = sum(
                float(weights[places.place(key, slot, shift)])
                for key in keys[:count]
                for slot in slots
            )
            assert scores[head, dependent, inner] == pytest.approx(expected, abs=1e-4)
    assert len(key_of) > 200


def test_templates_of_siblings_are_the_papers_and_more():
    # McDonald and Pereira (2006), section 4.
    assert {"p | p | p", "| p | p", "| w | w", "| w | p", "| p | w"} <= {
        *SIBLING_PAIRS,
        *SIBLING_TRIPLES,
    }
    assert all(template.startswith("|") for template in SIBLING_PAIRS)
    assert not any(template.startswith("|") for template in SIBLING_TRIPLES)


def test_templates_of_arcs_are_closed_under_mirror_images():
    def mirrored(template: str) -> tuple[frozenset[str], ...]:
        other = template.translate(str.maketrans("<>", "><"))
        return tuple(frozenset(side.split()) for side in other.split("|"))

    as_sets = {tuple(frozenset(side.split()) for side in t.split("|")) for t in TEMPLATES}
    assert {mirrored(template) for template in TEMPLATES} == as_sets
    assert len(as_sets) == len(TEMPLATES)


def test_mcdonalds_templates_are_all_there():
    # McDonald, Crammer and Pereira (2005), table 1, and the back-offs with three tags.
    sets = {tuple(frozenset(side.split()) for side in t.split("|")) for t in TEMPLATES}
    table = """
    w p | ; w | ; p | ; | w p ; | w ; | p
    w p | w p ; p | w p ; w | w p ; w p | p ; w p | w ; w | w ; p | p
    p p> | p< p ; p< p | p< p ; p p> | p p> ; p< p | p p>
    p p> | p ; p< p | p ; p | p< p ; p | p p>
    """
    for template in table.replace("\n", ";").split(";"):
        if template.strip():
            assert tuple(frozenset(side.split()) for side in template.split("|")) in sets
    assert set(AROUND) <= set(TEMPLATES)


def test_templates_without_their_atoms_are_left_out(text):
    blank = Column.constant("_", text.n_words)
    hidden = dict.fromkeys(["form", "lemma", "xpos", "feats"], blank)
    inventory = AtomInventory.of(text.replace(columns=hidden))
    assert inventory.atoms == ("p", "p<", "p>")
    model = ArcModel(inventory.atoms, np.zeros(1 << 10, np.float32), siblings=True)
    assert set("".join(model.templates)) == set("p<>| ")
    assert model.templates == tuple(t for t in TEMPLATES if not set(t) & set("wrslxf"))


def test_kernels_know_the_places_of_atoms():
    assert ATOMS[kernels.TAG] == ATOMS[relation_kernels.TAG] == "p"
    assert ATOMS[relation_kernels.FORM] == "w"


# ---------------------------------------------------------------------- relations


def slow_tree_atoms(table, first: int, heads: list[int]) -> list[list[int]]:
    """Return the atoms of a tree's dependents, by looking at all words for each of them."""
    n = len(heads)
    tag = [int(table.codes[first + i, ATOMS.index("p")]) for i in range(n + 1)]
    form = [int(table.codes[first + i, ATOMS.index("w")]) for i in range(n + 1)]
    rows = []
    for d in range(1, n + 1):
        h = heads[d - 1]
        siblings = [w for w in range(1, n + 1) if heads[w - 1] == h]
        before = [w for w in siblings if w < d]
        after = [w for w in siblings if w > d]
        kids = [w for w in range(1, n + 1) if heads[w - 1] == d]
        distance = abs(h - d)
        left, right = (sum(1 for k in kids if k < d), sum(1 for k in kids if k > d))
        rows.append(
            [
                0 if h == 0 else 1 if d < h else 2,
                0 if h == 0 else distance if distance <= 5 else 6 if distance <= 10 else 7,
                0 if h == 0 else tag[heads[h - 1]],
                tag[before[-1]] if before else 0,
                tag[after[0]] if after else 0,
                form[before[-1]] if before else 0,
                form[after[0]] if after else 0,
                tag[kids[0]] if kids else 0,
                tag[kids[-1]] if kids else 0,
                form[kids[0]] if kids else 0,
                form[kids[-1]] if kids else 0,
                4 * min(left, 3) + min(right, 3),
                4 * min(len(before), 3) + min(len(after), 3),
            ]
        )
    return rows


def test_atoms_of_trees_are_those_of_a_slow_twin(text, inventory):
    table = inventory.encode(text)
    codes = np.zeros((len(table.codes), len(ALL_ATOMS)), np.int32)
    codes[:, : len(ATOMS)] = table.codes
    heads = np.zeros(len(codes), np.int32)
    heads[table.rows] = text.head
    relation_kernels.fill_tree_atoms(codes, table.starts, heads, len(ATOMS))
    for number in range(0, 200, 5):
        first = table.starts[number]
        rows = codes[first + 1 : table.starts[number + 1], len(ATOMS) :]
        assert rows.tolist() == slow_tree_atoms(table, first, text[number].heads)


def test_templates_of_relations_are_made_of_known_atoms():
    assert usable(RELATION_TEMPLATES, ALL_ATOMS) == RELATION_TEMPLATES
    assert len(set(RELATION_TEMPLATES)) == len(RELATION_TEMPLATES)
    used = {atom for template in RELATION_TEMPLATES for atom in template.split()}
    assert used >= set(TREE_ATOMS)
