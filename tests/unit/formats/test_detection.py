from __future__ import annotations

import pytest

import treegauge as tg
from treegauge.formats import FORMATS, bare_name, detect_format, file_format, format_of_name
from treegauge.formats.detection import tag_column_name


def line(*fields: str) -> str:
    return "\t".join(fields) + "\n"


def ten(tag: str, number: str = "1") -> str:
    return line(number, "sul", "_", tag, "_", "_", "0", "root", "_", "_")


# ---------------------------------------------------------------- by name


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("mirl.conllu", "conllu"),
        ("mirl.conllup", "conllu"),
        ("mirl.conllx", "conllx"),
        ("mirl.pascal", "pascal"),
        ("mirl.tagged", "tagged"),
        ("mirl.tag", "tagged"),
        ("mirl.slashed", "slashed"),
        ("mirl.tokens", "tokens"),
        ("mirl.tok", "tokens"),
        ("mirl.conllu.gz", "conllu"),
        ("mirl.conllx.xz", "conllx"),
        ("MIRL.CONLLU", "conllu"),
        ("some/folder.conllx/mirl.pascal", "pascal"),
        ("some/folder.conllx/mirl", None),
        ("mirl.conll", None),
        ("mirl.txt", None),
        ("mirl.xz", None),
        ("conllu", None),
        ("<stream>", None),
        ("", None),
    ],
)
def test_format_of_a_name(name: str, format: str | None) -> None:
    assert format_of_name(name) == format


@pytest.mark.parametrize("format", FORMATS)
def test_the_name_wins_over_the_content(format: str) -> None:
    extension = FORMATS[format].extensions[0]
    assert detect_format(f"mirl{extension}", b"sul\tPRON\n\n") == format


# ---------------------------------------------------------------- by content


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("", "conllu"),
        ("\n\n  \n", "conllu"),
        ("# sent_id = 1\n" + ten("nn"), "conllu"),
        ("# comments alone\n", "conllu"),
        ("# global.columns = ID FORM\n" + line("1", "sul"), "conllu"),
        ("# global.columns = FORM TAG\n" + line("sul", "N"), "conllu"),
        (ten("NOUN"), "conllu"),
        (ten("_"), "conllu"),
        (ten("CONJ"), "conllu"),
        (ten("nn"), "conllx"),
        (ten("NOUN") + ten("nn", "2"), "conllx"),
        (ten("nn", "1-2") + ten("nn"), "conllu"),
        (ten("nn") + ten("nn", "1.1"), "conllu"),
        (line("1", "sul", "_", "N", "N", "_", "0", "ROOT"), "conllx"),
        (line("1", "sul", "_", "N", "N", "NOUN", "_", "0", "ROOT"), "pascal"),
        (line("sul", "NOUN"), "tagged"),
        (line("#", "SYM") + line("sul", "NOUN"), "tagged"),
        (line("sul", "NOUN") + line("#dorvi", "X"), "tagged"),
        ("sul/NOUN dorvi/VERB\n", "slashed"),
        ("\nsul/NOUN\n", "slashed"),
        ("#/SYM sul/NOUN\n", "slashed"),
    ],
)
def test_format_of_the_content(text: str, format: str) -> None:
    assert detect_format("mirl.txt", text.encode()) == format


def test_one_broken_line_does_not_hide_the_format() -> None:
    text = line("1", "sul") + ten("nn", "2") + ten("nn", "3")
    assert detect_format("mirl.txt", text.encode()) == "conllx"


@pytest.mark.parametrize("odd", ["\x85", "\u2028", "\x0b", "\x0c", "\x1c", "\r"])
def test_only_a_line_feed_ends_a_line(odd: str) -> None:
    text = line("1", f"su{odd}l", "_", "NOUN", "_", "_", "0", "root", "_", "_")
    assert detect_format("mirl.txt", text.encode()) == "conllu"


def test_bytes_that_are_no_utf8_do_not_stop_detection() -> None:
    assert detect_format("mirl.txt", b"s\xfal\tNOUN\n\n") == "tagged"


def test_plain_text_is_refused_with_its_first_line() -> None:
    with pytest.raises(tg.FormatError, match=r"mirl\.txt: unknown format: ") as caught:
        detect_format("mirl.txt", b"Sul dorvi.\nTi kepta.\n")
    assert "its first line is 'Sul dorvi.'\n" in str(caught.value)
    assert "name the format with --from" in str(caught.value)
    assert caught.value.findings is not None
    assert caught.value.findings.counts == {"format": 1}


def test_a_number_of_columns_that_no_format_has_is_refused() -> None:
    with pytest.raises(tg.FormatError, match="its lines have 5 columns\n"):
        detect_format("mirl.txt", line(*"abcde").encode())


# ---------------------------------------------------------------- names of formats and columns


def test_an_unknown_format_lists_all() -> None:
    with pytest.raises(tg.FormatError) as caught:
        file_format("xyz")
    assert str(caught.value) == (
        "unknown format 'xyz'\n  there are conllu, conllx, pascal, tagged, slashed, tokens, chat"
    )


def test_a_misspelt_format_lists_the_near_ones() -> None:
    with pytest.raises(tg.FormatError, match=r"^unknown format 'pascall'; did you mean pascal\?\n"):
        file_format("pascall")


def test_every_format_has_a_summary_and_its_own_extensions() -> None:
    extensions = [extension for format in FORMATS.values() for extension in format.extensions]
    assert len(set(extensions)) == len(extensions)
    assert all(format.summary for format in FORMATS.values())
    assert all(format_of_name(f"mirl{f.extensions[0]}") == name for name, f in FORMATS.items())


@pytest.mark.parametrize(
    ("file", "name"),
    [
        *((f"mirl{e}", "mirl") for f in FORMATS.values() for e in f.extensions),
        ("mirl.conll", "mirl"),
        ("mirl.tsv", "mirl"),
        ("mirl.CoNLLU.GZ", "mirl"),
        ("some/folder.conllx/mirl.txt.xz", "mirl"),
        ("mirl.conllu.pascal", "mirl.conllu"),
        ("mirlconllu", "mirlconllu"),
        ("<stdin>", "<stdin>"),
    ],
)
def test_the_bare_name_of_a_file(file: str, name: str) -> None:
    assert bare_name(file) == name


@pytest.mark.parametrize(
    ("tags", "column"),
    [
        (set(), "upos"),
        ({"NOUN", "AUX"}, "upos"),
        ({"NOUN", "."}, "upos"),
        ({"AUX", "."}, "xpos"),
        ({"NN"}, "xpos"),
        ({"noun"}, "xpos"),
    ],
)
def test_the_column_that_tags_belong_to(tags: set[str], column: str) -> None:
    assert tag_column_name(tags) == column
