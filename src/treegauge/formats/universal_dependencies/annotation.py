"""Level 2: heads, tags, features, relations and graphs of one sentence."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from treegauge.formats.layouts import CONLLU
from treegauge.formats.line_flaws import quoted
from treegauge.formats.universal_dependencies.backbone import (
    DEPREL,
    DEPS,
    FEATS,
    HEAD,
    ID,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    CheckedSentence,
    is_node,
    is_range,
    is_word,
)
from treegauge.treebank import EMPTY, UD_TAGS

Flaw = tuple[str, str]
"""A rule and what was found."""

_UNIVERSAL_RELATIONS = (
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse "
    "dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis "
    "punct reparandum root vocative xcomp"
)
UNIVERSAL_RELATIONS = frozenset(_UNIVERSAL_RELATIONS.split())
UNIVERSAL_TAGS = UD_TAGS - {"CONJ"}
"""Those of version 2, the only one that the official validator knows."""
NAMED_ATTRIBUTES = ("SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref")
"""What the guidelines say about MISC: each at most once."""

_FEATURE = re.compile(
    r"([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=([A-Z0-9][A-Za-z0-9]*(?:,[A-Z0-9][A-Za-z0-9]*)*)"
)
_HEAD = re.compile(r"0|[1-9][0-9]{0,17}")
_NODE_HEAD = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\.[1-9][0-9]{0,17})?")
_RELATION = re.compile(r"[a-z]+(?::[a-z]+)?")
# Letters of other alphabets stand here as *; see `_with_plain_letters`.
_ENHANCED_RELATION = re.compile(r"[a-z]+(:[a-z]+)?(:[a-z*]+(?:_[a-z*]+)*)?(:[a-z]+)?")
_NAMED_IN_SMALL_LETTERS = {name.lower() for name in NAMED_ATTRIBUTES}


def check_heads(sentence: CheckedSentence) -> bool:
    """Check that heads are nodes of the sentence, and a tree; return whether they are."""
    return _check_references(sentence) and _check_tree(sentence)


def check_values(sentence: CheckedSentence) -> bool:
    """Check every row; return whether all features can be read."""
    readable = True
    for i, row in enumerate(sentence.rows):
        if is_range(row):
            flaws = list(_multiword_flaws(row))
        else:
            flaws = [*_node_flaws(row)] if is_node(row) else [*deprel_flaws(row[DEPREL])]
            if not (is_node(row) and row[UPOS] == EMPTY):
                flaws += upos_flaws(row[UPOS])
            if not row[XPOS]:
                flaws.append(("empty-string-in-xpos", "nothing"))
            feature_flaws = feats_flaws(row[FEATS])
            readable &= all(rule != "invalid-feature" for rule, _ in feature_flaws)
            flaws += [*feature_flaws, *_deps_flaws(row)]
        for rule, found in [*flaws, *misc_flaws(row[MISC])]:
            sentence.break_in_row(i, rule, found)
    return readable


def has_graph(rows: Iterable[list[str]]) -> bool:
    """Return whether a sentence has an enhanced graph."""
    return any(not is_range(row) and (is_node(row) or row[DEPS] != EMPTY) for row in rows)


def check_graph(sentence: CheckedSentence) -> None:
    """Check that every node of an enhanced graph is below its root."""
    nodes = [(i, row) for i, row in enumerate(sentence.rows) if not is_range(row)]
    if not has_graph(sentence.rows):
        return
    dependents: dict[str, list[str]] = {}
    for _, row in nodes:
        for head, _ in edges(row[DEPS]):
            dependents.setdefault(head, []).append(row[ID])
    below = {"0"}
    waiting = ["0"]
    while waiting:
        new = [node for node in dependents.get(waiting.pop(), ()) if node not in below]
        below.update(new)
        waiting += new
    apart = [(i, row[ID]) for i, row in nodes if row[ID] not in below]
    if apart:
        shown = ", ".join(node for _, node in apart[:10]) + " …" * (len(apart) > 10)
        sentence.break_in_row(apart[0][0], "unconnected-egraph", f"none to {shown}")


def edges(deps: str) -> list[tuple[str, str]]:
    """Return heads and relations of DEPS; raise ValueError if it cannot be cut into them."""
    if deps == EMPTY:
        return []
    cut = [edge.partition(":") for edge in deps.split("|")]
    if not all(colon for _, colon, _ in cut):
        raise ValueError(deps)
    return [(head, relation) for head, _, relation in cut]


def upos_flaws(upos: str) -> list[Flaw]:
    """Return what is wrong with a tag."""
    return [] if upos in UNIVERSAL_TAGS else [("unknown-upos", quoted(upos))]


def deprel_flaws(deprel: str) -> list[Flaw]:
    """Return what is wrong with a relation of the tree."""
    if not _RELATION.fullmatch(deprel):
        return [("invalid-deprel", quoted(deprel))]
    if deprel.partition(":")[0] not in UNIVERSAL_RELATIONS:
        return [("unknown-udeprel", quoted(deprel))]
    return []


@lru_cache(maxsize=1 << 16)
def relation_flaws(relation: str) -> tuple[Flaw, ...]:
    """Return what is wrong with a relation of an enhanced graph."""
    if not _ENHANCED_RELATION.fullmatch(_with_plain_letters(relation)):
        return (("invalid-edeprel", quoted(relation)),)
    if relation.partition(":")[0] not in UNIVERSAL_RELATIONS | {"ref"}:
        return (("unknown-eudeprel", quoted(relation)),)
    return ()


def _with_plain_letters(relation: str) -> str:
    """Write * for every small or caseless letter, and every mark, of another alphabet."""
    if relation.isascii():
        return relation.replace("*", "?")
    return "".join(
        ("*" if unicodedata.category(c) in ("Ll", "Lm", "Lo", "Mn", "Mc", "Me") else "?")
        if c == "*" or not c.isascii()
        else c
        for c in relation
    )


@lru_cache(maxsize=1 << 16)
def feats_flaws(feats: str) -> tuple[Flaw, ...]:
    """Return what is wrong with the features of a word."""
    if feats == EMPTY:
        return ()
    flaws: list[Flaw] = []
    features = feats.split("|")
    lower = [feature.lower() for feature in features]
    if lower != sorted(lower):
        flaws.append(("unsorted-features", quoted(feats)))
    names = set()
    for feature in features:
        match = _FEATURE.fullmatch(feature)
        if match is None:
            flaws.append(("invalid-feature", quoted(feature)))
            names.add(feature)
            continue
        names.add(match[1])
        values = match[2].split(",")
        if len({*values}) < len(values):
            flaws.append(("repeated-feature-value", quoted(feature)))
        lower = [value.lower() for value in values]
        if lower != sorted(lower):
            flaws.append(("unsorted-feature-values", quoted(feature)))
    if len(names) < len(features):
        flaws.append(("repeated-feature", quoted(feats)))
    return tuple(flaws)


def misc_flaws(misc: str) -> Iterator[Flaw]:
    """Give what is wrong with the attributes in MISC."""
    if misc == EMPTY:
        return
    named: Counter[str] = Counter()
    for attribute in misc.split("|"):
        name, equals, value = attribute.partition("=")
        if not name:
            yield ("empty-misc-key", quoted(attribute)) if equals else ("empty-misc", quoted(misc))
        if any(text[:1].isspace() or text[-1:].isspace() for text in (name, value)):
            yield "misc-extra-space", quoted(attribute)
        if name in NAMED_ATTRIBUTES:
            named[name] += 1
        elif name.strip().lower() in _NAMED_IN_SMALL_LETTERS:
            yield "misc-attr-typo", quoted(name)
    for name, number in named.items():
        if number > 1:
            yield "repeated-misc", f"{number} of {name}"


def _multiword_flaws(row: list[str]) -> Iterator[Flaw]:
    for column in range(LEMMA, MISC):
        value = row[column]
        if value != EMPTY and not (column == FEATS and value == "Typo=Yes"):
            yield "mwt-nonempty-field", f"{quoted(value)} in {CONLLU.columns[column]}"


def _node_flaws(row: list[str]) -> Iterator[Flaw]:
    for column in (HEAD, DEPREL):
        if row[column] != EMPTY:
            shown = f"{quoted(row[column])} in {CONLLU.columns[column]}"
            yield "empty-node-nonempty-field", shown


def _deps_flaws(row: list[str]) -> Iterator[Flaw]:
    deps = row[DEPS]
    cut = edges(deps)
    heads = [node_order(head) for head, _ in cut]
    if heads != sorted(heads):
        yield "unsorted-deps", quoted(deps)
    else:
        for (head, relation), (next_head, next_relation) in pairwise(cut):
            if head == next_head and next_relation < relation:
                yield "unsorted-deps-2", quoted(deps)
            elif head == next_head and next_relation == relation:
                yield "repeated-deps", quoted(f"{head}:{relation}")
    if node_order(row[ID]) in heads:
        yield "deps-self-loop", quoted(deps)
    for _, relation in cut:
        yield from relation_flaws(relation)


def node_order(node: str) -> tuple[int, int]:
    """Return the two numbers of a node, by which nodes are sorted.

    >>> node_order("3"), node_order("3.10")
    ((3, 0), (3, 10))
    """
    word, _, empty = node.partition(".")
    return int(word), int(empty or 0)


def _check_references(sentence: CheckedSentence) -> bool:
    before = len(sentence.breaches)
    nodes = {row[ID] for row in sentence.rows if not is_range(row)} | {"0"}
    for i, row in enumerate(sentence.rows):
        if is_range(row):
            continue
        if is_word(row):
            if not _HEAD.fullmatch(row[HEAD]):
                sentence.break_in_row(i, "invalid-head", quoted(row[HEAD]))
            if row[HEAD] not in nodes:
                sentence.break_in_row(i, "unknown-head", quoted(row[HEAD]))
        try:
            cut = edges(row[DEPS])
        except ValueError:
            sentence.break_in_row(i, "invalid-deps", quoted(row[DEPS]))
            continue
        for head, _ in cut:
            if not _NODE_HEAD.fullmatch(head):
                sentence.break_in_row(i, "invalid-ehead", quoted(head))
            if head not in nodes:
                sentence.break_in_row(i, "unknown-ehead", quoted(head))
    return len(sentence.breaches) == before


def _check_tree(sentence: CheckedSentence) -> bool:
    words = [(i, int(row[HEAD])) for i, row in enumerate(sentence.rows) if is_word(row)]
    dependents: dict[int, list[int]] = {}
    for position, (i, head) in enumerate(words, start=1):
        if head == position:
            sentence.break_in_row(i, "head-self-loop", f"{head} for word {head}")
            return False
        dependents.setdefault(head, []).append(position)
    roots = dependents.get(0, [])
    if len(roots) > 1:
        shown = ", ".join(map(str, roots[:10])) + " …" * (len(roots) > 10)
        sentence.break_in_row(words[roots[1] - 1][0], "multiple-roots", f"words {shown}")
        return False
    below: set[int] = set()
    waiting = [0]
    while waiting:
        new = dependents.get(waiting.pop(), [])
        below.update(new)
        waiting += new
    apart = [position for position in range(1, len(words) + 1) if position not in below]
    if apart:
        shown = ", ".join(map(str, apart[:10])) + " …" * (len(apart) > 10)
        sentence.break_in_row(words[apart[0] - 1][0], "non-tree", f"words apart from it: {shown}")
        return False
    return True
