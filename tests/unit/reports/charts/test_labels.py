from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from treegauge.reports.charts import Palette
from treegauge.reports.charts.labels import Anchor, Box, legend, place_labels
from treegauge.reports.charts.style import SMALL_SIZE
from treegauge.reports.text_widths import text_width

BOUNDS = Box(50, 60, 638, 440)
BELOW = 500.0


@st.composite
def crowds(draw):
    """Points inside the bounds, often in one place, with names short and long."""
    x = st.floats(BOUNDS.left, BOUNDS.right)
    y = st.floats(BOUNDS.top, BOUNDS.bottom)
    places = draw(st.lists(st.tuples(x, y), min_size=1, max_size=4))
    n = draw(st.integers(1, 60))
    names = st.text("abcdefgh -:mM", min_size=1, max_size=45)
    return [
        Anchor(
            draw(names),
            *(draw(st.sampled_from(places)) if draw(st.booleans()) else (draw(x), draw(y))),
            draw(st.floats(2, 13)),
        )
        for _ in range(n)
    ]


@settings(max_examples=40, deadline=None)
@given(crowds())
def test_no_label_covers_another_none_is_missing_and_all_are_inside(anchors):
    labels = place_labels(anchors, BOUNDS, BELOW)
    names = [name for label in labels for name in label.text.split(", ")]
    assert sorted(names) == sorted(anchor.text for anchor in anchors)
    for a, b in combinations(labels, 2):
        assert not a.box.overlaps(b.box)
    for label in labels:
        assert BOUNDS.left <= label.box.left
        assert label.box.right <= BOUNDS.right + 1e-6
        assert label.box.top >= BOUNDS.top
        assert label.box.bottom <= BOUNDS.bottom or label.box.top >= BELOW
        assert label.box.right - label.box.left == pytest.approx(text_width(label.text, SMALL_SIZE))


def test_points_that_lie_on_each_other_share_a_line():
    anchors = [Anchor("det", 300, 200, 5), Anchor("obj", 350, 200, 5), Anchor("aux", 300, 200.5, 9)]
    labels = place_labels(anchors, BOUNDS, BELOW)
    assert [label.text for label in labels] == ["det, aux", "obj"]
    assert not any(label.leader for label in labels)


def test_a_label_goes_beside_its_point_where_there_is_room():
    (label,) = place_labels([Anchor("name", 300, 200, 5)], BOUNDS, BELOW)
    assert label.leader is None
    assert label.box.left == 308


def test_a_label_that_is_far_away_has_a_line_from_its_point():
    anchors = [Anchor(f"a long name {i}", 300, 200, 5) for i in range(20)]
    labels = place_labels(anchors, BOUNDS, BELOW)
    far = [label for label in labels if label.leader is not None]
    assert far
    for label in far:
        x, y, to_x, to_y = label.leader
        assert (x - 300) ** 2 + (y - 200) ** 2 == pytest.approx(25)
        assert label.box.left <= to_x <= label.box.right
        assert label.box.top <= to_y <= label.box.bottom
        assert "<path" in label.to_svg()


def test_labels_cover_no_points_where_there_is_room():
    anchors = [Anchor(f"name {i}", 100 + 40 * i, 200 + 3 * i, 6) for i in range(10)]
    for label in place_labels(anchors, BOUNDS, BELOW):
        for a in anchors:
            point = Box(a.x - a.radius, a.y - a.radius, a.x + a.radius, a.y + a.radius)
            assert not label.box.overlaps(point)


def test_names_without_any_room_go_into_rows_below():
    full = Box(0, 0, 200, 20)
    labels = place_labels([Anchor(f"a longer name {i}", 100, 10) for i in range(12)], full, 40)
    below = [label for label in labels if label.box.top >= 40]
    assert len(below) >= 10
    assert max(label.box.right for label in below) <= 200


def test_a_legend_has_every_name_once_in_columns():
    names = [f"system {i}" for i in range(12)]
    entries, bottom = legend(names, Palette(names), 100, 640)
    assert list(entries) == names
    # 12 entries of about 120 in a width of 640: five in a row.
    assert 100 + 26 * 2 <= bottom <= 100 + 26 * 4
