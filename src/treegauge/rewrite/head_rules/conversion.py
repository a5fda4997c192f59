"""From trees of phrases to a treebank of dependencies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from treegauge.formats.brackets import BracketedWord, PhraseTree
from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.head_rules.arrangement import Scheme
from treegauge.rewrite.head_rules.collins import Collins
from treegauge.rewrite.head_rules.labelling import ROOT
from treegauge.rewrite.head_rules.lth import Lth
from treegauge.rewrite.head_rules.traversal import phrases_bottom_up
from treegauge.rewrite.head_rules.yamada_matsumoto import YamadaMatsumoto
from treegauge.treebank import COMMENT, Column, SideLines, Treebank
from treegauge.wording import unknown_name

SCHEMES: Mapping[str, Callable[[], Scheme]] = MappingProxyType(
    {"collins": Collins, "yamada-matsumoto": YamadaMatsumoto, "lth": Lth}
)
"""The head rules by the name users type."""


def scheme_of(heads: str, options: str = "") -> Scheme:
    """Return a scheme by name; only `lth` has options.

    >>> scheme_of("lth", "lexical").options.prepositions
    'dependent'
    """
    if heads not in SCHEMES:
        raise RewriteError(unknown_name("head rules", heads, SCHEMES))
    if heads == "lth":
        return Lth(options or "standard")
    if options:
        raise RewriteError(f"{heads} has no options ({options}); only lth has")
    return SCHEMES[heads]()


def choose_heads(
    trees: Sequence[PhraseTree],
    heads: str | Scheme,
    options: str = "",
    *,
    name: str = "",
) -> Treebank:
    """Return the dependencies of trees of phrases.

    Every sentence becomes a projective tree with one root. Penn tags are in the column `xpos`,
    relations in `deprel`; sentences are called after their files (`# sent_id`).

    Parameters
    ----------
    trees : sequence of PhraseTree
        As `treegauge.formats.brackets.read_brackets` gives them.
    heads : str or Scheme
        `collins`, `yamada-matsumoto` or `lth`.
    options : str
        For `lth`: a set (`standard`, `oldLTH`, `conll2007`, `functional`, `lexical`), and switches
        that change it, between commas.
    name : str
        What tables call the treebank.

    Examples
    --------
    >>> from treegauge.formats.brackets import parse_brackets
    >>> trees = parse_brackets("(S (NP-SBJ (PRP We)) "
    ...                        "(VP (VBD went) (PP-DIR (TO to) (NP (NNP Rome)))))")
    >>> with_heads = choose_heads(trees, "lth", "standard")
    >>> list(zip(with_heads.form, with_heads.head.tolist(), with_heads.deprel))
    [('We', 2, 'SBJ'), ('went', 0, 'ROOT'), ('to', 2, 'DIR'), ('Rome', 3, 'PMOD')]
    >>> choose_heads(trees, "lth", "lexical").head.tolist()
    [2, 0, 4, 2]
    """
    scheme = scheme_of(heads, options) if isinstance(heads, str) else heads
    head: list[int] = []
    relations: list[str] = []
    for tree in trees:
        of_tree, labels = dependencies(tree, scheme)
        head += of_tree
        relations += labels
    tags = Column.from_strings([word.label for tree in trees for word in tree.words])
    return Treebank(
        {
            "form": Column.from_strings([word.form for tree in trees for word in tree.words]),
            "xpos": tags,
            "deprel": Column.from_strings(relations),
        },
        np.array(head, np.int32),
        offsets=np.cumsum([0, *map(len, trees)]),
        side_lines=SideLines(
            np.arange(len(trees), dtype=np.int32),
            np.zeros(len(trees), np.int32),
            np.full(len(trees), COMMENT, np.uint8),
            Column.from_strings([f"# sent_id = {tree.id}" for tree in trees]),
        ),
        name=name,
    )


def dependencies(tree: PhraseTree, scheme: Scheme) -> tuple[list[int], list[str]]:
    """Return the head (from 1, the root's is 0) and the relation of every word of a tree."""
    head = [0] * len(tree)
    relation = [ROOT] * len(tree)
    head_word: dict[int, int] = {}
    for phrase in phrases_bottom_up(scheme.prepare(tree.root)):
        arrangement = scheme.arrange(phrase)
        words = [
            child.place if isinstance(child, BracketedWord) else head_word[id(child)]
            for child in phrase.children
        ]
        stands_for = arrangement.stands_for
        for child, governor in enumerate(arrangement.governor):
            if child != arrangement.head:
                head[words[child]] = words[governor] + 1
                relation[words[child]] = arrangement.roles.get(child) or scheme.labelling.relation(
                    phrase,
                    stands_for.get(governor, governor),
                    stands_for.get(child, child),
                    tree.traces,
                )
        head_word[id(phrase)] = words[arrangement.head]
    return head, relation
