"""Coordination: which children of a phrase are conjuncts, and who hangs on whom.

A phrase with a conjunction is cut at conjunctions, and at commas before the last conjunction. In
every piece, the child that is of the same kind as the phrase's head is a conjunct: the last one
among nouns (the president and chief *executive*), otherwise the first. What stands between two
conjuncts belongs to the one on its side of the conjunction, what stands outside all of them is
shared and hangs on the head of the coordination.
"""

from __future__ import annotations

from itertools import pairwise

from treegauge.rewrite.head_rules.arrangement import Arrangement
from treegauge.rewrite.head_rules.tables import PUNCTUATION, category

CONJUNCTIONS = frozenset({"CC", "CONJP"})
_SEPARATORS = CONJUNCTIONS | {",", ":"}

_KIND = {
    label: kind
    for kind, labels in {
        "noun": "NN NNS NNP NNPS NP NX NML NAC PRP CD QP $ WP WHNP",
        "verb": "VB VBD VBG VBN VBP VBZ MD VP",
        "clause": "S SBAR SINV SQ SBARQ FRAG",
        "adjective": "JJ JJR JJS ADJP WHADJP",
        "adverb": "RB RBR RBS ADVP WHADVP",
        "adposition": "IN TO PP WHPP",
    }.items()
    for label in labels.split()
}


def conjuncts_of(label: str, children: tuple[str, ...], head: int) -> list[int]:
    """Return the conjuncts of a phrase, or nothing if it is no coordination.

    >>> conjuncts_of("NP", ("NP", ",", "NP", "CC", "NP", "."), 0)
    [0, 2, 4]
    >>> conjuncts_of("NP", ("DT", "NN", "CC", "JJ", "NN"), 4)
    [1, 4]
    >>> conjuncts_of("NP", ("JJ", "CC", "JJ", "NNS"), 3)
    []
    """
    conjunctions = [place for place, child in enumerate(children) if child in CONJUNCTIONS]
    if not conjunctions:
        return []
    kind = _kind(children[head])
    cuts = [
        place
        for place, child in enumerate(children)
        if child in _SEPARATORS and place <= conjunctions[-1]
    ]
    conjuncts = []
    for before, after in pairwise([-1, *cuts, len(children)]):
        like = [
            place
            for place in range(before + 1, after)
            if children[place] not in PUNCTUATION
            and (label == "UCP" or _kind(children[place]) == kind)
        ]
        if like:
            conjuncts.append(like[-1] if kind == "noun" and label != "UCP" else like[0])
    is_joined = len(conjuncts) > 1 and any(
        conjuncts[0] < place < conjuncts[-1] for place in conjunctions
    )
    return conjuncts if is_joined else []


def coordinated(children: tuple[str, ...], conjuncts: list[int], style: str) -> Arrangement:
    """Arrange a coordination.

    Parameters
    ----------
    children : tuple of str
        Labels of all children.
    conjuncts : list of int
        Two at least, with a conjunction among them.
    style : "chain", "conjunction" or "first"
        Each conjunct on the conjunction before it, and that on the conjunct before (Mel'čuk); all
        on the last conjunction (Prague); all conjuncts and conjunctions on the first conjunct.
    """
    links = {
        after: [p for p in range(before + 1, after) if children[p] in CONJUNCTIONS]
        for before, after in pairwise(conjuncts)
    }
    last_link = [link for linked in links.values() for link in linked][-1]
    head = last_link if style == "conjunction" else conjuncts[0]
    governor = [head] * len(children)
    roles: dict[int, str] = {}
    for before, after in pairwise(conjuncts):
        linked = links[after]
        middle = _middle(children, before, after, linked)
        for place in range(before + 1, after):
            governor[place] = before if place <= middle else after
        # Of several conjunctions in a row, only the last one joins.
        roles.update(dict.fromkeys(linked, "CC"))
        if linked and style != "chain":
            governor[linked[-1]] = head
        roles[after] = "COORD"
        governor[after] = head
        if style == "chain":
            governor[after] = before
            if linked:
                roles[linked[-1]], roles[after] = "COORD", "CONJ"
                governor[after] = linked[-1]
    stands_for: dict[int, int] = {}
    if style == "conjunction":
        roles[conjuncts[0]] = "COORD"
        del roles[head]
        governor[head] = head
        stands_for[head] = conjuncts[0]
    return Arrangement(head, tuple(governor), roles, stands_for)


def join_modifiers(arrangement: Arrangement, children: tuple[str, ...], style: str) -> Arrangement:
    """Coordinate modifiers that stand right beside a conjunction: *big and small* dogs.

    They have to be of one kind, and to hang on the same child, as the conjunction does.
    """
    governor, roles = list(arrangement.governor), dict(arrangement.roles)
    stands_for = dict(arrangement.stands_for)
    for place, label in enumerate(children):
        left, right = place - 1, place + 1
        while left >= 0 and children[left] in PUNCTUATION:
            left -= 1
        if label not in CONJUNCTIONS or left < 0 or right == len(children) or place in roles:
            continue
        above = governor[place]
        is_pair = (
            _kind(children[left]) == _kind(children[right])
            and governor[left] == governor[right] == above
            and arrangement.head not in (left, place, right)
            and not {left, right} & {*roles, above}
        )
        if not is_pair:
            continue
        joined = coordinated(tuple(children[left : right + 1]), [0, right - left], style)
        for inside, inner in enumerate(joined.governor):
            governor[left + inside] = above if inside == joined.head else left + inner
        roles.update({left + inside: role for inside, role in joined.roles.items()})
        stands_for.update({left + a: left + b for a, b in joined.stands_for.items()})
    return Arrangement(arrangement.head, tuple(governor), roles, stands_for)


def _middle(children: tuple[str, ...], before: int, after: int, linked: list[int]) -> int:
    """Return the last child between two conjuncts that belongs to the first of them."""
    if linked:
        return linked[-1]
    marks = [place for place in range(before + 1, after) if children[place] in PUNCTUATION]
    return marks[-1] if marks else before


def _kind(label: str) -> str:
    plain = category(label)
    return _KIND.get(plain, plain)
