"""Trees in a terminal: a line for every word, and lines that lead from heads to dependents.

        ┌──  the   DET   det
      ┌─┴──  bird  NOUN  nsubj
    ──┼────  sees  VERB  root
      │ ┌──  the   DET   det
      └─┴──  cat   NOUN  obj

A head is left of its dependents. Where a line seems to end at another one (`─│─`), it passes
behind it: the arcs cross. A word without a head begins with `?`, and a cycle is cut at its first
word, which begins with `↻`.

With systems, their trees stand beside gold's, with a mark for every word: `=` is the gold head,
`~` is flipped (accepted by NED), `×` is wrong; `≠` follows where the head is right and the
relation is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from treegauge.reports.text_widths import cell_width, padded
from treegauge.reports.trees.drawing import Arc, Drawing, Tree, Verdict
from treegauge.wording import visible

MARKS = {Verdict.PLAIN: " ", Verdict.RIGHT: "=", Verdict.FLIPPED: "~", Verdict.WRONG: "×"}
OTHER_RELATION = "≠"
KEY = "= right head   ≠ other relation   ~ flipped, accepted by NED   × wrong head"

_COLOURS = {"=": "32", "≠": "33", "~": "35", "×": "31"}
"""ANSI codes by mark: green, yellow, magenta, red."""

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_BOXES = {
    0: " ",
    _UP | _DOWN: "│",
    _LEFT | _RIGHT: "─",
    _RIGHT: "─",
    _LEFT: "─",
    _DOWN | _RIGHT: "┌",
    _UP | _RIGHT: "└",
    _UP | _DOWN | _RIGHT: "├",
    _DOWN | _LEFT | _RIGHT: "┬",
    _UP | _LEFT | _RIGHT: "┴",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
}

_BETWEEN = "  "

_DEEP = 16
"""Trees of more levels, such as chains, have one cell for a level instead of two."""


def tree_text(drawing: Drawing, *, width: int = 0, colour: bool = False) -> str:
    """Return the trees of a drawing as text.

    Parameters
    ----------
    width : int
        How wide the terminal is. Trees that do not fit beside each other stand one below the
        other; 0 is as wide as need be.
    colour : bool
        Colour the marks of systems' arcs, for a terminal that can.
    """
    if not drawing.forms:
        return ""
    if not drawing.is_judged:
        return _joined(_rows(drawing, drawing.trees, colour=colour)[1:])
    plain = _rows(drawing, drawing.trees, colour=False)
    if not width or max(map(cell_width, plain)) <= width:
        return _joined([*_rows(drawing, drawing.trees, colour=colour), KEY])
    rows = [row for tree in drawing.trees for row in _rows(drawing, (tree,), colour=colour)]
    return _joined([*rows, KEY])


def _joined(rows: Sequence[str]) -> str:
    return "\n".join(rows) + "\n"


def _rows(drawing: Drawing, trees: Sequence[Tree], *, colour: bool) -> list[str]:
    """Return trees side by side, the words after the first, under their names."""
    gold, n = drawing.trees[0], len(drawing.forms)
    columns = []
    for place, tree in enumerate(trees):
        indent = " " if place else ""
        lines = [indent + line for line in tree_lines(tree.arcs, n)]
        columns.append(_column(indent + tree.name, lines))
        if not place:
            columns += [_column("", drawing.forms), _column("", drawing.tags)]
        if tree is gold:
            columns.append(_column("", _labels(tree, n)))
        else:
            marked = _column("", _judged_labels(gold, tree, n))
            columns.append([_coloured(cell) for cell in marked] if colour else marked)
    columns = [column for column in columns if any(map(str.strip, column))]
    return [_BETWEEN.join(row).rstrip() for row in zip(*columns, strict=True)]


def _column(name: str, cells: Sequence[str]) -> list[str]:
    """Return a head and cells, all of one width."""
    texts = [visible(text) for text in (name, *cells)]
    width = max(map(cell_width, texts))
    return [padded(text, width) for text in texts]


def _labels(tree: Tree, n: int) -> list[str]:
    by_word = {arc.dependent: arc.label for arc in tree.arcs}
    return [by_word.get(word, "") for word in range(1, n + 1)]


def _judged_labels(gold: Tree, system: Tree, n: int) -> list[str]:
    # A word that gold has a head for and the system has none is wrong.
    marks = {arc.dependent: MARKS[Verdict.WRONG] for arc in gold.arcs}
    for arc in system.arcs:
        mark = MARKS[arc.verdict] if arc.same_label else OTHER_RELATION
        marks[arc.dependent] = f"{mark} {arc.label}".rstrip()
    return [marks.get(word, "") for word in range(1, n + 1)]


def _coloured(cell: str) -> str:
    """Colour the mark that a cell begins with."""
    code = _COLOURS.get(cell[:1])
    return f"\033[{code}m{cell[0]}\033[0m{cell[1:]}" if code else cell


# ---------------------------------------------------------------------- lines


def tree_lines(arcs: Sequence[Arc], n: int) -> list[str]:
    """Return the lines of a tree of n words, all of one width, without the words.

    Examples
    --------
    >>> print("\\n".join(tree_lines([Arc(2, 1), Arc(0, 2), Arc(2, 3)], 3)))
      ┌──
    ──┼──
      └──
    """
    heads = {arc.dependent: arc.head for arc in arcs}
    parents, begins = _parents(heads, n)
    columns, reach = _columns(parents, n)
    deepest = max(columns.values(), default=-1)
    pitch = 2 if deepest < _DEEP else 1
    width = pitch * deepest + 5
    in_column = defaultdict(list)
    for word, column in columns.items():
        in_column[column].append(word)
    lines = []
    for row in range(1, n + 1):
        start = _place(columns[parents[row]], pitch) if row in parents else 0
        cells = ["─" if x >= start else " " for x in range(width)]
        if row not in parents:
            cells[0] = begins[row]
        for column, words in in_column.items():
            owner = next((w for w in words if reach[w][0] <= row <= reach[w][1]), None)
            if owner is not None:
                first, last = reach[owner]
                bits = (_UP if row > first else 0) | (_DOWN if row < last else 0)
                if row == owner:
                    bits |= _LEFT | _RIGHT
                elif parents.get(row) == owner:
                    bits |= _RIGHT
                cells[_place(column, pitch)] = _BOXES[bits]
        lines.append("".join(cells))
    return lines


def _place(column: int, pitch: int) -> int:
    return pitch * column + 2


def _parents(heads: dict[int, int], n: int) -> tuple[dict[int, int], dict[int, str]]:
    """Return every word's parent without cycles, and what the others begin with."""
    parents = {word: head for word, head in heads.items() if head}
    begins = {word: "─" if heads.get(word) == 0 else "?" for word in range(1, n + 1)}
    for word in range(1, n + 1):
        seen = []
        above: int | None = word
        while above is not None and above not in seen:
            seen.append(above)
            above = parents.get(above)
        if above is not None:
            cut = min(seen[seen.index(above) :])
            del parents[cut]
            begins[cut] = "↻"
    return parents, begins


def _columns(parents: dict[int, int], n: int) -> tuple[dict[int, int], dict[int, tuple[int, int]]]:
    """Return the column of every head, and the first and last row of its line there.

    A head is right of its own head, in the first column where its line meets no other.
    """
    children = defaultdict(list)
    for word, parent in parents.items():
        children[parent].append(word)
    reach = {word: (min([word, *below]), max([word, *below])) for word, below in children.items()}
    columns: dict[int, int] = {}
    waiting = [word for word in range(1, n + 1) if word not in parents]
    while waiting:
        word = waiting.pop(0)
        if word not in children:
            continue
        column = columns[parents[word]] + 1 if word in parents else 0
        first, last = reach[word]
        while any(
            other == column and first <= reach[w][1] and reach[w][0] <= last
            for w, other in columns.items()
        ):
            column += 1
        columns[word] = column
        waiting += sorted(children[word])
    return columns, reach
