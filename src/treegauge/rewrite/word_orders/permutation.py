"""Artificial treebanks: the same trees in other word orders.

Orders
------
`optdl`              shortest dependencies among projective orders; `optdl:plain` begins on the left
                     under every head, as the paper words it; with `optdl:root-right` the largest
                     subtree below a root stands to the right and not to the left
`right`, `left`      every head before, or after, its dependents; the smallest subtree next to it
`random-projective`  all projective orders equally likely
`random`             all orders equally likely
`mirror`             the last word first
`projectivise`       the nearest projective order: subtrees together, where their heads stand
`consistent`         every relation to its more frequent side; with `consistent:kind` every relation
                     with the tags of head and dependent
`nonprojective:0.1`  subtrees moved until this share of the arcs is not projective
`mix:0.5`            each sentence as `right` with this probability, else as `left`

Conventions
-----------
By default only sentences without punctuation inside and with one root are taken, and punctuation
at the end stays there, out of the tree (`pin`). With `keep_all` there is no selection; the trees of
a sentence with several roots then stand one after the other, in the order of their roots, each
arranged by itself (in `random-projective` in a random order, in `left` in the reverse one).
Children of the same size stay in the order of the sentence, in `left` in the reverse order, which
makes it the mirror image of `right`.

References
----------
Gulordava and Merlo (2016), section 3. doi:10.1162/tacl_a_00103
Gildea and Temperley (2010), Do grammars minimize dependency length? Cognitive Science 34.
Futrell, Mahowald and Gibson (2015), Large-scale evidence of dependency length minimization in 37
languages. PNAS 112. (Random projective orders.)
Fong and Berwick (2008), Treebank parsing and knowledge of language: a cognitive perspective.
CogSci. (Sentences with heads first or last at random.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.direction_entropy import direction_counts, head_finality
from treegauge.properties.relations import relation_column
from treegauge.properties.sentence_selection import (
    FinalPunctuation,
    Selection,
    select_sentences,
)
from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.word_orders import _layout_numba as kernels
from treegauge.rewrite.word_orders.nonprojective import nonprojective_order
from treegauge.rewrite.word_orders.reordering import reorder
from treegauge.treebank import Treebank, require_trees
from treegauge.wording import unknown_name

Words = NDArray[np.int64]


def permute(
    treebank: Treebank,
    order: str,
    *,
    seed: int = 0,
    keep_all: bool = False,
    final_punctuation: FinalPunctuation = "pin",
    length_tolerance: float | None = None,
) -> Treebank:
    """Return the sentences of a treebank in another word order.

    Parameters
    ----------
    treebank : Treebank
        The treebank to permute.
    order : str
        `optdl` (shortest dependencies), `right` or `left` (heads first or last),
        `random-projective`, `random`, `mirror`, `projectivise`, `consistent`,
        `nonprojective:SHARE` or `mix:SHARE`. `treegauge permute --help` describes them.
    seed : int
        The seed of random orders.
    keep_all : bool
        Keep every sentence. Default: only sentences with one root and without punctuation
        inside, as in Gulordava and Merlo (2016).
    final_punctuation : {'pin', 'strip', 'include'}
        Keep punctuation at the end of the sentence, remove it, or permute it like words.
    length_tolerance : float, optional
        For `nonprojective`: how much the dependency length of a sentence may change, as a share.

    Returns
    -------
    Treebank
        With comments from which `restore_order` restores the original order.

    Raises
    ------
    RewriteError
        If the order is unknown.
    TreebankError
        If a sentence is not a tree and the order needs one. Happens only with `keep_all`.

    Examples
    --------
    >>> import treegauge as tg
    >>> rows = [("John", 2), ("threw", 0), ("out", 2), ("the", 5), ("trash", 2)]
    >>> text = "".join(f"{i}\\t{form}\\t_\\t_\\t_\\t_\\t{head}\\t_\\t_\\t_\\n"
    ...                for i, (form, head) in enumerate(rows, 1))
    >>> john = tg.parse(text + "\\n")
    >>> for order in ("right", "left", "optdl"):
    ...     print(" ".join(permute(john, order).form))
    threw John out trash the
    the trash out John threw
    the trash out threw John
    """
    wanted = parse_order(order)
    selection = select_sentences(treebank, final_punctuation=final_punctuation, keep_all=keep_all)
    return permute_selection(selection, wanted, seed=seed, length_tolerance=length_tolerance)


def permute_selection(
    selection: Selection,
    order: WordOrderName,
    *,
    seed: int = 0,
    length_tolerance: float | None = None,
    random: np.random.Generator | None = None,
) -> Treebank:
    """Return sentences that were selected before in another word order; see `permute`.

    With `random`, which takes the place of the seed, numbers go on where an earlier part of the
    same text left off.
    """
    treebank = selection.treebank
    if order.needs_trees:
        require_trees(treebank, purpose=f"the order {order.kind}", single_root=False)
    sums = np.concatenate([[0], np.cumsum(selection.pinned)])
    in_tree = treebank.lengths - np.diff(sums[treebank.offsets])
    random = np.random.default_rng(seed) if random is None else random
    scene = _Scene(treebank, in_tree, random, length_tolerance)
    return reorder(treebank, _MAKERS[order.kind](scene, order.argument), name=order.text)


@dataclass(frozen=True)
class WordOrderName:
    """An order as a user names it."""

    kind: str
    argument: str

    @property
    def text(self) -> str:
        """As `parse_order` reads it."""
        return f"{self.kind}:{self.argument}" if self.argument else self.kind

    @property
    def needs_trees(self) -> bool:
        """Whether sentences must be trees."""
        return self.kind not in ("random", "mirror")

    @property
    def is_local(self) -> bool:
        """Whether sentences can be put in this order part by part.

        Not where an order depends on counts of the whole treebank, nor where random numbers are
        drawn for all words more than once.
        """
        return self.kind not in ("random-projective", "consistent", "nonprojective")

    @property
    def is_random(self) -> bool:
        """Whether the order depends on a seed."""
        return self.kind in ("random", "random-projective", "nonprojective", "mix")


ORDERS = MappingProxyType(
    {
        "optdl": "shortest dependencies; optdl:plain begins on the left under every head",
        "right": "every head before its dependents",
        "left": "every head after its dependents, the mirror image of right",
        "random-projective": "all projective orders equally likely",
        "random": "all orders equally likely",
        "mirror": "the last word first",
        "projectivise": "the nearest projective order",
        "consistent": "every relation to its more frequent side; consistent:kind by tags as well",
        "nonprojective": "nonprojective:0.1 moves subtrees until this share of arcs crosses",
        "mix": "mix:0.5 makes each sentence right with this probability, else left",
    }
)
"""The orders, with a line each."""

_WORDS = {"optdl": ("exact", "plain", "root-right"), "consistent": ("relation", "kind")}
_NUMBERS = ("nonprojective", "mix")


def parse_order(text: str) -> WordOrderName:
    """Return the order that a text names.

    >>> parse_order("mix:0.5")
    WordOrderName(kind='mix', argument='0.5')
    """
    kind, _, argument = text.partition(":")
    if kind not in ORDERS:
        raise RewriteError(unknown_name("order", text, ORDERS))
    if kind in _NUMBERS:
        try:
            fits = 0 <= float(argument) <= 1
        except ValueError:
            fits = False
        if not fits:
            raise RewriteError(
                f"{kind} needs a number from 0 to 1, as in {kind}:0.5; found {text!r}"
            )
    elif argument and argument not in _WORDS.get(kind, ()):
        known = " or ".join(f"{kind}:{word}" for word in _WORDS.get(kind, ())) or kind
        raise RewriteError(f"unknown order {text!r}; write {known}")
    return WordOrderName(kind, argument)


@dataclass(frozen=True)
class _Scene:
    """What orders are made from."""

    treebank: Treebank
    in_tree: NDArray[np.int64]
    """Words of every sentence that belong to its tree."""
    random: np.random.Generator
    length_tolerance: float | None

    def lay_out(self, key: NDArray[np.float64]) -> Words:
        """Return the projective order that keys of children describe."""
        words: Words = kernels.lay_out(self.treebank.head, self.treebank.offsets, self.in_tree, key)
        return words

    def mirrored(self, words: Words) -> Words:
        """Return the mirror image of an order; what belongs to no tree stays at the end."""
        lengths, offsets = self.treebank.lengths, self.treebank.offsets
        place = np.arange(len(words)) - np.repeat(offsets[:-1], lengths)
        in_tree = np.repeat(self.in_tree, lengths)
        first = np.repeat(offsets[:-1], lengths)
        mirrored: Words = words[
            np.where(place < in_tree, first + in_tree - 1 - place, first + place)
        ]
        return mirrored

    @property
    def position(self) -> NDArray[np.float64]:
        """Where every word stands in its sentence, from 1."""
        first = np.repeat(self.treebank.offsets[:-1], self.treebank.lengths)
        return np.asarray(np.arange(self.treebank.n_words) - first + 1, np.float64)

    def of_head(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every word the value of its head, and 0 for a root."""
        first = np.repeat(self.treebank.offsets[:-1], self.treebank.lengths)
        head = self.treebank.head
        return np.where(head > 0, values[first + np.maximum(head, 1) - 1], 0.0)


def _optdl(scene: _Scene, argument: str) -> Words:
    exact, root_left = argument != "plain", argument != "root-right"
    key = kernels.alternating_keys(
        scene.treebank.head, scene.treebank.offsets, scene.in_tree, exact, root_left
    )
    return scene.lay_out(key)


def _right(scene: _Scene, _argument: str) -> Words:
    return scene.lay_out(
        kernels.right_branching_keys(scene.treebank.head, scene.treebank.offsets, scene.in_tree)
    )


def _left(scene: _Scene, argument: str) -> Words:
    return scene.mirrored(_right(scene, argument))


def _random_projective(scene: _Scene, _argument: str) -> Words:
    # A head and its children in a random order: each gets a number, and the head's is taken away
    # from the children's. Differences of such numbers are exact.
    as_child, as_head = scene.random.random((2, scene.treebank.n_words))
    return scene.lay_out(as_child - scene.of_head(as_head))


def _random(scene: _Scene, _argument: str) -> Words:
    number = scene.random.random(scene.treebank.n_words)
    place = scene.position
    number = np.where(place > np.repeat(scene.in_tree, scene.treebank.lengths), 1 + place, number)
    return np.lexsort((number, scene.treebank.sentence_of_word))


def _mirror(scene: _Scene, _argument: str) -> Words:
    return scene.mirrored(np.arange(scene.treebank.n_words))


def _projectivise(scene: _Scene, _argument: str) -> Words:
    return scene.lay_out(scene.position - scene.of_head(scene.position))


def _consistent(scene: _Scene, argument: str) -> Words:
    treebank, position = scene.treebank, scene.position
    counts = direction_counts(treebank)
    if argument == "kind":
        # The last entry is for words without an arc, whose kind is -1.
        goes_left = np.append(counts.left > counts.right, False)[counts.kind_of_word]
    else:
        relation = relation_column(treebank)
        mostly_left = {one.relation: 2 * one.head_final > one.arcs for one in head_finality(counts)}
        by_relation = [mostly_left.get(name, False) for name in relation.vocabulary]
        goes_left = np.array(by_relation, np.bool_)[relation.codes]
    # On both sides in the order of the sentence; a tie goes to the right.
    length = np.repeat(treebank.lengths, treebank.lengths)
    is_root = treebank.head == 0
    return scene.lay_out(np.where(goes_left & ~is_root, position - length - 1, position))


def _nonprojective(scene: _Scene, argument: str) -> Words:
    return nonprojective_order(
        scene.treebank,
        scene.in_tree,
        float(argument),
        random=scene.random,
        length_tolerance=scene.length_tolerance,
    )


def _mix(scene: _Scene, argument: str) -> Words:
    heads_first = scene.random.random(scene.treebank.n_sentences) < float(argument)
    right = _right(scene, "")
    return np.where(np.repeat(heads_first, scene.treebank.lengths), right, scene.mirrored(right))


_MAKERS: dict[str, Callable[[_Scene, str], Words]] = {
    "optdl": _optdl,
    "right": _right,
    "left": _left,
    "random-projective": _random_projective,
    "random": _random,
    "mirror": _mirror,
    "projectivise": _projectivise,
    "consistent": _consistent,
    "nonprojective": _nonprojective,
    "mix": _mix,
}
