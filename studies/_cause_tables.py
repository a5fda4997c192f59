"""Tables of the studies that ask why a figure falls short of its paper's.

`studies.pages` writes them into docs/systems.md and docs/word_classes.md, from the tables of
`sparsity-penn`, `sparsity-wsj`, `sparsity-ud`, `pagerank-causes`, `tu-causes`,
`tu-strength`, `tu-strength-whole` and `more-text` in docs/data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

import polars as pl

from studies.measured import provenance, whole_results_of
from treegauge.papers.pascal.scores import test_set_of
from treegauge.results.published import find_published_scores

FUNCTIONAL = "_functional"
"""How treebanks with function heads end, beside the same with content heads."""
MORE = "_more"
"""How treebanks with the text of others end."""
PENN = "en_wsj_sample"
BASQUE = "eu_challenge"
_STRENGTH = r'"(?:strength|sigma)": ([\d.]+)'
"""Its name in `unambiguity`, whose sigma is a list, and in `posterior-sparse`."""
_TAGS = r'"tags": "(\w+)"'
_TEXTS = {
    PENN: "Wall Street Journal",
    "en_ewt": "`en_ewt`",
    "en_ewt_functional": "`en_ewt`, function heads",
    "en_ewt_part": "`en_ewt`, a twelfth",
    "en_ewt_part_functional": "`en_ewt`, a twelfth, function heads",
}
_TUNED = ("ar_padt", "nl_alpino", "sv_talbanken_v2", "en_ewt_part_1", PENN)
_CONTENT = "`pascal10`, content heads"
_FUNCTION = "`pascal10`, function heads"
_OWN_KINDS = {PENN: "Wall Street Journal", BASQUE: "Basque of CoNLL 2007"}
"""Treebanks of the challenge's own kind."""
_BOTH = ("uas", "ned")
_ENTRIES = {"brown": "Bp", "mkcls": "MKp"}


def tables_of_systems() -> dict[str, str]:
    """Return the tables of docs/systems.md by marker; one without measurements is left out."""
    return _tables(OF_SYSTEMS)


def tables_of_classes() -> dict[str, str]:
    """Return the tables of docs/word_classes.md by marker."""
    return _tables(OF_CLASSES)


def _tables(makers: Mapping[str, Callable[[pl.DataFrame], str]]) -> dict[str, str]:
    return {
        name: make(rows) for name, make in makers.items() if (rows := _scores(name)) is not None
    }


def _scores(name: str) -> pl.DataFrame | None:
    """Return the scores of a study in per cent, with half of each interval."""
    results = whole_results_of(name)
    if results is None:
        return None
    return results.with_columns(
        pl.col("value") * 100, ((pl.col("high") - pl.col("low")) * 50).alias("half")
    )


def _cell(rows: pl.DataFrame) -> str:
    """Return the mean of scores of one test part, and of half-widths: they share sentences."""
    return f"{rows['value'].mean():.1f} ± {rows['half'].mean():.1f}" if rows.height else "–"


def _mean_of_treebanks(rows: pl.DataFrame) -> tuple[float, float]:
    """Return the mean over treebanks and half its interval: half-widths add in squares."""
    return rows["value"].mean(), math.sqrt((rows["half"] ** 2).sum()) / rows.height


def _by_text(results: pl.DataFrame) -> str:
    """Return UAS by the strength of the penalty, for every text and kind of tags."""
    text = pl.col("treebank").str.replace(r"_part_\d", "_part").replace(_TEXTS)
    tags = pl.col("settings").str.extract(_TAGS)
    rows = results.with_columns(pl.format("{} | {}", text, tags).alias("row"))
    names = (f"{name} | {tags}" for name in _TEXTS.values() for tags in ("p", "u12"))
    present = set(rows["row"])
    return _by_strength(rows, "learnt from | tags", [name for name in names if name in present])


def _by_variant(results: pl.DataFrame) -> str:
    """Return UAS by the strength of the penalty, for every variant of the system."""
    variant = pl.col("system").str.replace(r", sigma=[\d.]+", "")
    rows = results.with_columns(pl.format("`{}`", variant).alias("row"))
    names = rows["row"].unique().sort()
    return _by_strength(rows, "system", sorted(names, key=len))


def _by_strength(results: pl.DataFrame, heads: str, order: list[str]) -> str:
    """Return UAS with a column for every strength, and rows in an order."""
    rows = results.filter(metric="uas").with_columns(
        pl.col("settings").str.extract(_STRENGTH).cast(pl.Float64).alias("sigma")
    )
    strengths = rows["sigma"].unique().sort()
    lines = [
        f"| {heads} | {' | '.join(f'σ = {sigma:g}' for sigma in strengths)} |",
        "| :-- " * (1 + heads.count("|")) + "|" + " --: |" * len(strengths),
    ]
    for row in order:
        cells = [_cell(rows.filter(row=row, sigma=sigma)) for sigma in strengths]
        lines.append(f"| {row} | {' | '.join(cells)} |")
    return _finished(
        lines, "UAS in per cent, ± half a 95% interval; σ is the strength, 0 no penalty.", results
    )


def _by_heads(results: pl.DataFrame) -> str:
    """Return UAS by the strength of the penalty, against both kinds of heads."""
    rows = results.filter(metric="uas").with_columns(
        pl.col("settings").str.extract(_STRENGTH).cast(pl.Float64).alias("sigma")
    )
    strengths = rows["sigma"].unique().sort()
    kinds = {"content heads": "", "function heads": FUNCTIONAL}
    heads = [f"{kind}, σ = {sigma:g}" for kind in kinds for sigma in strengths]
    lines = [f"| treebank | {' | '.join(heads)} |", "| :-- |" + " --: |" * len(heads)]
    names = sorted(name for name in rows["treebank"].unique() if not name.endswith(FUNCTIONAL))
    for name in names:
        cells = [
            _cell(rows.filter(treebank=name + suffix, sigma=sigma))
            for suffix in kinds.values()
            for sigma in strengths
        ]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    means = [
        _mean_of_treebanks(
            rows.filter(pl.col("treebank").is_in([name + suffix for name in names]), sigma=sigma)
        )
        for suffix in kinds.values()
        for sigma in strengths
    ]
    lines.append(f"| mean | {' | '.join(f'{mean:.1f} ± {half:.1f}' for mean, half in means)} |")
    return _finished(lines, "UAS in per cent, ± half a 95% interval; u tags.", results)


def _readings(results: pl.DataFrame) -> str:
    """Return what every reading of the PageRank entry scores, beside what was published."""
    rows = results.with_columns(pl.col("treebank").map_elements(_kind, pl.String).alias("kind"))
    kinds = [_CONTENT, _FUNCTION, *_OWN_KINDS.values()]
    published = [find_published_scores("dependencies", metric, "", "S1") for metric in _BOTH]
    heads = [*kinds, *(f"{kind}: distance" for kind in (_CONTENT, _FUNCTION))]
    lines = [f"| reading | {' | '.join(heads)} |", "| :-- |" + " --: |" * len(heads)]
    for label in results["system"].unique(maintain_order=True):
        cells = []
        for kind in kinds:
            own = rows.filter(kind=kind, system=label)
            uas, ned = (_mean_of_treebanks(own.filter(metric=metric)) for metric in _BOTH)
            cells.append(f"{uas[0]:.1f} ± {uas[1]:.1f} / {ned[0]:.1f} ± {ned[1]:.1f}")
        for kind in (_CONTENT, _FUNCTION):
            own = rows.filter(kind=kind, system=label, metric="uas")
            apart = [
                abs(value - 100 * published[0].values[test_set_of(name.removesuffix(FUNCTIONAL))])
                for name, value in own.select("treebank", "value").iter_rows()
            ]
            cells.append(f"{sum(apart) / len(apart):.1f}")
        lines.append(f"| `{label}` | {' | '.join(cells)} |")
    scores = [
        [one.average, one.average, one.values["en-ptb"], one.values["basque"]] for one in published
    ]
    cells = [f"{100 * uas:.1f} / {100 * ned:.1f}" for uas, ned in zip(*scores, strict=True)]
    lines.append(f"| S1, published | {' | '.join([*cells, '', ''])} |")
    what = (
        "UAS / NED in per cent, ± half a 95% interval; distance: the mean difference in UAS from "
        "S1 on the same treebank, without sign."
    )
    return _finished(lines, what, results)


def _kind(treebank: str) -> str:
    own = _FUNCTION if treebank.endswith(FUNCTIONAL) else _CONTENT
    return _OWN_KINDS.get(treebank, own)


def _tuned(results: pl.DataFrame) -> str:
    """Return what Tu's entry scores with either tags, against either heads."""
    rows = results.filter(metric="uas")
    published = find_published_scores("dependencies", "uas", "", "Tu")
    labels = rows["system"].unique().sort(descending=True).to_list()
    kinds = {"content heads": "", "function heads": FUNCTIONAL}
    heads = [f"{label[-2]} tags, {kind}" for label in labels for kind in kinds]
    lines = [f"| treebank | {' | '.join(heads)} | published |", "| :-- |" + " --: |" * 5]
    for name in _TUNED:
        # Function words are heads in the sample, and there is no other version of it.
        places = (
            {"": "", FUNCTIONAL: name}
            if name == PENN
            else {one: name + one for one in ("", FUNCTIONAL)}
        )
        cells = []
        for label in labels:
            for suffix in kinds.values():
                own = rows.filter(treebank=places[suffix], system=label)
                cells.append(_cell(own))
        cells.append(f"{100 * published.values[test_set_of(re.sub('_part.*', '', name))]:.1f}")
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    both = [name for name in _TUNED if name != PENN]
    means = [
        _mean_of_treebanks(
            rows.filter(pl.col("treebank").is_in([name + suffix for name in both]), system=label)
        )
        for label in labels
        for suffix in kinds.values()
    ]
    cells = [f"{mean:.1f} ± {half:.1f}" for mean, half in means]
    lines.append(f"| mean of the first {len(both)} | {' | '.join(cells)} | |")
    return _finished(lines, "UAS in per cent, ± half a 95% interval, tuned on dev.", results)


def _more_text(results: pl.DataFrame) -> str:
    """Return V-measure without and with the text of other treebanks, and what was published."""
    rows = results.filter(metric="v_measure")
    lines = [
        "| treebank | system | own text | with others | gain | published |",
        "| :-- | :-- |" + " --: |" * 4,
    ]
    for name in rows["treebank"].unique(maintain_order=True):
        if name.endswith(MORE):
            continue
        short = name.removesuffix("_sample")
        for system, entry in _ENTRIES.items():
            before, after = (
                rows.filter(treebank=one, system=system) for one in (name, short + MORE)
            )
            gain = after["value"].mean() - before["value"].mean()
            half = math.hypot(after["half"].mean(), before["half"].mean())
            of_entry = find_published_scores("tags", "v_measure", "u12", entry)
            there = of_entry.values.get(test_set_of(name))
            known = f"{100 * there:.1f}" if there else "–"
            lines.append(
                f"| `{name}` | `{system}` | {_cell(before)} | {_cell(after)} | "
                f"{gain:+.1f} ± {half:.1f} | {known} |"
            )
    return _finished(
        lines,
        "V-measure against u12 in per cent, 45 classes, ± half a 95% interval over sentences; "
        "`mkcls` is the mean of three seeds. The half-widths of a gain add in squares. Published: "
        "with as many classes as fine tags (Czech 61, Dutch 300, Swedish 41, English 45).",
        results,
    )


def _finished(lines: list[str], what: str, results: pl.DataFrame) -> str:
    return "\n".join(lines) + f"\n\n{what} {provenance(results)}\n\n"


OF_SYSTEMS: Mapping[str, Callable[[pl.DataFrame], str]] = {
    "sparsity-penn": _by_text,
    "sparsity-wsj": _by_variant,
    "sparsity-ud": _by_heads,
    "pagerank-causes": _readings,
    "tu-causes": _tuned,
    "tu-strength": _by_text,
    "tu-strength-whole": _by_text,
}
"""Studies, which are markers of docs/systems.md, and what makes their tables."""
OF_CLASSES: Mapping[str, Callable[[pl.DataFrame], str]] = {"more-text": _more_text}
"""The same for docs/word_classes.md."""
