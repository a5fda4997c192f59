from __future__ import annotations

import io
import json

import pytest

import treegauge as tg
from treegauge.formats import KINDS, LISTED, Finding, Severity


def add(findings: tg.Findings, kind: str, line: int = 1) -> None:
    findings.add(kind, line=line, expected="a", found="b", advice="c")


def roots(sentences: int) -> str:
    lines = "1\tsul\t_\t_\t_\t_\t0\troot\t_\t_\n2\tti\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    return lines * sentences


# ---------------------------------------------------------------- one finding


def test_message_has_place_rule_expected_found_sentence_and_advice() -> None:
    finding = Finding(
        "word-id",
        Severity.ERROR,
        "ours.conllu",
        118,
        expected="50",
        found="49",
        advice="use --empty-nodes skip, or renumber",
        sentence="weblog-0013",
    )
    assert str(finding) == (
        "ours.conllu:118: [word-id] expected 50, found 49 (sentence weblog-0013)\n"
        "  use --empty-nodes skip, or renumber"
    )


def test_message_without_line_and_sentence_names_the_file_alone() -> None:
    finding = Finding("empty-file", Severity.WARNING, "x.conllu", 0, "a sentence", "none", "look")
    assert str(finding) == "x.conllu: [empty-file] expected a sentence, found none\n  look"


def test_finding_as_json() -> None:
    finding = Finding("cycle", Severity.WARNING, "x.conllu", 7, "a tree", "1 -> 1", "mend", "s-1")
    assert json.loads(json.dumps(finding.to_dict())) == {
        "id": "cycle",
        "severity": "warning",
        "file": "x.conllu",
        "line": 7,
        "sentence": "s-1",
        "expected": "a tree",
        "found": "1 -> 1",
        "advice": "mend",
    }


def test_unknown_line_and_sentence_are_null_in_json() -> None:
    found = Finding("empty-file", Severity.WARNING, "x", 0, "a", "b", "c").to_dict()
    assert found["line"] is None
    assert found["sentence"] is None


def test_long_and_odd_values_are_shown_short_and_on_one_line() -> None:
    text = "1\tsul\t_\t_\t_\t_\t" + "x" * 100 + "\troot\t_\t_\n\n"
    with pytest.raises(tg.FormatError) as caught:
        tg.parse(text, format="conllu")
    assert str(caught.value) == (
        '<stream>:1: [head-number] expected a whole number as HEAD, found "'
        + "x" * 37
        + '…"\n  write 0 for the root and _ for no annotation'
    )


# ---------------------------------------------------------------- kinds


def test_every_kind_is_filed_under_its_id_and_states_a_rule() -> None:
    assert all(kind.id == name for name, kind in KINDS.items())
    assert all(kind.rule.endswith(".") for kind in KINDS.values())


def test_an_unknown_kind_cannot_be_added() -> None:
    with pytest.raises(KeyError):
        add(tg.Findings("x"), "no-such-kind")


@pytest.mark.parametrize(
    ("kind", "role", "strict", "severity"),
    [
        ("columns", "gold", False, Severity.ERROR),
        ("columns", "prediction", False, Severity.ERROR),
        ("cycle", "gold", False, Severity.WARNING),
        ("cycle", "gold", True, Severity.ERROR),
        ("cycle", "prediction", True, Severity.WARNING),
        ("cycle", "check", False, Severity.ERROR),
        ("cycle", "check", True, Severity.ERROR),
        ("head-missing", "check", False, Severity.WARNING),
        ("empty-file", "gold", False, Severity.ERROR),
        ("empty-file", "prediction", True, Severity.ERROR),
        ("empty-file", "check", False, Severity.ERROR),
        ("line-ends", "check", True, Severity.NOTE),
    ],
)
def test_severity_by_role(kind: str, role, strict: bool, severity: Severity) -> None:
    assert KINDS[kind].severity_for(role, strict=strict) == severity
    assert tg.Findings("x", role=role, strict=strict).severity(kind) == severity


# ---------------------------------------------------------------- many findings


def test_twenty_of_a_kind_are_listed_and_the_rest_counted() -> None:
    assert LISTED == 20
    findings = tg.Findings("x.conllu")
    for line in range(1, 1_026):
        add(findings, "cycle", line)
    add(findings, "no-root", 3)
    assert [f.line for f in findings if f.kind == "cycle"] == list(range(1, 21))
    assert findings.counts == {"cycle": 1_025, "no-root": 1}
    assert len(findings) == 1_026
    assert str(findings).splitlines()[-1] == ("x.conllu: [cycle] 1,005 more of these, 1,025 in all")
    assert str(findings).count("more of these") == 1


@pytest.mark.parametrize(("sentences", "more"), [(19, False), (20, False), (21, True)])
def test_the_count_is_said_from_the_twenty_first_on(sentences: int, more: bool) -> None:
    findings = tg.Findings()
    tg.read(io.StringIO(roots(sentences)), findings=findings)
    assert findings.counts == {"several-roots": sentences}
    assert len(list(findings)) == min(sentences, 20)
    assert ("[several-roots] 1 more of these, 21 in all" in str(findings)) == more


def test_advice_is_given_once() -> None:
    text = "sul dorvi\n" * 3 + "1\tx\n\n"
    with pytest.raises(tg.FormatError) as refused:
        tg.read(io.StringIO(text), format="conllu")
    lines = str(refused.value).splitlines()
    assert [line for line in lines if not line.startswith("  ")] == [
        f"<stream>:{n}: [columns] expected 10 columns, found {1 if n < 4 else 2}"
        for n in range(1, 5)
    ]
    advice = [line for line in lines if line.startswith("  ")]
    assert len(advice) == len(set(advice))


def test_line_flaws_are_counted_beyond_the_listed_ones() -> None:
    findings = tg.Findings()
    with pytest.raises(tg.FormatError, match=r"\[columns\] 30 more of these, 50 in all$"):
        tg.read(io.StringIO("sul dorvi\n" * 50 + "\n"), format="conllu", findings=findings)
    assert findings.counts == {"columns": 50}


def test_each_kind_has_room_for_twenty() -> None:
    findings = tg.Findings("x")
    for _ in range(30):
        add(findings, "cycle")
        add(findings, "no-root")
    assert findings.room("cycle") == findings.room("no-root") == 0
    assert findings.room("several-roots") == 20
    assert len(list(findings)) == 40


def test_findings_are_ordered_by_line_with_the_file_first() -> None:
    findings = tg.Findings("x")
    for kind, line in (("cycle", 9), ("no-root", 2), ("empty-file", 0), ("several-roots", 9)):
        add(findings, kind, line)
    assert [f.kind for f in findings] == ["empty-file", "no-root", "cycle", "several-roots"]


def test_totals_and_selection_by_severity() -> None:
    findings = tg.Findings("x")
    for _ in range(25):
        add(findings, "columns")
    add(findings, "cycle")
    add(findings, "line-ends")
    assert findings.total(Severity.ERROR) == 25
    assert findings.total(Severity.WARNING) == findings.total(Severity.NOTE) == 1
    chosen = findings.only(Severity.WARNING, Severity.NOTE)
    assert chosen.counts == {"cycle": 1, "line-ends": 1}
    assert [f.kind for f in chosen] == ["cycle", "line-ends"]
    assert findings.only(Severity.ERROR).total(Severity.ERROR) == 25


def test_no_findings_are_no_text() -> None:
    assert str(tg.Findings("x")) == ""
    assert len(tg.Findings("x")) == 0


# ---------------------------------------------------------------- what reading does with them


def test_the_error_holds_all_findings_and_shows_the_errors_alone() -> None:
    text = "\ufeff1\tsul\t_\t_\t_\t_\tx\troot\t_\t_\n# late\n\n"
    with pytest.raises(tg.FormatError) as caught:
        tg.read(io.StringIO(text), format="conllu")
    findings = caught.value.findings
    assert findings is not None
    assert findings.counts == {"head-number": 1, "comment-place": 1, "byte-order-mark": 1}
    assert str(caught.value).startswith("<stream>:1: [head-number]")
    assert "comment-place" not in str(caught.value)


def test_warnings_are_given_once_with_their_counts() -> None:
    with pytest.warns(tg.FormatWarning) as caught:
        tg.parse(2 * "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    (warning,) = caught
    assert str(warning.message) == (
        "<stream>: several-roots (2); `treegauge validate --all` shows every one"
    )


def test_collected_findings_are_not_warned_of() -> None:
    findings = tg.Findings()
    tg.read(io.StringIO(roots(1)), findings=findings, role="prediction", strict=True)
    assert (findings.file, findings.role, findings.strict) == ("<stream>", "prediction", True)
    assert findings.counts == {"several-roots": 1}


def test_notes_are_not_warned_of() -> None:
    assert tg.parse("sul\tNOUN\r\n").n_words == 1
