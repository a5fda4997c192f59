"""What the challenge's paper says of its tables, checked on them and on those of a run.

Every remark is a sentence of the paper with its section. A remark on something that a run lacks,
a system or a test set, is not checked there; neither are remarks on what is printed.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction. WILS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean, median

import polars as pl

from treegauge.papers.paper import Checked, Frames, Remark, Verdict
from treegauge.papers.pascal.scores import (
    METRICS,
    TAG_METRICS,
    TREE_METRICS,
    Named,
    NotMeasuredError,
    PaperTables,
    format_of,
    listed,
    present,
    ranking,
    spreads,
)
from treegauge.results.published import AVERAGE

PARTICIPANTS = ("BH", "MZc", "MZp", "MZu", "S1", "S2", "Tu")
"""Of the dependency track, without benchmarks and baselines."""
VARIANTS = ("DMVc", "DMVp", "DMVu")
_TAG_ENTRIES = ("BC", "CGS", "Cc", "Cp", "Gc", "Gu")
_RIVALS = {"BC": "p", "Cc": "c", "Cp": "p", "Gc": "c", "Gu": "u"}
"""Entries with as many classes as a benchmark, and whose letter says how many; CGS has another
number."""
_WELL_BELOW = 0.05
"""What we take for well below, and for a large margin."""
_WIDE = 0.3
"""What we take for a wide spread."""
_ALIKE = 0.05
"""What we take for similar scores."""
_NEARLY = 1e-9

Check = Callable[[PaperTables], tuple[Verdict, str]]

REMARKS: list[Remark] = []
"""What the paper says of its tables, in its order."""


def _remark(section: str, text: str, *, of_print: bool = False) -> Callable[[Check], Check]:
    """Register a check under the sentence that it is about; some are about the print alone."""

    def register(check: Check) -> Check:
        def on_frames(frames: Frames) -> Checked | None:
            tables = PaperTables(frames)
            if of_print and not tables.are_printed:
                return None
            try:
                return Checked(*check(tables))
            except NotMeasuredError:
                return None

        REMARKS.append(Remark(section, text, on_frames))
        return check

    return register


def _verdict(*parts: bool) -> Verdict:
    """Return whether all of several claims hold, or some of them.

    >>> _verdict(True, True), _verdict(True, False), _verdict(False)
    ('holds', 'partly', 'does not hold')
    """
    return "holds" if all(parts) else "partly" if any(parts) else "does not hold"


def _but(exceptions: Sequence[str], but: str = "; not ") -> str:
    """Return the exceptions behind a word, where there are any."""
    return but + "; ".join(exceptions) if exceptions else ""


def _ranked(
    number: int,
    expected: Mapping[str, Sequence[str]],
    *,
    among: Sequence[str] = (),
    shown: int = 2,
    last: bool = False,
) -> Check:
    """Return a check that these systems come first (or last) by the averages of a table.

    Under a metric for which nobody is expected, the ranking is shown only.
    """

    def check(tables: PaperTables) -> tuple[Verdict, str]:
        parts, lines = [], []
        for metric, names in expected.items():
            averages = tables.averages(number, metric)
            present(averages, names, len(names))
            order = ranking(averages, metric, present(averages, among or tuple(averages)))
            ends = order[::-1] if last else order
            parts += [ends[: len(names)] == list(names)] if names else []
            some = order[-shown:] if last else order[:shown]
            lines.append(f"{metric}: {listed(averages, some, metric)}")
        what = "the last two" if last else "averages"
        return _verdict(*parts), f"Table {number}, {what}: {'; '.join(lines)}"

    return check


# ---------------------------------------------------------------------- tags

_remark("6.1", "Gu is best by 1-1 and VI")(_ranked(2, {"one_to_one": ["Gu"], "vi": ["Gu"]}))
_remark("6.1", "Gu is the worst of the entries, baselines aside, by M-1 and V-measure")(
    _ranked(2, {"many_to_one": ["Gu"], "v_measure": ["Gu"]}, among=_TAG_ENTRIES, last=True)
)


@_remark("6.1", "by V-measure BC has the best performance in 9 out of 10")
def _nine_out_of_ten(tables: PaperTables) -> tuple[Verdict, str]:
    columns = tables.columns(2, "v_measure")
    firsts = {
        name: ranking(column, "v_measure", present(column, tuple(column)))[0]
        for name, column in columns.items()
    }
    others = [
        f"{name}: {listed(columns[name], (first, 'BC'), 'v_measure')}"
        for name, first in firsts.items()
        if columns[name][first] > columns[name]["BC"]
    ]
    won = len(columns) - len(others)
    return (
        _verdict(won >= 0.9 * len(columns)),
        f"Table 2: BC is best on {won} of {len(columns)}{_but(others, '; not on ')}",
    )


@_remark("6.1", "by V-measure BC is followed by CGS and C, also against fine tags")
def _followed_by(tables: PaperTables) -> tuple[Verdict, str]:
    groups = {"BC": ("BC",), "CGS": ("CGS",), "C": ("Cc", "Cp"), "G": ("Gc", "Gu")}
    parts, lines = [], []
    for number in (2, 7):
        averages = tables.averages(number, "v_measure")
        best = {
            name: max(averages[one] for one in present(averages, members, 1))
            for name, members in groups.items()
        }
        parts.append(all(best[a] > best[b] for a, b in pairwise(groups)))
        lines.append(f"Table {number}: {listed(best)}")
    return _verdict(*parts), f"best variants; {'; '.join(lines)}"


@_remark("6.1", "with as many classes, almost all but G beat Brown and mkcls across the metrics")
def _beat_the_benchmarks(tables: PaperTables) -> tuple[Verdict, str]:
    lost: dict[str, list[str]] = {}
    entries = present(tables.averages(2, "vi"), tuple(_RIVALS))
    for entry in entries:
        three = (entry, f"B{_RIVALS[entry]}", f"MK{_RIVALS[entry]}")
        for metric in TAG_METRICS:
            averages = tables.averages(2, metric)
            if ranking(averages, metric, present(averages, three, 3))[0] != entry:
                lost.setdefault(entry, []).append(metric)
    number = len(TAG_METRICS) * len(entries)
    beaten = number - sum(map(len, lost.values()))
    lines = [f"{entry} does not by {', '.join(metrics)}" for entry, metrics in lost.items()]
    return (
        _verdict(all(entry[0] == "G" for entry in lost), beaten > number / 2),
        f"Table 2, averages: {beaten} of {number} entries and metrics{_but(lines, '; ')}",
    )


@_remark("6.1", "languages with larger corpora (CHILDES, PTB, Czech) tend to better accuracies")
def _larger_corpora(tables: PaperTables) -> tuple[Verdict, str]:
    means = tables.means(2, "v_measure")
    order = ranking(means, "v_measure")
    large = present(means, ("en-childes", "en-ptb", "czech"), 3)
    ranks = {name: order.index(name) + 1 for name in large}
    return (
        _verdict(*(rank <= len(order) // 2 for rank in ranks.values())),
        "Table 2, V-measure averaged over systems: "
        f"{', '.join(f'{name} is {rank}.' for name, rank in ranks.items())} of {len(order)}",
    )


# ---------------------------------------------------------------------- trees

_FEWEST = ("arabic", "basque", "danish")


@_remark("6.2", "branching baselines outperform most or all on Arabic, Basque and Danish only")
def _branching_baselines(tables: PaperTables) -> tuple[Verdict, str]:
    margins = tables.margins(3, "uas", PARTICIPANTS, ("LB", "RB"))
    present(margins, _FEWEST, 3)
    number = max(map(len, margins.values()))
    beaten = {name: sum(margin < 0 for margin in own.values()) for name, own in margins.items()}
    return (
        _verdict({name for name, n in beaten.items() if n > number / 2} == set(_FEWEST)),
        f"Table 3, directed; participants (of {number}) below LB or RB: "
        + ", ".join(f"{name} {n}" for name, n in beaten.items() if n),
    )


@_remark("6.2", "these three have the least data")
def _least_data(tables: PaperTables) -> tuple[Verdict, str]:
    train = tables.frames["treebanks"].filter(pl.col("part") == "train")
    tokens = dict(train.select("test_set", "tokens").iter_rows())
    present(tokens, _FEWEST, 3)
    least = sorted(tokens, key=tokens.__getitem__)[:3]
    evidence = ", ".join(
        f"{name} {f'{tokens[name] / 1000:.1f}'.removesuffix('.0')}k" for name in least
    )
    return _verdict(set(_FEWEST) == set(least)), f"Table 1, training: {evidence}"


@_remark("6.2", "Basque and Dutch are the hardest, CHILDES and Portuguese the easiest")
def _hard_and_easy(tables: PaperTables) -> tuple[Verdict, str]:
    hard, easy = ("basque", "dutch"), ("en-childes", "portuguese")
    parts, lines = [], []
    for number in (3, 8):
        means = tables.means(number, "uas")
        present(means, (*hard, *easy), 4)
        order = ranking(means, "uas")
        parts += [name in order[-2:] for name in hard] + [name in order[:2] for name in easy]
        ends = listed(means, order[:-3:-1]), listed(means, order[:2])
        lines.append(f"Table {number}: hardest {ends[0]}, easiest {ends[1]}")
    return _verdict(*parts), "directed, averaged over systems; " + "; ".join(lines)


_remark("6.2", "Tu is best by directed accuracy and NED, second to BC by undirected accuracy")(
    _ranked(3, {"uas": ["Tu"], "undirected": ["BC", "Tu"], "ned": ["Tu"]})
)


@_remark("6.2", "no single result of Tu is well below those of other participants")
def _tu_is_consistent(tables: PaperTables) -> tuple[Verdict, str]:
    parts, lines = [], []
    for number in (3, 8):
        gaps = {
            name: column["Tu"] - median(column[one] for one in present(column, PARTICIPANTS, 3))
            for name, column in tables.columns(number, "uas").items()
        }
        worst = min(gaps, key=gaps.__getitem__)
        parts.append(gaps[worst] >= -_WELL_BELOW)
        lines.append(f"Table {number}: {worst}, {100 * gaps[worst]:+.1f}")
    evidence = "directed, beside the participants' median, at worst; "
    return _verdict(*parts), evidence + "; ".join(lines)


@_remark("6.2", "on Portuguese and Dutch directed and undirected agree on the winner, NED does not")
def _other_winners(tables: PaperTables) -> tuple[Verdict, str]:
    columns = {metric: tables.columns(3, metric) for metric in TREE_METRICS}
    firsts = Named(
        (name, [ranking(columns[m][name], m)[0] for m in TREE_METRICS]) for name in columns["uas"]
    )
    both = {name: firsts[name] for name in ("portuguese", "dutch")}
    same = sum(len(set(three)) == 1 for three in firsts.values())
    evidence = "; ".join(f"{name}: {', '.join(three)}" for name, three in both.items())
    return (
        _verdict(*(uas == undirected != ned for uas, undirected, ned in both.values())),
        f"Table 3, {evidence}; all three metrics have one winner on {same} of {len(firsts)}",
    )


@_remark("6.2", "in most cases the competitors outperform DMV, in many by a large margin")
def _beat_dmv(tables: PaperTables) -> tuple[Verdict, str]:
    margins = tables.margins(3, "uas", PARTICIPANTS, VARIANTS)
    every = [margin for own in margins.values() for margin in own.values()]
    above = dict.fromkeys((name for own in margins.values() for name in own), 0)
    for name in (name for own in margins.values() for name, margin in own.items() if margin > 0):
        above[name] += 1
    number, large = sum(above.values()), sum(margin > _WELL_BELOW for margin in every)
    evidence = ", ".join(
        f"{name} {above[name]}" for name in sorted(above, key=lambda one: -above[one])
    )
    return (
        _verdict(number > len(every) / 2),
        f"Table 3, directed: in {number} of {len(every)} cases above the best of c, p and u, in "
        f"{large} by over {100 * _WELL_BELOW:.0f} points; test sets by entry: {evidence}",
    )


@_remark("6.2", "in all cases DMV improved over its initialiser")
def _above_the_initialiser(tables: PaperTables) -> tuple[Verdict, str]:
    margins, columns = tables.margins(3, "uas", VARIANTS, ("H",)), tables.columns(3, "uas")
    pairs = sum(map(len, margins.values()))
    below = [
        f"{name}: {listed(columns[name], (one, 'H'))}"
        for name, own in margins.items()
        for one, margin in own.items()
        if margin <= 0
    ]
    evidence = f"in {pairs - len(below)} of {pairs} cases{_but(below, '; not: ')}"
    return _verdict(not below), f"Table 3, directed: {evidence}"


@_remark("6.2", "which tags DMV reads matters little in most cases, more on Dutch and the PTB")
def _granularity(tables: PaperTables) -> tuple[Verdict, str]:
    columns = tables.columns(3, "uas")
    spread = spreads({name: {v: own[v] for v in VARIANTS} for name, own in columns.items()})
    present(spread, ("dutch", "en-ptb"))
    return (
        _verdict(set(list(spread)[:2]) == {"dutch", "en-ptb"}),
        f"Table 3, directed, best less worst of c, p, u: {listed(spread)}",
    )


_remark("6.2", "fine tags are best for DMV by undirected accuracy and NED")(
    _ranked(3, {"uas": [], "undirected": ["DMVp"], "ned": ["DMVp"]}, among=VARIANTS, shown=3)
)
_remark("6.2", "Marecek and Zabokrtsky's system is best with fine tags")(
    _ranked(3, dict.fromkeys(TREE_METRICS, ("MZp",)), among=("MZc", "MZp", "MZu"), shown=3)
)


# ---------------------------------------------------------------------- both


@_remark("6.3", "joint models are less accurate than those with gold tags")
def _joint_is_lower(tables: PaperTables) -> tuple[Verdict, str]:
    parts, above = [], []
    for metric in TREE_METRICS:
        for one in present(tables.table(4, metric), VARIANTS, 1):
            joint, given = tables.averages_of(one, metric, (4, 3))
            parts.append(joint < given)
            shown = [format_of(metric).show(value) for value in (joint, given)]
            above += [] if parts[-1] else [f"{one} by {metric}, {' and '.join(shown)}"]
    evidence = f"{sum(parts)} of {len(parts)}{_but(above)}"
    return _verdict(*parts), f"Tables 4 and 3, averages of DMV: {evidence}"


_remark("6.3", "DMV over as many clusters as there are fine tags is the best joint model")(
    _ranked(4, dict.fromkeys(TREE_METRICS, ("DMVp",)), shown=1)
)


# ---------------------------------------------------------------------- references and relations


@_remark("6.4", "most do well against standard, conll2007 and functional, not against the others")
def _references(tables: PaperTables) -> tuple[Verdict, str]:
    table = tables.table(5, "uas", "reference")
    easy, hard = ("standard", "conll2007", "functional"), ("lexical", "oldLTH")
    others = [
        system
        for system in present(table, tuple(table))
        if min(table[system][one] for one in easy) <= max(table[system][one] for one in hard)
    ]
    better = len(table) - len(others)
    evidence = f"{better} of {len(table)}{_but([', '.join(others)] if others else [])}"
    return _verdict(better > len(table) / 2), f"Table 5: {evidence}"


@_remark("6.4", "BH is best against lexical and oldLTH, BC against the others")
def _best_by_reference(tables: PaperTables) -> tuple[Verdict, str]:
    columns = tables.columns(5, "uas", "reference")
    present(columns["oldLTH"], ("BH", "BC"))
    firsts = {name: ranking(own, "uas")[0] for name, own in columns.items() if name != "best"}
    expected = {name: "BH" if name in ("lexical", "oldLTH") else "BC" for name in firsts}
    evidence = ", ".join(f"{name} {system}" for name, system in firsts.items())
    return _verdict(firsts == expected), f"Table 5: {evidence}"


@_remark("Table 5", "the last row is the best of the others", of_print=True)
def _best_row(tables: PaperTables) -> tuple[Verdict, str]:
    right = [
        own["best"] == max(value for name, value in own.items() if name != "best")
        for own in tables.table(5, "uas", "reference").values()
    ]
    return _verdict(all(right)), f"{sum(right)} of {len(right)} systems"


@_remark("6.4", "accuracies for the root, for subjects and objects spread widely, also for CC")
def _spread_by_relation(tables: PaperTables) -> tuple[Verdict, str]:
    columns = tables.columns(6, "uas", "relation")
    present(columns["ROOT"], tuple(columns["ROOT"]))
    spread = spreads(columns)
    return (
        _verdict(*(spread[name] > _WIDE for name in ("ROOT", "SBJ", "OBJ", "CC"))),
        f"Table 6, best less worst: {listed(spread)}",
    )


@_remark("6.4", "scores for the root, for subjects and objects are similar to those for NMOD")
def _verbs_and_nouns(tables: PaperTables) -> tuple[Verdict, str]:
    means = tables.means(6, "uas", "relation")
    parts = [abs(means[name] - means["NMOD"]) <= _ALIKE for name in ("ROOT", "SBJ", "OBJ")]
    evidence = listed(means, ("ROOT", "SBJ", "OBJ", "NMOD"))
    return _verdict(*parts), f"Table 6, averaged over systems: {evidence}"


@_remark("Table 6", "nine relations are shown", of_print=True)
def _nine_relations(tables: PaperTables) -> tuple[Verdict, str]:
    there = sorted(tables.columns(6, "uas", "relation"))
    return _verdict(len(there) == 9), f"{len(there)} are: {', '.join(there)}"


# ---------------------------------------------------------------------- the print

_MARGIN_NOTE = "a margin note: directed figures are of sentences up to ten words, by mistake"


@_remark("Table 3", _MARGIN_NOTE, of_print=True)
def _corrected(tables: PaperTables) -> tuple[Verdict, str]:
    ours, short = (tables.columns(number, "uas")["en-ptb"] for number in (3, 8))
    standard = tables.columns(5, "uas", "reference")["standard"]
    same = sum(ours[system] == value for system, value in standard.items())
    as_short = sum(ours[system] == value for system, value in short.items())
    return (
        _verdict(as_short == len(ours)),
        f"the figures at hand are corrected: on the PTB {same} of {len(standard)} equal Table 5's "
        f"standard, which is of all lengths, and {as_short} Table 8's",
    )


@_remark("all", "printed averages are those of the printed figures", of_print=True)
def _printed_averages(tables: PaperTables) -> tuple[Verdict, str]:
    differences = {}
    for number in (2, 7, 3, 4, 8, 9):
        for metric in METRICS[number]:
            step = 0.01 if metric == "vi" else 0.0001 if number in (2, 7) else 0.001
            for system, own in tables.table(number, metric).items():
                mean = fmean(value for name, value in own.items() if name != AVERAGE)
                where = f"Table {number} {metric} {system}"
                differences[where] = abs(mean - own[AVERAGE]) - _NEARLY, step
    # Means of rounded figures may be off by half a step, and so may their print.
    off = [where for where, (by, step) in differences.items() if by > step]
    rounded = [where for where, (by, step) in differences.items() if step >= by > step / 2]
    right = len(differences) - len(rounded) - len(off)
    explained = _but(rounded, "; one off in the last digit, as rounding explains: ")
    return _verdict(not off), f"{right} of {len(differences)}{explained}{_but(off)}"


@_remark("all", "CGS has no result for Arabic", of_print=True)
def _arabic_of_cgs(tables: PaperTables) -> tuple[Verdict, str]:
    has = {
        number: "arabic" in tables.table(number, metric)["CGS"]
        for number, metric in ((2, "v_measure"), (7, "v_measure"), (4, "uas"), (9, "uas"))
    }
    without = ", ".join(str(number) for number in has if not has[number])
    there = [str(number) for number in has if has[number]]
    evidence = f"N/A in Tables {without}{_but(there, ', a figure in Table ')}"
    return _verdict(*(not value for value in has.values())), evidence
