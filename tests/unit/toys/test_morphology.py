from __future__ import annotations

import numpy as np

from treegauge.toys.morphology import (
    FEATURES,
    Endings,
    Paradigm,
    bundles,
    paradigm,
    value_index,
)

VERB = Endings("VerbForm Tense", "Person", """
                1    2    3
    Fin  Pres   o    is   es
    Fin  Past   ev   evis ev
    Inf  *      ar
""")  # fmt: skip


def bundle(**values: str) -> int:
    row = [value_index(name, values.get(name, FEATURES[name][0])) for name in FEATURES]
    return int(bundles(np.array([row], np.int8))[0])


def form(cells: Paradigm, **values: str) -> str:
    return cells.suffixes[cells.cell_of[bundle(**values)]]


def test_a_table_is_read_by_row_and_column() -> None:
    cells = paradigm([VERB])
    assert form(cells, Tense="Pres", Person="2") == "is"
    assert form(cells, Tense="Past", Person="2") == "evis"
    assert form(cells, VerbForm="Inf", Person="2", Tense="Past") == "ar"


def test_equal_endings_are_different_cells() -> None:
    cells = paradigm([VERB])
    first = cells.cell_of[bundle(Tense="Past", Person="1")]
    third = cells.cell_of[bundle(Tense="Past", Person="3")]
    assert first != third
    assert cells.suffixes[first] == cells.suffixes[third] == "ev"
    assert cells.features[third] == {"VerbForm": "Fin", "Tense": "Past", "Person": "3"}


def test_what_does_not_show_is_not_said() -> None:
    cells = paradigm([VERB])
    assert cells.features[cells.cell_of[bundle(VerbForm="Inf")]] == {"VerbForm": "Inf"}


def test_a_form_that_does_not_exist_has_no_cell() -> None:
    assert paradigm([VERB]).cell_of[bundle(VerbForm="Imp")] == -1


def test_star_is_every_other_value() -> None:
    case = Endings("", "Case", "*  Gen\n-  a")
    cells = paradigm([case])
    assert [form(cells, Case=name) for name in ("Nom", "Acc", "Gen")] == ["", "", "a"]
    assert cells.features[cells.cell_of[bundle(Case="Acc")]] == {}


def test_tables_are_put_one_behind_the_other() -> None:
    number = Endings("", "Number", "Sing Plur\n -  ler")
    case = Endings("", "Case", "Nom Acc\n -  i")
    cells = paradigm([number, case])
    assert form(cells, Number="Plur", Case="Acc") == "leri"
    said = cells.features[cells.cell_of[bundle(Number="Plur", Case="Acc")]]
    assert said == {"Number": "Plur", "Case": "Acc"}


def test_fixed_features_leave_only_their_cells() -> None:
    noun = Endings("Gender", "Number", """
              Sing Plur
        Masc  -    i
        Fem   a    e
    """)  # fmt: skip
    cells = paradigm([noun], {"Gender": "Fem"})
    assert cells.suffixes == ("a", "e")
    assert cells.cell_of[bundle(Gender="Masc")] == -1


def test_several_values_can_be_left() -> None:
    case = Endings("", "Case", "Nom Acc Dat\n -   i   u")
    assert paradigm([case], {"Case": "Nom/Acc"}).suffixes == ("", "i")
