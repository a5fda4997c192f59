"""Laws of drawings: labels never overlap, lines cross only where arcs do, text can be read back."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import any_tree_heads, projective_heads
from treegauge.reports.trees import Arc, Drawing, Tree, laid_out
from treegauge.reports.trees.layout import Layout, PlacedArc, Side, arc_levels
from treegauge.reports.trees.text import tree_lines

patient = examples()

labels = st.sampled_from(["", "x", "nsubj", "compound:preverb", "日本語", "عربى"])
forms = st.sampled_from(["a", "the", "Donaudampfschifffahrt", "日本", "e\u0301", "."])


@st.composite
def arcs_over(draw: st.DrawFn, heads: list[int]) -> tuple[Arc, ...]:
    """Label arcs; heads outside the sentence have none."""
    return tuple(
        Arc(head, i, draw(labels))
        for i, head in enumerate(heads, start=1)
        if 0 <= head <= len(heads)
    )


@st.composite
def drawings(draw: st.DrawFn, *, projective: bool = False) -> Drawing:
    """One tree or two over the same words; anything but trees as well, unless projective."""
    first = draw(projective_heads(max_size=12) if projective else any_tree_heads(max_size=12))
    n = len(first)
    trees = [Tree("gold", draw(arcs_over(first)))]
    if draw(st.booleans()):
        any_heads = st.lists(st.integers(-1, n), min_size=n, max_size=n)
        second = draw(projective_heads(n, n) if projective else any_heads)
        trees.append(Tree("system", draw(arcs_over(second))))
    words = draw(st.lists(forms, min_size=n, max_size=n))
    backwards = draw(st.booleans())
    return Drawing("s", tuple(words), ("TAG",) * n, tuple(trees), backwards)


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]


def legs(side: Side) -> list[tuple[PlacedArc, float]]:
    return [(arc, x) for arc in side.arcs for x in {arc.left, arc.right}]


@given(drawings())
@patient
def test_labels_never_overlap(drawing: Drawing) -> None:
    for side in laid_out(drawing).sides:
        labelled = [arc for arc in side.arcs if arc.label]
        assert not any(overlap(a.box, b.box) for a, b in combinations(labelled, 2))


@given(st.integers(30, 60), st.randoms(use_true_random=True))
@examples(20)
def test_labels_never_overlap_where_levels_are_pressed_together(n: int, random) -> None:
    # Nearly all words hang on a few: more levels than there is room for.
    heads = [random.choice([1, 1, 1, n, random.randint(1, n)]) for _ in range(n)]
    arcs = tuple(Arc(h, i, random.choice(["x", "compound:x"])) for i, h in enumerate(heads, 1))
    drawing = Drawing("s", ("word",) * n, ("",) * n, (Tree("gold", arcs),))
    (side,) = laid_out(drawing).sides
    assert not any(overlap(a.box, b.box) for a, b in combinations(side.arcs, 2))


@given(drawings())
@patient
def test_a_label_lies_on_its_arc(drawing: Drawing) -> None:
    for side in laid_out(drawing).sides:
        for arc in side.arcs:
            left, right, bottom, _ = arc.box
            assert bottom > arc.height
            if not arc.arc.is_stub:
                assert arc.left <= left
                assert right <= arc.right


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=20))
@patient
def test_arcs_of_one_level_have_no_place_in_common(ends: list[tuple[int, int]]) -> None:
    spans = [(min(pair), max(pair)) for pair in ends if pair[0] != pair[1]]
    levels = arc_levels(spans)
    for (a, on), (b, other) in combinations(list(zip(spans, levels, strict=True)), 2):
        if on == other:
            assert a[1] <= b[0] or b[1] <= a[0]
        if a != b and a[0] <= b[0] and b[1] <= a[1]:
            assert on > other


@given(drawings())
@patient
def test_flat_parts_of_one_height_do_not_meet(drawing: Drawing) -> None:
    for side in laid_out(drawing).sides:
        spanning = [arc for arc in side.arcs if not arc.arc.is_stub]
        for a, b in combinations(spanning, 2):
            if a.height == b.height:
                assert a.right < b.left or b.right < a.left


@given(drawings(projective=True))
@patient
def test_trees_without_crossing_arcs_are_drawn_without(drawing: Drawing) -> None:
    for side in laid_out(drawing).sides:
        for arc, x in legs(side):
            for other in side.arcs:
                crossed = other.left < x < other.right and arc.height > other.height
                assert not crossed
                left, right, bottom, _ = other.box
                # Nor does a line run through a label, but for a stub's own.
                if other is not arc and other.label and not other.arc.is_stub:
                    assert not (left < x < right and arc.height > bottom)


@given(drawings())
@patient
def test_words_stand_in_order_and_apart(drawing: Drawing) -> None:
    layout: Layout = laid_out(drawing)
    words = layout.words[::-1] if drawing.right_to_left else layout.words
    for a, b in pairwise(words):
        assert a.x + a.width / 2 < b.x - b.width / 2
    for word in words:
        assert word.width / 2 <= word.x <= layout.width - word.width / 2
    for side in layout.sides:
        for arc in side.arcs:
            assert arc.box[0] >= 0
            assert arc.box[1] <= layout.width
            assert arc.box[3] <= side.height


# ---------------------------------------------------------------------- text

UP, DOWN, LEFT = set("│└├┴┼"), set("│┌├┬┼"), set("┬┴┼")


def read_back(lines: list[str]) -> list[int]:
    """Return the heads that a reader finds by following the lines."""
    heads = []
    for row, line in enumerate(lines):
        begins = [x for x, box in enumerate(line) if box in "┌└├"]
        heads.append(owner(lines, row, begins[0]) + 1 if line[0] == " " else 0)
    return heads


def owner(lines: list[str], row: int, x: int) -> int:
    """Return the row of the word that a vertical line belongs to."""
    for step, leads, comes in ((-1, UP, DOWN), (1, DOWN, UP)):
        at = row
        while lines[at][x] in leads and lines[at + step][x] in comes:
            at += step
            if lines[at][x] in LEFT:
                return at
    raise AssertionError(f"the line of row {row} leads nowhere")


@given(any_tree_heads(max_size=12) | projective_heads(max_size=25))
@patient
def test_trees_in_a_terminal_can_be_read_back(heads: list[int]) -> None:
    arcs = [Arc(head, i) for i, head in enumerate(heads, start=1)]
    lines = tree_lines(arcs, len(heads))
    assert len({len(line) for line in lines}) == 1
    assert read_back(lines) == heads


@given(st.lists(st.integers(-1, 10), max_size=10))
@patient
def test_what_is_no_tree_has_a_line_for_every_word_too(heads: list[int]) -> None:
    n = len(heads)
    arcs = [Arc(head, i) for i, head in enumerate(heads, start=1) if 0 <= head <= n]
    lines = tree_lines(arcs, n)
    assert len(lines) == n
    begins = [line[0] for line in lines]
    assert all((begin == "─") == (head == 0) for begin, head in zip(begins, heads, strict=True))
    assert all(
        begin == "?" for begin, head in zip(begins, heads, strict=True) if not 0 <= head <= n
    )
