"""Files that look wrong and are not: they are given back to the byte."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg

FILES = sorted(
    path for path in Path(__file__).parent.iterdir() if path.suffix in (".conllu", ".conllup")
)
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)

COLUMN_OF = {
    "FORM": "form",
    "LEMMA": "lemma",
    "UPOS": "upos",
    "XPOS": "xpos",
    "POSTAG": "xpos",
    "CPOSTAG": "cpos",
}


def read_bytes(text: bytes, *, format: str = "conllu") -> tg.Treebank:
    findings = tg.Findings()
    treebank = tg.read(io.BytesIO(text), format=format, findings=findings)
    assert set(findings.counts) <= {"several-roots"}
    return treebank


def written(treebank: tg.Treebank) -> bytes:
    target = io.BytesIO()
    assert tg.write(treebank, target, format="conllu") == []
    return target.getvalue()


def word(position: int, form: str, head: int, *, lemma: str = "_") -> str:
    return f"{position}\t{form}\t{lemma}\tX\t_\t_\t{head}\tdep\t_\t_\n"


def is_word(line: str, columns: tuple[str, ...]) -> bool:
    """Tell word lines from comments, multiword tokens and empty nodes."""
    fields = line.split("\t")
    if "ID" in columns:
        return len(fields) == len(columns) and fields[columns.index("ID")].isdecimal()
    return len(fields) == len(columns)


def changed_fields(
    before: bytes, after: bytes, columns: tuple[str, ...]
) -> list[dict[str, tuple[str, str]]]:
    """Return for every word which fields differ, and how; all other lines must not differ."""
    changes = []
    old_lines, new_lines = before.decode().split("\n"), after.decode().split("\n")
    assert len(old_lines) == len(new_lines)
    for old, new in zip(old_lines, new_lines, strict=True):
        if not is_word(old, columns):
            assert old == new
            continue
        pairs = zip(columns, old.split("\t"), new.split("\t"), strict=True)
        changes.append({name: (a, b) for name, a, b in pairs if a != b})
    return changes


@each_file
def test_reading_and_writing_gives_the_same_bytes(path: Path) -> None:
    text = path.read_bytes()
    assert written(read_bytes(text)) == text


@each_file
def test_format_is_detected_from_the_content_alone(path: Path) -> None:
    text = path.read_bytes()
    treebank = tg.read(io.BytesIO(text), findings=tg.Findings())
    assert treebank == read_bytes(text)


@each_file
def test_only_several_roots_are_worth_a_warning(path: Path) -> None:
    findings = tg.Findings()
    tg.read(path, findings=findings)
    assert dict(findings.counts) == ({"several-roots": 1} if path.stem == "several-roots" else {})


@each_file
def test_new_heads_change_the_head_column_alone(path: Path) -> None:
    text = path.read_bytes()
    treebank = read_bytes(text)
    if "HEAD" not in treebank.file_columns:
        # Without a place for heads nothing changes, and somebody has to say so.
        target = io.BytesIO()
        changed = treebank.replace(head=np.zeros(treebank.n_words, np.int32))
        assert tg.write(changed, target, format="conllu") == [
            "conllu has no column for HEAD: left out"
        ]
        assert target.getvalue() == text
        return
    # 2,000,000,000 fits the array and is as long as heads get.
    heads = np.where(treebank.head == 0, 2_000_000_000, 0)
    changes = changed_fields(text, written(treebank.replace(head=heads)), treebank.file_columns)
    assert [change["HEAD"][1] for change in changes] == [str(head) for head in heads]
    assert all(set(change) == {"HEAD"} for change in changes)


@each_file
def test_a_new_column_changes_this_column_alone(path: Path) -> None:
    text = path.read_bytes()
    treebank = read_bytes(text)
    for name in treebank.file_columns:
        if name in ("ID", "HEAD"):
            continue
        values = [f"ñew {i}" for i in range(treebank.n_words)]
        column = {COLUMN_OF.get(name, name.lower()): tg.Column.from_strings(values)}
        changes = changed_fields(
            text, written(treebank.replace(columns=column)), treebank.file_columns
        )
        assert [change[name][1] for change in changes] == values
        assert all(set(change) == {name} for change in changes)


@each_file
def test_heads_taken_away_are_underscores(path: Path) -> None:
    text = path.read_bytes()
    treebank = read_bytes(text)
    if "HEAD" not in treebank.file_columns:
        return
    changed = treebank.replace(head=np.full(treebank.n_words, -1))
    for change in changed_fields(text, written(changed), treebank.file_columns):
        assert not change or change == {"HEAD": (change["HEAD"][0], "_")}
    assert not read_bytes(written(changed)).has_heads


def test_sentence_of_20000_words() -> None:
    words = 20_000
    text = "# sent_id = long\n" + "".join(
        word(i, f"w{i % 997}", i + 1 if i < words else 0) for i in range(1, words + 1)
    )
    treebank = read_bytes(f"{text}\n".encode())
    assert treebank.lengths.tolist() == [words]
    assert treebank.head[[0, -2, -1]].tolist() == [2, words, 0]
    assert written(treebank) == f"{text}\n".encode()


def test_sentence_of_20000_words_between_short_ones() -> None:
    short = word(1, "sul", 0) + "\n"
    long = "".join(word(i, "dorvi", i - 1) for i in range(1, 20_001)) + "\n"
    text = (short + long + short + short).encode()
    treebank = read_bytes(text)
    assert treebank.lengths.tolist() == [1, 20_000, 1, 1]
    assert written(treebank) == text


def test_form_of_10000_characters() -> None:
    form = "mírlo " * 1_666 + "kept"
    assert len(form) == 10_000
    text = (word(1, form, 2) + word(2, "dorvi", 0, lemma=form[::-1]) + "\n").encode()
    treebank = read_bytes(text)
    assert treebank.form[0] == form
    assert treebank.lemma[1] == form[::-1]
    assert written(treebank) == text


def test_comment_of_10000_characters_with_tabs() -> None:
    text = ("# " + "a\tb " * 2_500 + "\n" + word(1, "sul", 0) + "\n").encode()
    treebank = read_bytes(text)
    assert treebank[0].comments == [text.decode().split("\n")[0]]
    assert written(treebank) == text


def test_20000_sentences_of_one_word_with_their_own_comment() -> None:
    text = "".join(f"# sent_id = s{i}\n{word(1, f'w{i}', 0)}\n" for i in range(20_000)).encode()
    treebank = read_bytes(text)
    assert treebank.n_sentences == 20_000
    assert treebank.sentence_ids[19_999] == "s19999"
    assert written(treebank) == text


def test_right_to_left_forms_keep_their_characters_in_order() -> None:
    treebank = tg.read(Path(__file__).parent / "right-to-left.conllu")
    assert treebank.form[0] == "\u05d8\u05dc\u05de\u05d5\u05e7\u05d9"
    assert treebank.form[3].endswith("\u200f")


def test_odd_white_space_is_part_of_a_form() -> None:
    treebank = tg.read(Path(__file__).parent / "odd-white-space.conllu")
    assert list(treebank.form) == [
        "12\u00a0000",
        "\u00a0",
        "sul\u2028dorvi",
        "sul\u0085dorvi",
        "sul\u000bdorvi\u000c",
        "\u3000",
        "sul\rdorvi",
        " ",
    ]


def test_underscore_can_be_a_form() -> None:
    treebank = tg.read(Path(__file__).parent / "underscore-forms.conllu")
    assert list(treebank.form) == ["_", "__"]


def test_hash_can_be_a_form() -> None:
    folder = Path(__file__).parent
    assert list(tg.read(folder / "hash-forms.conllu").form) == ["#", "#dorvi"]
    without_ids = tg.read(folder / "plus-without-ids.conllup")
    assert list(without_ids.form) == ["#", "sul", "# dorvi"]
    assert without_ids[0].comments == ["# sent_id = plus-1"]


def test_empty_nodes_before_the_first_word_stay_there() -> None:
    treebank = tg.read(Path(__file__).parent / "empty-nodes.conllu")
    after = [after for kind, after, _ in treebank.side_lines.of_sentence(0) if kind == 2]
    assert after == [0, 0, 2, 2]
    assert treebank.lengths.tolist() == [2, 1]


def test_further_columns_can_be_looked_up_by_name() -> None:
    treebank = tg.read(Path(__file__).parent / "plus-further-columns.conllup")
    assert list(treebank.columns["parseme:mwe"]) == ["1:ID", "1", "_"]
    assert list(treebank.columns["my:note"]) == ["*", "*", "note"]
    assert treebank.file_columns[-2:] == ("PARSEME:MWE", "MY:NOTE")
    assert treebank[0].multiword_tokens == {(1, 2): "suldorvi"}


def test_a_column_called_head_is_not_the_heads() -> None:
    treebank = tg.read(Path(__file__).parent / "plus-column-names.conllup")
    assert list(treebank.columns["head"]) == ["d", "d"]
    assert list(treebank.columns["lengths"]) == ["3", "5"]
    assert treebank.head.tolist() == [-1, -1]
    assert treebank.lengths.tolist() == [2]
