"""The page of one submission: scores, strata, and its errors as far as gold may be known."""

from __future__ import annotations

from collections.abc import Sequence

from treegauge.challenges.board import KindOfSupervision, RankedEntry
from treegauge.challenges.board_tables import (
    BoardTables,
    format_of,
    is_named_by_gold,
    one_line,
    stratum_cells,
)
from treegauge.challenges.times import shown_time
from treegauge.evaluation import Confusion, StratumScore
from treegauge.reports.pages.page import (
    Block,
    Choice,
    Facts,
    Links,
    Listing,
    Page,
    Part,
    Prose,
)
from treegauge.reports.pages.shared_parts import (
    TREES,
    confusion_blocks,
    confusions_part,
    stratum_table,
    titled,
)
from treegauge.reports.pages.tree_data import TreeBank
from treegauge.tables import Cell, Column, Table
from treegauge.wording import counted


def submission_page(
    tables: BoardTables, ranked: RankedEntry, kind: KindOfSupervision, *, back: str
) -> Page:
    """Return the page of a submission.

    Parameters
    ----------
    tables : BoardTables
        Of the board that it is on; it knows what nobody may see yet.
    back : str
        The address of the board.
    """
    system, team = tables.names(ranked.entry)
    parts = [
        _summary(tables, ranked, kind, back),
        _scores(tables, ranked),
        _strata(tables, ranked),
        *_errors(tables, ranked),
    ]
    return Page(
        one_line(system),
        one_line(f"{team}: {tables.board.track.title or tables.board.track.name}"),
        [part for part in parts if part.blocks],
        _trees(tables, ranked),
    )


def _treebanks(tables: BoardTables, ranked: RankedEntry) -> list[str]:
    """Return the treebanks that it annotates, as the challenge orders them."""
    there = ranked.entry.scored.treebanks
    names = [treebank.name for treebank in tables.board.challenge.treebanks]
    return [name for name in names if name in there]


def _summary(tables: BoardTables, ranked: RankedEntry, kind: KindOfSupervision, back: str) -> Part:
    board, entry = tables.board, ranked.entry
    track = board.track
    average = entry.scored.average(str(track.primary))
    facts = []
    if ranked.standing.rank is not None:
        facts.append((f"{ranked.standing.rank}", f"rank of {len(kind.ranked)}, {kind.name}"))
    if ranked.group is not None and kind.groups > 1:
        facts.append((f"{ranked.group}", f"group of {kind.groups}"))
    if average is not None and average["value"] is not None:
        number = format_of(track.primary)
        ends = f"{number.show(average['low'])} to {number.show(average['high'])}"
        facts.append((number.show(average["value"]), f"{titled(track.primary)}, average ({ends})"))
    said = {
        "supervision": kind.name,
        "received": shown_time(entry.received) + (" (late)" if entry.is_late else ""),
        "submission": entry.scored.id,
        "scorer": entry.scored.scorer,
    }
    if not tables.is_anonymous:
        for key in ("fit_on", "description"):
            if entry.scored.said(key):
                said[key.replace("_", " ")] = one_line(entry.scored.said(key))
        resources = entry.scored.document["submission"].get("resources") or ()
        if resources:
            said["resources"] = one_line(", ".join(map(str, resources)))
    blocks: list[Block] = [
        Links([("Leaderboard", back, track.title or track.name)]),
        *([Facts(facts)] if facts else []),
        Listing(said),
    ]
    if ranked.standing.missing:
        missing = ", ".join(ranked.standing.missing)
        blocks.append(Prose(f"It has no score on {missing}: no average, and no rank."))
    return Part("summary", "Summary", blocks)


def _scores(tables: BoardTables, ranked: RankedEntry) -> Part:
    specs = tables.board.track.metrics
    columns = [Column("treebank"), *(Column(titled(s), format=format_of(s)) for s in specs)]
    by_standard: dict[str, list[list[str | Cell]]] = {}
    for treebank in _treebanks(tables, ranked):
        for standard in ranked.entry.scored.treebanks[treebank]["standards"]:
            cells = [tables.score_cell(ranked.entry, treebank, spec, standard) for spec in specs]
            by_standard.setdefault(standard, []).append([treebank, *cells])
    flaws = [
        f"{name}: {found['flaws']}: wrong, and counted"
        for name, found in ranked.entry.scored.treebanks.items()
        if found["flaws"]
    ]
    panes: dict[str, Sequence[Block]] = {
        standard: [Table(columns, rows, f"Scores against {standard}", flaws)]
        for standard, rows in by_standard.items()
    }
    return Part("scores", "Scores", [Choice("Gold standard", panes)] if panes else [])


def _strata(tables: BoardTables, ranked: RankedEntry) -> Part:
    blocks: list[Block] = []
    metric = titled(tables.board.track.primary)
    system, _ = tables.names(ranked.entry)
    for by in tables.board.track.by:
        panes: dict[str, Sequence[Block]] = {}
        for treebank in _treebanks(tables, ranked):
            if is_named_by_gold(by) and not tables.shows_gold(treebank):
                continue
            cells = stratum_cells(ranked.entry, treebank, by).values()
            if cells:
                scores = [StratumScore(**cell) for cell in cells]
                own = {one_line(system): scores}
                panes[treebank] = [stratum_table(metric, by, own, where=treebank)]
        if panes:
            blocks.append(Choice("Treebank", panes))
    return Part("strata", "Accuracy by stratum", blocks)


def _errors(tables: BoardTables, ranked: RankedEntry) -> list[Part]:
    """Return confusions and trees of treebanks whose gold is out, and when the others follow."""
    challenge = tables.board.challenge
    panes: dict[str, Sequence[Block]] = {}
    secret = []
    for treebank in _treebanks(tables, ranked):
        if not tables.shows_gold(treebank):
            secret.append(treebank)
            continue
        confused = ranked.entry.scored.treebanks[treebank]["confusion"]
        if confused:
            counts = {(gold, system): number for gold, system, number in confused["counts"]}
            panes[treebank] = confusion_blocks(treebank, Confusion(confused["column"], counts))
    parts = []
    if panes:
        part = confusions_part(panes)
        parts.append(Part(part.name, part.title, [Choice("Treebank", panes)]))
    if secret:
        when = shown_time(challenge.gold_released_at)
        text = f"Errors on {counted(len(secret), 'treebank')} are shown when gold is: {when}."
        parts.append(Part("errors", "Errors", [Prose(text)]))
    if _trees(tables, ranked):
        parts.append(TREES)
    return parts


def _trees(tables: BoardTables, ranked: RankedEntry) -> list[TreeBank]:
    banks = []
    for treebank in _treebanks(tables, ranked):
        examples = ranked.entry.scored.treebanks[treebank]["examples"]
        if examples and tables.shows_gold(treebank):
            remarks = ("short sentences with the most errors",)
            banks.append(
                TreeBank(
                    treebank, ("submission",), examples["names"], examples["sentences"], remarks
                )
            )
    return banks
