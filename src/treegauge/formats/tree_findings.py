"""Findings about trees: heads that do not make one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treegauge.formats.findings import Findings
from treegauge.treebank import Sentence, Treebank, TreeFlaw, tree_flaws

Explanation = tuple[int, str, str, str]
"""The position of a word, what was expected, what was found, what to do."""


def find_tree_flaws(treebank: Treebank, findings: Findings) -> None:
    """Add a finding for every sentence whose heads are no tree, once for each flaw."""
    flaws = tree_flaws(treebank)
    if not flaws.any():
        return
    for flaw, (kind, explain) in _EXPLAINED.items():
        flawed = np.flatnonzero(flaws & flaw)
        room = findings.room(kind)
        for index in flawed[:room]:
            sentence = treebank[int(index)]
            position, expected, found, advice = explain(sentence)
            findings.add(
                kind,
                line=treebank.line(sentence.index, position),
                expected=expected,
                found=found,
                advice=advice,
                sentence=sentence.id,
            )
        findings.count_unlisted(kind, max(0, len(flawed) - room))


def _outside(sentence: Sentence) -> Explanation:
    n = len(sentence)
    position = next(i for i, head in enumerate(sentence.heads, start=1) if head > n)
    outside_head = f"{sentence.heads[position - 1]} for word {position}"
    return (
        position,
        f"a head from 0 to {n}",
        outside_head,
        "set HEAD to a word of the same sentence",
    )


def _cycle(sentence: Sentence) -> Explanation:
    path = _first_cycle(sentence.heads)
    cycle = " -> ".join(map(str, [*path, path[0]]))
    return path[0], "a tree", f"the cycle {cycle}", "attach one of these words outside the cycle"


def _no_root(_sentence: Sentence) -> Explanation:
    return 1, "one word with head 0", "none", "give the sentence a root"


def _several_roots(sentence: Sentence) -> Explanation:
    roots = [i for i, head in enumerate(sentence.heads, start=1) if head == 0]
    root_summary = (
        f"{len(roots)}: words {', '.join(map(str, roots[:10]))}{' …' * (len(roots) > 10)}"
    )
    return (
        roots[1],
        "one word with head 0",
        root_summary,
        "keep one root and attach the others to it",
    )


def _head_missing(sentence: Sentence) -> Explanation:
    position = sentence.heads.index(-1) + 1
    return position, "a head for every word", f"_ for word {position}", "annotate all words or none"


def _first_cycle(heads: list[int]) -> list[int]:
    walk_of = [0] * (len(heads) + 1)
    for start in range(1, len(heads) + 1):
        path: list[int] = []
        at = start
        while 1 <= at <= len(heads) and not walk_of[at]:
            walk_of[at] = start
            path.append(at)
            at = heads[at - 1]
        if 1 <= at <= len(heads) and walk_of[at] == start:
            return path[path.index(at) :]
    raise ValueError("no cycle in these heads")


_EXPLAINED: dict[TreeFlaw, tuple[str, Callable[[Sentence], Explanation]]] = {
    TreeFlaw.OUTSIDE: ("head-outside", _outside),
    TreeFlaw.CYCLE: ("cycle", _cycle),
    TreeFlaw.NO_ROOT: ("no-root", _no_root),
    TreeFlaw.SEVERAL_ROOTS: ("several-roots", _several_roots),
    TreeFlaw.PARTLY_ANNOTATED: ("head-missing", _head_missing),
}

TREE_KINDS = tuple(kind for kind, _ in _EXPLAINED.values())
"""The kinds of findings about trees, in the order in which they are looked for."""
