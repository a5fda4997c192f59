"""Tables in LaTeX; they need the package booktabs and nothing else."""

from __future__ import annotations

import re

from treegauge.tables import Cell, Table


def to_latex(table: Table) -> str:
    """Return a LaTeX table: numbers to the right, the best in bold, groups under headings."""
    spec = "".join("r" if table.is_numeric(j) else "l" for j in range(len(table.columns)))
    body = [
        rf"\begin{{tabular}}{{{spec}}}",
        r"\toprule",
        " & ".join(latex(column.title) for column in table.columns) + r" \\",
        r"\midrule",
    ]
    for place, (group, rows) in enumerate(table.grouped()):
        if group:
            body += [r"\midrule"] * bool(place)
            body.append(rf"\multicolumn{{{len(spec)}}}{{l}}{{\emph{{{latex(group)}}}}} \\")
        for row in rows:
            cells = (_cell(table, cell, j) for j, cell in enumerate(row.cells))
            body.append(" & ".join(cells) + r" \\")
    body += [r"\bottomrule", r"\end{tabular}"]
    caption = [rf"\caption{{{latex(table.title)}}}"] if table.title else []
    notes = [rf"\\[2pt] {{\footnotesize {latex(note)}}}" for note in table.all_notes()]
    lines = [r"\begin{table}", r"\centering", *caption, *body, *notes, r"\end{table}"]
    return "\n".join(lines) + "\n"


def _cell(table: Table, cell: Cell, column: int) -> str:
    if not cell.best:
        return latex(table.cell_text(cell, column))
    value = latex(table.value_text(cell, column))
    return rf"\textbf{{{value}}}" + latex(table.extras_text(cell, column))


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",  # in LaTeX's oldest fonts, which are still the default, this is ¡
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "–": "--",
    "…": r"\ldots{}",
    "←": r"$\leftarrow$",
    "↓": r"$\downarrow$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≠": r"$\neq$",
    "\N{REPLACEMENT CHARACTER}": "?",  # bytes that are no text; LaTeX has no such letter
}
_PATTERN = re.compile(f"[{re.escape(''.join(_SPECIAL))}]")


def latex(text: str) -> str:
    """Return a text that LaTeX prints as it stands, also at the beginning of a row."""
    escaped = _PATTERN.sub(lambda match: _SPECIAL[match[0]], text)
    # The end of the row before, `\\`, takes these for its own arguments.
    return f"{{{escaped[0]}}}{escaped[1:]}" if escaped[:1] in ("[", "*") else escaped
