"""What the site is made of; that it builds, `make docs` says."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from treegauge.challenges.submission_findings import RULES
from treegauge.metrics import METRICS
from treegauge.systems import systems
from website.check import ASKED, flaws, unanswered
from website.exposed import exposed_classes
from website.json_shapes import schema_of, schemas, without_schema
from website.links import moved, pages_outside
from website.reference import findings_page, help_text, metrics_page, python_pages
from website.systems_at_a_glance import glance_page
from website.tables import LONGEST_OPEN, WIDEST_OPEN, fold_long_tables, folded, unfolded

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GOLDEN = ROOT / "tests" / "golden" / "outputs"


def test_every_page_has_a_place_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    places = set(re.findall(r"[\w/]+\.md", navigation))
    assert pages - places == set()
    made = {"contributing.md", "changelog.md", "code_of_conduct.md"}
    assert {p for p in places - pages - made if not p.startswith("reference/")} == set()


def test_every_metric_has_a_formula_and_no_other_has():
    formulas = tomllib.loads((ROOT / "website" / "metric_formulas.toml").read_text("utf-8"))
    assert set(formulas) == set(METRICS)
    page = metrics_page()
    assert all(f"### {name}\n" in page for name in METRICS)


def test_public_names_and_what_they_return_are_in_the_reference():
    pages = python_pages(ROOT)
    assert "::: treegauge.AlignmentError\n" in pages["treebank"]
    assert "::: treegauge.evaluation.scoring.SystemPair\n" in pages["evaluation"]
    text = "".join(pages.values())
    assert all(f"::: {one.__module__}.{one.__name__}\n" in text for one in exposed_classes())


def test_help_is_what_the_program_prints():
    text = help_text(["validate"])
    assert text.startswith("Usage: treegauge validate")
    assert "--strict" in text
    assert "\x1b" not in text


def test_findings_have_no_open_cell():
    lines = [line for line in findings_page().splitlines() if line.startswith("|")]
    widths = {len(re.split(r"(?<!\\)\|", line)) for line in lines}
    assert widths == {5, 7, 8}  # three columns of submissions, five of levels, six of findings


def test_every_rule_of_submissions_is_on_the_page_of_findings():
    page = findings_page()
    assert all(f"| `{rule.id}` | " in page for rule in RULES.values())


# ---------------------------------------------------------------------- tables


def numbers(rows: int, alignment: str = "| :-- | --: |") -> str:
    lines = "".join(f"| **a** `b{row}` | {row}.5 |\n" for row in range(rows))
    return f"| name | score |\n{alignment}\n{lines}"


def test_long_tables_of_numbers_are_folded_and_kept_as_files():
    files = []
    text = fold_long_tables(numbers(LONGEST_OPEN + 1), lambda tsv: files.append(tsv) or "t.tsv")
    assert text.count("<details") == text.count("</details>") == 1
    assert "(t.tsv)" in text
    assert files[0].splitlines()[:2] == ["name\tscore", "a b0\t0.5"]
    assert len(files[0].splitlines()) == LONGEST_OPEN + 2


@pytest.mark.parametrize(
    "text",
    [
        numbers(LONGEST_OPEN),
        numbers(LONGEST_OPEN + 1, alignment="| :-- | :-- |"),
        f"```text\n{numbers(LONGEST_OPEN + 1)}```\n",
    ],
    ids=["short", "of words", "in an example"],
)
def test_other_tables_stay_as_they_are(text):
    assert fold_long_tables(text, lambda _: pytest.fail("nothing is to be kept")) == text


def test_long_and_wide_tables_are_folded_in_the_sources_and_unfolded_on_the_site():
    wide = "| a " * (WIDEST_OPEN + 1) + "|\n" + "| --: " * (WIDEST_OPEN + 1) + "|\n"
    wide += "| 1 " * (WIDEST_OPEN + 1) + "|\n"
    page = f"before\n\n{numbers(LONGEST_OPEN + 1)}\nbetween\n\n{wide}\n{numbers(2)}\nafter\n"
    shown = folded(page)
    assert shown.count("<details>") == shown.count("</details>") == 2
    assert f"<summary>Table of {LONGEST_OPEN + 1} rows: name, score</summary>\n\n| name" in shown
    assert unfolded(shown) == page


def test_pages_of_results_can_be_read_where_code_is_hosted():
    for path in [DOCS / "results.md", *(DOCS / "results").glob("*.md")]:
        page = path.read_text(encoding="utf-8")
        shown = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
        assert len(shown.split()) < 6_000, path.name


def test_the_best_of_each_group_stay_open():
    rows = (
        "| *few* |  |\n| a | 1 |\n| **b** | **2** |\n| *none* |  |\n| *many* |  |\n| c | **3** |\n"
    )
    rows += (
        "".join(f"| d{row} | 0 |\n" for row in range(LONGEST_OPEN)) + "| *last* |  |\n| e | 0 |\n"
    )
    text = fold_long_tables(f"| name | score |\n| :-- | --: |\n{rows}", lambda _: "t.tsv")
    assert text.startswith(
        "The best of each group:\n\n| name | score |\n| :-- | --: |\n"
        "| *few* |  |\n| **b** | **2** |\n| *many* |  |\n| c | **3** |\n\n<details"
    )


def test_of_wide_tables_averages_stay_open():
    banks = [f"b{number}" for number in range(9)]
    header = f"|  | {' | '.join(banks)} | average |\n| :-- |{' --: |' * 10}\n"
    rows = "".join(f"| s{row} |{' 1 |' * 9} **{row}** |\n" for row in range(3))
    files = []
    text = fold_long_tables(header + rows, lambda tsv: files.append(tsv) or "t.tsv")
    assert text.startswith("|  | average |\n| :-- | --: |\n| s0 | **0** |\n")
    assert "<summary>Table of 3 rows: b0" in text
    assert files[0].count("\t") == 40
    narrow = header.replace(" average ", " mean ") + rows
    assert fold_long_tables(narrow, lambda _: pytest.fail("nothing is to be kept")) == narrow


# ---------------------------------------------------------------------- systems at a glance


def test_all_systems_are_on_one_page_once_and_the_measured_have_figures():
    page = glance_page(DOCS)
    names = re.findall(r"^\| \[`([^`]+)`\]\(systems\.md#[^)]+\)", page, re.MULTILINE)
    ours = [one.name for one in systems().values() if one.package == "treegauge"]
    assert sorted(names) == sorted(ours)
    rows = {name: line for name in names for line in page.splitlines() if f"[`{name}`]" in line}
    assert all(
        re.search(r"\| \d\d\.\d+ \| \d\d\.\d+ \| \d\d\.\d+ \|", rows[name])
        for name in ("dmv", "universal-dmv", "pyp-hmm", "brown")
    )
    without = {name for name, row in rows.items() if not re.search(r"\| \d\d\.\d+ \|", row)}
    assert without == {
        *("bilstm", "joint"),  # not measured
        *("corrupted", "external", "spacy", "stanza", "udpipe-model", "udpipe-server"),
    }


def test_figures_of_other_settings_say_which():
    page = glance_page(DOCS)
    (row,) = (line for line in page.splitlines() if line.startswith("| [`tsg-dmv`]"))
    assert re.search(r"\| \d\d\.\d \| \d\d\.\d \| \d\d\.\d \|$", row)
    assert "`tsg-dmv` was measured with `chains=" in page


def test_the_front_page_leads_to_what_strangers_ask():
    front = (DOCS / "index.md").read_text(encoding="utf-8")
    for question, (page, _) in ASKED.items():
        assert question in front
        assert re.search(rf"\({page.removesuffix('.html')}\.md[)#]", front)


def test_answers_that_are_too_far_away_are_noticed(tmp_path):
    def write(name: str, *links: str, text: str = "") -> None:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        anchors = "".join(f'<a href="{link}">x</a>' for link in links)
        path.write_text(f"<nav></nav><article>{text}{anchors}</article>", encoding="utf-8")

    answers = [page for page, _ in ASKED.values()]
    write("index.html", "list.html")
    write("list.html", *answers)
    for page, words in ASKED.values():
        write(page, text=f"<p>{words}</p>")
    assert unanswered(tmp_path) == []
    write(answers[0], text="nothing")
    write("index.html", "further.html")
    write("further.html", "list.html")
    assert len(unanswered(tmp_path)) == len(ASKED)
    write("index.html", "list.html")
    (complaint,) = unanswered(tmp_path)
    assert complaint.endswith("does not say: treegauge evaluate")


# ---------------------------------------------------------------------- links, JSON, the built site


def test_pages_outside_docs_are_there_and_their_links_hold():
    outside = pages_outside(ROOT)
    assert len(outside) > 6
    for source, place in outside.items():
        text = moved((ROOT / source).read_text("utf-8"), source, place, outside)
        for target in re.findall(r"\]\(([^)#:\s]+\.md)", text):
            path = (DOCS / place).parent.joinpath(target).resolve().relative_to(DOCS).as_posix()
            exists = (DOCS / path).exists() or path in outside.values()
            assert exists or path.startswith("reference/"), f"{source} -> {target}"


def test_schemas_hold_for_the_outputs_that_they_are_read_off():
    validators = pytest.importorskip("jsonschema").Draft202012Validator
    for name, schema in schemas(GOLDEN).items():
        validators.check_schema(schema)
        assert schema["properties"]["schema"] == {"type": "integer"}, name
    evaluate = schemas(GOLDEN)["evaluate"]
    output = json.loads((GOLDEN / "evaluate" / "pascal.json").read_text("utf-8"))
    assert validators(evaluate).is_valid(output)
    assert not validators(evaluate).is_valid({**output, "systems": 3})


def test_commands_have_a_schema_unless_no_test_can_hold_their_output():
    assert set(without_schema(schemas(GOLDEN))) == {
        *("data get", "warm-up"),
        *(f"challenge {name}" for name in ("join", "serve", "submit", "worker")),
    }
    assert "draw" not in without_schema([])


def test_names_that_are_data_are_no_fields():
    schema = schema_of([{"files": {"a.conllu": 1}, "scores": {"uas": 1.0, "las": 2.0}}])
    assert set(schema["properties"]) == {"files", "scores"}
    assert schema["properties"]["files"]["additionalProperties"] == {"type": "integer"}
    assert schema["properties"]["scores"]["additionalProperties"] == {"type": "number"}


def test_a_site_that_lacks_a_file_or_asks_a_network_is_flawed(tmp_path):
    (tmp_path / "a.html").write_text(
        '<img src="no.png"><script src="https://example.org/x.js"></script>'
        '<a href="b.html">b</a><a href="https://example.org">fine</a><a href="#here">fine</a>'
    )
    assert flaws(tmp_path) == [
        "a.html: loads https://example.org/x.js from a network",
        "a.html: no.png is missing",
        "a.html: b.html is missing",
    ]
    (tmp_path / "a.html").write_text('<a href="a.html#x">a</a>')
    assert flaws(tmp_path) == []


FOREIGN = "https://fonts.example.org/a"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", f"@font-face {{ src: local('A'), url({FOREIGN}) }}"),
        ("a.css", f'@import "{FOREIGN}";'),
        ("a.css", "p { background: url('//fonts.example.org/a') }"),
        ("a.html", f"<style>@import url('{FOREIGN}')</style>"),
        ("a.html", f'<p style="background: url({FOREIGN})">a</p>'),
        ("a.html", f'<script>fetch("{FOREIGN}")</script>'),
        ("a.html", f'<video src="{FOREIGN}"></video>'),
        ("js/a.js", f"import(`{FOREIGN}`)"),
    ],
)
def test_styles_and_scripts_that_ask_a_network_are_flaws(tmp_path, name, text):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    (flaw,) = flaws(tmp_path)
    assert re.fullmatch(rf"{name}: loads (https:)?//fonts.example.org/a from a network", flaw)


def test_styles_that_lack_a_file_are_flawed_and_others_are_not(tmp_path):
    (tmp_path / "a.css").write_text(
        "p { src: url('b.png'); mask: url(\"data:image/png,http://x\") }"
    )
    assert flaws(tmp_path) == ["a.css: b.png is missing"]
    (tmp_path / "b.png").write_text("")
    (tmp_path / "a.js").write_text("// https://example.org\nlog('see https://example.org')")
    (tmp_path / "a.html").write_text(f"<p>{FOREIGN} <code>'{FOREIGN}'</code></p>")
    assert flaws(tmp_path) == []


def test_what_the_theme_could_load_is_no_flaw_until_a_page_asks_for_it(tmp_path):
    (tmp_path / "bundle.js").write_text('load("https://unpkg.com/mermaid@11/mermaid.min.js")')
    page = tmp_path / "a.html"
    page.write_text("<pre>a</pre>")
    assert flaws(tmp_path) == []
    page.write_text('<pre class="mermaid">a</pre>')
    assert flaws(tmp_path) == [
        "bundle.js: loads https://unpkg.com/mermaid@11/mermaid.min.js from a network"
    ]
