"""What `treegauge reproduce` measured, kept in docs/data, and the tables of pages made from it.

    python -m studies.reproduced NAME...

runs the reproductions that are named in `REPRODUCTIONS`, or resumes them in `runs/NAME`, and keeps
their frames: `docs/data/NAME/FRAME.tsv`, with settings, notes, commit and device in `about.json`.
Tables of papers are made from frames alone, so that pages need no run. What the challenge measured
is kept by `studies.challenge`.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from studies.measured import FOLDER, RUNS, current_commit
from treegauge.cli.papers import prepare
from treegauge.papers import find_paper
from treegauge.papers.paper import Frames, Measurements
from treegauge.papers.word_order.settings import ORIGINAL
from treegauge.reports.markdown import to_markdown
from treegauge.results.long_table import read_long_table
from treegauge.settings import read_settings
from treegauge.temporaries import replacing

NEURAL_TREEBANKS = ("fr_sequoia", "hi_hdtb", "la_proiel", "nn_nynorsklia", "tr_imst", "vi_vtb")
"""Where `biaffine` is compared with other parsers; each has 6,218 to 22,154 words to learn from."""

TAG_MAP = os.environ.get("TAG_MAP", "../shared/tagsets/en-ptb.map")
"""Universal tags for the sample of the Wall Street Journal, which has fine tags only."""
DICTIONARIES = os.environ.get("TREEGAUGE_DICTIONARIES", "../shared/dictionaries")
OTHER_LANGUAGES = (
    *("bg_btb", "ca_ancora", "de_gsd", "el_gdt", "es_gsd", "et_ewt", "fa_seraji", "fi_tdt"),
    *("fr_gsd", "got_proiel", "grc_proiel", "he_htb", "hi_hdtb", "hr_set", "id_gsd", "it_isdt"),
    *("ja_gsd", "ko_gsd", "la_proiel", "no_bokmaal", "pl_lfg", "ro_rrt", "ta_ttb", "tr_imst"),
    *("vi_vtb", "zh_gsd"),
)
"""What `transfer-dmv` learns from, as in weighted-inducers.toml."""


@dataclass(frozen=True)
class Reproduction:
    """A paper, and what is chosen about it."""

    paper: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    system_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


CHALLENGE = "pascal"
REPRODUCTIONS = {
    "ned-wsj": Reproduction(
        "ned",
        {"treebanks": ("en_wsj_sample",), "tag_map": TAG_MAP, "systems": ("all",)},
        {
            "transfer-dmv": {"sources": OTHER_LANGUAGES},
            # As in penn.toml; ten chains of 300 iterations take an hour.
            "tsg-dmv": {"chains": 4, "iterations": 100, "max_sentences": 3000},
        },
    ),
    "word-order": Reproduction("word-order", {"transfer": True}),
    # For Table 1 alone: every parser would take hours on fourteen texts.
    "word-order14": Reproduction(
        "word-order",
        {
            "treebanks": ("word-order14",),
            "parsers": ("left-branching",),
            "optimise": False,
            "resamples": 100,
        },
    ),
    "word-order-neural": Reproduction(
        "word-order",
        {"treebanks": NEURAL_TREEBANKS, "neural": True},
        {"biaffine": {"device": "cuda"}},
    ),
    # As long as `biaffine` learns by default; on two cores, four orders would take hours.
    "neural-original": Reproduction(
        "word-order", {"treebanks": NEURAL_TREEBANKS, "neural": True, "orders": (ORIGINAL,)}
    ),
    "perplexity": Reproduction("perplexity"),
    "tagger-evaluation": Reproduction(
        "tagger-evaluation", {"dictionaries": DICTIONARIES, "everything": True}
    ),
    # Two of the paper's taggers are CRFs, which take long on large train parts, and one learns on
    # a GPU. Taggers from other languages are in `tagger-evaluation`.
    "tagger-evaluation-paper": Reproduction(
        "tagger-evaluation",
        {
            "dictionaries": DICTIONARIES,
            "everything": True,
            "taggers": ("paper",),
            "sentences": 1000,
            "cross_lingual": ("none",),
        },
        {"bilstm": {"device": "cuda"}},
    ),
    CHALLENGE: Reproduction("pascal", {"systems": "all"}),
    "pascal-extrinsic": Reproduction("pascal-extrinsic", {"systems": "all"}),
    # A toy language, of which there is as much text as one likes, and treebanks.
    "pascal-scaling": Reproduction("pascal-scaling", {"tokens": 10_000_000}),
    "pascal-scaling-treebanks": Reproduction(
        "pascal-scaling", {"treebanks": ("en_ewt", "pt_bosque")}
    ),
}
"""The reproductions on pages, most of them by the first half of their markers."""


def main() -> None:
    """Measure what is named, and keep it."""
    for name in sys.argv[1:]:
        known = [one for one in REPRODUCTIONS if one != CHALLENGE]
        if name not in known:
            sys.exit(f"no reproduction {name!r}; there are {', '.join(known)}")
        keep(name, *_measure(name))


def _measure(name: str) -> tuple[Measurements[Any], float]:
    """Return what came of a reproduction, and the seconds of its cells."""
    chosen = REPRODUCTIONS[name]
    paper = find_paper(chosen.paper)
    settings = read_settings(paper.settings_type, chosen.settings, place=name)
    settings, workbench = prepare(
        paper, settings, RUNS / name, system_settings=chosen.system_settings
    )
    measured = paper.measure(settings, workbench)
    cells = [
        read_long_table(table).unique("cell")["seconds"].sum()
        for table in (RUNS / name).rglob("results.parquet")
    ]
    return measured, sum(cells)


def keep(
    name: str,
    measured: Measurements[Any],
    seconds: float,
    keys: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Keep what was measured, instead of what was kept before.

    Parameters
    ----------
    name : str
        The reproduction.
    measured : Measurements
        What came of it.
    seconds : float
        Of its cells.
    keys : mapping, optional
        Of what may be run in parts: by frame, the columns that tell rows apart. Other rows that
        were kept before stay.
    """
    before = kept(name) if keys else None
    if keys and before is not None:
        measured = replace(measured, frames=_joined(before.frames, measured.frames, keys))
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    own = REPRODUCTIONS[name].system_settings.values()
    about = {
        "settings": measured.settings.to_dict(),
        "notes": measured.notes,
        "failures": measured.failures,
        "commit": current_commit(),
        "device": ", ".join(sorted({"cpu", *(one["device"] for one in own if "device" in one)})),
        "seconds": round(seconds),
        "frames": {
            frame: {column: str(kind) for column, kind in table.schema.items()}
            for frame, table in measured.frames.items()
        },
    }
    for frame, table in measured.frames.items():
        nested = [column for column, kind in table.schema.items() if kind.is_nested()]
        as_text = table.with_columns(
            pl.Series(column, [json.dumps(one) for one in table[column].to_list()], pl.String)
            for column in nested
        )
        content = as_text.write_csv(separator="\t", float_precision=_DIGITS).encode("utf-8")
        path = folder / f"{frame}.tsv"
        if len(content) > _MOST_PLAIN_BYTES:
            path, content = path.with_suffix(".tsv.gz"), gzip.compress(content, mtime=0)
        with replacing(path) as temporary:
            temporary.write_bytes(content)
    with replacing(folder / "about.json") as temporary:
        temporary.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _joined(before: Frames, new: Frames, keys: Mapping[str, Sequence[str]]) -> Frames:
    frames = {**before, **new}
    for name, columns in keys.items():
        if name in before and name in new:
            both = pl.concat([before[name], new[name]], how="vertical_relaxed")
            frames[name] = both.unique(columns, keep="last", maintain_order=True)
    return frames


def kept(name: str) -> Measurements[Any] | None:
    """Return what was measured; None where nothing was kept."""
    about = _about(name)
    if about is None:
        return None
    settings_type = find_paper(REPRODUCTIONS[name].paper).settings_type
    settings = read_settings(settings_type, about["settings"], place=name)
    frames = {frame: _read(name, frame, kinds) for frame, kinds in about["frames"].items()}
    return Measurements(settings, frames, tuple(about["notes"]), tuple(about["failures"]))


def page_tables(name: str) -> dict[str, str]:
    """Return the tables of a reproduction in Markdown, by title; none where nothing was kept."""
    measured = kept(name)
    if measured is None:
        return {}
    tables = find_paper(REPRODUCTIONS[name].paper).all_tables(measured, shown=True)
    return {table.title: to_markdown(table) for table in tables}


def provenance(name: str) -> str:
    """Return at which commit and on which devices a reproduction ran, and how long it took."""
    about = _about(name) or {}
    hours = about["seconds"] / 3600
    return f"Measured at commit `{about['commit']}`, {about['device']}, {hours:.1f} hours of cells."


def commit_of(name: str) -> str | None:
    """Return the commit at which a reproduction ran, without the mark of a change; None: never."""
    about = _about(name)
    return None if about is None else about["commit"].rstrip("+")


def _about(name: str) -> dict[str, Any] | None:
    path = FOLDER / name / "about.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def _read(name: str, frame: str, kinds: Mapping[str, str]) -> pl.DataFrame:
    """Return a frame with the types that it had; lists were written as JSON.

    A column without any value has no type, which the reader of CSV does not know.
    """
    flat = {column: _KINDS.get(kind, pl.String()) for column, kind in kinds.items()}
    (path,) = (FOLDER / name).glob(f"{frame}.tsv*")
    table = pl.read_csv(path, separator="\t", schema=flat) if flat else pl.DataFrame()
    untyped = [column for column, kind in kinds.items() if kind == _UNTYPED]
    nested = [column for column, kind in kinds.items() if kind not in (*_KINDS, _UNTYPED)]
    return table.with_columns(pl.lit(None).alias(column) for column in untyped).with_columns(
        pl.Series(column, [json.loads(text) for text in table[column]]) for column in nested
    )


_DIGITS = 10
"""Of numbers in the tables: pages show four."""
_MOST_PLAIN_BYTES = 1 << 20
"""Larger tables are compressed."""
_KINDS = {
    str(kind): kind
    for kind in (
        *(pl.String(), pl.Boolean(), pl.Float64()),
        *(pl.Int8(), pl.Int32(), pl.Int64(), pl.UInt32(), pl.UInt64()),
    )
}
"""Types of columns that are no lists, by name."""
_UNTYPED = str(pl.Null())


if __name__ == "__main__":
    main()
