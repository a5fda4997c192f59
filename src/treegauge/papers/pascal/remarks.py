"""What the challenge's paper says of its own tables, checked on the tables.

Every remark is a sentence of the paper with its section; what follows is computed from the
published figures, and says whether they bear it out. Nothing here is measured by us.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction. WILS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from statistics import fmean, median
from typing import Any, Literal

import polars as pl

from treegauge.metrics import MetricSpec
from treegauge.results.published import AVERAGE, published_figures

Verdict = Literal["holds", "partly", "does not hold"]
Values = Mapping[str, float]

PARTICIPANTS = ("BH", "MZc", "MZp", "MZu", "S1", "S2", "Tu")
"""Of the dependency track, without benchmarks and baselines."""
VARIANTS = ("DMVc", "DMVp", "DMVu")
_TAG_ENTRIES = ("BC", "CGS", "Cc", "Cp", "Gc", "Gu")
_RIVALS = {"BC": "p", "Cc": "c", "Cp": "p", "Gc": "c", "Gu": "u"}
"""Entries with as many classes as a benchmark, and whose letter says how many; CGS has another
number."""
TRAINING_TOKENS = {
    "arabic": 106.6,
    "czech": 1200.0,
    "danish": 68.5,
    "en-childes": 312.8,
    "en-ptb": 1100.0,
    "basque": 124.7,
    "dutch": 192.2,
    "portuguese": 196.4,
    "slovene": 193.0,
    "swedish": 184.6,
}
"""Thousands, from Table 1."""
_TAG_METRICS = ("many_to_one", "one_to_one", "v_measure", "vi")
_TREE_METRICS = ("uas", "undirected", "ned")


@dataclass(frozen=True)
class Remark:
    """A sentence of the paper, and whether its tables bear it out."""

    section: str
    text: str
    verdict: Verdict
    evidence: str

    def to_dict(self) -> dict[str, str]:
        """Return the remark as JSON has it."""
        return asdict(self)


@dataclass(frozen=True)
class Winner:
    """Who wins a table of the paper under a metric."""

    table: int
    metric: str
    average: tuple[str, float]
    """By the average that the paper prints, over the test sets that each system has."""
    common: tuple[str, float]
    """By that over the test sets that all systems have."""
    wins: Mapping[str, int]
    """Test sets on which a system is best, or as good as the best."""

    def to_dict(self) -> dict[str, Any]:
        """Return the winner as JSON has it."""
        return asdict(self)


# ---------------------------------------------------------------------- the tables


@cache
def _table(number: int, metric: str) -> dict[str, dict[str, float]]:
    """Return a table of the paper: by system, then by test set; the average is one of them."""
    found: dict[str, dict[str, float]] = {}
    rows = published_figures().filter(
        (pl.col("table") == number) & (pl.col("metric").str.split("@").list.first() == metric)
    )
    for system, test_set, value in rows.select("system", "test_set", "value").iter_rows():
        found.setdefault(system, {})[test_set] = value
    return found


def _averages(number: int, metric: str) -> dict[str, float]:
    return {system: own[AVERAGE] for system, own in _table(number, metric).items()}


def _column(number: int, metric: str, test_set: str) -> dict[str, float]:
    """Return all systems on a test set."""
    table = _table(number, metric)
    return {system: own[test_set] for system, own in table.items() if test_set in own}


def _test_sets(number: int, metric: str) -> list[str]:
    return [name for name in next(iter(_table(number, metric).values())) if name != AVERAGE]


def _sign(metric: str) -> int:
    return 1 if MetricSpec.parse(metric).metric.higher_is_better else -1


def _ranking(values: Values, metric: str, among: Iterable[str] = ()) -> list[str]:
    """Return systems from the best to the worst."""
    names = [name for name in values if not among or name in among]
    return sorted(names, key=lambda name: -_sign(metric) * values[name])


def _shown(value: float, metric: str) -> str:
    if metric == "vi":
        return f"{value:.2f}"
    return f"{100 * value:.{2 if metric in _TAG_METRICS else 1}f}"


def _listed(values: Values, names: Iterable[str], metric: str) -> str:
    return ", ".join(f"{name} {_shown(values[name], metric)}" for name in names)


def winners() -> list[Winner]:
    """Return who wins every table of the paper under every metric."""
    found = []
    for number, metrics in (
        *((number, _TAG_METRICS) for number in (2, 7)),
        *((number, _TREE_METRICS) for number in (3, 8, 4, 9)),
    ):
        for metric in metrics:
            table = _table(number, metric)
            common = [
                name
                for name in dict.fromkeys(key for own in table.values() for key in own)
                if name != AVERAGE and all(name in own for own in table.values())
            ]
            means = {s: fmean(own[name] for name in common) for s, own in table.items()}
            averages = _averages(number, metric)
            wins: dict[str, int] = {}
            for name in dict.fromkeys(key for own in table.values() for key in own):
                if name != AVERAGE:
                    column = _column(number, metric, name)
                    top = column[_ranking(column, metric)[0]]
                    for system, value in column.items():
                        if value == top:
                            wins[system] = wins.get(system, 0) + 1
            best, mean = _ranking(averages, metric)[0], _ranking(means, metric)[0]
            order = sorted(wins, key=lambda system: -wins[system])
            found.append(
                Winner(
                    number,
                    metric,
                    (best, averages[best]),
                    (mean, means[mean]),
                    {system: wins[system] for system in order},
                )
            )
    return found


# ---------------------------------------------------------------------- the remarks


def remarks() -> list[Remark]:
    """Check all remarks."""
    return [check() for check in _CHECKS]


_CHECKS: list[Callable[[], Remark]] = []


def _remark(section: str, text: str) -> Callable[[Callable[[], tuple[Verdict, str]]], None]:
    """Register a check under the sentence that it is about."""

    def register(check: Callable[[], tuple[Verdict, str]]) -> None:
        _CHECKS.append(lambda: Remark(section, text, *check()))

    return register


def _verdict(*parts: bool) -> Verdict:
    """Return whether all of several claims hold, or some of them.

    >>> _verdict(True, True), _verdict(True, False), _verdict(False)
    ('holds', 'partly', 'does not hold')
    """
    return "holds" if all(parts) else "partly" if any(parts) else "does not hold"


@_remark("6.1", "Gu is best by 1-1 and VI")
def _best_by_one_to_one_and_vi() -> tuple[Verdict, str]:
    firsts = {m: _ranking(_averages(2, m), m)[0] for m in ("one_to_one", "vi")}
    said = "; ".join(
        f"{m}: {_listed(_averages(2, m), _ranking(_averages(2, m), m)[:2], m)}" for m in firsts
    )
    return _verdict(*(first == "Gu" for first in firsts.values())), f"Table 2, averages: {said}"


@_remark("6.1", "Gu is the worst of the entries, baselines aside, by M-1 and V-measure")
def _worst_by_the_others() -> tuple[Verdict, str]:
    lasts = {
        m: _ranking(_averages(2, m), m, _TAG_ENTRIES)[-1] for m in ("many_to_one", "v_measure")
    }
    said = "; ".join(
        f"{m}: {_listed(_averages(2, m), _ranking(_averages(2, m), m, _TAG_ENTRIES)[-2:], m)}"
        for m in lasts
    )
    return _verdict(*(last == "Gu" for last in lasts.values())), f"Table 2, the last two: {said}"


@_remark("6.1", "by V-measure BC has the best performance in 9 out of 10")
def _nine_out_of_ten() -> tuple[Verdict, str]:
    others = {}
    sets = _test_sets(2, "v_measure")
    for name in sets:
        column = _column(2, "v_measure", name)
        first = _ranking(column, "v_measure")[0]
        if column[first] > column["BC"]:
            others[name] = _listed(column, (first, "BC"), "v_measure")
    said = "; ".join(f"{name}: {text}" for name, text in others.items())
    won = len(sets) - len(others)
    return _verdict(won == 9), f"Table 2: BC is best on {won} of {len(sets)}; not on {said}"


def _entries_in_order(table: int) -> tuple[bool, str]:
    averages = _averages(table, "v_measure")
    groups = {"BC": ("BC",), "CGS": ("CGS",), "C": ("Cc", "Cp"), "G": ("Gc", "Gu")}
    best = {name: max(averages[one] for one in members) for name, members in groups.items()}
    in_order = all(best[a] > best[b] for a, b in pairwise(groups))
    return in_order, f"Table {table}: " + ", ".join(f"{n} {100 * v:.1f}" for n, v in best.items())


@_remark("6.1", "by V-measure BC is followed by CGS and C, also against fine tags")
def _followed_by() -> tuple[Verdict, str]:
    (universal, said), (fine, also) = _entries_in_order(2), _entries_in_order(7)
    return _verdict(universal, fine), f"best variants; {said}; {also}"


@_remark("6.1", "with as many classes, almost all but G beat Brown and mkcls across the metrics")
def _beat_the_benchmarks() -> tuple[Verdict, str]:
    lost: dict[str, list[str]] = {}
    for entry, letter in _RIVALS.items():
        for metric in _TAG_METRICS:
            averages = _averages(2, metric)
            rivals = (f"B{letter}", f"MK{letter}")
            if _ranking(averages, metric, (entry, *rivals))[0] != entry:
                lost.setdefault(entry, []).append(metric)
    others = {entry: metrics for entry, metrics in lost.items() if entry[0] != "G"}
    said = "; ".join(f"{entry} does not by {', '.join(names)}" for entry, names in lost.items())
    beaten = 4 * len(_RIVALS) - sum(map(len, lost.values()))
    return (
        _verdict(not others, beaten > 2 * len(_RIVALS)),
        f"Table 2, averages: {beaten} of {4 * len(_RIVALS)} entries and metrics; {said}",
    )


@_remark("6.1", "languages with larger corpora (CHILDES, PTB, Czech) tend to better accuracies")
def _larger_corpora() -> tuple[Verdict, str]:
    means = {
        name: fmean(_column(2, "v_measure", name).values()) for name in _test_sets(2, "v_measure")
    }
    order = _ranking(means, "v_measure")
    ranks = {name: order.index(name) + 1 for name in ("en-childes", "en-ptb", "czech")}
    said = ", ".join(f"{name} is {rank}." for name, rank in ranks.items())
    return (
        _verdict(*(rank <= len(order) // 2 for rank in ranks.values())),
        f"Table 2, V-measure averaged over systems: {said} of {len(order)}",
    )


@_remark("6.2", "branching baselines outperform most or all on Arabic, Basque and Danish only")
def _branching_baselines() -> tuple[Verdict, str]:
    beaten = {}
    for name in _test_sets(3, "uas"):
        column = _column(3, "uas", name)
        bar = max(column["LB"], column["RB"])
        beaten[name] = sum(column[one] < bar for one in PARTICIPANTS)
    most = {name for name, n in beaten.items() if n > len(PARTICIPANTS) / 2}
    said = ", ".join(f"{name} {n}" for name, n in beaten.items() if n)
    return (
        _verdict(most == {"arabic", "basque", "danish"}),
        f"Table 3, directed; participants (of {len(PARTICIPANTS)}) below LB or RB: {said}",
    )


@_remark("6.2", "these three have the least data")
def _least_data() -> tuple[Verdict, str]:
    least = sorted(TRAINING_TOKENS, key=TRAINING_TOKENS.__getitem__)[:3]
    said = ", ".join(f"{name} {TRAINING_TOKENS[name]:g}k" for name in least)
    return _verdict({"arabic", "basque", "danish"} == set(least)), f"Table 1, training: {said}"


@_remark("6.2", "Basque and Dutch are the hardest, CHILDES and Portuguese the easiest")
def _hard_and_easy() -> tuple[Verdict, str]:
    parts, said = [], []
    for table in (3, 8):
        means = {name: fmean(_column(table, "uas", name).values()) for name in _test_sets(3, "uas")}
        order = _ranking(means, "uas")
        parts += [name in order[-2:] for name in ("basque", "dutch")]
        parts += [name in order[:2] for name in ("en-childes", "portuguese")]
        said.append(
            f"Table {table}: hardest {_listed(means, order[:-3:-1], 'uas')}, easiest "
            f"{_listed(means, order[:2], 'uas')}"
        )
    return _verdict(*parts), "directed, averaged over systems; " + "; ".join(said)


@_remark("6.2", "Tu is best by directed accuracy and NED, second to BC by undirected accuracy")
def _tu_wins() -> tuple[Verdict, str]:
    orders = {m: _ranking(_averages(3, m), m)[:2] for m in _TREE_METRICS}
    said = "; ".join(f"{m}: {_listed(_averages(3, m), two, m)}" for m, two in orders.items())
    return (
        _verdict(
            orders["uas"][0] == "Tu", orders["ned"][0] == "Tu", orders["undirected"] == ["BC", "Tu"]
        ),
        f"Table 3, averages: {said}",
    )


@_remark("6.2", "no single result of Tu is well below those of other participants")
def _tu_is_consistent() -> tuple[Verdict, str]:
    parts, said = [], []
    for table in (3, 8):
        gaps = {}
        for name in _test_sets(table, "uas"):
            column = _column(table, "uas", name)
            gaps[name] = column["Tu"] - median(column[one] for one in PARTICIPANTS)
        worst = min(gaps, key=gaps.__getitem__)
        parts.append(gaps[worst] >= -_WELL_BELOW)
        said.append(f"Table {table}: {worst}, {100 * gaps[worst]:+.1f}")
    return _verdict(*parts), "directed, beside the participants' median, at worst; " + "; ".join(
        said
    )


_WELL_BELOW = 0.05
"""What we take for well below."""


@_remark("6.2", "on Portuguese and Dutch directed and undirected agree on the winner, NED does not")
def _other_winners() -> tuple[Verdict, str]:
    firsts = {
        name: [_ranking(_column(3, m, name), m)[0] for m in _TREE_METRICS]
        for name in _test_sets(3, "uas")
    }
    parts = [
        firsts[name][0] == firsts[name][1] != firsts[name][2] for name in ("portuguese", "dutch")
    ]
    same = sum(len(set(three)) == 1 for three in firsts.values())
    said = "; ".join(f"{name}: {', '.join(firsts[name])}" for name in ("portuguese", "dutch"))
    return (
        _verdict(*parts),
        f"Table 3, {said}; all three metrics have one winner on {same} of {len(firsts)}",
    )


@_remark("6.2", "in all cases DMV improved over its initialiser")
def _above_the_initialiser() -> tuple[Verdict, str]:
    below = []
    pairs = 0
    for name in _test_sets(3, "uas"):
        column = _column(3, "uas", name)
        pairs += len(VARIANTS)
        below += [
            f"{name}: {_listed(column, (one, 'H'), 'uas')}"
            for one in VARIANTS
            if column[one] <= column["H"]
        ]
    said = f"; not: {'; '.join(below)}" if below else ""
    return _verdict(not below), f"Table 3, directed: in {pairs - len(below)} of {pairs} cases{said}"


@_remark("6.2", "which tags DMV reads matters little in most cases, more on Dutch and the PTB")
def _granularity() -> tuple[Verdict, str]:
    spread = {}
    for name in _test_sets(3, "uas"):
        values = [_column(3, "uas", name)[one] for one in VARIANTS]
        spread[name] = max(values) - min(values)
    order = sorted(spread, key=lambda name: -spread[name])
    said = ", ".join(f"{name} {100 * spread[name]:.1f}" for name in order)
    return (
        _verdict(set(order[:2]) == {"dutch", "en-ptb"}),
        f"Table 3, directed, best less worst of c, p, u: {said}",
    )


@_remark("6.2", "fine tags are best for DMV by undirected accuracy and NED")
def _fine_tags() -> tuple[Verdict, str]:
    firsts = {m: _ranking(_averages(3, m), m, VARIANTS)[0] for m in _TREE_METRICS}
    said = "; ".join(
        f"{m}: {_listed(_averages(3, m), _ranking(_averages(3, m), m, VARIANTS), m)}"
        for m in firsts
    )
    return (
        _verdict(firsts["undirected"] == "DMVp", firsts["ned"] == "DMVp"),
        f"Table 3, averages: {said}",
    )


@_remark("6.2", "Marecek and Zabokrtsky's system is best with fine tags")
def _fine_tags_of_mz() -> tuple[Verdict, str]:
    three = ("MZc", "MZp", "MZu")
    parts = [_ranking(_averages(3, m), m, three)[0] == "MZp" for m in _TREE_METRICS]
    said = "; ".join(f"{m}: {_listed(_averages(3, m), three, m)}" for m in _TREE_METRICS)
    return _verdict(*parts), f"Table 3, averages: {said}"


@_remark("6.3", "joint models are less accurate than those with gold tags")
def _joint_is_lower() -> tuple[Verdict, str]:
    parts, above = [], []
    for metric in _TREE_METRICS:
        joint, given = _averages(4, metric), _averages(3, metric)
        for one in VARIANTS:
            parts.append(joint[one] < given[one])
            if not parts[-1]:
                above.append(
                    f"{one} by {metric}, {_shown(joint[one], metric)} and "
                    f"{_shown(given[one], metric)}"
                )
    said = f"; not {'; '.join(above)}" if above else ""
    return _verdict(*parts), f"Tables 4 and 3, averages of DMV: {sum(parts)} of {len(parts)}{said}"


@_remark("6.3", "DMV over as many clusters as there are fine tags is the best joint model")
def _best_joint() -> tuple[Verdict, str]:
    firsts = {m: _ranking(_averages(4, m), m)[0] for m in _TREE_METRICS}
    said = "; ".join(f"{m}: {_listed(_averages(4, m), (one,), m)}" for m, one in firsts.items())
    return _verdict(*(one == "DMVp" for one in firsts.values())), f"Table 4, averages: {said}"


@_remark("6.4", "most do well against standard, conll2007 and functional, not against the others")
def _references() -> tuple[Verdict, str]:
    table = _by_reference()
    better = [
        system
        for system, own in table.items()
        if min(own["standard"], own["conll2007"], own["functional"])
        > max(own["lexical"], own["oldLTH"])
    ]
    others = [system for system in table if system not in better]
    return (
        _verdict(len(better) > len(table) / 2),
        f"Table 5: {len(better)} of {len(table)}; not {', '.join(others)}",
    )


@_remark("6.4", "BH is best against lexical and oldLTH, BC against the others")
def _best_by_reference() -> tuple[Verdict, str]:
    table = _by_reference()
    firsts = {
        name: max(table, key=lambda system: table[system][name])
        for name in next(iter(table.values()))
        if name != "best"
    }
    expected = {name: "BH" if name in ("lexical", "oldLTH") else "BC" for name in firsts}
    said = ", ".join(f"{name} {system}" for name, system in firsts.items())
    return _verdict(firsts == expected), f"Table 5: {said}"


@cache
def _by_reference() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    rows = published_figures().filter(pl.col("table") == 5)
    for system, reference, value in rows.select("system", "reference", "value").iter_rows():
        found.setdefault(system, {})[reference] = value
    return found


@_remark("Table 5", "the last row is the best of the others")
def _best_row() -> tuple[Verdict, str]:
    table = _by_reference()
    wrong = [
        system
        for system, own in table.items()
        if own["best"] != max(value for name, value in own.items() if name != "best")
    ]
    return _verdict(not wrong), f"{len(table) - len(wrong)} of {len(table)} systems"


@_remark("Table 6", "nine relations are shown")
def _nine_relations() -> tuple[Verdict, str]:
    there = published_figures().filter(pl.col("table") == 6)["relation"].unique().sort().to_list()
    return _verdict(len(there) == 9), f"{len(there)} are: {', '.join(there)}"


@_remark("Table 3", "a margin note: directed figures are of sentences up to ten words, by mistake")
def _corrected() -> tuple[Verdict, str]:
    ours = _column(3, "uas", "en-ptb")
    standard = {system: own["standard"] for system, own in _by_reference().items()}
    short = _column(8, "uas", "en-ptb")
    same = sum(ours[system] == value for system, value in standard.items())
    as_short = sum(ours[system] == value for system, value in short.items())
    return (
        _verdict(as_short == len(ours)),
        f"the figures at hand are corrected: on the PTB {same} of {len(standard)} equal Table 5's "
        f"standard, which is of all lengths, and {as_short} Table 8's",
    )


@_remark("all", "printed averages are those of the printed figures")
def _printed_averages() -> tuple[Verdict, str]:
    rounded, off, number = [], [], 0
    for table, metrics in (
        *((table, _TAG_METRICS) for table in (2, 7)),
        *((table, _TREE_METRICS) for table in (3, 4, 8, 9)),
    ):
        for metric in metrics:
            for system, own in _table(table, metric).items():
                mean = fmean(value for name, value in own.items() if name != AVERAGE)
                number += 1
                step = 0.01 if metric == "vi" else 0.0001 if table in (2, 7) else 0.001
                difference = abs(mean - own[AVERAGE])
                where = f"Table {table} {metric} {system}"
                # Means of rounded figures may be off by half a step, and so may their print.
                if difference > step + _NEARLY:
                    off.append(where)
                elif difference > step / 2 + _NEARLY:
                    rounded.append(where)
    said = f"{number - len(rounded) - len(off)} of {number}"
    if rounded:
        said += f"; one off in the last digit, as rounding explains: {'; '.join(rounded)}"
    if off:
        said += f"; not {'; '.join(off)}"
    return _verdict(not off), said


_NEARLY = 1e-9


@_remark("all", "CGS has no result for Arabic")
def _arabic_of_cgs() -> tuple[Verdict, str]:
    has = {
        table: "arabic" in _table(table, metric)["CGS"]
        for table, metric in ((2, "v_measure"), (7, "v_measure"), (4, "uas"), (9, "uas"))
    }
    there = [str(table) for table, value in has.items() if value]
    without = [str(table) for table, value in has.items() if not value]
    said = f"N/A in Tables {', '.join(without)}"
    return _verdict(*(not value for value in has.values())), said + (
        f", a figure in Table {', '.join(there)}" if there else ""
    )
