"""From one annotation style to another, by way of Universal Dependencies.

A conversion is a few passes, each of which knows its own way back: function words become heads;
then coordinations; then names, fixed expressions and compounds get another head. `to_style`
first undoes, last pass first, whatever the labels say was done (nothing, in a file of UD), and
then does what the style asks for. So every style can be had from every other.

What the passes do:

Function words (`case`, `aux`, `cop`, `det`, `mark`)
    A function word F takes head and relation of its content word C, and C hangs on F with the
    relation `comp:` and what F's relation was. Several function words of one C are nested: on
    one side of C, the farther one is the higher; between the sides, `mark` above `aux` above
    `cop` above `case` above `det`, and the left one above the right one where they are the
    same. Dependents of C stay on C, but for three kinds. Those with an F between themselves and
    C go up to that F, or arcs would cross. Subjects (and expletives) go up to the highest
    auxiliary or copula, as in Surface-Syntactic UD, and conjuncts that have a function word
    themselves go to the highest one of that kind (`in Rome and in Paris`: the second `in` hangs
    on the first), both only where this makes no arcs cross. Dependents of F itself that could be
    taken for such ones are marked `_own`.
    A function word on a raised function word is not raised.

Coordination
    `chain`: conjuncts from the third on hang on the one before, marked `_chain`, and so do other
    dependents of the first that stand between two later conjuncts.
    `conjunction`: the last `cc` takes head and relation of the first conjunct, and all conjuncts
    hang on it; the first is marked `_first` (`_shared` where the conjunction was its dependent,
    as in UD version 1). Its dependents after another conjunct or the conjunction go up to the
    conjunction (marked `_shared` if they stand before it), and so do those that the next conjunct
    has before the conjunction, such as a comma. Dependents of the conjunction itself are marked
    `_kept`. A coordination without `cc` stays as it is.
    `last`: as names below, but only dependents after another conjunct go up to the last.

Names, fixed expressions, compounds
    The last (or first) member takes head and relation of the former head, which hangs on it with
    the member's relation, marked `_head`. The other members go over, and all other dependents
    too, with a mark that names the group: `_flat`, `_fixed`, `_compound`, `_conj`; where a word
    stands for several groups, one around the other, the mark has a number. Members that the new
    head has itself, where the others now stand, are marked `_inner`.

Arcs cross where they did before and hardly anywhere else. The way back is exact for every tree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.styles import (
    _coordination_numba as coordination,
    _function_words_numba as function_words,
    _groups_numba as groups,
)
from treegauge.rewrite.styles.labels import GROUPS, Labels
from treegauge.rewrite.styles.marks import DEPTHS, FROM_GROUP
from treegauge.rewrite.styles.relations import SWITCH_OF_KIND, RelationTraits, require_ud
from treegauge.rewrite.styles.style import Style
from treegauge.treebank import Column, Treebank, require_trees, tree_flaws


def to_style(treebank: Treebank, style: Style | str) -> Treebank:
    """Convert a treebank to an annotation style.

    The treebank may be in UD or in any style that this function made. Words, tags and features
    do not change. Heads and relations do. Enhanced dependencies (DEPS), which would no longer
    fit, are left out. `to_style(…, "ud")` restores the heads and relations of UD.

    Parameters
    ----------
    treebank : Treebank
        Complete trees, with one or more roots per sentence and relations of UD, version 2 or 1.
    style : Style or str
        A style, or the text of one for `Style.parse`.

    Returns
    -------
    Treebank
        The same words under other heads.

    Raises
    ------
    RewriteError
        If the style is unknown, the relations are not those of UD, or labels do not fit together.
    TreebankError
        If a sentence is not a tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> rome = tg.parse("1\\tin\\t_\\tADP\\t_\\t_\\t2\\tcase\\t_\\t_\\n"
    ...                 "2\\tRome\\t_\\tPROPN\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
    >>> turned = to_style(rome, "functional")
    >>> turned.head.tolist(), list(turned.deprel)
    ([0, 1], ['root', 'comp:case'])
    >>> to_style(turned, "ud") == rome
    True
    """
    wanted = Style.parse(style) if isinstance(style, str) else style
    if not treebank.n_words:
        return treebank
    require_trees(treebank, purpose="a change of style", single_root=False)
    labels = Labels.of(treebank.deprel)
    plain = replace(labels, mark=np.zeros_like(labels.mark), turned=np.zeros_like(labels.turned))
    require_ud(plain.column().counts())
    trees = _Trees(treebank.head, labels.rel, labels.turned, labels.mark)
    conversion = _Conversion(treebank, RelationTraits.of(labels.relations))
    trees = conversion.from_ud(conversion.to_ud(trees), wanted)
    changed = replace(labels, rel=trees.rel, turned=trees.turned, mark=trees.mark)
    if np.array_equal(trees.head, treebank.head) and all(
        np.array_equal(getattr(labels, part), getattr(changed, part))
        for part in ("rel", "turned", "mark")
    ):
        return treebank
    columns = {"deprel": changed.column()}
    if treebank.columns["deps"].is_annotated:
        columns["deps"] = Column.constant("_", treebank.n_words)
    return treebank.replace(columns=columns, head=trees.head)


@dataclass(frozen=True)
class _Trees:
    """Heads and labels; the arrays that passes take and give."""

    head: NDArray[np.int32]
    rel: NDArray[np.int32]
    turned: NDArray[np.bool_]
    mark: NDArray[np.int64]


@dataclass(frozen=True)
class _Conversion:
    """The passes over one treebank."""

    treebank: Treebank
    traits: RelationTraits

    def from_ud(self, trees: _Trees, style: Style) -> _Trees:
        """Turn what the style says is turned."""
        offsets, traits = self.treebank.offsets, self.traits
        switched = [
            kind for kind, switch in SWITCH_OF_KIND.items() if getattr(style, switch) == "head"
        ]
        if switched:
            kind = np.where(np.isin(traits.kind, switched), traits.kind, 0)
            trees = _Trees(
                *function_words.raise_function_words(
                    trees.head, trees.rel, offsets, kind, *self._of_function_words()
                )
            )
        if style.coordination == "chain":
            head, mark = coordination.chain_conjuncts(
                trees.head, trees.rel, trees.mark, offsets, traits.is_conjunct
            )
            trees = replace(trees, head=head, mark=mark)
        elif style.coordination == "conjunction":
            trees = _Trees(
                *coordination.raise_conjunctions(
                    trees.head, trees.rel, trees.turned, trees.mark, offsets,
                    traits.is_conjunct, traits.stays, traits.cc, traits.conj,
                )
            )  # fmt: skip
        headed = (style.coordination, style.names, style.fixed, style.compounds)
        for place, where in enumerate(headed):
            # The first is what is annotated, but for compounds, whose head may be either.
            if where == "last" or (where == "first" and GROUPS[place] == "compound"):
                trees = _Trees(
                    *groups.move_heads(
                        trees.head, trees.rel, trees.turned, trees.mark, offsets,
                        self._members(place), 1 if where == "last" else -1,
                        GROUPS[place] != "conj", FROM_GROUP + place * DEPTHS,
                    )
                )  # fmt: skip
        return trees

    def to_ud(self, trees: _Trees) -> _Trees:
        """Undo what the labels say was done, last pass first."""
        offsets, traits = self.treebank.offsets, self.traits
        if trees.mark.any():
            for place in reversed(range(len(GROUPS))):
                *parts, bad = groups.restore_heads(
                    trees.head, trees.rel, trees.turned, trees.mark, offsets,
                    self._members(place), FROM_GROUP + place * DEPTHS,
                )  # fmt: skip
                trees = _Trees(*parts)
                self._refuse(bad)
            *parts, bad = coordination.lower_conjunctions(
                trees.head, trees.rel, trees.turned, trees.mark, offsets,
                traits.is_conjunct, traits.stays, traits.cc,
            )  # fmt: skip
            trees = _Trees(*parts)
            self._refuse(bad)
            head, mark, bad = coordination.unchain_conjuncts(
                trees.head, trees.rel, trees.mark, offsets, traits.is_conjunct
            )
            trees = replace(trees, head=head, mark=mark)
            self._refuse(bad)
            self._refuse_what_is_no_tree(trees)
        if trees.turned.any():
            head, rel, mark, bad = function_words.lower_function_words(
                trees.head, trees.rel, trees.turned, trees.mark, offsets,
                traits.kind, *self._of_function_words(),
            )  # fmt: skip
            trees = _Trees(head, rel, np.zeros_like(trees.turned), mark)
            self._refuse(bad)
            self._refuse_what_is_no_tree(trees)
        if trees.mark.any():
            self._refuse(int(self.treebank.sentence_of_word[trees.mark.argmax()]))
        return trees

    def _of_function_words(self) -> tuple[NDArray[np.bool_], ...]:
        return self.traits.is_subject, self.traits.is_conjunct, self.traits.stays

    def _members(self, place: int) -> NDArray[np.bool_]:
        traits = self.traits
        return (traits.is_conjunct, traits.is_flat, traits.is_fixed, traits.is_compound)[place]

    def _refuse_what_is_no_tree(self, trees: _Trees) -> None:
        """Labels that somebody predicted may fit word by word, and still lead in circles."""
        flawed = tree_flaws(self.treebank.replace(head=trees.head)) != tree_flaws(self.treebank)
        self._refuse(int(flawed.argmax()) if flawed.any() else -1)

    def _refuse(self, sentence: int) -> None:
        """Raise if a pass found a sentence with labels that no conversion makes."""
        if sentence >= 0:
            name = self.treebank.sentence_ids[sentence] or f"number {sentence + 1}"
            raise RewriteError(
                f"sentence {name}: relations that begin with comp: or have an underscore say "
                "that it was converted, but do not fit together; was it edited, or parsed?"
            )
