"""The tables of a board: rankings, metrics, gold standards, strata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from treegauge.challenges.board import Entry, KindOfSupervision, RankedEntry, TrackBoard
from treegauge.challenges.challenge import Challenge
from treegauge.challenges.ranking import standings
from treegauge.challenges.times import shown_time
from treegauge.challenges.treebank_scores import GOLD, Document
from treegauge.metrics import MetricSpec
from treegauge.reports.pages.shared_parts import titled
from treegauge.tables import NUMBER, PERCENT, Cell, Column, NumberFormat, Row, Table
from treegauge.wording import counted, visible

NAMED_BY_GOLD = frozenset({"relation", "relation_full", "tag", "fine_tag"})
"""Strata whose names are gold's own labels: they are kept back as long as gold is."""

BEST = "best of references"
ABOUT_BEST = "best of references: for every system, its best standard; optimistic, and never ranked"

_DATA = re.compile(r"\|data:[^|]*")


def one_line(text: str) -> str:
    """Return what a participant wrote as a line that no page, file or terminal obeys.

    >>> one_line("a\\n b\\u202ec\\x1b[31m")
    'a b\\\\u202ec\\\\x1b[31m'
    """
    return visible(" ".join(text.split()))


def is_named_by_gold(by: str) -> bool:
    """Return whether the cells of a stratum, or of two crossed, are called after gold's labels."""
    return any(name.strip() in NAMED_BY_GOLD for name in by.split("*"))


@dataclass(frozen=True)
class BoardTables:
    """Makes the tables of one track's board.

    Attributes
    ----------
    now : datetime
        Nothing is shown that nobody may see by then.
    links : mapping
        The page of every submission by its id.
    """

    board: TrackBoard
    now: datetime
    links: Mapping[str, str]

    @property
    def _challenge(self) -> Challenge:
        return self.board.challenge

    @property
    def _averaged(self) -> tuple[str, ...]:
        return self._challenge.averaged_treebanks

    @property
    def _others(self) -> list[str]:
        """Treebanks that no average covers."""
        names = [treebank.name for treebank in self._challenge.treebanks]
        return [name for name in names if name not in self._averaged]

    @property
    def is_anonymous(self) -> bool:
        """Whether nobody may know whose submissions they are."""
        until = self._challenge.board.anonymous_until
        return until is not None and self.now < until

    def names(self, entry: Entry) -> tuple[str, str]:
        """Return what pages call a system and its team; ids while names are not to be known."""
        until = self._challenge.board.anonymous_until
        if until is not None and self.is_anonymous:
            return f"system {entry.scored.id[:8]}", f"anonymous until {shown_time(until)}"
        return entry.scored.said("system"), entry.scored.said("team")

    def shows_gold(self, treebank: str) -> bool:
        """Return whether everybody may know gold of a treebank."""
        return self.board.part != "test" or self._challenge.is_gold_released(treebank, self.now)

    @property
    def shows_all_gold(self) -> bool:
        """Return whether everybody may know all gold."""
        return all(self.shows_gold(treebank.name) for treebank in self._challenge.treebanks)

    # ------------------------------------------------------------------ rankings

    def ranking(self, kind: KindOfSupervision) -> Table:
        """Return the ranking of a kind of supervision, groups under headings."""
        primary = self.board.track.primary
        metric = str(primary)
        number = format_of(primary)
        averaged = counted(len(self._averaged), "treebank")
        columns = [
            Column("system"),
            Column("rank"),
            Column("team"),
            Column("average", below=averaged, format=number),
            *(Column(name, format=number) for name in self._averaged),
            *(Column(name, below="not in the average", format=number) for name in self._others),
        ]
        rows = []
        for group, ranked in _grouped(kind):
            entry = ranked.entry
            cells = [
                self._cell(entry.scored.score(name, metric), name)
                for name in (*self._averaged, *self._others)
            ]
            average = _average_cell(entry.scored.average(metric))
            if ranked.standing.missing:
                average = Cell(note=f"no score on {', '.join(ranked.standing.missing)}")
            rows.append(
                self._row(entry, [ranked.standing.rank, self._team(entry), average, *cells], group)
            )
        notes = [
            f"average: unweighted, over {', '.join(self._averaged)}, for every system",
            *filter(None, [kind.about_groups]),
        ]
        return Table(columns, rows, f"{titled(primary)}, {kind.name}", notes)

    def metrics(self, kind: KindOfSupervision) -> Table:
        """Return the averages of all metrics."""
        specs = self.board.track.metrics
        columns = [Column("system"), *(Column(titled(s), format=format_of(s)) for s in specs)]
        rows = [
            self._row(
                ranked.entry,
                [_average_cell(ranked.entry.scored.average(str(spec))) for spec in specs],
                group,
            )
            for group, ranked in _grouped(kind)
        ]
        return Table(
            columns,
            rows,
            f"All metrics, {kind.name}",
            [f"averages over {', '.join(self._averaged)}; only the first table ranks"],
        )

    # ------------------------------------------------------------------ gold standards

    def standards(self) -> dict[str, Table]:
        """Return a table for every treebank that has several gold standards, and their average."""
        tables = {}
        for treebank in (*self._averaged, *self._others):
            names = _names(
                e.scored.treebanks.get(treebank, {}).get("standards", {}) for e in self._entries
            )
            if len(names) > 1:
                tables[treebank] = self._standards(names, treebank)
        common = _names(e.scored.document["averages"]["standards"] for e in self._entries)
        if len(common) > 1:
            tables = {"average": self._standards(common, ""), **tables}
        return tables

    @property
    def _entries(self) -> list[Entry]:
        return self.board.entries

    def _standards(self, names: Sequence[str], treebank: str) -> Table:
        """Return scores by gold standard, with ranks; of the averages without a treebank."""
        primary = self.board.track.primary
        metric, number = str(primary), format_of(primary)
        higher = primary.metric.higher_is_better
        rows = []
        for kind in self.board.kinds:
            documents = {
                ranked.entry.scored.id: {
                    name: ranked.entry.scored.score(treebank, metric, name)
                    if treebank
                    else ranked.entry.scored.average(metric, name)
                    for name in names
                }
                for ranked in kind.entries
            }
            in_time = [ranked.entry.scored.id for ranked in (*kind.ranked, *kind.incomplete)]
            ranks = {
                name: _ranks({one: documents[one][name] for one in in_time}, higher)
                for name in names
            }
            for ranked in kind.entries:
                own = documents[ranked.entry.scored.id]
                cells = [
                    self._cell(own[name], treebank, ranks[name].get(ranked.entry.scored.id))
                    for name in names
                ]
                values = [one["value"] for one in own.values() if one and one["value"] is not None]
                best = (max if higher else min)(values, default=None)
                rows.append(self._row(ranked.entry, [*cells, Cell(best)], kind.name))
        columns = [
            Column("system"),
            *(Column(name, format=number) for name in names),
            Column(BEST, below="optimistic", format=number),
        ]
        where = treebank or "average"
        notes = [
            f"{GOLD} is the standard that ranks; in parentheses: the rank by each standard",
            ABOUT_BEST,
        ]
        return Table(columns, rows, f"{titled(primary)} by gold standard, {where}", notes)

    # ------------------------------------------------------------------ strata

    def strata(self) -> dict[str, dict[str, Table]]:
        """Return tables by stratum and treebank, without those that gold's labels name."""
        tables: dict[str, dict[str, Table]] = {}
        for by in self.board.track.by:
            own = {}
            for treebank in (*self._averaged, *self._others):
                if is_named_by_gold(by) and not self.shows_gold(treebank):
                    continue
                table = self._stratum(by, treebank)
                if table is not None:
                    own[treebank] = table
            if own:
                tables[by] = own
        return tables

    def _stratum(self, by: str, treebank: str) -> Table | None:
        cells = {
            ranked.entry.scored.id: stratum_cells(ranked.entry, treebank, by)
            for kind in self.board.kinds
            for ranked in kind.entries
        }
        names = _names(cells.values())
        if not names:
            return None
        rows = [
            self._row(
                ranked.entry,
                [_stratum_cell(cells[ranked.entry.scored.id].get(name)) for name in names],
                kind.name,
            )
            for kind in self.board.kinds
            for ranked in kind.entries
        ]
        columns = [Column("system"), *(Column(name, format=PERCENT) for name in names)]
        words = by.replace("_", " ")
        return Table(columns, rows, f"{titled(self.board.track.primary)} by {words}, {treebank}")

    # ------------------------------------------------------------------ rows and cells

    def _row(self, entry: Entry, cells: Sequence[Any], group: str) -> Row:
        name, _ = self.names(entry)
        return Row(
            [Cell(one_line(name)), *cells], group=group, link=self.links.get(entry.scored.id, "")
        )

    def _team(self, entry: Entry) -> Cell:
        return Cell(one_line(self.names(entry)[1]))

    def _cell(self, score: Document | None, treebank: str, rank: int | None = None) -> Cell:
        """Return a score with its interval, and without the fingerprint of gold that is secret."""
        if score is None:
            return Cell()
        signature = score.get("signature", "")
        if not self.shows_gold(treebank) if treebank else not self.shows_all_gold:
            signature = _DATA.sub("", signature)
        return Cell(
            score["value"],
            score["low"],
            score["high"],
            n=score.get("n"),
            signature=signature,
            remark="" if rank is None else str(rank),
        )

    def score_cell(self, entry: Entry, treebank: str, spec: MetricSpec, standard: str) -> Cell:
        """Return one score of a submission."""
        return self._cell(entry.scored.score(treebank, str(spec), standard), treebank)


def stratum_cells(entry: Entry, treebank: str, by: str) -> dict[str, Document]:
    """Return the scores of the strata of one treebank, by name."""
    standards = entry.scored.treebanks.get(treebank, {}).get("standards", {})
    cells = standards.get(GOLD, {}).get("strata", {}).get(by, {}).get("cells", [])
    return {cell["stratum"]: cell for cell in cells}


def _stratum_cell(cell: Document | None) -> Cell:
    if cell is None:
        return Cell()
    return Cell(cell["value"], cell["low"], cell["high"], n=cell["n"])


def _average_cell(average: Document | None) -> Cell:
    if average is None:
        return Cell()
    return Cell(average["value"], average["low"], average["high"])


def format_of(spec: MetricSpec) -> NumberFormat:
    """Return how the numbers of a metric are shown."""
    return PERCENT if spec.metric.is_share else NUMBER


def _grouped(kind: KindOfSupervision) -> Iterator[tuple[str, RankedEntry]]:
    """Give entries under the headings that the ranking has."""
    for one in kind.ranked:
        yield (f"group {one.group}" if kind.groups > 1 else "ranked"), one
    for one in kind.incomplete:
        yield "incomplete: no average, no rank", one
    for one in kind.late:
        yield "out of competition: received after the close", one


def _names(tables: Any) -> list[str]:
    """Return the names in any of the tables, in the order in which they come."""
    return list(dict.fromkeys(name for table in tables for name in table))


def _ranks(scores: Mapping[str, Document | None], higher_is_better: bool) -> dict[str, int]:
    values = {one: {"": score["value"] if score else None} for one, score in scores.items()}
    rows = standings(values, [""], higher_is_better=higher_is_better)
    return {row.system: row.rank for row in rows if row.rank is not None}
