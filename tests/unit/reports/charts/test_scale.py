from __future__ import annotations

import pytest

from treegauge.reports.charts.scale import Scale, tick_text


@pytest.mark.parametrize("values", [[0.0, 97.3], [41.2, 43.9], [-3.0, 2.0], [1e-7, 2e-7], [5.0]])
def test_an_axis_holds_its_values_between_round_numbers(values):
    scale = Scale.linear(values)
    assert scale.low <= min(values) <= max(values) <= scale.high
    assert 2 <= len(scale.ticks) <= 8
    assert scale.share(scale.low) == 0
    assert scale.share(scale.high) == 1


def test_an_axis_goes_where_it_is_told():
    assert Scale.linear([40.0, 50.0], within=(0, 100)).ticks == (0, 20, 40, 60, 80, 100)


def test_an_axis_of_negative_numbers_has_zero_where_bars_need_it():
    scale = Scale.linear([-5.0, -3.0], from_zero=True)
    assert scale.high == 0


@pytest.mark.parametrize("values", [[1.0, 10000.0], [3.0, 40.0], [0.02, 0.5], [7.0]])
def test_a_logarithmic_axis_holds_its_values(values):
    scale = Scale.logarithmic(values)
    assert scale.low <= min(values) <= max(values) <= scale.high
    assert len(scale.ticks) >= 2
    assert scale.share(scale.low) == 0
    assert scale.share(scale.high) == 1


def test_numbers_of_an_axis_are_short():
    assert [tick_text(tick) for tick in (0.0, 0.30000000000000004, 1500.0)] == ["0", "0.3", "1,500"]
