"""Canonical derivations of a treebank: the moves to each tree, and the order of attachments.

Each system has an oracle that leads to a gold tree by one way among the many that may exist; the
words in the order in which they get their heads on that way are the tree's derivation order.

References
----------
Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. TLT. The order as a text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.transitions import _derivations_numba as kernels
from treegauge.transitions.errors import TransitionError
from treegauge.transitions.stepping import (
    N_MOVES,
    NO_HEAD,
    in_system,
    new_configuration,
    new_gold,
)
from treegauge.transitions.systems import Root, TransitionSystem
from treegauge.treebank import Treebank, require_trees

_MOST_MOVES = 100_000_000
"""Moves for one sentence that are worth waiting for, and fit in memory."""


@dataclass(frozen=True)
class Derivation:
    """The derivations of the sentences of a treebank by one system.

    Attributes
    ----------
    system, root, single_root
        What they were made with.
    offsets : int64 array
        Where the words of each sentence begin, as in the treebank.
    moves : int8 array
        The moves of all sentences; `system.moves` names them.
    labels : int32 array, one a move
        The code of the dependent's relation in the treebank's own column for moves that add an
        arc, -1 for others.
    move_offsets : int64 array
        Where the moves of each sentence begin.
    order : int32 array, one per word
        The words of each sentence, by position from 1, in the order in which they get their
        heads; words that never get one (roots, with `Root.NONE`) come last, from left to right.
        0 throughout a sentence that is not derived.
    not_projective, several_roots : bool arrays, one per sentence
        Why a sentence is not derived: the system derives projective trees, or one root, only.
    """

    system: TransitionSystem
    root: Root
    single_root: bool
    offsets: NDArray[np.int64]
    moves: NDArray[np.int8]
    labels: NDArray[np.int32]
    move_offsets: NDArray[np.int64]
    order: NDArray[np.int32]
    not_projective: NDArray[np.bool_]
    several_roots: NDArray[np.bool_]
    sentence_ids: tuple[str, ...] = field(default=(), repr=False)

    @property
    def derived(self) -> NDArray[np.bool_]:
        """Which sentences are derived."""
        return ~(self.not_projective | self.several_roots)

    @property
    def n_not_derived(self) -> int:
        """How many sentences are not derived."""
        return int((~self.derived).sum())

    @property
    def rank(self) -> NDArray[np.int32]:
        """When each word gets its head, from 1; 0 in sentences that are not derived."""
        rank = np.zeros_like(self.order)
        lengths = np.diff(self.offsets)
        first = np.repeat(self.offsets[:-1], lengths)
        known = self.order > 0
        place = np.arange(len(self.order)) - first
        rank[(first + self.order - 1)[known]] = place[known] + 1
        return rank

    def count(self, move: str) -> NDArray[np.int64]:
        """Return how often each sentence makes a move, such as `swap`."""
        if move not in self.system.moves:
            known = ", ".join(self.system.moves)
            raise TransitionError(f"{self.system.spelling} has no move {move!r}; it has {known}")
        moves_before = np.concatenate([[0], np.cumsum(self.moves == self.system.moves.index(move))])
        counts: NDArray[np.int64] = np.diff(moves_before[self.move_offsets]).astype(np.int64)
        return counts

    def __iter__(self) -> Iterator[list[str]]:
        """Give the names of the moves of every sentence; none where it is not derived."""
        names = self.system.moves
        for begin, end in zip(self.move_offsets, self.move_offsets[1:], strict=False):
            yield [names[move] for move in self.moves[begin:end]]

    def require_all(self, *, purpose: str) -> Derivation:
        """Return the derivation; raise, naming sentences, unless every one is derived."""
        if not self.n_not_derived:
            return self
        where = np.flatnonzero(~self.derived)
        named = ", ".join(self.sentence_ids[s] or f"number {s + 1}" for s in where[:5])
        more = f" and {len(where) - 5} more" if len(where) > 5 else ""
        raise TransitionError(
            f"{purpose} needs all derivations; {self.system.spelling} has none for {len(where)} of "
            f"{len(self.derived)} sentences ({int(self.not_projective.sum())} not projective, "
            f"{int(self.several_roots.sum())} with several roots): {named}{more}\n"
            "  leave them out, make them projective first, or choose swap-lazy or covington"
        )


def derive(
    treebank: Treebank,
    system: str | TransitionSystem = "swap-lazy",
    *,
    root: str | Root = Root.FIRST,
    single_root: bool = False,
) -> Derivation:
    """Derive every tree of a treebank with the static oracle of a transition system.

    Parameters
    ----------
    treebank : Treebank
        Complete trees; several roots in one are allowed.
    system : str or TransitionSystem
        `arc-standard`, `arc-eager`, `arc-hybrid`, `swap-eager`, `swap-lazy`,
        `covington-projective` or `covington`.
    root : str or Root
        Where the artificial root stands: `first`, `last` or `none`. For trees with one root it
        changes the order in arc-eager and Covington's systems only: they attach the root word
        early if the root stands first, and last of all otherwise.
    single_root : bool
        Derive as a parser does that allows one root only; trees with several are not derived.
        Neither are they with `none` in systems that leave one tree: all but arc-eager and
        Covington's.

    Raises
    ------
    TreebankError
        If a sentence is no complete tree.
    TransitionError
        If there is no such system or place for the root, or a sentence takes too many moves.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings(["a", "hearing", "is", "scheduled", "on", "it"])
    >>> crossing = tg.Treebank({"form": words}, [2, 3, 0, 3, 2, 5], offsets=[0, 6])
    >>> derivation = derive(crossing, "swap-lazy")
    >>> derivation.order.tolist(), derivation.count("swap").tolist()
    ([1, 4, 6, 5, 2, 3], [1])
    >>> derive(crossing, "arc-eager").n_not_derived
    1
    """
    chosen = system if isinstance(system, TransitionSystem) else TransitionSystem.named(system)
    place = root if isinstance(root, Root) else Root.named(root)
    require_trees(treebank, purpose="a derivation", single_root=False)
    needs_one_root = single_root or (place is Root.NONE and chosen.leaves_one_tree)
    plan = kernels.Plan(int(chosen), int(place), single_root, needs_one_root, _MOST_MOVES)
    moves, labels, begins, order, status = _derived(treebank, chosen, plan)
    if len(too_long := np.flatnonzero(status == kernels.TOO_LONG)):
        where = int(too_long[0])
        raise TransitionError(
            f"sentence {where + 1} has {treebank.lengths[where]:,} words, and {chosen.spelling} "
            f"takes more than {_MOST_MOVES:,} moves for it\n"
            "  moves grow with the square of the length: leave it out, make it projective first, "
            "or choose arc-eager"
        )
    return Derivation(
        chosen,
        place,
        single_root,
        treebank.offsets,
        moves,
        labels,
        begins,
        order,
        status == kernels.NOT_PROJECTIVE,
        status == kernels.SEVERAL_ROOTS,
        treebank.sentence_ids,
    )


def _derived(treebank: Treebank, system: TransitionSystem, plan: Any) -> Any:
    """Run the oracle, with more room for moves whenever there is none left."""
    n = treebank.n_sentences
    longest = int(treebank.lengths.max(initial=0))
    state, gold = new_configuration(longest), new_gold(longest)
    room = 2 * treebank.n_words + 16
    derived = kernels.Derived(
        np.empty(room, np.int8),
        np.empty(room, np.int32),
        np.zeros(n + 1, np.int64),
        np.zeros(treebank.n_words, np.int32),
        np.zeros(n, np.int8),
    )
    derive_from = in_system(kernels.derive, system)
    at = 0
    while True:
        at = derive_from(
            treebank.head, treebank.deprel.codes, treebank.offsets, plan, at, state, gold, derived
        )
        moves, labels, begins = derived.moves, derived.labels, derived.begins
        if at == n:
            made = begins[n]
            return derived._replace(moves=moves[:made].copy(), labels=labels[:made].copy())
        derived = derived._replace(
            moves=np.concatenate([moves, np.empty_like(moves)]),
            labels=np.concatenate([labels, np.empty_like(labels)]),
        )


def rebuild(
    derivation: Derivation, *, root_label: int = -1
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Make the moves of a derivation, and return the heads and the labels they lead to.

    Sentences that are not derived get -1 throughout. Words without a head at the end are roots
    and get `root_label`.

    Raises
    ------
    TransitionError
        If a move is not legal, or the moves of a sentence do not lead to its end.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings(["birds", "sing"])
    >>> birds = tg.Treebank({"form": words}, [2, 0], offsets=[0, 2])
    >>> rebuild(derive(birds, "covington"))[0].tolist()
    [2, 0]
    """
    n_words = int(derivation.offsets[-1])
    head, label = np.full(n_words, NO_HEAD, np.int32), np.full(n_words, -1, np.int32)
    wrong = in_system(kernels.rebuild, derivation.system)(
        derivation.moves,
        derivation.labels,
        derivation.move_offsets,
        derivation.offsets,
        kernels.Plan(
            int(derivation.system), int(derivation.root), derivation.single_root, False, 0
        ),
        root_label,
        new_configuration(int(np.diff(derivation.offsets).max(initial=0))),
        np.zeros(N_MOVES, np.bool_),
        head,
        label,
    )
    if wrong >= 0:
        raise TransitionError(
            f"the moves of sentence number {wrong + 1} are no derivation of "
            f"{derivation.system.spelling}"
        )
    return head, label
