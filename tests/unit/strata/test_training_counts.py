from __future__ import annotations

from tests.unit.strata.worked_tree import named
from tests.unit.treebank.small_trees import sentences
from treegauge.strata import stratify


def test_bounds_of_the_bins():
    times = [0, 1, 2, 4, 5, 9, 10, 99, 100, 101]
    gold = sentences(" ".join(f"w{n}/X" for n in times))
    training = sentences(*[" ".join([f"w{n}/X"] * n) for n in times if n])
    assert named(stratify("frequency", gold, training=training)) == [
        "0", "1", "2-4", "2-4", "5-9", "5-9", "10-99", "10-99", "100+", "100+",
    ]  # fmt: skip
    assert named(stratify("known", gold, training=training)) == ["unknown"] + ["known"] * 9


def test_forms_count_as_they_are_written():
    strata = stratify("known", sentences("The/DET the/DET"), training=sentences("the/DET"))
    assert named(strata) == ["unknown", "known"]


def test_forms_that_are_only_in_the_vocabulary_are_unknown():
    training = sentences("a/X", "b/X")[:1]
    assert named(stratify("known", sentences("a/X b/X"), training=training)) == ["known", "unknown"]
