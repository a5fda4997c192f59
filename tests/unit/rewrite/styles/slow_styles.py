"""The slow twin of changes of style: one sentence at a time, on labels as they are written.

A tree is a dictionary from a word to its head and its label.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from treegauge.rewrite import Style

Tree = dict[int, tuple[int, str]]

KINDS = {"det": 1, "case": 2, "cop": 3, "aux": 4, "auxpass": 4, "mark": 5}
SWITCHES = ["determiners", "adpositions", "copulas", "auxiliaries", "subordinators"]
SUBJECTS = {"nsubj", "csubj", "nsubjpass", "csubjpass", "expl"}
STAYS = {"flat", "name", "foreign", "fixed", "mwe", "goeswith"}
MEMBERS = [{"conj"}, {"flat", "name", "foreign"}, {"fixed", "mwe"}]
COMPOUNDS = {"compound", "compound:nn"}


def base(label: str) -> str:
    return label.split(":")[0]


def children(tree: Tree, word: int) -> list[int]:
    return [x for x in sorted(tree) if tree[x][0] == word]


def converted(tree: Tree, style: Style) -> Tree:
    """Return a tree of UD in another style."""
    kinds = {i for i, switch in enumerate(SWITCHES, 1) if getattr(style, switch) == "head"}
    tree = with_raised_function_words(tree, kinds)
    if style.coordination == "chain":
        tree = with_chains(tree)
    elif style.coordination == "conjunction":
        tree = with_raised_conjunctions(tree)
    headed = [style.coordination, style.names, style.fixed]
    for members, where, name in zip(MEMBERS, headed, ["conj", "flat", "fixed"], strict=True):
        if where == "last":
            tree = with_other_heads(tree, lambda r, m=members: base(r) in m, 1, name)
    if style.compounds != "annotated":

        def is_compound(label: str) -> bool:
            return label.split(":_")[0] in COMPOUNDS

        tree = with_other_heads(
            tree, is_compound, 1 if style.compounds == "last" else -1, "compound"
        )
    return tree


def with_raised_function_words(tree: Tree, kinds: set[int]) -> Tree:
    def kind(word: int) -> int:
        return KINDS.get(base(tree[word][1]), 0)

    def is_raised(word: int) -> bool:
        head = tree[word][0]
        return head > 0 and kind(word) in kinds and not is_raised(head)

    def nested(content: int) -> list[int]:
        """Return the raised words of a word, outermost first."""
        left = [w for w in children(tree, content) if is_raised(w) and w < content]
        right = [w for w in children(tree, content) if is_raised(w) and w > content][::-1]
        found = []
        while left or right:
            is_left = not right or (left and kind(left[0]) >= kind(right[0]))
            found.append(left.pop(0) if is_left else right.pop(0))
        return found

    def is_between(word: int, one: int, other: int) -> bool:
        return min(one, other) < word < max(one, other)

    lines = {c: [*nested(c), c] for c in tree if not is_raised(c)}
    new: Tree = {}
    for line in lines.values():
        for above, below in pairwise(line):
            new[below] = above, f"comp:{tree[above][1]}"
    for word, line in lines.items():
        head, label = tree[word]
        top = line[0]
        if head == 0:
            new[top] = 0, label
        elif is_raised(head):
            beyond = is_between(head, top, tree[head][0])
            as_subject = base(label) in SUBJECTS and kind(head) in (3, 4)
            as_conjunct = base(label) == "conj" and top != word
            looks_raised = base(label) not in STAYS and (beyond or as_subject or as_conjunct)
            new[top] = head, label + ":_own" * looks_raised
    for content, line in lines.items():
        above = line[::-1]  # by level
        for side in (-1, 1):
            dependents = {
                lines[x][0]: x
                for x in children(tree, content)
                if not is_raised(x) and (lines[x][0] - content) * side > 0
            }
            placed: list[tuple[int, int]] = []  # where something stands, and its level
            placed += [(f, level) for level, f in enumerate(above) if (f - content) * side > 0]
            for top in sorted(dependents, key=lambda p: -abs(p - content)):
                word = dependents[top]
                label = tree[word][1]
                level = 0
                if base(label) not in STAYS:
                    farther = [v for p, v in placed if (p - top) * side > 0]
                    room = min(farther, default=len(above) - 1)
                    level = max(
                        (v for v, f in enumerate(above) if is_between(f, top, content)), default=0
                    )
                    for v in range(level + 1, room + 1):
                        if (base(label) in SUBJECTS and kind(above[v]) in (3, 4)) or (
                            base(label) == "conj" and top != word and kind(above[v]) == kind(top)
                        ):
                            level = v
                placed.append((top, level))
                new[top] = above[level], label
    return new


def with_chains(tree: Tree) -> Tree:
    new = dict(tree)
    for first in tree:
        after = [x for x in children(tree, first) if x > first]
        conjuncts = [x for x in after if base(tree[x][1]) == "conj"]
        for x in after:
            before = [c for c in conjuncts if c < x]
            if before and x <= conjuncts[-1]:
                new[x] = before[-1], tree[x][1] + ":_chain"
    return new


def with_raised_conjunctions(tree: Tree) -> Tree:
    new: Tree = {}
    top_of: dict[int, int] = {}

    def rebuild(word: int) -> int:
        """Give everything below a word its head; return what stands for the word."""
        top = {x: rebuild(x) for x in children(tree, word)}
        top_of.update(top)
        for x, t in top.items():
            new[t] = word, tree[x][1]
        conjuncts = {x: t for x, t in top.items() if base(tree[x][1]) == "conj" and t > word}
        possible = []
        for host in [word, *conjuncts]:
            for k in children(tree, host):
                behind = {t: x for x, t in conjuncts.items() if t > k}
                nearest = behind[min(behind)] if behind else 0
                if (
                    tree[k][1] == "cc"
                    and k > word
                    and new[k][0] == host
                    and nearest
                    and host in (word, nearest)
                    and not any(base(tree[x][1]) == "conj" for x in children(tree, k))
                ):
                    possible.append((k, host))
        if not possible:
            return word
        k, host = max(possible)

        def may_move(x: int) -> bool:
            return x != k and base(tree[x][1]) != "conj" and base(tree[x][1]) not in STAYS

        for x in children(tree, k):
            new[top_of[x]] = k, tree[x][1] + ":_kept" * (base(tree[x][1]) not in STAYS)
        second = min([k, *conjuncts.values()])
        for x, t in top.items():
            if x in conjuncts or (may_move(x) and t > second):
                is_marked = x not in conjuncts and t < k and host != word
                new[t] = k, tree[x][1] + ":_shared" * is_marked
        if host != word:
            for x in children(tree, host):
                t = top_of[x]
                if may_move(x) and new[t][0] == host and word < t < k:
                    new[t] = k, tree[x][1]
        new[word] = k, "conj:_shared" if host == word else "conj:_first"
        return k

    for root in children(tree, 0):
        new[rebuild(root)] = tree[root]
    return new


def with_other_heads(tree: Tree, is_member: Callable[[str], bool], towards: int, name: str) -> Tree:
    new: Tree = {}
    word_of: dict[int, int] = {}  # by what stands for it
    groups: dict[int, list[int]] = {}  # former heads by the new one, innermost first

    def rebuild(word: int) -> int:
        top = {x: rebuild(x) for x in children(tree, word)}
        for x, t in top.items():
            new[t] = word, tree[x][1]
        word_of.update({t: x for x, t in top.items()})
        members = {x: t for x, t in top.items() if is_member(tree[x][1])}
        ahead = {t: x for x, t in members.items() if (t - word) * towards > 0}
        if not ahead:
            return word
        head = max(ahead, key=lambda t: t * towards)
        former = groups.setdefault(head, [])
        limit = former[-1] if former else head
        if len(former) == 9 or (limit - word) * towards <= 0:
            return word
        if not former:
            for t in [t for t in new if new[t][0] == head]:
                if is_member(tree[word_of[t]][1]) and (head - t) * towards > 0:
                    new[t] = head, new[t][1] + ":_inner"
        between = [t for t in ahead if t != head and (limit - t) * towards > 0]
        nearest = min([head, *between], key=lambda t: t * towards)
        for x, t in top.items():
            if t in between:
                new[t] = head, tree[x][1]
            elif x not in members and (name != "conj" or (t - nearest) * towards > 0):
                number = str(len(former) + 1) if former else ""
                new[t] = head, f"{tree[x][1]}:_{name}{number}"
        new[word] = head, tree[ahead[head]][1] + ":_head"
        former.append(word)
        return head

    for root in children(tree, 0):
        new[rebuild(root)] = tree[root]
    return new
