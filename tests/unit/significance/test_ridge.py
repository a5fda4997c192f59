from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge as SklearnRidge

from treegauge.significance.ridge import Ridge


def test_ridge_is_that_of_scikit_learn():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(30, 4)) * [1, 5, 0.1, 3] + 2, random.normal(size=30)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    ours = Ridge.fit(x, y, 3.0)
    theirs = SklearnRidge(alpha=3.0).fit(z, y)
    assert ours.weights == pytest.approx(theirs.coef_)
    assert ours.predict(x) == pytest.approx(theirs.predict(z))


def test_a_row_that_weighs_twice_is_a_row_twice():
    random = np.random.default_rng(2)
    x, y = random.normal(size=(9, 2)), random.normal(size=9)
    weights = np.where(np.arange(9) == 4, 2.0, 1.0)
    weighted = Ridge.fit(x, y, 0.5, row_weights=weights)
    repeated = Ridge.fit(np.vstack([x, x[4]]), np.append(y, y[4]), 0.5)
    assert weighted.predict(x) == pytest.approx(repeated.predict(x))


def test_a_column_that_never_changes_says_nothing():
    x = np.column_stack([np.arange(5.0), np.full(5, 0.1)])
    model = Ridge.fit(x, np.arange(5.0), 0.0 + 1e-9)
    assert model.weights[1] == 0
    assert model.predict(np.array([[7.0, 99.0]])) == pytest.approx([7.0])
