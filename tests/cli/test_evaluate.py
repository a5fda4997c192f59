from __future__ import annotations

import io
import json
import sys

import polars as pl
import pytest

SECOND = """\
# sent_id = birds-2
1\tIn\tin\tADP\tIN\t_\t3\tcase\t_\t_
2\tthe\tthe\tDET\tDT\t_\t3\tdet\t_\t_
3\thouse\thouse\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_

"""


@pytest.fixture
def gold(birds, tmp_path):
    path = tmp_path / "gold.conllu"
    path.write_text(birds.read_text() + SECOND)
    return path


@pytest.fixture
def system(gold, tmp_path):
    """One word of six is attached to its gold grandchild's place: "in" heads "house"."""
    path = tmp_path / "ours.conllu"
    text = (
        gold.read_text()
        .replace("3\tcase", "0\tcase")
        .replace("\t0\troot\t_\t_\n\n", "\t1\troot\t_\t_\n\n")
    )
    path.write_text(text)
    return path


def scores(run, *arguments: str) -> dict:
    result = run("evaluate", *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_the_document_has_the_members_that_others_script_against(run, gold, system):
    document = scores(run, "gold.conllu", "ours.conllu", "-m", "uas,undirected,ned,las")
    assert (document["schema"], document["gold"]) == (1, "gold")
    (ours,) = document["systems"]
    assert ours["name"] == "ours"
    assert {name: score["value"] for name, score in ours["scores"].items()} == {
        "uas": 4 / 6,
        "undirected": 5 / 6,
        "ned": 1.0,
        "las": 4 / 6,
    }
    assert ours["scores"]["uas"]["n"] == 6
    assert ours["scores"]["uas"]["low"] <= 4 / 6 <= ours["scores"]["uas"]["high"]
    signature = ours["scores"]["uas"]["signature"]
    assert signature.startswith("uas|punct:yes|subtypes:no|average:micro|len:all|data:gold#")
    assert document["warnings"] == []


def test_gold_against_itself_is_perfect(run, gold):
    document = scores(run, "gold.conllu", "gold.conllu")
    values = {score["value"] for score in document["systems"][0]["scores"].values()}
    assert values == {1.0}


def test_bare_is_a_number_and_nothing_else(run, gold, system):
    result = run("evaluate", "gold.conllu", "ours.conllu", "-m", "las", "-b")
    assert (result.stdout, result.stderr) == ("66.67\n", "")


def test_presets_and_deviations_are_in_the_signature_and_under_the_table(run, gold, system):
    shown = run(
        "evaluate", "gold.conllu", "ours.conllu", "--preset", "pascal", "--average", "sentence"
    )
    assert "preset pascal, but average:sentence" in shown.stdout
    assert "punct:removed" in shown.stdout


def test_sentences_of_one_word_and_root_edges_can_be_left_out(run, gold, system, tmp_path):
    for name in ("gold", "ours"):
        path = tmp_path / f"{name}.conllu"
        path.write_text(path.read_text() + "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n\n")
    arguments = ("gold.conllu", "ours.conllu", "-m", "uas")

    def uas(*options: str) -> tuple[float, int, str]:
        found = scores(run, *arguments, *options)["systems"][0]["scores"]["uas"]
        return found["value"], found["n"], found["signature"].partition("|len:")[0]

    assert uas() == (5 / 7, 7, "uas|punct:yes|subtypes:no|average:micro")
    assert uas("--skip-length-one") == (
        *(4 / 6, 6),
        "uas|punct:yes|subtypes:no|average:micro|one-word:no",
    )
    # Birds, the full stop, "In" and "the" are left, and "In" is wrong.
    assert uas("--no-count-root") == (
        *(3 / 4, 4),
        "uas|punct:yes|subtypes:no|average:micro|root-edges:no",
    )
    shown = run("evaluate", *arguments, "--skip-length-one", "--no-count-root").stdout
    assert "preset conll2018, but one-word:no root-edges:no" in shown


def test_cut_offs(run, gold, system):
    document = scores(
        run, "gold.conllu", "ours.conllu", "-m", "uas@2,uas@2w,uas@3", "--punctuation", "removed"
    )
    found = {name: s["n"] for name, s in document["systems"][0]["scores"].items()}
    assert found == {"uas@2": 0, "uas@2w": 2, "uas@3": 5}
    assert document["systems"][0]["scores"]["uas@2"]["value"] is None


def test_several_systems_have_letters_and_tests(run, gold, system):
    shown = run("evaluate", "gold.conllu", "gold.conllu", "ours.conllu", "-m", "uas").stdout
    assert shown.splitlines()[0].split() == ["a", "gold", "b", "ours", "n"]
    document = scores(run, "gold.conllu", "gold.conllu", "ours.conllu", "-m", "uas")
    (test,) = document["tests"]
    # One sentence differs: two ways to exchange it, both as far apart as the two systems.
    assert (test["systems"], test["p"]) == (["gold", "ours"], 1.0)


def test_the_best_is_bold_also_in_latex_and_markdown(run, gold, system):
    arguments = ("evaluate", "gold.conllu", "gold.conllu", "ours.conllu", "-m", "uas")
    assert (
        r"UAS & \textbf{100.00} [100.00, 100.00] & 66.67" in run(*arguments, "-f", "latex").stdout
    )
    assert "| UAS | **100.00** [100.00, 100.00] | 66.67" in run(*arguments, "-f", "markdown").stdout


def test_a_column_that_is_empty_is_an_error_and_never_perfect(run, gold, tmp_path):
    lines = [line.split("\t") for line in gold.read_text().splitlines()]
    bare = ["\t".join([*f[:2], "_", *f[3:]]) if len(f) > 1 else f[0] for f in lines]
    (tmp_path / "bare.conllu").write_text("\n".join(bare) + "\n")
    result = run("evaluate", "gold.conllu", "bare.conllu", "-m", "lemma")
    assert result.returncode == 1
    assert result.stderr == "lemma needs LEMMA, and bare has none\n"
    document = scores(run, "gold.conllu", "bare.conllu")
    assert "lemma" not in document["systems"][0]["scores"]
    assert document["warnings"] == ["left out because columns are missing: blex, lemma"]


def test_other_words_are_explained_and_can_be_aligned(run, gold, tmp_path):
    joined = gold.read_text().replace("1\tBirds", "1\tBir").replace("2\tsing", "2\tdssing")
    (tmp_path / "joined.conllu").write_text(joined)
    result = run("evaluate", "gold.conllu", "joined.conllu")
    assert result.returncode == 1
    assert result.stderr == (
        "[token-mismatch] joined and gold differ in sentence 1 (birds-1), line 1 of gold: "
        'expected "Birds", found "Bir" as word 1\n'
        "  1 sentence differs at its place; 1 different gold sentence is nowhere in the "
        "system's file\n"
        "  the characters are the same: align by characters with --align\n"
    )
    aligned = scores(run, "gold.conllu", "joined.conllu", "--align", "-m", "words")
    assert aligned["systems"][0]["scores"]["words"]["value"] == 4 / 6


def test_a_system_that_is_no_tree_is_scored_and_the_flaws_are_counted(run, gold, tmp_path):
    (tmp_path / "odd.conllu").write_text(gold.read_text().replace("3\tdet", "2\tdet"))
    document = scores(run, "gold.conllu", "odd.conllu", "-m", "uas")
    assert document["systems"][0]["scores"]["uas"]["value"] == 5 / 6
    counted = "odd: cycles of 1 word in 1 sentence: counted as wrong"
    assert document["warnings"] == [
        counted,
        "odd.conllu: cycle (1); `treegauge validate --all` shows every one",
    ]
    quiet = run("evaluate", "gold.conllu", "odd.conllu", "-m", "uas", "--quiet")
    assert counted in quiet.stdout
    assert quiet.stderr == ""


def test_strata_confusions_errors_references_and_agreement(run, gold, system, birds, tmp_path):
    (tmp_path / "other.conllu").write_text(system.read_text())
    document = scores(
        run, "gold.conllu", "ours.conllu", "gold.conllu", "-m", "uas,las",
        "--by", "direction", "--by", "relation*direction", "--confusion", "relations",
        "--errors", "direction=right", "--reference", "other.conllu", "--agreement",
    )  # fmt: skip
    right = next(
        cell for cell in document["strata"][0]["systems"]["ours"] if cell["stratum"] == "right"
    )
    assert (right["value"], right["n"]) == (2 / 3, 3)
    assert document["strata"][1]["by"] == "relation*direction"
    assert document["confusions"]["ours"] == []
    assert document["errors"]["ours"] == ["birds-2: [In] the house  (←house confused with ←0)"]
    assert document["references"]["other"][0]["scores"]["uas"]["value"] == 1.0
    assert document["agreement"] == [{"metrics": ["uas", "las"], "tau_b": 1.0}]


def test_induced_tags_are_known_by_their_names(run, gold, tmp_path):
    (tmp_path / "clusters.conllu").write_text(
        gold.read_text().replace("NOUN", "c1").replace("VERB", "c2").replace("PUNCT", "c3")
        .replace("ADP", "c4").replace("DET", "c4")
    )  # fmt: skip
    document = scores(run, "gold.conllu", "clusters.conllu")
    found = document["systems"][0]["scores"]
    assert found["many_to_one"]["value"] == 5 / 6
    assert "upos" not in found
    assert "scored as induced tags" in document["warnings"][-1]


def test_unknown_names_are_answered_with_known_ones(run, gold, system):
    metric = run("evaluate", "gold.conllu", "ours.conllu", "-m", "ual")
    assert metric.returncode == 1
    assert metric.stderr.startswith("unknown metric 'ual'; did you mean")
    stratum = run("evaluate", "gold.conllu", "ours.conllu", "--by", "relatoin")
    assert "relation" in stratum.stderr
    assert run("evaluate", "gold.conllu", "ours.conllu", "--preset", "x").returncode == 2


def test_every_tag_has_precision_and_recall(run, gold, tmp_path):
    (tmp_path / "wrong.conllu").write_text(gold.read_text().replace("ADP", "DET"))
    rows = {
        row["tag"]: row
        for row in scores(run, "gold.conllu", "wrong.conllu", "-m", "upos", "--per-tag")["tags"][
            "wrong"
        ]
    }
    assert (rows["DET"]["precision"], rows["DET"]["recall"], rows["DET"]["n"]) == (0.5, 1.0, 1)
    assert (rows["ADP"]["precision"], rows["ADP"]["recall"]) == (None, 0.0)


def test_precision_and_recall_are_shown_where_words_differ(run, gold, tmp_path):
    lines = gold.read_text().replace("1\tIn", "1\tInthe").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith("2\tthe"))
    (tmp_path / "fewer.conllu").write_text(text.replace("3\thouse", "2\thouse"))
    shown = run(
        "evaluate", "gold.conllu", "fewer.conllu", "--align", "-m", "words", "--resamples", "0"
    )
    assert "72.73 (P 80.00 R 66.67)" in shown.stdout


def test_accuracy_by_edge_length_is_drawn(run, gold, system, tmp_path):
    arguments = ("evaluate", "gold.conllu", "gold.conllu", "ours.conllu", "-m", "ned,uas")
    result = run(*arguments, "--preset", "pascal", "--figure", "lengths.svg")
    assert (result.returncode, result.stderr) == (0, "wrote lengths.svg\n")
    assert result.stdout == run(*arguments, "--preset", "pascal").stdout
    drawn = (tmp_path / "lengths.svg").read_text(encoding="utf-8")
    assert all(f">{text}<" in drawn for text in ("gold", "ours", "NED (%)", "NED by edge length"))


def test_a_figure_of_no_kind_is_refused_at_once(run):
    # Before anything is read: these files do not exist.
    result = run("evaluate", "no-gold.conllu", "none.conllu", "--figure", "lengths.doc")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("lengths.doc: which kind of figure?")


@pytest.mark.usefixtures("gold", "system")
def test_scores_are_there_even_if_the_package_for_a_figure_is_not(run, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    arguments = ("evaluate", "gold.conllu", "ours.conllu", "-m", "uas")
    result = run(*arguments, "--figure", "lengths.png")
    assert result.returncode == 1
    assert result.stdout == run(*arguments).stdout != ""
    assert "PNG needs vl-convert-python" in result.stderr
    assert "pip install 'treegauge[figures]'" in result.stderr
    assert not any(tmp_path.glob("lengths.*"))
    assert run(*arguments, "--figure", "lengths.svg").returncode == 0


def test_references_of_one_name_are_kept_apart(run, gold, system, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "gold.conllu").write_text(system.read_text())
    document = scores(run, "gold.conllu", "ours.conllu", "--reference", "other/gold.conllu")
    assert list(document["references"]) == ["gold", "gold (2)"]
    assert document["references"]["gold (2)"][0]["scores"]["uas"]["value"] == 1.0


def test_gold_in_other_styles_is_a_reference_of_its_own(run, tmp_path):
    run("convert", "toy:svo:dev", "gold.conllu")
    run("convert", "gold.conllu", "functional.conllu", "--style", "functional")
    options = ("--styles", "all", "-m", "uas", "--resamples", "0", "--json")
    result = run("evaluate", "gold.conllu", "functional.conllu", *options)
    assert result.returncode == 0, result.stderr
    references = json.loads(result.stdout)["references"]
    assert list(references) == ["gold", "functional", "prague", "conll"]
    values = {name: systems[0]["scores"]["uas"]["value"] for name, systems in references.items()}
    assert values["functional"] == 1.0
    assert values["gold"] < 1.0
    assert run("evaluate", "gold.conllu", "gold.conllu", "--styles", "x").returncode == 1


@pytest.mark.parametrize(("format", "separator"), [("csv", ","), ("tsv", "\t")])
def test_strata_are_rows_of_one_table_that_reads_back(run, gold, system, format, separator):
    asked = ("evaluate", "gold.conllu", "ours.conllu", "gold.conllu", "-m", "uas,las")
    result = run(*asked, "--by", "direction", "--by", "relation", "-f", format, "--resamples", "0")
    assert result.returncode == 0, result.stderr
    frame = pl.read_csv(io.StringIO(result.stdout), separator=separator)
    assert frame.columns[:4] == ["system", "treebank", "by", "stratum"]
    assert frame["treebank"].to_list() == ["gold"] * len(frame)
    whole = frame.filter(pl.col("by").is_null())
    assert whole["system"].to_list() == ["ours", "gold"]
    assert {*frame["by"].drop_nulls()} == {"direction", "relation"}
    roots = frame.filter((pl.col("by") == "direction") & (pl.col("stratum") == "root"))
    assert roots["uas"].to_list()[1] == 1
    assert roots["las"].is_null().all()


@pytest.mark.parametrize("rows", ["metrics", "systems"])
def test_metrics_are_columns_of_csv_whatever_the_rows_are(run, gold, system, rows):
    asked = ("evaluate", "gold.conllu", "ours.conllu", "-m", "uas,las", "--resamples", "0")
    result = run(*asked, "--rows", rows, "--columns", "las", "-f", "csv")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[0] == "system,treebank,las,las_n"
    unknown = run(*asked, "--rows", rows, "--columns", "lax", "-f", "csv")
    assert unknown.returncode == 1
    assert "no table has a column 'lax'; did you mean las?" in unknown.stderr


def test_unknown_tags_are_refused_also_where_no_metric_looks_at_them(run, gold, system):
    result = run("evaluate", "gold.conllu", "ours.conllu", "-m", "uas", "--tags", "u21")
    assert result.returncode == 2
    assert "unknown tag column 'u21'; did you mean u12" in result.stderr
    assert run("evaluate", "gold.conllu", "ours.conllu", "--tags", "zz").returncode == 2
