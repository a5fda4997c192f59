"""`export-prompt` and `import-answers`."""

from __future__ import annotations

import json


def test_from_prompts_to_a_score(run, birds, tmp_path):
    result = run("export-prompt", "birds.conllu", "--format", "jsonl", "-o", "prompts.jsonl")
    assert result.returncode == 0, result.stderr
    (prompt,) = map(json.loads, (tmp_path / "prompts.jsonl").read_text().splitlines())
    rows = [line.split("\t") for line in birds.read_text().split("\n") if line[:1].isdigit()]
    table = "\n".join("\t".join([row[0], row[1], row[3], row[6], row[7]]) for row in rows)
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": prompt["id"], "answer": table}))
    options = ("--prompts", "prompts.jsonl", "-o", "parsed.conllu")
    read = run("import-answers", "answers.jsonl", *options)
    assert read.returncode == 0
    assert "1 of 1 prompt answered, 0 of 3 words could not be read" in read.stderr
    scored = run("evaluate", "birds.conllu", "parsed.conllu", "--repair", "-m", "las", "--bare")
    assert scored.stdout == "100.00\n"


def test_the_report_is_json_too(run, tmp_path):
    line = {"id": "a", "words": ["go", "on"], "answer": "1\tgo\tVERB\t0\troot"}
    (tmp_path / "answers.jsonl").write_text(json.dumps(line))
    report = json.loads(run("import-answers", "answers.jsonl", "-o", "x.conllu", "--json").stdout)
    assert (report["words"], report["wrong_words"]) == (2, 1)
    assert report["findings"][0]["id"].startswith("repaired-")


def test_prompts_go_to_standard_output(run, birds):
    line = json.loads(run("export-prompt", "birds.conllu").stdout)
    assert line["columns"] == ["ID", "FORM", "UPOS", "HEAD", "DEPREL"]


def test_an_unknown_column_is_refused(run, birds):
    result = run("export-prompt", "birds.conllu", "--columns", "upos,head,xyz")
    assert result.returncode == 1
    assert "columns to ask for are lemma, upos" in result.stderr
