from __future__ import annotations

import json

import pytest

from tests.cli.test_latex import compiled, needs_latex
from tests.in_process import cells_in_process
from tests.unit.results.made_up import results, row
from treegauge.catalogue.sets import BUILT_IN_SETS
from treegauge.results.long_table import write_long_table
from treegauge.runs import Experiment, run as run_experiment

TREEBANKS = ("ar_padt", "en_ewt", "toy:svo")


@pytest.fixture
def made_up(tmp_path):
    """The folder of a run with two tracks, seeds, strata, and a cell that failed."""
    rows = []
    for number, name in enumerate(TREEBANKS):
        for metric in ("uas", "uas@10", "ned"):
            value = 0.3 + number / 10
            about = {"metric": metric, "low": value - 0.01, "high": value + 0.01}
            rows += [
                row(name, "klein-manning-dmv", value, settings='{"tags": "u"}', **about),
                *(
                    row(name, "random_trees [a|b]", value / 2 + s / 50, seed=s, **about)
                    for s in (0, 1)
                ),
                row(name, "soegaard-rules", value + 0.1, supervision="universal rules", **about),
            ]
        rows.append(row(name, "brown", 2.5, metric="vi", track="tags", tags="u12"))
        rows += [
            row(name, "klein-manning-dmv", 0.5, by="edge_length", stratum=stratum)
            for stratum in ("1", "10+", "2")
        ]
    rows.append(row("en_ewt", "harmonic", None, reason="timeout: 5 s & more_or_less"))
    folder = tmp_path / "made-up"
    (folder / "cells").mkdir(parents=True)
    write_long_table(results(*rows), folder / "results.parquet")
    return folder


def test_a_table_for_every_track_and_metric_after_what_the_run_cost(run, made_up):
    result = run("report", "made-up")
    assert result.returncode == 0, result.stderr
    titles = [line for line in result.stdout.splitlines() if "(preset " in line]
    assert titles == [
        "tags: VI ↓ against u12 (preset pascal)",
        "dependencies: UAS (preset pascal)",
        "dependencies: NED (preset pascal)",
        "dependencies: UAS@10 (preset pascal)",
    ]
    assert result.stdout.startswith("made-up: 3 treebanks, 5 systems\n")
    assert "DMVu, published" in result.stdout
    assert "[1] not part of the run" in result.stdout
    assert "] timeout: 5 s & more_or_less" in result.stdout
    assert "What the figures of Gelling et al. (2012)" in result.stdout


def test_choosing_metrics_and_tracks(run, made_up):
    shown = run("report", "made-up", "-m", "uas,ned", "--track", "dependencies").stdout
    assert "UAS (preset" in shown
    assert "NED (preset" in shown
    assert "UAS@10" not in shown
    assert "VI" not in shown
    family = run("report", "made-up", "-m", "dependencies@10").stdout
    assert "UAS@10" in family
    assert "NED (preset" not in family


def test_intervals_strata_and_no_published_figures(run, made_up):
    plain = run("report", "made-up", "-m", "uas").stdout
    assert "[29.00, 31.00]" not in plain
    options = ("--intervals", "--no-published", "--by", "edge_length")
    shown = run("report", "made-up", "-m", "uas", *options).stdout
    assert "30.00 [29.00, 31.00]" in shown
    assert "published" not in shown
    assert "by edge_length, average over treebanks" in shown
    assert "by edge_length, toy:svo" in shown


def test_json_has_numbers_as_they_are(run, made_up):
    document = json.loads(run("report", "made-up", "--json", "--by", "edge_length").stdout)
    assert document["schema"] == 1
    # Nothing is known of these cells: the ones with scores were run all the same.
    assert document["run"]["cells"] == 16
    assert document["run"]["not_run"] == 1
    uas = next(t for t in document["tables"] if t["metric"] == "uas")
    assert [(r["system"], (r["published"] or {}).get("system")) for r in uas["rows"]] == [
        ("harmonic", None),
        ("harmonic", "H"),
        ("klein-manning-dmv", None),
        ("klein-manning-dmv", "DMVu"),
        ("random_trees [a|b]", None),
        ("soegaard-rules", None),
        ("soegaard-rules", "S2"),
    ]
    assert uas["rows"][2]["treebanks"]["ar_padt"]["value"] == 0.3
    assert uas["rows"][0]["treebanks"]["en_ewt"]["reason"] == "timeout: 5 s & more_or_less"
    assert document["strata"][0]["strata"][1]["stratum"] == "2"


@pytest.mark.parametrize("rows", ["systems", "metrics", "treebanks"])
def test_tsv_has_one_row_per_system_and_treebank(run, made_up, rows):
    lines = run("report", "made-up", "-f", "tsv", "--rows", rows).stdout.splitlines()
    head = lines[0].split("\t")
    assert head[:6] == ["track", "preset", "supervision", "system", "published", "treebank"]
    assert all(line.count("\t") == len(head) - 1 for line in lines)
    made = [dict(zip(head, line.split("\t"), strict=True)) for line in lines[1:]]
    (one,) = (row for row in made if (row["treebank"], row["published"]) == ("ar_padt", "DMVu"))
    assert (one["system"], one["uas"]) == ("klein-manning-dmv", "0.321")
    (ours,) = (
        row
        for row in made
        if (row["system"], row["treebank"], row["published"]) == ("klein-manning-dmv", "en_ewt", "")
    )
    assert [ours[name] for name in ("uas", "uas_low", "uas_high", "uas_n")] == [
        "0.4", "0.39", "0.41000000000000003", "100",
    ]  # fmt: skip
    (failed,) = (
        row
        for row in made
        if (row["system"], row["treebank"], row["published"]) == ("harmonic", "en_ewt", "")
    )
    assert (failed["uas"], failed["reason"]) == ("", "timeout: 5 s & more_or_less")


def test_tables_can_be_turned_and_cut(run, made_up):
    by_metric = run("report", "made-up", "--rows", "metrics", "--track", "dependencies").stdout
    titles = [line for line in by_metric.splitlines() if line.startswith("dependencies (preset")]
    assert titles == [
        f"dependencies (preset pascal): {name}"
        for name in (*TREEBANKS, "average (available)", "average (common)")
    ]
    assert "UAS@10" in by_metric
    by_treebank = run("report", "made-up", "--rows", "treebanks", "-m", "uas").stdout
    heads = [line for line in by_treebank.splitlines() if "soegaard-rules" in line]
    assert heads[1].split()[3:6] == ["klein-manning-dmv", "DMVu,", "published"]
    cut = run("report", "made-up", "-m", "uas", "--columns", "toy:svo").stdout
    (head,) = (line for line in cut.splitlines() if line.strip().startswith("toy:svo"))
    assert head.split() == ["toy:svo"]
    wrong = run("report", "made-up", "-m", "uas", "--columns", "toy:sov")
    assert wrong.returncode == 1
    assert "no table has a column 'toy:sov'; did you mean toy:svo" in wrong.stderr


def test_the_name_of_the_file_chooses_the_form(run, made_up):
    assert run("report", "made-up", "-o", "report.tsv").returncode == 0
    written = (made_up.parent / "report.tsv").read_text(encoding="utf-8")
    assert written == run("report", "made-up", "-f", "tsv").stdout


def test_markdown_keeps_groups_and_bold(run, made_up):
    shown = run("report", "made-up", "-m", "uas", "-o", "report.md")
    assert (shown.returncode, shown.stdout) == (0, "")
    text = (made_up.parent / "report.md").read_text(encoding="utf-8")
    assert "| *universal rules* |  |" in text
    assert "| klein-manning-dmv | **30.00** |" in text


@needs_latex
def test_latex_takes_the_tables(run, made_up, tmp_path):
    result = run("report", "made-up", "--by", "edge_length", "-f", "latex", "-o", "tables.tex")
    assert result.returncode == 0, result.stderr
    made = compiled(tmp_path)
    assert made.returncode == 0, made.stdout[-2000:]
    assert "Missing character" not in made.stdout


@needs_latex
def test_no_table_is_wider_than_a_landscape_page(run, tmp_path):
    rows = [
        row(name, system, 0.1 * seed + 0.5, seed=seed)
        for name in BUILT_IN_SETS["pascal10"]
        for system in ("left-branching", "a system with a long name")
        for seed in (0, 1)
    ]
    (tmp_path / "wide").mkdir()
    write_long_table(results(*rows), tmp_path / "wide" / "results.parquet")
    assert run("report", "wide", "-f", "latex", "-o", "tables.tex").returncode == 0
    made = compiled(tmp_path)
    assert made.returncode == 0, made.stdout[-2000:]
    assert r"Overfull \hbox" not in made.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: no such folder"),
        (["empty"], "empty: this is not the folder of a run"),
        (["begun"], "begun: this run has no results yet"),
        (["broken"], "this is not a table of results"),
        (["made-up", "-m", "las"], "the run has no las; it has ned, uas, uas@10, vi"),
        (["made-up", "-m", "shared-task"], "the run has no metric of shared-task; it has"),
        (["made-up", "-m", "uaz"], "unknown metric 'uaz'; did you mean uas"),
        (["made-up", "--track", "joint"], "no track 'joint'\n  it has dependencies, tags"),
        (["made-up", "--track", "tagz"], "no track 'tagz'; did you mean tags?\n  it has dep"),
        (["made-up", "--by", "relation"], "not scored by relation; it has edge_length"),
        (["made-up", "--by", "edge_lenth"], "unknown stratum 'edge_lenth'; did you mean edge_"),
        (["made-up", "--by", "tag*foo"], "unknown stratum 'foo'"),
        (
            ["made-up/results.parquet"],
            "this is a file, but a run is a folder\n  name the folder of ",
        ),
        (
            ["look.toml"],
            "this is a file, but a run is a folder\n  a run of it is in a folder such as",
        ),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_line(run, made_up, tmp_path, arguments, message):
    (tmp_path / "empty").mkdir()
    (tmp_path / "begun" / "cells").mkdir(parents=True)
    (tmp_path / "look.toml").touch()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "results.parquet").write_bytes(b"no parquet")
    result = run("report", *arguments)
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_real_run(run, tmp_path):
    experiment = {
        "name": "real",
        "treebanks": ["toy:svo"],
        "systems": ["left-branching"],
        "metrics": ["uas", "las@10"],
        "resamples": 20,
    }
    with cells_in_process():
        run_experiment(Experiment.from_dict(experiment), tmp_path / "real")
    result = run("report", "real")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("real: 1 treebank, 1 system\n")
    # One treebank: intervals, and no averages.
    assert "average" not in result.stdout.replace("average:micro", "")
    assert "[low, high]: 95% bootstrap interval over sentences" in result.stdout
