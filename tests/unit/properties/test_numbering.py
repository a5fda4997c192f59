from __future__ import annotations

import numpy as np
import pytest

from treegauge.properties.numbering import number_by_first_use


@pytest.mark.parametrize("kinds", [1, 511, 512, 513, 5000])
def test_values_are_numbered_by_first_use_however_many_there_are(kinds):
    values = np.random.default_rng(kinds).integers(kinds, size=20_000) * 1_000_003
    found, place = number_by_first_use(values)
    numbers = {}
    for value in values.tolist():
        numbers.setdefault(value, len(numbers))
    assert found.tolist() == list(numbers)
    assert place.tolist() == [numbers[value] for value in values.tolist()]


def test_nothing_is_numbered_as_nothing():
    found, place = number_by_first_use(np.empty(0, np.int64))
    assert len(found) == len(place) == 0
