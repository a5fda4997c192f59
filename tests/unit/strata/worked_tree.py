"""One tree of five words, with an arc that is not projective, for every stratum."""

from __future__ import annotations

from tests.unit.treebank.small_trees import treebank
from treegauge.strata import Strata
from treegauge.treebank import Treebank

# there (5) hangs on birds (2), across sing (3), which birds does not dominate.
BIRDS = """
    1 old   old  ADJ  JJ  _ 2 amod       _ _
    2 birds bird NOUN NNS _ 3 nsubj:pass _ _
    3 sing  sing VERB VB  _ 0 root       _ _
    4 songs song NOUN NNS _ 3 obj        _ _
    5 there _    ADV  _   _ 2 acl:relcl  _ _
"""


def birds() -> Treebank:
    return treebank(BIRDS, name="birds")


def named(strata: Strata) -> list[str | None]:
    """Return the name of every word's stratum; None where it belongs to none."""
    return [None if code < 0 else strata.names[code] for code in strata.codes.tolist()]
