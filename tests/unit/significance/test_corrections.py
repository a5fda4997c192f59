from __future__ import annotations

import numpy as np
import pytest

from treegauge.significance import SignificanceError, holm


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.2], [0.2]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # 4, 3, 2, 1 times; 0.04 < 0.06
        ([0.5, 0.6, 0.7], [1, 1, 1]),
        ([0.02, 0.02], [0.04, 0.04]),
        ([0, 1], [0, 1]),
    ],
)
def test_worked_examples(p_values, adjusted):
    assert holm(p_values).tolist() == pytest.approx(adjusted)


@pytest.mark.parametrize("p_values", [[0.5, 1.1], [-0.1], [np.nan], [[0.1, 0.2]], 0.3])
def test_what_is_no_p_value(p_values):
    with pytest.raises(SignificanceError, match="numbers between 0 and 1"):
        holm(p_values)
