"""A second scorer, slow and plain, to compare the program's numbers with.

It is written from the definition of CoNLL-U (https://universaldependencies.org/format.html),
docs/formats.md and docs/metrics.md, and imports nothing of the program: a mistake of one is
not the other's. Sentences are lists of words, words are dictionaries, every rule is a loop.
"""

from __future__ import annotations

import gzip
import lzma
import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

Word = dict[str, str]
Sentence = list[Word]
Scores = dict[str, tuple[float | None, int]]
"""By metric: the number, nothing where there is nothing to score, and what it is a share of."""

CONLLU = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
CONLLX = ("ID", "FORM", "LEMMA", "CPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL")
PASCAL = ("ID", "FORM", "LEMMA", "CPOS", "XPOS", "UPOS", "FEATS", "HEAD", "DEPREL")
COLUMNS = {"conllu": CONLLU, "conllx": CONLLX, "pascal": PASCAL}

CONTENT = frozenset((
    "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep",
    "discourse", "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod",
    "nsubj", "nummod", "obj", "obl", "orphan", "parataxis", "reparandum", "root", "vocative",
    "xcomp",
))  # fmt: skip
FUNCTION = frozenset(["aux", "cop", "mark", "det", "clf", "case", "cc"])
UNIVERSAL = frozenset((
    "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender",
    "Mood", "Number", "NumType", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex",
    "Tense", "VerbForm", "Voice",
))  # fmt: skip
PENN = frozenset(["``", "`", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"])
LARGEST = 2**31 - 1


class Refused(Exception):  # noqa: N818 (an outcome, not an error)
    """There is no score: a file is broken, or the two are not about the same words."""


# ---------------------------------------------------------------------- reading


def read(path: Path) -> list[Sentence]:
    """Return the sentences of a file, whose name says its format, or refuse it."""
    names = path.name.lower().split(".")
    content = path.read_bytes()
    if names[-1] in ("gz", "xz"):
        content = _decompressed(content, names.pop())
    return sentences_of(_text(content), names[-1])


def _decompressed(content: bytes, method: str) -> bytes:
    try:
        return gzip.decompress(content) if method == "gz" else lzma.decompress(content)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise Refused(str(error)) from None


def _text(content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(str(error)) from None
    if "\0" in text:
        raise Refused("NUL")
    beginning = re.match(r"(?:[ \t\r]*\n|[ \t]*\ufeff)*", text)
    end = beginning.end() if beginning else 0
    return re.sub(r"\r+(\n|\Z)", "\n", text[:end].replace("\ufeff", "") + text[end:])


def sentences_of(text: str, format: str) -> list[Sentence]:
    """Return the sentences of a text."""
    columns = COLUMNS[format]
    lines = text.split("\n")
    filled = [line for line in lines if line.strip(" \t")]
    if format == "conllu" and filled and re.match(r"#\s*global\.columns\s*=", filled[0]):
        raise NotImplementedError("CoNLL-U Plus")
    if format == "conllx" and filled and filled[0].count("\t") == 7:
        columns = columns[:8]
    sentences: list[Sentence] = []
    block: list[str] = []
    for line in [*lines, ""]:
        if line.strip(" \t"):
            block.append(line)
        elif block:
            sentences.append(_sentence(block, columns, has_side_lines=format == "conllu"))
            block = []
    if not any(sentences):
        raise Refused("no word")
    return sentences


def _sentence(lines: list[str], columns: tuple[str, ...], *, has_side_lines: bool) -> Sentence:
    words: Sentence = []
    ranges: list[tuple[int, int]] = []
    nodes = 0
    for line in lines:
        if has_side_lines and line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != len(columns):
            raise Refused(f"{len(fields)} columns")
        word = dict(zip(columns, fields, strict=True))
        number = word["ID"]
        if has_side_lines and (match := re.fullmatch(r"(\d+)-(\d+)", number, re.ASCII)):
            ranges.append((int(match[1]), int(match[2])))
            if ranges[-1][0] != len(words) + 1 or ranges[-1][1] <= ranges[-1][0]:
                raise Refused(f"range {number}")
        elif has_side_lines and re.fullmatch(r"\d+\.\d+", number, re.ASCII):
            nodes += 1
            if number != f"{len(words)}.{nodes}":
                raise Refused(f"empty node {number}")
        else:
            nodes = 0
            if number != str(len(words) + 1):
                raise Refused(f"word {number}")
            if not re.fullmatch(r"_|0|[1-9][0-9]*", word["HEAD"]):
                raise Refused(f"head {word['HEAD']}")
            if word["HEAD"] != "_" and int(word["HEAD"]) >= LARGEST:
                raise Refused(f"head {word['HEAD']}")
            words.append(word)
    for (_, last), (following, _) in pairwise([*ranges, (len(words) + 1, 0)]):
        if last >= following:
            raise Refused("ranges overlap, or end behind the sentence")
    return words


# ---------------------------------------------------------------------- scoring


@dataclass(frozen=True)
class Rules:
    """What the options of `evaluate` say: a preset and what deviates from it."""

    punctuation: str = "counted"
    punctuation_by: str = "tag"
    """`form`: by characters alone, as the scorer of 2006 did."""
    subtypes: bool = False
    average: str = "micro"
    skip_length_one: bool = False
    count_root: bool = True


@dataclass(frozen=True)
class Node:
    """A word of gold and the same word of the system, both with their heads.

    A head is the place of a word in the sentence from 0, -1 for the root, nothing if there is none.
    """

    gold: Word
    system: Word
    gold_head: int | None
    system_head: int | None
    is_scored: bool


def score(
    gold: list[Sentence], system: list[Sentence], metrics: Iterable[str], rules: Rules
) -> Scores:
    """Return all metrics, or refuse."""
    forms = [[[word["FORM"] for word in sentence] for sentence in side] for side in (gold, system)]
    if forms[0] != forms[1]:
        raise Refused("other words")
    return {metric: _one(gold, system, metric, rules) for metric in metrics}


def _one(
    gold: list[Sentence], system: list[Sentence], metric: str, rules: Rules
) -> tuple[float | None, int]:
    name, _, cut_off = metric.partition("@")
    for side in (gold, system):
        for column in NEEDS[name]:
            if not _is_filled(side, column):
                raise Refused(f"no {column}")
    if name in CLUSTERINGS:
        # A system's clusters are in the first column of tags with anything in it.
        filled = [column for column in ("UPOS", "XPOS", "CPOS") if _is_filled(system, column)]
        if not filled or not _is_filled(gold, "UPOS"):
            raise Refused("no tags")
        system = [[{**word, "CLUSTER": _value(word, filled[0])} for word in s] for s in system]
    is_punctuation = _punctuation_rule(gold, rules)
    pairs = list(zip(gold, system, strict=True))
    if cut_off.endswith("w"):
        limit = int(cut_off[:-1])
        # The same sentences under every preset, whatever counts as punctuation in them.
        is_mark = _punctuation_rule(gold, Rules())
        pairs = [p for p in pairs if sum(not is_mark(w) for w in p[0]) <= limit]
    elif cut_off:
        pairs = [p for p in pairs if len(p[0]) <= int(cut_off)]
    sentences = [_nodes(g, s, is_punctuation, rules) for g, s in pairs]
    if name in TABLES:
        return TABLES[name]([node for nodes in sentences for node in nodes if node.is_scored])
    counts = [COUNTS[name](nodes, rules) for nodes in sentences]
    if rules.average == "sentence" and not name.startswith("exact"):
        shares = [share for count in counts if (share := _f1(*count)) is not None]
        return (sum(shares) / len(shares) if shares else None), len(shares)
    right, in_gold, in_system = (
        (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
    )
    return _f1(right, in_gold, in_system), in_gold


def _f1(right: int, in_gold: int, in_system: int) -> float | None:
    return 2 * right / (in_gold + in_system) if in_gold + in_system else None


def _is_filled(side: list[Sentence], column: str) -> bool:
    return any(_value(word, column) not in ("", "_") for sentence in side for word in sentence)


def _value(word: Word, column: str) -> str:
    return word.get(column, "_")


def _punctuation_rule(gold: list[Sentence], rules: Rules) -> Callable[[Word], bool]:
    """Gold's universal tags say what is punctuation; without any, the characters do."""
    if rules.punctuation_by == "form":
        return lambda word: _is_unicode_punctuation(word["FORM"])
    if _is_filled(gold, "UPOS"):
        return lambda word: _value(word, "UPOS") in ("PUNCT", ".")
    return lambda word: word["FORM"] in PENN or _is_unicode_punctuation(word["FORM"])


def _is_unicode_punctuation(form: str) -> bool:
    return form != "" and all(unicodedata.category(c)[0] == "P" for c in form)


def _nodes(
    gold: Sentence, system: Sentence, is_punctuation: Callable[[Word], bool], rules: Rules
) -> list[Node]:
    removed = [rules.punctuation == "removed" and is_punctuation(word) for word in gold]
    kept = [place for place, is_removed in enumerate(removed) if not is_removed]
    gold_heads = _heads(gold, removed, kept, may_circle=False)
    system_heads = _heads(system, removed, kept, may_circle=True)
    scored = [rules.punctuation == "counted" or not is_punctuation(gold[place]) for place in kept]
    if rules.skip_length_one and sum(scored) == 1:
        scored = [False] * len(kept)
    return [
        Node(gold[place], system[place], g, s, is_scored)
        for place, g, s, is_scored in zip(kept, gold_heads, system_heads, scored, strict=True)
    ]


def _heads(
    sentence: Sentence, removed: list[bool], kept: list[int], *, may_circle: bool
) -> list[int | None]:
    """Return the head of every word that is kept: the nearest ancestor that is kept."""
    heads: list[int | None] = []
    for place in kept:
        if may_circle and _is_on_cycle(sentence, place):
            heads.append(None)
            continue
        seen = {place}
        head = _head(sentence, place)
        while head is not None and head >= 0 and removed[head]:
            if head in seen:
                if not may_circle:
                    raise Refused("a cycle of punctuation in gold")
                head = None
                break
            seen.add(head)
            head = _head(sentence, head)
        heads.append(kept.index(head) if head is not None and head >= 0 else head)
    return heads


def _is_on_cycle(sentence: Sentence, place: int) -> bool:
    """Return whether a word is its own ancestor: its head is wrong then."""
    head = _head(sentence, place)
    for _ in sentence:
        if head is None or head < 0:
            return False
        if head == place:
            return True
        head = _head(sentence, head)
    return False


def _head(sentence: Sentence, place: int) -> int | None:
    written = sentence[place]["HEAD"]
    if written == "_" or int(written) > len(sentence):
        return None
    return int(written) - 1


# ---------------------------------------------------------------------- counted words


def _same(column: str) -> Callable[[Node], bool]:
    return lambda node: _value(node.gold, column) == _value(node.system, column)


def _same_head(node: Node) -> bool:
    return node.gold_head is not None and node.gold_head == node.system_head


def _relation(word: Word, rules: Rules) -> str:
    return word["DEPREL"] if rules.subtypes else word["DEPREL"].split(":")[0]


def _same_relation(node: Node, rules: Rules) -> bool:
    return _relation(node.gold, rules) == _relation(node.system, rules)


def _features(word: Word) -> list[str]:
    return sorted(f for f in _value(word, "FEATS").split("|") if f.split("=")[0] in UNIVERSAL)


def _same_features(node: Node) -> bool:
    return _features(node.gold) == _features(node.system)


def _same_lemma(node: Node) -> bool:
    return _value(node.gold, "LEMMA") == "_" or _same("LEMMA")(node)


def _has_edge(node: Node, rules: Rules) -> bool:
    return node.is_scored and (rules.count_root or node.gold_head != -1)


Judge = Callable[[int, list[Node], Rules], bool]
"""Whether a word is right, by its place in the sentence."""


def _attached(judge: Judge) -> Callable[[list[Node], Rules], tuple[int, int, int]]:
    """Count words that gold gives a head."""

    def count(nodes: list[Node], rules: Rules) -> tuple[int, int, int]:
        scored = [i for i, n in enumerate(nodes) if _has_edge(n, rules) and n.gold_head is not None]
        return sum(judge(i, nodes, rules) for i in scored), len(scored), len(scored)

    return count


def _all(judge: Callable[[Node], bool]) -> Callable[[list[Node], Rules], tuple[int, int, int]]:
    """Count all words that are scored."""

    def count(nodes: list[Node], _rules: Rules) -> tuple[int, int, int]:
        scored = [node for node in nodes if node.is_scored]
        return sum(map(judge, scored)), len(scored), len(scored)

    return count


def _content(judge: Judge) -> Callable[[list[Node], Rules], tuple[int, int, int]]:
    """Count content words; gold and the system may disagree about which words these are."""

    def count(nodes: list[Node], rules: Rules) -> tuple[int, int, int]:
        scored = [i for i, n in enumerate(nodes) if _has_edge(n, rules) and n.gold_head is not None]
        in_gold = [i for i in scored if nodes[i].gold["DEPREL"].split(":")[0] in CONTENT]
        in_system = [i for i in scored if nodes[i].system["DEPREL"].split(":")[0] in CONTENT]
        return sum(judge(i, nodes, rules) for i in in_gold), len(in_gold), len(in_system)

    return count


def _uas(place: int, nodes: list[Node], _rules: Rules) -> bool:
    return _same_head(nodes[place])


def _las(place: int, nodes: list[Node], rules: Rules) -> bool:
    return _same_head(nodes[place]) and _same_relation(nodes[place], rules)


def _undirected(place: int, nodes: list[Node], _rules: Rules) -> bool:
    head = nodes[place].system_head
    is_child = head is not None and head >= 0 and nodes[head].gold_head == place
    return _same_head(nodes[place]) or is_child


def _ned(place: int, nodes: list[Node], rules: Rules) -> bool:
    parent = nodes[place].gold_head
    grandparent = nodes[parent].gold_head if parent is not None and parent >= 0 else None
    is_grandparent = grandparent is not None and nodes[place].system_head == grandparent
    return _undirected(place, nodes, rules) or is_grandparent


def _blex(place: int, nodes: list[Node], rules: Rules) -> bool:
    return _las(place, nodes, rules) and _same_lemma(nodes[place])


def _mlas(place: int, nodes: list[Node], rules: Rules) -> bool:
    node = nodes[place]
    alike = _same("UPOS")(node) and _same_features(node)
    return _las(place, nodes, rules) and alike and _same_function_words(place, nodes, rules)


def _same_function_words(place: int, nodes: list[Node], rules: Rules) -> bool:
    in_gold = {
        (i, _relation(n.gold, rules), _value(n.gold, "UPOS"), *_features(n.gold))
        for i, n in enumerate(nodes)
        if n.gold_head == place and n.gold["DEPREL"].split(":")[0] in FUNCTION
    }
    in_system = {
        (i, _relation(n.system, rules), _value(n.system, "UPOS"), *_features(n.system))
        for i, n in enumerate(nodes)
        if n.system_head == place and n.system["DEPREL"].split(":")[0] in FUNCTION
    }
    return in_gold == in_system


def _label(nodes: list[Node], rules: Rules) -> tuple[int, int, int]:
    scored = [node for node in nodes if _has_edge(node, rules)]
    return sum(_same_relation(node, rules) for node in scored), len(scored), len(scored)


def _root(nodes: list[Node], _rules: Rules) -> tuple[int, int, int]:
    roots = [node for node in nodes if node.is_scored and node.gold_head == -1]
    return sum(node.system_head == -1 for node in roots), len(roots), len(roots)


def _exact(judge: Judge) -> Callable[[list[Node], Rules], tuple[int, int, int]]:
    def count(nodes: list[Node], rules: Rules) -> tuple[int, int, int]:
        right, scored, _ = _attached(judge)(nodes, rules)
        return int(scored > 0 and right == scored), int(scored > 0), int(scored > 0)

    return count


COUNTS = {
    "uas": _attached(_uas),
    "las": _attached(_las),
    "undirected": _attached(_undirected),
    "ned": _attached(_ned),
    "label": _label,
    "root": _root,
    "exact_match": _exact(_uas),
    "exact_match_labelled": _exact(_las),
    "clas": _content(_las),
    "mlas": _content(_mlas),
    "blex": _content(_blex),
    "upos": _all(_same("UPOS")),
    "xpos": _all(_same("XPOS")),
    "feats": _all(_same_features),
    "lemma": _all(_same_lemma),
    "alltags": _all(lambda n: _same("UPOS")(n) and _same("XPOS")(n) and _same_features(n)),
    "words": _all(lambda _: True),
}

# ---------------------------------------------------------------------- tables of tags


def _macro_f1(column: str) -> Callable[[list[Node]], tuple[float | None, int]]:
    def score(nodes: list[Node]) -> tuple[float | None, int]:
        gold = Counter(_value(node.gold, column) for node in nodes)
        system = Counter(_value(node.system, column) for node in nodes)
        right = Counter(_value(node.gold, column) for node in nodes if _same(column)(node))
        tags = sorted({*gold, *system})
        values = [2 * right[tag] / (gold[tag] + system[tag]) for tag in tags]
        return (sum(values) / len(values) if values else None), len(nodes)

    return score


def _clusters(
    measure: Callable[[Counter[tuple[str, str]], int], float],
) -> Callable[[list[Node]], tuple[float | None, int]]:
    def score(nodes: list[Node]) -> tuple[float | None, int]:
        cells = Counter((n.system["CLUSTER"], _value(n.gold, "UPOS")) for n in nodes)
        return (measure(cells, len(nodes)) if nodes else None), len(nodes)

    return score


def _many_to_one(cells: Counter[tuple[str, str]], n: int) -> float:
    best: Counter[str] = Counter()
    for (cluster, _), count in cells.items():
        best[cluster] = max(best[cluster], count)
    return best.total() / n


def _entropy(counts: Iterable[int], n: int) -> float:
    return -sum(count / n * math.log2(count / n) for count in counts)


def _entropies(cells: Counter[tuple[str, str]], n: int) -> tuple[float, float, float]:
    clusters: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    for (cluster, tag), count in cells.items():
        clusters[cluster] += count
        tags[tag] += count
    return (_entropy(clusters.values(), n), _entropy(tags.values(), n), _entropy(cells.values(), n))


def _vi(cells: Counter[tuple[str, str]], n: int) -> float:
    of_clusters, of_tags, of_both = _entropies(cells, n)
    return 2 * of_both - of_clusters - of_tags


def _homogeneity(cells: Counter[tuple[str, str]], n: int) -> float:
    of_clusters, of_tags, of_both = _entropies(cells, n)
    return (of_clusters + of_tags - of_both) / of_tags if of_tags else 1.0


def _completeness(cells: Counter[tuple[str, str]], n: int) -> float:
    of_clusters, of_tags, of_both = _entropies(cells, n)
    return (of_clusters + of_tags - of_both) / of_clusters if of_clusters else 1.0


def _v_measure(cells: Counter[tuple[str, str]], n: int) -> float:
    h, c = _homogeneity(cells, n), _completeness(cells, n)
    return 2 * h * c / (h + c) if h + c else 0.0


CLUSTERINGS = {
    "many_to_one": _clusters(_many_to_one),
    "vi": _clusters(_vi),
    "homogeneity": _clusters(_homogeneity),
    "completeness": _clusters(_completeness),
    "v_measure": _clusters(_v_measure),
}
TABLES = {
    "upos_macro_f1": _macro_f1("UPOS"),
    "xpos_macro_f1": _macro_f1("XPOS"),
    **CLUSTERINGS,
}

NEEDS = {
    **dict.fromkeys([*COUNTS, *TABLES], ("HEAD",)),
    **dict.fromkeys(["las", "exact_match_labelled", "clas"], ("HEAD", "DEPREL")),
    "mlas": ("HEAD", "DEPREL", "UPOS"),
    "blex": ("HEAD", "DEPREL", "LEMMA"),
    "label": ("DEPREL",),
    **{name: (name.upper(),) for name in ("upos", "xpos", "feats", "lemma")},
    "alltags": ("UPOS", "XPOS", "FEATS"),
    "words": (),
    **dict.fromkeys(CLUSTERINGS, ()),
    "upos_macro_f1": ("UPOS",),
    "xpos_macro_f1": ("XPOS",),
}
"""The columns of every metric; one that nobody filled is an error, never 100%."""
