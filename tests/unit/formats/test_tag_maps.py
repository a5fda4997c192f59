from __future__ import annotations

from pathlib import Path

import pytest

import treegauge as tg
from treegauge.formats import fill_universal_tags, read_tag_map, unmapped_tags
from treegauge.treebank import PETROV_TAGS, UD_TAGS, Column


def conllx(*tags: tuple[str, str]) -> tg.Treebank:
    """Read a sentence of words with these coarse and fine tags."""
    lines = [
        f"{i}\tsul\t_\t{coarse}\t{fine}\t_\t{i - 1}\tX\t_\t_\n"
        for i, (coarse, fine) in enumerate(tags, start=1)
    ]
    return tg.parse("".join(lines) + "\n", format="conllx")


@pytest.fixture
def write_map(tmp_path: Path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "mirl.map"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


# ---------------------------------------------------------------- reading a map


def test_tags_blank_lines_and_comments(write_map) -> None:
    path = write_map("# mirl tags\nNN\tNOUN\n\n#\t.\nVB\tVERB \r\n*\tX")
    assert read_tag_map(path) == {"NN": "NOUN", "#": ".", "VB": "VERB", "*": "X"}
    assert read_tag_map(str(path)) == read_tag_map(path)


def test_the_same_line_twice_is_no_conflict(write_map) -> None:
    assert read_tag_map(write_map("NN\tNOUN\nNN\tNOUN\n")) == {"NN": "NOUN"}


def test_an_empty_map_maps_nothing(write_map) -> None:
    assert read_tag_map(write_map("")) == {}


def test_a_conflict_names_the_line_the_tag_and_both_universal_tags(write_map) -> None:
    path = write_map("NN\tNOUN\nVB\tVERB\nNN\tVERB\n")
    with pytest.raises(tg.FormatError) as caught:
        read_tag_map(path)
    assert str(caught.value) == (
        f"{path}:3: [tag-map] NN is NOUN above and VERB here\n"
        "  a tag has one universal tag; remove one of the lines"
    )


@pytest.mark.parametrize("line", ["NN NOUN", "NN", "NN\tNOUN\tX", "NN\t", "\tNOUN", "NN\t  "])
def test_a_line_without_two_columns_is_named(write_map, line: str) -> None:
    path = write_map(f"VB\tVERB\n{line}\n")
    with pytest.raises(tg.FormatError) as caught:
        read_tag_map(path)
    assert str(caught.value).startswith(f"{path}:2: [columns] expected ")
    assert repr(line) in str(caught.value)


def test_a_misspelt_universal_tag_is_named_with_the_near_ones(write_map) -> None:
    path = write_map("NN\tNOUN\nVB\tVREB\n")
    with pytest.raises(tg.FormatError) as caught:
        read_tag_map(path)
    assert str(caught.value).startswith(
        f"{path}:2: [tag-map] unknown universal tag 'VREB'; did you mean VERB?\n"
        "  there are ., ADJ, ADP, "
    )


@pytest.mark.parametrize("tag", ["noun", "N", "_", "PUNC"])
def test_only_universal_tags_are_mapped_to(write_map, tag: str) -> None:
    with pytest.raises(tg.FormatError, match=f":1: .tag-map. unknown universal tag '{tag}'"):
        read_tag_map(write_map(f"NN\t{tag}\n"))


def test_both_inventories_of_universal_tags_are_known(write_map) -> None:
    path = write_map("".join(f"{tag}\t{tag}\n" for tag in UD_TAGS | PETROV_TAGS))
    assert set(read_tag_map(path)) == UD_TAGS | PETROV_TAGS


@pytest.mark.realdata
def test_the_published_maps_are_read() -> None:
    folder = Path(__file__).parents[4] / "shared" / "tagsets"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    paths = sorted(folder.glob("*.map"))
    assert paths
    for path in paths:
        assert set(read_tag_map(path).values()) <= PETROV_TAGS


def test_a_missing_map_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.map"
    with pytest.raises(tg.FormatError) as caught:
        read_tag_map(path)
    assert str(caught.value) == f"{path}: cannot be read: no such file or folder"


def test_a_folder_is_no_map(tmp_path: Path) -> None:
    with pytest.raises(tg.FormatError, match="cannot be read: is a folder, not a file"):
        read_tag_map(tmp_path)


def test_a_map_that_is_no_utf8_is_refused(write_map) -> None:
    with pytest.raises(tg.FormatError, match=r"mirl\.map:1: \[encoding\] expected UTF-8 text"):
        read_tag_map(write_map("ÑN\tNOUN\n".encode("latin-1")))


# ---------------------------------------------------------------- using a map


def test_fine_tags_are_mapped() -> None:
    treebank = fill_universal_tags(
        conllx(("N", "NN"), ("V", "VB"), ("N", "NN")), {"NN": "NOUN", "VB": "VERB"}
    )
    assert list(treebank.upos) == ["NOUN", "VERB", "NOUN"]
    assert list(treebank.xpos) == ["NN", "VB", "NN"]
    assert list(treebank.cpos) == ["N", "V", "N"]


def test_the_coarse_tag_answers_where_the_map_lacks_the_fine_one() -> None:
    treebank = fill_universal_tags(
        conllx(("N", "NN"), ("V", "VB"), ("_", "NN")), {"N": "NOUN", "V": "VERB", "NN": "X"}
    )
    assert list(treebank.upos) == ["X", "VERB", "X"]


@pytest.mark.parametrize(("universal", "mark"), [("NOUN", "PUNCT"), (".", ".")])
def test_the_rest_is_punctuation_by_form_or_x(universal: str, mark: str) -> None:
    treebank = conllx(("N", "NN"), ("N", "NN"), ("Q", "QQ"), ("P", "PP"))
    forms = ["sul", "sul", "sul", "--"]
    treebank = treebank.replace(columns={"form": Column.from_strings(forms)})
    mapping = {"NN": "NOUN", "UNUSED": universal}
    assert list(fill_universal_tags(treebank, mapping).upos) == ["NOUN", "NOUN", "X", mark]
    assert unmapped_tags(treebank, mapping) == {"QQ": 1}


def test_words_without_a_tag_stay_without_one() -> None:
    treebank = fill_universal_tags(conllx(("_", "NN"), ("_", "_")), {"NN": "NOUN"})
    assert list(treebank.upos) == ["NOUN", "_"]


def test_old_universal_tags_are_replaced() -> None:
    text = "1\tsul\t_\tN\tNN\tX\t_\t0\tX\n\n"
    treebank = fill_universal_tags(tg.parse(text, format="pascal"), {"NN": "NOUN"})
    assert tg.to_text(treebank, format="pascal") == "1\tsul\t_\tN\tNN\tNOUN\t_\t0\tX\n\n"


def test_unmapped_tags_are_refused_by_name_most_frequent_first() -> None:
    treebank = conllx(("N", "NN"), ("V", "VB"), ("V", "VB"), ("J", "JJ"))
    with pytest.raises(tg.FormatError) as caught:
        fill_universal_tags(treebank, {"NN": "NOUN"})
    assert str(caught.value) == (
        "[tag-map] no universal tag for VB (2), JJ (1)\n"
        "  add these tags to the map, or use the map of this treebank"
    )


def test_ten_unmapped_tags_are_named_and_the_rest_counted() -> None:
    treebank = conllx(*(("_", f"T{i}") for i in range(13)))
    with pytest.raises(tg.FormatError, match=r"T0 \(1\), .*T9 \(1\) and 3 more\n"):
        fill_universal_tags(treebank, {})


def test_a_treebank_without_tags_cannot_be_mapped() -> None:
    with pytest.raises(tg.FormatError, match="needs fine or coarse tags"):
        fill_universal_tags(conllx(("_", "_")), {"NN": "NOUN"})


def test_the_treebank_itself_is_not_changed() -> None:
    treebank = conllx(("N", "NN"))
    fill_universal_tags(treebank, {"NN": "NOUN"})
    assert list(treebank.upos) == ["_"]
