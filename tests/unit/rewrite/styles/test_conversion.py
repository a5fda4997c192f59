from __future__ import annotations

import pytest

import treegauge as tg
from tests.unit.rewrite.drawn_trees import sentence, written
from treegauge.rewrite import BUNDLES, RewriteError, Style, to_style
from treegauge.rewrite.styles import ud_version
from treegauge.treebank import TreebankError

# Each worked by hand: a name, a style, the tree in UD, the tree in the style.
WORKED = [
    (
        "an adposition heads its noun, which keeps its determiner",
        "adpositions=head",
        "sat:0:root in:4:case the:4:det house:1:obl",
        "sat:0:root in:1:obl the:4:det house:2:comp:case",
    ),
    (
        "a determiner heads its noun, below the adposition",
        "adpositions=head,determiners=head",
        "sat:0:root in:4:case the:4:det house:1:obl",
        "sat:0:root in:1:obl the:2:comp:case house:3:comp:det",
    ),
    (
        "what stands before the adposition goes up to it",
        "adpositions=head",
        "sat:0:root only:4:advmod in:4:case Rome:1:obl",
        "sat:0:root only:3:advmod in:1:obl Rome:3:comp:case",
    ),
    (
        "what the adposition has there itself is marked",
        "adpositions=head",
        "sat:0:root right:3:advmod in:4:case Rome:1:obl",
        "sat:0:root right:3:advmod:_own in:1:obl Rome:3:comp:case",
    ),
    (
        "a fixed expression stays with its first word",
        "adpositions=head",
        "left:0:root because:4:case of:2:fixed rain:1:obl",
        "left:0:root because:1:obl of:2:fixed rain:2:comp:case",
    ),
    (
        "the subject goes to the first of several auxiliaries, the object stays",
        "auxiliaries=head",
        "she:4:nsubj has:4:aux been:4:aux:pass given:0:root songs:4:obj",
        "she:2:nsubj has:0:root been:2:comp:aux given:3:comp:aux:pass songs:4:obj",
    ),
    (
        "a subject behind the auxiliary goes up as well",
        "auxiliaries=head",
        "has:3:aux she:3:nsubj sung:0:root ?:3:punct",
        "has:0:root she:1:nsubj sung:1:comp:aux ?:3:punct",
    ),
    (
        "but not where arcs would cross",
        "auxiliaries=head",
        "has:4:aux today:4:advmod she:4:nsubj sung:0:root",
        "has:0:root today:4:advmod she:4:nsubj sung:1:comp:aux",
    ),
    (
        "the copula heads the predicate and takes the subject",
        "copulas=head",
        "Rome:4:nsubj is:4:cop not:4:advmod far:0:root",
        "Rome:2:nsubj is:0:root not:4:advmod far:2:comp:cop",
    ),
    (
        "a subordinator on one side is above an auxiliary on the other",
        "subordinators=head,auxiliaries=head",
        "weiss:0:root dass:4:mark er:4:nsubj gesungen:1:ccomp hat:4:aux",
        "weiss:0:root dass:1:ccomp er:5:nsubj gesungen:5:comp:aux hat:2:comp:mark",
    ),
    (
        "a function word on a function word is not raised",
        "adpositions=head",
        "came:0:root from:3:case under:4:case ice:1:obl",
        "came:0:root from:3:case:_own under:1:obl ice:3:comp:case",
    ),
    (
        "a conjunct with an adposition hangs on the first adposition",
        "adpositions=head",
        "in:2:case Rome:0:root and:5:cc in:5:case Paris:2:conj",
        "in:0:root Rome:1:comp:case and:4:cc in:1:conj Paris:4:comp:case",
    ),
    (
        "a conjunct without one hangs on the noun",
        "adpositions=head",
        "in:2:case Rome:0:root and:4:cc Paris:2:conj",
        "in:0:root Rome:1:comp:case and:4:cc Paris:2:conj",
    ),
    (
        "conjuncts in a chain",
        "coordination=chain",
        "cats:0:root dogs:1:conj and:4:cc birds:1:conj",
        "cats:0:root dogs:1:conj and:4:cc birds:2:conj:_chain",
    ),
    (
        "a coordination inside a coordination keeps its place in a chain",
        "coordination=chain",
        "cats:0:root dogs:1:conj or:4:cc wolves:2:conj and:6:cc birds:1:conj",
        "cats:0:root dogs:1:conj or:4:cc wolves:2:conj and:6:cc birds:2:conj:_chain",
    ),
    (
        "the conjunction heads, and takes what stands behind all conjuncts",
        "coordination=conjunction",
        "cats:0:root ,:3:punct dogs:1:conj and:5:cc birds:1:conj .:1:punct",
        "cats:4:conj:_first ,:3:punct dogs:4:conj and:0:root birds:4:conj .:4:punct",
    ),
    (
        "a comma before the conjunction comes with it",
        "coordination=conjunction",
        "cats:0:root ,:4:punct and:4:cc birds:1:conj",
        "cats:3:conj:_first ,:3:punct and:0:root birds:3:conj",
    ),
    (
        "in version 1 the conjunction is the first conjunct's",
        "coordination=conjunction",
        "cats:0:root and:1:cc birds:1:conj",
        "cats:2:conj:_shared and:0:root birds:2:conj",
    ),
    (
        "without a conjunction nothing changes",
        "coordination=conjunction",
        "cats:0:root ,:3:punct birds:1:conj",
        "cats:0:root ,:3:punct birds:1:conj",
    ),
    (
        "the last conjunct heads",
        "coordination=last",
        "big:2:amod cats:0:root dogs:2:conj and:5:cc birds:2:conj .:2:punct",
        "big:2:amod cats:5:conj:_head dogs:5:conj and:5:cc birds:0:root .:5:punct:_conj",
    ),
    (
        "the last part of a name heads, and takes what the first had",
        "names=last",
        "dear:2:amod Ada:0:root King:2:flat:name Byron:2:flat:name",
        "dear:4:amod:_flat Ada:4:flat:name:_head King:4:flat:name Byron:0:root",
    ),
    (
        "the last word of a fixed expression heads",
        "fixed=last,adpositions=head",
        "left:0:root because:4:case of:2:fixed rain:1:obl",
        "left:0:root because:3:fixed:_head of:1:obl rain:3:comp:case:_fixed",
    ),
    (
        "compounds: the first word heads",
        "compounds=first",
        "the:3:det phone:3:compound book:0:root",
        "the:2:det:_compound phone:0:root book:2:compound:_head",
    ),
    (
        "compounds: the last word heads already",
        "compounds=last",
        "the:3:det phone:3:compound book:0:root",
        "the:3:det phone:3:compound book:0:root",
    ),
    (
        "one compound inside another",
        "compounds=first",
        "phone:2:compound book:3:compound cover:0:root",
        "phone:0:root book:1:compound:_head cover:1:compound:_head",
    ),
    (
        "a verb and its particle are another kind of compound",
        "compounds=last",
        "gave:0:root up:1:compound:prt",
        "gave:0:root up:1:compound:prt",
    ),
]


@pytest.mark.parametrize(
    ("style", "ud", "turned"), [c[1:] for c in WORKED], ids=[c[0] for c in WORKED]
)
def test_worked_examples_there_and_back(style: str, ud: str, turned: str) -> None:
    assert written(to_style(sentence(ud), style)) == turned
    assert written(to_style(sentence(turned), "ud")) == ud


# "She has lived in New York or in Rome because it is warm ."
LIVED = (
    "She:3:nsubj has:3:aux lived:0:root in:5:case New:3:obl York:5:flat or:9:cc in:9:case "
    "Rome:5:conj because:13:mark it:13:nsubj is:13:cop warm:3:advcl .:3:punct"
)
BUNDLED = {
    "ud": LIVED,
    "lexical": LIVED,
    "functional": (
        "She:2:nsubj has:0:root lived:2:comp:aux in:3:obl New:4:comp:case York:5:flat or:8:cc "
        "in:4:conj Rome:8:comp:case because:3:advcl it:12:nsubj is:10:comp:mark "
        "warm:12:comp:cop .:3:punct"
    ),
    "prague": (
        "She:3:nsubj has:3:aux lived:0:root in:7:conj:_first New:4:comp:case York:5:flat or:3:obl "
        "in:7:conj Rome:8:comp:case because:3:advcl it:12:nsubj is:10:comp:mark "
        "warm:12:comp:cop .:3:punct"
    ),
    "conll": (
        "She:2:nsubj has:0:root lived:2:comp:aux in:3:obl New:6:flat:_head York:4:comp:case "
        "or:8:cc in:4:conj Rome:8:comp:case because:3:advcl it:12:nsubj is:10:comp:mark "
        "warm:12:comp:cop .:3:punct"
    ),
}


def test_the_bundles() -> None:
    assert {name: written(to_style(sentence(LIVED), name)) for name in BUNDLES} == BUNDLED


def test_from_any_style_to_any_other() -> None:
    for one in BUNDLED.values():
        for name, other in BUNDLED.items():
            assert written(to_style(sentence(one), name)) == other


def test_several_roots_stay_several() -> None:
    two = sentence("in:2:case Rome:0:root in:4:case Paris:0:root")
    assert written(to_style(two, "adpositions=head")) == (
        "in:0:root Rome:1:comp:case in:0:root Paris:3:comp:case"
    )


def test_columns_of_words_stay_and_enhanced_dependencies_go() -> None:
    text = (
        "# sent_id = a\n1-2\tinRome\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tin\tin\tADP\tIN\t_\t2\tcase\t2:case\tA=b\n"
        "2\tRome\tRome\tPROPN\tNNP\tNumber=Sing\t0\troot\t0:root\t_\n\n"
    )
    assert tg.to_text(to_style(tg.parse(text), "functional")) == (
        text.replace("2\tcase\t2:case", "0\troot\t_").replace("0\troot\t0:root", "1\tcomp:case\t_")
    )
    assert to_style(tg.parse(text), "ud") == tg.parse(text)


def test_nothing_is_nothing() -> None:
    assert to_style(sentence(LIVED)[:0], "prague").n_words == 0


# ---------------------------------------------------------------------- versions and schemes


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("sing:0:root songs:1:obj", 2),
        ("sing:0:root songs:1:dobj", 1),
        ("is:2:auxpass sung:0:root", 1),
        ("not:2:neg here:0:root", 1),
    ],
)
def test_versions_are_told_apart_by_relations(text: str, version: int) -> None:
    assert ud_version(sentence(text)) == version


def test_a_tag_tells_the_version_too() -> None:
    assert ud_version(tg.parse("1\tand\t_\tCONJ\t_\t_\t0\troot\t_\t_\n\n")) == 1


def test_version_1_is_handled_by_what_its_relations_became() -> None:
    assert (
        written(
            to_style(
                sentence("was:2:auxpass sung:0:root by:4:case Ada:2:nmod King:4:name"), "conll"
            )
        )
        == "was:0:root sung:1:comp:auxpass by:2:nmod Ada:5:name:_head King:3:comp:case"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Birds:2:SBJ sing:0:ROOT", r"2 of 2 words have other relations: SBJ \(1\), ROOT \(1\)"),
        ("Ptáci:2:Sb zpívají:0:Pred", r"Sb \(1\), Pred \(1\)"),
        ("Birds:2:subj sing:0:root songs:2:comp:obj", r"subj \(1\), comp:obj \(1\)"),
        ("Birds:2:_ sing:0:_", "this treebank has none"),
    ],
)
def test_other_schemes_are_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(RewriteError, match=message):
        to_style(sentence(text), "functional")


def test_a_few_slips_are_no_other_scheme() -> None:
    words = " ".join(["root:0:root"] + ["x:1:dep"] * 30 + ["slip:1:SLIP"])
    assert written(to_style(sentence(words), "prague")) == words


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(TreebankError, match="a change of style needs one complete tree"):
        to_style(sentence("a:2:dep b:1:dep"), "functional")


@pytest.mark.parametrize(
    "text",
    [
        "Rome:0:comp:case",
        "in:0:root Rome:1:comp:case Paris:1:comp:case",
        "cats:0:root dogs:1:conj:_chain",
        "cats:0:conj:_first",
        "cats:2:conj:_first and:0:root",
        "cats:0:root .:1:punct:_flat",
        "cats:2:conj:_head birds:0:root .:2:punct:_conj2",
        "cats:0:root dogs:1:advmod:_own",
    ],
)
def test_labels_that_do_not_fit_together_are_refused(text: str) -> None:
    with pytest.raises(RewriteError, match=r"sentence number 1: relations .* do not fit together"):
        to_style(sentence(text), "ud")


def test_unknown_marks_are_refused() -> None:
    with pytest.raises(RewriteError, match="'nsubj:_mine' has a mark that no conversion makes"):
        to_style(sentence("cats:0:nsubj:_mine"), "ud")


# ---------------------------------------------------------------------- styles as text


def test_a_style_is_read_from_a_bundle_and_switches() -> None:
    style = Style.parse("functional, coordination=first")
    assert style == Style(
        adpositions="head", auxiliaries="head", copulas="head", subordinators="head"
    )
    assert Style.parse("adpositions=head") == Style(adpositions="head")
    assert BUNDLES["functional"].name == "functional"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("functionl", "unknown style 'functionl'; did you mean functional"),
        ("", "unknown style ''"),
        ("adpositions=head,prague", "prague is a style, which can only be the first in 'adp"),
        ("adposition=head", "style: unknown setting 'adposition'; did you mean adpositions"),
        (
            "coordination=chains",
            "style: setting coordination: expected one of .*, found 'chains'; did you mean chain",
        ),
        ("names=head", "style: setting names: expected one of first, last, found 'head'"),
    ],
)
def test_what_is_no_style_is_explained(text: str, message: str) -> None:
    with pytest.raises(RewriteError, match=message):
        Style.parse(text)
