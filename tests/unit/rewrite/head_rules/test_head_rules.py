"""Head rules: sentences made up for every kind of phrase, and laws for all trees."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from tests.examples import examples
from tests.unit.rewrite.drawn_trees import written
from treegauge.formats import PhraseTree, parse_brackets
from treegauge.formats.brackets import BracketedWord, Node, Phrase
from treegauge.properties import nonprojective_arcs
from treegauge.rewrite import RewriteError
from treegauge.rewrite.head_rules import (
    OPTION_SETS,
    SCHEMES,
    LthOptions,
    choose_heads,
    dependencies,
    scheme_of,
)
from treegauge.rewrite.head_rules.coordination import conjuncts_of, coordinated, join_modifiers
from treegauge.rewrite.head_rules.tables import PUNCTUATION
from treegauge.rewrite.head_rules.traversal import phrases_bottom_up
from treegauge.settings import choices
from treegauge.treebank import tree_flaws

SWITCHES = choices(LthOptions)
EVERY_SCHEME = [("collins", ""), ("yamada-matsumoto", ""), *(("lth", o) for o in OPTION_SETS)]
LEXICAL_AND_OLD = ["oldLTH", "lexical"]


def converted(brackets: str, heads: str, options: str = "") -> str:
    return written(choose_heads(parse_brackets(brackets), heads, options))


def head_form(brackets: str, heads: str, options: str = "") -> str:
    """Return the word that heads a phrase."""
    treebank = choose_heads(parse_brackets(brackets), heads, options)
    return treebank.form[int(np.flatnonzero(treebank.head == 0)[0])]


# ------------------------------------------------------------------ the two tables

ONE_PHRASE = [
    # the phrase, and the form of its head after Collins and after Yamada and Matsumoto
    ("(ADJP (JJ tall) (CC and) (JJ thin))", "tall", "thin"),
    ("(ADJP (NP (CD two) (NNS feet)) (JJ tall))", "tall", "tall"),
    ("(ADVP (RB very) (RB slowly))", "slowly", "very"),
    ("(CONJP (RB as) (RB well) (IN as))", "well", "as"),
    ("(FRAG (ADVP (RB never)) (NP (NN mind)))", "mind", "never"),
    ("(INTJ (UH well) (UH yes))", "well", "yes"),
    ("(LST (LS 1) (: :))", "1", "1"),
    ("(NAC (NNP Bath) (, ,) (NNP Avon))", "Bath", "Avon"),
    ("(NP (DT the) (NN tea) (NN pot))", "pot", "pot"),
    ("(NP (NP (NN tea)) (PP (IN with) (NP (NN milk))))", "tea", "tea"),
    ("(NP (NP (NN tea)) (, ,) (NP (DT a) (NN drink)))", "tea", "drink"),
    ("(NP (NP (NN tea)) (CC and) (NP (NN milk)))", "tea", "milk"),
    ("(NP (NNP Ada) (POS 's))", "'s", "'s"),
    ("(NP (DT the) (JJ rich))", "rich", "rich"),
    ("(NP ($ $) (CD 5))", "$", "5"),
    ("(NP (PRP it))", "it", "it"),
    ("(NML (NN air) (NN force))", "force", "force"),
    ("(NX (NN tea) (CC or) (NN milk))", "tea", "milk"),
    ("(PP (IN in) (NP (NN town)))", "in", "in"),
    ("(PP (RB right) (IN after) (IN of))", "of", "after"),
    ("(PRN (-LRB- -LRB-) (NP (NN tea)) (ADVP (RB now)) (-RRB- -RRB-))", "tea", "now"),
    ("(PRT (RP up))", "up", "up"),
    ("(QP (RB about) (CD 50))", "about", "about"),
    ("(QP (CD 5) (CD million))", "5", "million"),
    ("(RRC (ADVP (RB now)) (ADJP (JJ old)))", "now", "now"),
    ("(S (NP (NNS birds)) (VP (VBP sing)))", "sing", "sing"),
    ("(S (S (VP (VB go))) (CC and) (S (VP (VB stay))))", "go", "stay"),
    ("(SBAR (IN that) (S (NP (PRP we)) (VP (VBP go))))", "that", "that"),
    ("(SBAR (WHNP (WP who)) (S (VP (VBD left))))", "who", "who"),
    ("(SBARQ (WHNP (WP who)) (SQ (VP (VBD left))) (. ?))", "left", "left"),
    ("(SINV (VP (VBZ says)) (NP (NNP Ada)))", "says", "says"),
    ("(SQ (VBZ is) (NP (PRP it)) (ADJP (JJ odd)))", "is", "is"),
    ("(UCP (ADJP (JJ old)) (CC and) (NP (NN tea)))", "old", "old"),
    ("(UCP (ADJP (JJ old)) (NP (NN tea)))", "tea", "old"),
    ("(VP (TO to) (VP (VB go)))", "to", "go"),
    ("(VP (MD may) (VP (VB go)))", "may", "may"),
    ("(VP (VP (VB go)) (CC or) (VP (VB stay)))", "go", "go"),
    ("(WHADJP (WRB how) (JJ old))", "how", "how"),
    ("(WHADVP (RB exactly) (WRB how))", "how", "how"),
    ("(WHNP (WDT which) (NN tea))", "which", "which"),
    ("(WHPP (IN for) (WHNP (WDT which)))", "for", "for"),
    ("(X (NN tea) (NN pot))", "tea", "pot"),
    ("(NP (, ,) (. .))", ".", "."),
]


@pytest.mark.parametrize(("phrase", "collins", "yamada_matsumoto"), ONE_PHRASE)
def test_the_head_of_a_phrase(phrase, collins, yamada_matsumoto):
    assert head_form(phrase, "collins") == collins
    assert head_form(phrase, "yamada-matsumoto") == yamada_matsumoto


def test_a_conjunction_behind_punctuation_is_one_all_the_same():
    assert head_form("(VP (VB go) (, ,) (CC or) (VB stay))", "collins") == "go"
    assert head_form("(NP (NN tea) (, ,) (CC and) (, ,) (NN milk))", "collins") == "tea"
    assert head_form("(NP (CC and) (NN milk))", "collins") == "milk"


# ------------------------------------------------------------------ the options of LTH

PREPOSITION = "(VP (VBZ lives) (PP-LOC (IN in) (NP (DT the) (NN town))))"
SUBORDINATOR = "(VP (VBP know) (SBAR (IN that) (S (NP-SBJ (PRP he)) (VP (VBD left)))))"
INFINITIVE = "(VP (VBP want) (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB go)))))"
AUXILIARY = "(S (NP-SBJ (PRP we)) (VP (MD may) (VP (VB have) (VP (VBN gone)))))"
POSSESSIVE = "(NP (NP (DT the) (NN cook) (POS 's)) (NN hat))"
RELATIVE = (
    "(NP (NP (DT the) (NN cook)) (SBAR (WHNP-1 (WP who)) "
    "(S (NP-SBJ (-NONE- *T*-1)) (VP (VBD left)))))"
)


@pytest.mark.parametrize(
    ("switch", "phrase", "as_head", "as_dependent"),
    [
        (
            *("prepositions", PREPOSITION),
            "lives:0:ROOT in:1:LOC the:4:NMOD town:2:PMOD",
            "lives:0:ROOT in:4:PMOD the:4:NMOD town:1:LOC",
        ),
        (
            *("subordinators", SUBORDINATOR),
            "know:0:ROOT that:1:OBJ he:4:SBJ left:2:SUB",
            "know:0:ROOT that:4:SUB he:4:SBJ left:1:OBJ",
        ),
        (
            *("infinitives", INFINITIVE),
            "want:0:ROOT to:1:OBJ go:2:IM",
            "want:0:ROOT to:3:IM go:1:OBJ",
        ),
        (
            *("auxiliaries", AUXILIARY),
            "we:2:SBJ may:0:ROOT have:2:VC gone:3:VC",
            "we:4:SBJ may:4:VC have:4:VC gone:0:ROOT",
        ),
        (
            *("possessives", POSSESSIVE),
            "the:3:NMOD cook:3:NMOD 's:4:NMOD hat:0:ROOT",
            "the:2:NMOD cook:4:NMOD 's:2:SUFFIX hat:0:ROOT",
        ),
        (
            *("wh", RELATIVE),
            "the:2:NMOD cook:0:ROOT who:2:NMOD left:3:SUB",
            "the:2:NMOD cook:0:ROOT who:4:SBJ left:2:NMOD",
        ),
    ],
)
def test_a_function_word_is_head_or_dependent(switch, phrase, as_head, as_dependent):
    assert converted(phrase, "lth", f"{switch}=head") == as_head
    assert converted(phrase, "lth", f"{switch}=dependent") == as_dependent


@pytest.mark.parametrize(
    ("phrase", "chain", "conjunction", "first"),
    [
        (
            "(NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (CC and) (NP (NNS birds)))",
            "cats:0:ROOT ,:1:P dogs:1:COORD and:3:COORD birds:4:CONJ",
            "cats:4:COORD ,:1:P dogs:4:COORD and:0:ROOT birds:4:COORD",
            "cats:0:ROOT ,:1:P dogs:1:COORD and:1:CC birds:1:COORD",
        ),
        (
            "(NP (DT the) (NN owner) (CC and) (JJ chief) (NN cook))",
            "the:2:NMOD owner:0:ROOT and:2:COORD chief:5:NMOD cook:3:CONJ",
            "the:3:NMOD owner:3:COORD and:0:ROOT chief:5:NMOD cook:3:COORD",
            "the:2:NMOD owner:0:ROOT and:2:CC chief:5:NMOD cook:2:COORD",
        ),
        (
            "(NP (JJ big) (CC and) (JJ small) (NNS dogs))",
            "big:4:NMOD and:1:COORD small:2:CONJ dogs:0:ROOT",
            "big:2:COORD and:4:NMOD small:2:COORD dogs:0:ROOT",
            "big:4:NMOD and:1:CC small:1:COORD dogs:0:ROOT",
        ),
        (
            "(S (NP-SBJ (PRP We)) (VP (VBD cooked) (CC and) (VBD ate) (NP (NN soup))) (. .))",
            "We:2:SBJ cooked:0:ROOT and:2:COORD ate:3:CONJ soup:2:OBJ .:2:P",
            "We:3:SBJ cooked:3:COORD and:0:ROOT ate:3:COORD soup:3:OBJ .:3:P",
            "We:2:SBJ cooked:0:ROOT and:2:CC ate:2:COORD soup:2:OBJ .:2:P",
        ),
        (
            "(UCP (ADJP (JJ old)) (CC and) (NP (DT a) (NN cook)))",
            "old:0:ROOT and:1:COORD a:4:NMOD cook:2:CONJ",
            "old:2:COORD and:0:ROOT a:4:NMOD cook:2:COORD",
            "old:0:ROOT and:1:CC a:4:NMOD cook:1:COORD",
        ),
        (
            "(S (CC But) (NP-SBJ (NNS birds)) (VP (VBP sing)))",
            *["But:3:DEP birds:3:SBJ sing:0:ROOT"] * 3,
        ),
    ],
)
def test_coordination(phrase, chain, conjunction, first):
    assert converted(phrase, "lth", "coordination=chain") == chain
    assert converted(phrase, "lth", "coordination=conjunction") == conjunction
    assert converted(phrase, "lth", "coordination=first") == first


@pytest.mark.parametrize(
    ("clause", "whole", "split"),
    [
        (
            "(VP (VBP find) (S (NP-SBJ (PRP it)) (ADJP-PRD (JJ odd))))",
            "find:0:ROOT it:3:SBJ odd:1:OBJ",
            "find:0:ROOT it:1:OBJ odd:1:OPRD",
        ),
        (
            "(VP (VB let) (S (NP-SBJ (PRP him)) (VP (VB stay))))",
            "let:0:ROOT him:3:SBJ stay:1:OBJ",
            "let:0:ROOT him:1:OBJ stay:1:OPRD",
        ),
        (INFINITIVE, "want:0:ROOT to:3:IM go:1:OBJ", "want:0:ROOT to:3:IM go:1:OPRD"),
        (
            "(VP (VBP say) (S (NP-SBJ (PRP he)) (VP (VBD left))))",
            *["say:0:ROOT he:3:SBJ left:1:OBJ"] * 2,
        ),
        (
            "(VP (VBP stay) (S-PRP (NP-SBJ (PRP him)) (VP (TO to) (VP (VB go)))))",
            *["stay:0:ROOT him:4:SBJ to:4:IM go:1:PRP"] * 2,
        ),
    ],
)
def test_small_clauses(clause, whole, split):
    assert converted(clause, "lth", "small_clauses=whole") == whole
    assert converted(clause, "lth", "small_clauses=split") == split


@pytest.mark.parametrize(
    ("phrase", "fine", "plain"),
    [
        (
            "(NP (NP (NNP Mrs.) (NNP Ada) (NNP Stone)) (, ,) (NP (DT a) (NN cook)))",
            "Mrs.:3:TITLE Ada:3:NAME Stone:0:ROOT ,:3:P a:6:NMOD cook:3:APPO",
            "Mrs.:3:NMOD Ada:3:NMOD Stone:0:ROOT ,:3:P a:6:NMOD cook:3:NMOD",
        ),
        (
            "(VP (VBD left) (NP-TMP (NN today)) (ADVP (RB fast)) (PRT (RP out)))",
            "left:0:ROOT today:1:TMP fast:1:ADV out:1:PRT",
            "left:0:ROOT today:1:ADV fast:1:VMOD out:1:PRT",
        ),
    ],
)
def test_labels_are_fine_or_plain(phrase, fine, plain):
    assert converted(phrase, "lth", "nominals=fine,adverbials=fine") == fine
    assert converted(phrase, "lth", "nominals=plain,adverbials=plain") == plain


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (
            "(S (NP-SBJ-1 (NN Tea)) (VP (VBZ is) (VP (VBN made) (NP (-NONE- *-1)) "
            "(PP (IN by) (NP-LGS (NNS cooks))))))",
            "Tea:2:SBJ is:0:ROOT made:2:VC by:3:LGS cooks:4:PMOD",
        ),
        (
            "(S (NP-SBJ (PRP She)) (VP (VBZ is) (ADJP-PRD (RB very) (JJ tall))))",
            "She:2:SBJ is:0:ROOT very:4:AMOD tall:2:PRD",
        ),
        (
            "(S (NP-SBJ (PRP She)) (VP (VBD gave) (NP (PRP him)) (NP (NN tea))))",
            "She:2:SBJ gave:0:ROOT him:2:OBJ tea:2:OBJ",
        ),
        (
            "(SINV (`` ``) (S-TPC-1 (NP-SBJ (PRP I)) (VP (VBP agree))) (, ,) "
            "(VP (VBZ says) (S (-NONE- *T*-1))) (NP-SBJ (NNP Ada)))",
            "``:5:P I:3:SBJ agree:5:OBJ ,:5:P says:0:ROOT Ada:5:SBJ",
        ),
        (
            "(SBARQ (WHADVP-1 (WRB Why)) (SQ (VBD did) (NP-SBJ (PRP he)) "
            "(VP (VB go) (ADVP-PRP (-NONE- *T*-1)))))",
            "Why:2:PRP did:0:ROOT he:2:SBJ go:2:VC",
        ),
        (
            "(SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP he)) "
            "(VP (VB see) (NP (-NONE- *T*-1)))))",
            "What:2:OBJ did:0:ROOT he:2:SBJ see:2:VC",
        ),
        (
            "(S (NP-SBJ (NN Tea)) (PRN (, ,) (S (NP-SBJ (PRP I)) (VP (VBP think))) (, ,)) "
            "(VP (VBZ helps)))",
            "Tea:6:SBJ ,:4:P I:4:SBJ think:6:PRN ,:4:P helps:0:ROOT",
        ),
        ("(S (NP-SBJ (DT This)) (NP-PRD (DT a) (NN test)))", "This:3:SBJ a:3:NMOD test:0:ROOT"),
        ("(FRAG (ADVP (RB Not)) (NP (DT this) (NN year)))", "Not:3:ADV this:3:NMOD year:0:ROOT"),
        ("(NP (QP (RB about) ($ $) (CD 5)))", "about:2:NMOD $:0:ROOT 5:2:NMOD"),
        ("(PP (ADVP (RB just)) (IN in) (NP (NN town)))", "just:2:ADV in:0:ROOT town:2:PMOD"),
    ],
)
def test_relations_of_the_standard_set(phrase, expected):
    assert converted(phrase, "lth", "standard") == expected


def test_unary_chains_are_one_word():
    assert converted("(S (VP (NP (NX (NP (NN tea))))))", "collins") == "tea:0:ROOT"


def test_prepositions_are_heads_but_in_two_sets():
    # Gelling et al. (2012, footnote 18)
    for name in OPTION_SETS:
        expected = "town" if name in LEXICAL_AND_OLD else "in"
        assert head_form("(PP (IN in) (NP (NN town)))", "lth", name) == expected


def test_all_function_words_head_in_the_functional_set_and_none_in_the_lexical_one():
    switches = ("prepositions", "subordinators", "infinitives", "possessives", "wh")
    assert {getattr(OPTION_SETS["functional"], switch) for switch in switches} == {"head"}
    assert {getattr(OPTION_SETS["lexical"], switch) for switch in switches} == {"dependent"}


def test_sets_and_switches_are_read():
    assert LthOptions.parse("standard") == LthOptions()
    assert LthOptions.parse("oldLTH, wh=head").wh == "head"
    with pytest.raises(
        RewriteError, match="unknown set of options 'standart'; did you mean standard"
    ):
        LthOptions.parse("standart")
    with pytest.raises(
        RewriteError, match="lth: unknown setting 'preposition'; did you mean prepositions"
    ):
        LthOptions.parse("standard,preposition=head")
    with pytest.raises(RewriteError, match="coordination: expected one of chain, conj"):
        LthOptions.parse("coordination=prague")
    with pytest.raises(
        RewriteError, match="lexical is a set of options, which can only be the first"
    ):
        LthOptions.parse("wh=head,lexical")


def test_head_rules_are_known_by_name():
    assert list(SCHEMES) == ["collins", "yamada-matsumoto", "lth"]
    with pytest.raises(RewriteError, match="unknown head rules 'colins'; did you mean collins"):
        scheme_of("colins")
    with pytest.raises(RewriteError, match="collins has no options"):
        scheme_of("collins", "standard")


def test_the_treebank_has_tags_relations_and_names():
    text = "( (S (NP-SBJ (NNS Birds)) (VP (VBP sing))))\n( (NP (NN Tea)))\n"
    treebank = choose_heads(parse_brackets(text, file="wsj_0001.mrg"), "lth", name="wsj")
    assert list(treebank.xpos) == ["NNS", "VBP", "NN"]
    assert treebank.sentence_ids == ("wsj_0001-1", "wsj_0001-2")
    assert (treebank.name, treebank.offsets.tolist()) == ("wsj", [0, 2, 3])
    assert choose_heads([], "collins").n_words == 0


# ------------------------------------------------------------------ laws


def one_of(labels: str) -> st.SearchStrategy[str]:
    return st.sampled_from(labels.split())


TAGS = one_of("NN NNP VBD VB TO MD IN DT JJ RB CC CC POS WP , . `` CD $ -NONE-")
LABELS = one_of(
    "S SBAR SINV SQ SBARQ NP NP-SBJ NP-PRD VP VP PP PP-LOC ADJP-PRD ADVP QP UCP PRN FRAG NX NAC "
    "WHNP WHPP CONJP X S-TPC-1 RRC"
)
NESTED = st.recursive(
    TAGS.map(lambda tag: f"({tag} {'*T*-1' if tag == '-NONE-' else 'w'})"),
    lambda inner: st.tuples(LABELS, st.lists(inner, min_size=1, max_size=6)).map(
        lambda made: f"({made[0]} {' '.join(made[1])})"
    ),
    max_leaves=25,
)
OPTIONS = st.builds(
    LthOptions, **{switch: st.sampled_from(values) for switch, values in SWITCHES.items()}
)


def slow_head(node: Node, heads: str) -> int:
    """Return the head word of a phrase, straight from the head of every phrase inside it."""
    if isinstance(node, BracketedWord):
        return node.place
    return slow_head(node.children[scheme_of(heads).arrange(node).head], heads)


def slow_heads(tree: PhraseTree, heads: str) -> list[int]:
    """Say for every word who heads the smallest phrase that it does not head itself."""

    def climb(node: Node, above: int) -> None:
        top = slow_head(node, heads)
        if isinstance(node, BracketedWord):
            found[node.place] = above + 1
            return
        for child in node.children:
            climb(child, above if slow_head(child, heads) == top else top)

    found = [0] * len(tree)
    climb(tree.root, -1)
    return found


@examples()
@given(NESTED)
def test_every_scheme_gives_one_rooted_projective_trees(text):
    trees = parse_brackets(f"( {text})")
    for heads, options in EVERY_SCHEME:
        treebank = choose_heads(trees, heads, options)
        assert list(treebank.form) == [word.form for tree in trees for word in tree.words]
        assert not tree_flaws(treebank).any()
        assert not nonprojective_arcs(treebank).any()
        assert not {"", "_"} & set(treebank.deprel)
        assert [head == 0 for head in treebank.head] == [r == "ROOT" for r in treebank.deprel]


@examples()
@given(NESTED, OPTIONS)
def test_so_do_all_options(text, options):
    trees = parse_brackets(f"( {text})")
    treebank = choose_heads(trees, scheme_of("lth").__class__(options))
    assert not tree_flaws(treebank).any()
    assert not nonprojective_arcs(treebank).any()


@examples()
@given(NESTED)
def test_heads_are_what_the_slow_twin_says(text):
    for tree in parse_brackets(f"( {text})"):
        for heads in ("collins", "yamada-matsumoto"):
            assert dependencies(tree, scheme_of(heads))[0] == slow_heads(tree, heads)


def is_mark_alone(phrase: Phrase) -> bool:
    return all(child.label in PUNCTUATION for child in phrase.children)


@examples()
@given(NESTED)
def test_punctuation_heads_nothing_unless_it_is_alone_in_a_phrase(text):
    trees = parse_brackets(f"( {text})")
    assume(not any(is_mark_alone(p) for tree in trees for p in phrases_bottom_up(tree.root)))
    for heads, options in EVERY_SCHEME:
        treebank = choose_heads(trees, heads, options)
        for sentence in treebank:
            is_mark = [word.xpos in PUNCTUATION for word in sentence]
            assert not any(head and is_mark[head - 1] for head in sentence.heads)


KINDS = one_of("NN NP VBD VP JJ CC CC CONJP , PP DT")


@examples()
@given(st.lists(KINDS, min_size=1, max_size=9).map(tuple), st.data())
def test_arranged_children_are_a_projective_tree(children, data):
    places = [p for p, label in enumerate(children) if label not in {"CC", "CONJP", ","}]
    if not places:
        return
    head = data.draw(st.sampled_from(places))
    conjuncts = conjuncts_of("NP", children, head)
    for style in SWITCHES["coordination"]:
        if not conjuncts:
            continue
        arranged = join_modifiers(coordinated(children, conjuncts, style), children, style)
        governor = arranged.governor
        assert governor[arranged.head] == arranged.head

        def ancestors(child: int, governor: tuple[int, ...] = governor) -> list[int]:
            line = [child]
            while governor[line[-1]] != line[-1]:
                line.append(governor[line[-1]])
                assert len(line) <= len(governor)
            return line

        for child, above in enumerate(governor):
            assert ancestors(child)[-1] == arranged.head
            for between in range(min(child, above) + 1, max(child, above)):
                assert above in ancestors(between)


def test_the_slow_twin_can_tell_tables_apart():
    (tree,) = parse_brackets("(NP (NP (NN tea)) (CC and) (NP (NN milk)))")
    assert slow_heads(tree, "collins") == [0, 1, 1]
    assert slow_heads(tree, "yamada-matsumoto") == [3, 3, 0]


def test_every_switch_has_an_effect():
    phrases = [PREPOSITION, SUBORDINATOR, INFINITIVE, AUXILIARY, POSSESSIVE, RELATIVE]
    phrases += ["(NP (NP (NNP A) (NNP B)) (CC or) (NP (NNP C)))", "(VP (VB go) (ADVP (RB on)))"]
    for switch, values in SWITCHES.items():
        for one, other in product(values, values):
            same = all(
                converted(phrase, "lth", f"{switch}={one}")
                == converted(phrase, "lth", f"{switch}={other}")
                for phrase in phrases
            )
            assert same == (one == other), (switch, one, other)
