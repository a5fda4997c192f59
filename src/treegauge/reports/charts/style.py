"""The style sheet of charts: with names of colours for pages, with colours for files."""

from __future__ import annotations

import re

from treegauge.reports.palette import DASHES, LIGHT, N_COLOURS

TEXT_SIZE, SMALL_SIZE, TITLE_SIZE = 16.0, 14.0, 20.0
"""Of texts in a drawing: legible from the back of a room where a figure fills its card."""

STYLE = "".join(
    [
        f".tg-fig text{{font:{TEXT_SIZE:g}px system-ui,'Noto Sans','DejaVu Sans',sans-serif;"
        "fill:var(--ink);font-variant-numeric:tabular-nums}",
        f".tg-fig .soft{{fill:var(--soft)}}.tg-fig .small{{font-size:{SMALL_SIZE:g}px}}",
        f".tg-fig .t{{font-size:{TITLE_SIZE:g}px;font-weight:600}}",
        ".tg-fig .b{font-weight:600}",
        ".tg-fig .e{text-anchor:end}.tg-fig .m{text-anchor:middle}",
        ".tg-fig .g{stroke:var(--line);stroke-width:1}",
        ".tg-fig .axis{stroke:var(--soft);stroke-width:1.2;fill:none}",
        ".tg-fig .l{fill:none;stroke-width:2.6;stroke-linejoin:round}",
        ".tg-fig .w{stroke:var(--ink);stroke-width:1.6;fill:none}",
        ".tg-fig .dot{fill:var(--paper);stroke:var(--ink);stroke-width:1.3}",
        ".tg-fig .pub{fill:none;stroke:var(--soft);stroke-width:2;stroke-dasharray:4 3}",
        ".tg-fig .agree{fill:var(--accent)}.tg-fig .heat{fill:var(--heat)}",
        ".tg-fig .light{fill:var(--paper)}",
        ".tg-fig .name{paint-order:stroke;stroke:var(--paper);stroke-width:3px;"
        "stroke-linejoin:round}",
        ".tg-fig .hit{fill:transparent;stroke:none}",
        *(
            f".tg-fig .c{i}{{fill:var(--c{i});stroke:var(--c{i})}}.tg-fig .l.c{i}{{fill:none}}"
            for i in range(N_COLOURS)
        ),
        ".tg-fig .band{stroke:none;fill-opacity:.13}",
        *(f".tg-fig .d{i}{{stroke-dasharray:{dash}}}" for i, dash in enumerate(DASHES) if dash),
    ]
)
"""The style sheet of all figures, with names of colours."""

STANDALONE_STYLE = re.sub(r"var\(--([\w-]+)\)", lambda match: LIGHT[match[1]], STYLE)
"""The same with the light colours: for files, and for programs that know no names."""
