from __future__ import annotations

from treegauge.wording import counted, did_you_mean, nearest, unknown_name


def test_counts_are_in_the_singular_for_one() -> None:
    assert counted(1, "word") == "1 word"
    assert counted(0, "word") == "0 words"
    assert counted(12345, "word") == "12,345 words"


def test_nearest_names_keep_their_spelling() -> None:
    assert nearest("ud_english-etw", ["UD_English-EWT", "zh_gsd"]) == ["UD_English-EWT"]
    assert nearest("xyz", ["en_ewt"]) == []


def test_the_question_is_empty_where_no_name_is_near() -> None:
    assert did_you_mean("xyz", ["en_ewt"]) == ""
    assert did_you_mean("en_ewtt", ["en_ewt"]) == "; did you mean en_ewt?"


def test_an_unknown_name_is_answered_with_near_ones_and_all() -> None:
    known = ["tags", "dependencies"]
    assert unknown_name("track", "joint", known) == (
        "unknown track 'joint'\n  there are tags, dependencies"
    )
    assert unknown_name("track", "Tag", known, advice="see the manual") == (
        "unknown track 'Tag'; did you mean tags?\n  see the manual"
    )
