"""Relations that remember what was turned, so that a file alone is enough for the way back.

A label is made of three things, kept as three arrays:

- the relation, subtypes and all;
- whether it was turned: `comp:case` on a noun says that the noun is the complement of its head,
  which in UD is the noun's dependent with the relation `case`;
- marks behind it, subtypes that begin with an underscore, which no relation of UD does:
  `advmod:_own`. Where subtypes are not looked at, marks are not either.

Passes of a conversion put marks on and take them off like plates from a pile; a pile is one
number, in base 64.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.styles.marks import (
    CHAIN,
    DEPTHS,
    FIRST,
    FROM_GROUP,
    HEAD,
    INNER,
    KEPT,
    MARK_BASE,
    OWN,
    SHARED,
)
from treegauge.rewrite.styles.relations import FUNCTION_KINDS, base
from treegauge.treebank import Column, Vocabulary

TURNED = "comp:"
"""How the label of a word begins that hangs on a function word of its own."""

GROUPS = ("conj", "flat", "fixed", "compound")
"""Groups of words of equal rank, in the order in which they get other heads."""

MARK_NAMES: Mapping[int, str] = {
    OWN: "_own",
    CHAIN: "_chain",
    FIRST: "_first",
    SHARED: "_shared",
    KEPT: "_kept",
    HEAD: "_head",
    INNER: "_inner",
    **{
        FROM_GROUP + place * DEPTHS + depth: f"_{group}{depth + 1 if depth else ''}"
        for place, group in enumerate(GROUPS)
        for depth in range(DEPTHS)
    },
}
"""Marks as they are written; `_conj2` came from the second group around a word."""

_MARKS = {name: mark for mark, name in MARK_NAMES.items()}
_MOST_MARKS = 10


@dataclass(frozen=True)
class Labels:
    """A label for every word, in three arrays; `rel` numbers `relations`."""

    relations: tuple[str, ...]
    rel: NDArray[np.int32]
    turned: NDArray[np.bool_]
    mark: NDArray[np.int64]

    @classmethod
    def of(cls, column: Column) -> Labels:
        """Take a column apart; `cc` and `conj` are among the relations even if no word has them."""
        strings = column.vocabulary.strings
        parts = [split_label(string) for string in strings]
        relations = tuple(dict.fromkeys([*(relation for _, relation, _ in parts), "cc", "conj"]))
        number = {relation: i for i, relation in enumerate(relations)}
        codes = column.codes
        return cls(
            relations,
            np.array([number[relation] for _, relation, _ in parts], np.int32)[codes],
            np.array([turned for turned, _, _ in parts], np.bool_)[codes],
            np.array([mark for _, _, mark in parts], np.int64)[codes],
        )

    def column(self) -> Column:
        """Put the labels together again."""
        # Few words have marks, and few piles of marks occur.
        marked = np.flatnonzero(self.mark)
        piles, pile_of_marked = np.unique(self.mark[marked], return_inverse=True)
        pile = np.zeros(len(self.mark), np.int64)
        pile[marked] = pile_of_marked + 1
        n = len(self.relations)
        label = (pile * n + self.rel) * 2 + self.turned
        used = np.flatnonzero(np.bincount(label, minlength=1))
        texts = [
            join_label(
                bool(code % 2),
                self.relations[code // 2 % n],
                int(piles[code // 2 // n - 1]) if code // 2 // n else 0,
            )
            for code in used.tolist()
        ]
        new_code = np.zeros(int(label.max(initial=0)) + 1, np.int32)
        new_code[used] = np.arange(len(used))
        return Column(new_code[label], Vocabulary.from_strings(texts)).compact()


def split_label(text: str) -> tuple[bool, str, int]:
    """Return whether a label was turned, its relation, and its pile of marks.

    >>> split_label("comp:aux:pass"), split_label("advmod:_own"), split_label("comp:obj")
    ((True, 'aux:pass', 0), (False, 'advmod', 1), (False, 'comp:obj', 0))
    """
    relation, *marks = text.split(":_")
    pile = 0
    if len(marks) > _MOST_MARKS:
        raise RewriteError(f"relation {text!r} has more marks than any conversion makes")
    for mark in marks:
        if f"_{mark}" not in _MARKS:
            raise RewriteError(f"relation {text!r} has a mark that no conversion makes: _{mark}")
        pile = pile * MARK_BASE + _MARKS[f"_{mark}"]
    complement = relation.removeprefix(TURNED)
    # Others have a comp of their own, such as comp:obj in Surface-Syntactic UD.
    turned = relation.startswith(TURNED) and base(complement) in FUNCTION_KINDS
    return turned, complement if turned else relation, pile


def join_label(turned: bool, relation: str, pile: int) -> str:
    """Return a label as it is written.

    >>> join_label(True, "case", 0), join_label(False, "punct", 8)
    ('comp:case', 'punct:_conj')
    """
    marks = []
    while pile:
        pile, mark = divmod(pile, MARK_BASE)
        marks.append(MARK_NAMES[mark])
    return ":".join([f"{TURNED}{relation}" if turned else relation, *reversed(marks)])
