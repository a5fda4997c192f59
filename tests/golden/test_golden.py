"""Every verb says what it said before; `make golden` shows and accepts what has changed."""

from __future__ import annotations

import pytest

from tests.golden.capture import OUTPUTS, golden_of, outputs_of
from tests.golden.cases import CASES, Case
from tests.golden.comparison import differences

pytestmark = pytest.mark.long

ADVICE = "`make golden` rewrites the golden files and shows the difference"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[pytest.mark.slow] if case.slow else [])
        for case in CASES
    ],
)
def test_outputs_are_as_they_were(case: Case):
    if case.needs:
        pytest.importorskip(case.needs)
    found = differences(golden_of(case), outputs_of(case))
    assert not found, "\n".join([*found, ADVICE])


def test_every_golden_file_has_a_case():
    names = {case.name for case in CASES}
    stored = {
        path.relative_to(OUTPUTS).as_posix().partition(".")[0]
        for path in OUTPUTS.rglob("*")
        if path.is_file()
    }
    assert stored <= names
    assert names <= stored


def test_names_of_cases_are_unique():
    assert len({case.name for case in CASES}) == len(CASES)
    assert not any("." in case.name for case in CASES)
