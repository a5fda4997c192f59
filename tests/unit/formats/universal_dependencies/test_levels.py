"""Levels 1 and 2: one broken rule at a time, and kernels beside the checks in Python."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.formats import Findings, FormatError, Severity, Validation, validate
from treegauge.formats.blocks import sentence_blocks
from treegauge.formats.scanned_block import ScannedBlock
from treegauge.formats.universal_dependencies import _suspicion_numba as kernels
from treegauge.formats.universal_dependencies.level_check import LevelCheck, _Facts
from treegauge.formats.universal_dependencies.rules import LEVEL_KINDS, LEVEL_RULES

RIGHT = """\
# newdoc
# sent_id = a-1
# text = the dogs bark, don't they?
1	the	the	DET	DT	Definite=Def|PronType=Art	2	det	2:det	_
2	dogs	dog	NOUN	NNS	Number=Plur	3	nsubj	3:nsubj|5:nsubj	Gloss=big dog
3	bark	bark	VERB	VB	_	0	root	0:root	SpaceAfter=No
4	,	,	PUNCT	,	_	3	punct	3:punct	_
5-6	don't	_	_	_	_	_	_	_	_
5	do	do	AUX	VB	Case=Acc,Nom	3	parataxis	3:parataxis:до_a	_
6	n't	not	PART	RB	Number[psor]=Sing	5	advmod	5:advmod	_
7	they	they	PRON	PRP	_	5	nsubj	5:nsubj	SpaceAfter=No
8	?	?	PUNCT	?	_	3	punct	3:punct	_

# newpar id = p2
# sent_id = a-2
# text = naïve birds sing
1	naïve	naïve	ADJ	_	_	2	amod	2:amod	_
2	birds	bird	NOUN	_	_	3	nsubj	3:nsubj|3.1:nsubj	_
3	sing	sing	VERB	_	_	0	root	0:root	_
3.1	fly	fly	VERB	_	_	_	_	3:conj	_

# sent_id = a-3
# text = 100 000 cats
1	100 000	100 000	NUM	CD	_	2	nummod	2:nummod	Translit=x|Lang=de
2	cats	cat	NOUN	_	_	0	root	0:root	_

"""

# What is replaced, by what, and the official ids of the rules that are broken then.
CASES = [
    ("naïve\tADJ", "nai\u0308ve\tADJ", {"unicode-normalization"}),
    ("\tdog\t", "\td\ufffdg\t", {"invalid-utf"}),
    ("\tdog\t", "\td\x07g\t", {"control-character"}),
    ("4\t,\t,", "# late\n4\t,\t,", {"misplaced-comment"}),
    ("\n\n# newpar", "\n \t\n# newpar", {"pseudo-empty-line"}),
    ("\n\n# newpar", "\n\n\n# newpar", {"empty-sentence"}),
    ("4\t,\t,", "prose\n4\t,\t,", {"invalid-line"}),
    ("root\t0:root\t_\n\n", "root\t0:root\t_\n", {"missing-empty-line"}),
    ("3:punct\t_\n5-6", "3:punct\n5-6", {"number-of-columns"}),
    ("don't\t_", "don' t\t_", {"invalid-whitespace-mwt", "text-form-mismatch", "text-extra-chars"}),
    ("\tNNS\t", "\tN S\t", {"invalid-whitespace"}),
    ("\tNNS\t", "\t\t", {"empty-column", "empty-string-in-xpos"}),
    ("\tdog\t", "\t dog\t", {"leading-whitespace"}),
    ("\tdog\t", "\tdog\u00a0\t", {"trailing-whitespace"}),
    ("\tdog\t", "\td  g\t", {"repeated-whitespace"}),
    ("4\t,\t,", "04\t,\t,", {"invalid-word-id", "word-id-sequence", "word-interval-out"}),
    ("5-6\t", "6-5\t", {"reversed-word-interval"}),
    ("5-6\t", "5-9\t", {"word-interval-out"}),
    ("5-6\t", "4-6\t", {"misplaced-word-interval"}),
    ("3.1\tfly", "3.2\tfly", {"misplaced-empty-node"}),
    ("5\tdo\t", "5-5\tx\t_\t_\t_\t_\t_\t_\t_\t_\n5\tdo\t", {"overlapping-word-intervals"}),
    ("NNS\tNumber=Plur\t3", "NNS\tNumber=Plur\t_", {"invalid-head", "unknown-head"}),
    ("NNS\tNumber=Plur\t3", "NNS\tNumber=Plur\t9", {"unknown-head"}),
    ("2:det\t", "2-det\t", {"invalid-deps"}),
    ("2:det\t", "x:det\t", {"invalid-ehead", "unknown-ehead"}),
    ("2:det\t", "2.1:det\t", {"unknown-ehead"}),
    ("NNS\tNumber=Plur\t3", "NNS\tNumber=Plur\t2", {"head-self-loop"}),
    ("NNS\tNumber=Plur\t3", "NNS\tNumber=Plur\t1", {"non-tree"}),
    ("NNS\tNumber=Plur\t3", "NNS\tNumber=Plur\t0", {"multiple-roots"}),
    ("don't\t_\t_", "don't\t_\tAUX", {"mwt-nonempty-field"}),
    ("VERB\t_\t_\t_\t_\t3:conj", "VERB\t_\t_\t3\t_\t3:conj", {"empty-node-nonempty-field"}),
    ("\tdog\tNOUN", "\tdog\tNoun", {"unknown-upos"}),
    ("\tdog\tNOUN", "\tdog\tCONJ", {"unknown-upos"}),
    ("Definite=Def|PronType=Art", "PronType=Art|Definite=Def", {"unsorted-features"}),
    ("Number=Plur", "Number=plur", {"invalid-feature"}),
    ("Case=Acc,Nom", "Case=Acc,Acc", {"repeated-feature-value"}),
    ("Case=Acc,Nom", "Case=Nom,Acc", {"unsorted-feature-values"}),
    ("Number=Plur", "Number=Plur|Number=Sing", {"repeated-feature"}),
    ("2\tdet\t", "2\tDet\t", {"invalid-deprel"}),
    ("2\tdet\t", "2\tdeterminer\t", {"unknown-udeprel"}),
    ("3:nsubj|5:nsubj", "5:nsubj|3:nsubj", {"unsorted-deps"}),
    ("3:nsubj|5:nsubj", "3:nsubj|3:dep", {"unsorted-deps-2"}),
    ("3:nsubj|5:nsubj", "3:nsubj|3:nsubj", {"repeated-deps"}),
    ("3:nsubj|5:nsubj", "2:dep|3:nsubj", {"deps-self-loop"}),
    ("parataxis:до_a", "parataxis:До_a", {"invalid-edeprel"}),
    ("2:det\t", "2:determiner\t", {"unknown-eudeprel"}),
    ("2:det\t", "_\t", {"unconnected-egraph"}),
    ("Translit=x|Lang", "Translit=x||Lang", {"empty-misc"}),
    ("Translit=x|Lang", "=x|Lang", {"empty-misc-key"}),
    ("Translit=x|Lang", "Other= x|Lang", {"misc-extra-space"}),
    ("Translit=x|Lang", "translit=x|Lang", {"misc-attr-typo"}),
    ("Translit=x|Lang", "Lang=x|Lang", {"repeated-misc"}),
    ("2:nummod\tTranslit=x|Lang=de\n2\tcats\tcat\tNOUN\t_\t_\t0\troot\t0:root",
     "_\t_\n2\tcats\tcat\tNOUN\t_\t_\t0\troot\t_", {"edeps-only-sometimes"}),
    ("# sent_id = a-3", "# sent_id: a-3", {"invalid-sent-id", "missing-sent-id"}),
    ("# sent_id = a-3\n", "", {"missing-sent-id"}),
    ("# sent_id = a-3", "# sent_id = a-3\n# sent_id = a-4", {"multiple-sent-id"}),
    ("# sent_id = a-3", "# sent_id = a-1", {"non-unique-sent-id"}),
    ("# sent_id = a-3", "# sent_id = a/b/c", {"slash-in-sent-id"}),
    ("# sent_id = a-3", "# sent_id = a-3\n# parallel_id = PUD/1", {"invalid-parallel-id"}),
    ("# sent_id = a-3", "# sent_id = a-3\n# parallel_id = p/1\n# parallel_id = p/2",
     {"multiple-parallel-id"}),
    ("# sent_id = a-3", "# sent_id = a-3\n# parallel_id = p/1/alt2", {"parallel-id-alt"}),
    ("# sent_id = a-3", "# sent_id = a-3\n# parallel_id = p/1/part2", {"parallel-id-part"}),
    ("# newdoc", "# newdoc\n# newdoc x", {"multiple-newdoc"}),
    ("# newdoc", "# newpar\n# newpar x", {"multiple-newpar"}),
    ("3:punct\t_\n\n# newpar id = p2", "3:punct\tSpaceAfter=No\n\n# newpar",
     {"spaceafter-newdocpar"}),
    ("# text = naïve birds sing\n", "", {"missing-text"}),
    ("# text = naïve birds sing", "# text = naïve birds sing\n# text = x", {"multiple-text"}),
    ("# text = naïve birds sing", "# text = ", {"empty-text", "text-form-mismatch"}),
    ("# text = naïve birds sing", "# text = naïve birds sing ", {"text-trailing-whitespace"}),
    ("Gloss=big dog", "NoSpaceAfter=Yes", {"nospaceafter-yes"}),
    ("Gloss=big dog", "SpaceAfter=Yes", {"spaceafter-value"}),
    ("3:conj\t_", "3:conj\tSpaceAfter=No", {"spaceafter-empty-node"}),
    ("5:advmod\t_", "5:advmod\tSpaceAfter=No", {"spaceafter-mwt-node"}),
    ("# text = naïve birds sing", "# text = naïve bards sing",
     {"text-form-mismatch", "text-extra-chars"}),
    ("bark, don't", "bark,don't", {"missing-spaceafter"}),
    ("# text = naïve birds sing", "# text = naïve birds sing now", {"text-extra-chars"}),
]  # fmt: skip
WITHOUT_A_CASE = {"non-unix-newline", "non-unique-parallel-id"}
"""About a file as a whole; or about two sentences, and below."""


def at_level(text: str, level: int = 2, **options: bool) -> Validation:
    return validate(io.StringIO(text), level=level, format="conllu", every=True, **options)


def broken_rules(validation: Validation) -> set[str]:
    return {finding.official or finding.kind for finding in validation.findings}


def test_a_file_that_breaks_no_rule_is_valid() -> None:
    validation = at_level(RIGHT)
    assert not list(validation.findings)
    assert validation.verdict.endswith("valid, 3 sentences, 13 words; no findings")


@pytest.mark.parametrize(
    ("old", "new", "rules"), CASES, ids=[" ".join(sorted(c[2])) for c in CASES]
)
def test_one_change_breaks_exactly_these_rules(old: str, new: str, rules: set[str]) -> None:
    assert old in RIGHT
    validation = at_level(RIGHT.replace(old, new, 1))
    assert broken_rules(validation) == rules
    severities = {LEVEL_RULES[rule].severity for rule in rules}
    assert validation.is_valid == (severities == {Severity.WARNING})
    below = {rule for rule in rules if LEVEL_RULES[rule].level == 1}
    assert broken_rules(at_level(RIGHT.replace(old, new, 1), level=1)) == below


def test_every_rule_has_a_case() -> None:
    assert set().union(*(case[2] for case in CASES)) == set(LEVEL_RULES) - WITHOUT_A_CASE


def test_a_parallel_id_occurs_once() -> None:
    text = RIGHT.replace("# text", "# parallel_id = p/1\n# text")
    assert broken_rules(at_level(text)) == {"non-unique-parallel-id"}


def test_windows_line_ends_and_a_byte_order_mark_are_errors() -> None:
    validation = at_level("\ufeff" + RIGHT.replace("\n", "\r\n"))
    assert broken_rules(validation) == {"non-unix-newline", "invalid-line"}
    assert not validation.is_valid


def test_another_format_is_refused() -> None:
    validation = validate(io.StringIO("sul\tPRON\ndorvi\tVERB\n\n"), level=2)
    (finding,) = validation.findings
    assert (finding.kind, finding.found) == ("format", "tagged")


def test_a_level_that_is_not_there_is_refused() -> None:
    with pytest.raises(FormatError, match="no level 3 here: say 1 or 2"):
        at_level(RIGHT, level=3)


def test_strict_makes_errors_of_warnings() -> None:
    text = RIGHT.replace("Translit=x|Lang", "translit=x|Lang")
    assert at_level(text).is_valid
    assert not at_level(text, strict=True).is_valid


def test_json_has_the_official_ids() -> None:
    result = at_level(RIGHT.replace("\tdog\tNOUN", "\tdog\tNoun")).to_dict()
    assert result["official_counts"] == {"unknown-upos": 1}
    (finding,) = result["findings"]
    assert (finding["id"], finding["level"], finding["official"], finding["line"]) == (
        "unknown-upos", 2, "unknown-upos", 5,
    )  # fmt: skip


def test_one_error_of_a_sentence_hides_no_error_of_another() -> None:
    text = RIGHT.replace("4\t,\t,", "prose\n4\t,\t,").replace("bird\tNOUN", "bird\tBIRD")
    assert broken_rules(at_level(text)) == {"invalid-line", "unknown-upos"}


# ---------------------------------------------------------------- kernels beside Python


class SlowCheck(LevelCheck):
    """The twin: reads every sentence again, whatever the kernels say."""

    def _suspect_values(self, _block: ScannedBlock, facts: _Facts) -> None:
        facts.suspect[:] = kernels.ROWS


def counts_by(check: type[LevelCheck], text: str, level: int) -> Counter[tuple[int, str, int]]:
    findings = Findings(every=True)
    findings.kinds = LEVEL_KINDS
    checked = check(level, findings)
    for block in sentence_blocks(iter([text.encode()]), findings):
        checked.add(block)
    checked.finish()
    return Counter((one.line, one.official or one.kind, one.level) for one in findings)


PIECES = [
    *sorted({piece for case in CASES for text in case[:2] for piece in (text, *text.split("\t"))}),
    *("\t", "\n", " ", "_", "|", ":", "=", "0", "1", "2-3", "1.1", "# text = a", "\u3000"),
    "\u0301",
]


@st.composite
def damaged_texts(draw: st.DrawFn) -> str:
    text = RIGHT
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(0, len(text)))
        last = min(len(text), first + draw(st.sampled_from([0, 0, 1, 2, 9, 40])))
        text = text[:first] + draw(st.sampled_from(PIECES)) + text[last:]
    return text


@examples(300)
@given(text=damaged_texts(), level=st.sampled_from([1, 2]))
def test_kernels_suspect_every_sentence_that_breaks_a_rule(text: str, level: int) -> None:
    assert counts_by(LevelCheck, text, level) == counts_by(SlowCheck, text, level)


@pytest.mark.parametrize("case", CASES, ids=[" ".join(sorted(c[2])) for c in CASES])
def test_kernels_suspect_every_case(case: tuple[str, str, set[str]]) -> None:
    text = RIGHT.replace(*case[:2], 1)
    assert counts_by(LevelCheck, text, 2) == counts_by(SlowCheck, text, 2)
