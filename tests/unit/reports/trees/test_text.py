"""Trees in a terminal, as they are meant to look."""

from __future__ import annotations

from textwrap import dedent

from rich.cells import cell_len

from tests.unit.metrics.small_scores import with_column, with_heads
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.reports import drawing_of, tree_text
from treegauge.reports.trees.tree_table import tree_table
from treegauge.treebank import Column

GOLD = """
    1 the  the DET   _ _ 2 det   _ _
    2 bird b   NOUN  _ _ 3 nsubj _ _
    3 sees see VERB  _ _ 0 root  _ _
    4 cats cat NOUN  _ _ 3 obj   _ _
    5 !    !   PUNCT _ _ 3 punct _ _
"""


def shown(*trees, **how) -> str:
    return tree_text(drawing_of(*(tree[0] for tree in trees)), **how)


def test_one_tree():
    assert shown(treebank(GOLD)) == dedent("""\
            ┌──  the   DET    det
          ┌─┴──  bird  NOUN   nsubj
        ──┼────  sees  VERB   root
          ├────  cats  NOUN   obj
          └────  !     PUNCT  punct
        """)


def test_wide_and_combining_characters():
    # 猫 takes two cells per character, and the accent of café none.
    tree = sentences("私/PRON/3 cafe\u0301/NOUN/3 見る/VERB/0 x/X/3")
    text = shown(tree)
    assert text == dedent("""\
          ┌──  私    PRON
          ├──  cafe\u0301  NOUN
        ──┼──  見る  VERB
          └──  x     X
        """)
    places = {cell_len(line[: line.index(tag)]) for line, tag in
              zip(text.splitlines(), ["PRON", "NOUN", "VERB", "X"], strict=True)}  # fmt: skip
    assert len(places) == 1


def test_crossing_arcs_pass_behind_each_other():
    # c hangs on a and d on b.
    assert shown(sentences("a/X/0 b/X/1 c/X/1 d/X/2")) == dedent("""\
        ──┬────  a  X
          ├─┬──  b  X
          └─│──  c  X
            └──  d  X
        """)


def test_what_is_no_tree():
    # b and c hang on each other, d on nothing, e outside the sentence, f on itself.
    assert shown(sentences("a/X/0 b/X/3 c/X/2 d/X e/X/9 f/X/6")) == dedent("""\
        ─────  a  X
        ↻─┬──  b  X
          └──  c  X
        ?────  d  X
        ?────  e  X
        ↻────  f  X
        """)


def test_gold_and_systems_side_by_side():
    gold = treebank(GOLD)
    ours = with_column(with_heads(gold, 3, 0, 2, 3, 3), "deprel", "det root dep obl punct")
    ours, copy = ours.replace(name="ours"), gold.replace(name="copy")
    assert shown(gold, ours, copy) == (
        "gold                          ours               copy\n"
        "    ┌──  the   DET    det         ┌──  ~ det         ┌──  = det\n"
        "  ┌─┴──  bird  NOUN   nsubj   ──┬─│──  ~ root      ┌─┴──  = nsubj\n"
        "──┼────  sees  VERB   root      └─┼──  ~ dep     ──┼────  = root\n"
        "  ├────  cats  NOUN   obj         ├──  ≠ obl       ├────  = obj\n"
        "  └────  !     PUNCT  punct       └──  = punct     └────  = punct\n"
        "= right head   ≠ other relation   ~ flipped, accepted by NED   × wrong head\n"
    )


def test_a_narrow_terminal_has_trees_one_below_the_other():
    gold = treebank(GOLD)
    ours = with_heads(gold, 0, 1, 2, 3, -1)
    text = shown(gold, ours, width=40)
    assert max(map(cell_len, text.splitlines()[:-1])) <= 40
    lines = text.splitlines()
    assert [line for line in lines if line in ("gold", "system")] == ["gold", "system"]
    assert sum("sees" in line for line in lines) == 2
    # A word without a head is wrong where gold has one.
    assert lines[-2].endswith("×")


def test_deep_trees_are_narrow():
    chain = sentences(" ".join(f"w/X/{head}" for head in range(60)))
    assert max(map(cell_len, shown(chain).splitlines())) < 80


def test_colours_are_for_marks_alone():
    # The words look like marks.
    gold = sentences("=/X/2 ×/X/0 ~/X/2")
    text = shown(gold, gold.replace(name="copy"), colour=True)
    assert text.count("\033[32m=\033[0m") == 3
    assert text.replace("\033[32m", "").replace("\033[0m", "") == shown(
        gold, gold.replace(name="copy")
    )


def test_characters_that_would_break_the_lines_are_replaced():
    forms = Column.from_strings(["a\u2028b", "\x1b[31m"])
    tree = sentences("a/X/0 b/X/1").replace(columns={"form": forms})
    assert len(shown(tree).splitlines()) == 2
    assert "\x1b" not in shown(tree)


def test_a_sentence_without_words():
    assert shown(sentences("")) == ""


def test_tables_of_words():
    gold = treebank(GOLD)
    ours = with_heads(gold, 3, 3, 0, 3, 4)
    table = tree_table(drawing_of(gold[0], ours[0]), title="one")
    assert table.to_tsv() == (
        "number\tword\ttag\tgold\tsystem\n"
        "1\tthe\tDET\tdet←bird\t~ det←sees\n"
        "2\tbird\tNOUN\tnsubj←sees\t'= nsubj←sees\n"
        "3\tsees\tVERB\troot←0\t'= root←0\n"
        "4\tcats\tNOUN\tobj←sees\t'= obj←sees\n"
        "5\t!\tPUNCT\tpunct←sees\t× punct←cats\n"
    )
    assert table.to_text().startswith("one\ngold ")
