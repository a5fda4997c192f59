from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import treegauge as tg
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue, CatalogueError
from treegauge.runs import Experiment, ExperimentError, Plan
from treegauge.runs.planning import make_plan


def plan(*treebanks, systems=("left-branching",), **more) -> Plan:
    document = {"treebanks": [str(one) for one in treebanks], "systems": list(systems), **more}
    return make_plan(Experiment.from_dict(document), Catalogue())


def keys(*treebanks, **more) -> dict[str, str]:
    made = plan(*treebanks, **more)
    found = {str(cell): cell.key for cell in made.cells}
    assert len(found) == len(made.cells)
    return found


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    assert before.keys() == after.keys()
    return {name for name in before if before[name] != after[name]}


GRID = [
    "left-branching",
    {"system": "random", "seeds": [1, 2]},
    "most-frequent-tag",
    {"system": "external", "label": "mine", "settings": {"command": "cat"}},
]


def test_every_system_meets_every_treebank(banks):
    made = plan(*banks, systems=GRID)
    assert [str(cell) for cell in made.cells][:5] == [
        "birds: left-branching",
        "birds: random, seed 1",
        "birds: random, seed 2",
        "birds: most-frequent-tag",
        "birds: mine, seed 0",
    ]
    assert len(made.cells) == 10
    assert len({cell.key for cell in made.cells}) == 10
    assert keys(*banks, systems=GRID) == keys(*banks, systems=GRID)


def test_seeds_are_for_systems_that_use_them(bank):
    assert list(keys(bank, systems=["left-branching", "random"], seeds=[3, 4])) == [
        "birds: left-branching",
        "birds: random, seed 3",
        "birds: random, seed 4",
    ]
    assert keys(bank, seeds=[3]) == keys(bank, seeds=[4])


def test_another_setting_touches_its_system_only(bank):
    other = [*GRID[:3], {**GRID[3], "settings": {"command": "cat -"}}]
    found = changed(keys(bank, systems=GRID), keys(bank, systems=other))
    assert found == {"birds: mine, seed 0"}


def test_another_label_touches_external_commands_only(bank):
    """Their programs can change without a sign; a new label runs them again."""
    keyed = [
        [cell.key for cell in plan(bank, systems=[{**one, "label": label}]).cells]
        for one in ({"system": "random"}, GRID[3])
        for label in ("old", "new")
    ]
    assert keyed[0] == keyed[1]
    assert keyed[2] != keyed[3]


def test_a_setting_that_is_the_default_touches_nothing(bank):
    spelled = {**GRID[3], "settings": {"command": "cat", "produces": "dependencies"}}
    assert not changed(keys(bank, systems=GRID), keys(bank, systems=[*GRID[:3], spelled]))


def test_what_only_scores_or_limits_touches_nothing(bank):
    other = keys(
        bank,
        systems=GRID,
        metrics=["ned"],
        preset="conll2018",
        resamples=3,
        cell_timeout=9,
        cell_memory=999,
        name="other",
    )
    assert not changed(keys(bank, systems=GRID), other)


def rewrite(path: Path, column: int, old: str, new: str) -> None:
    """Change a field in the first line that has it."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines):
        fields = line.split("\t")
        if len(fields) == 10 and fields[column] == old:
            fields[column] = new
            lines[number] = "\t".join(fields)
            path.write_text("".join(lines), encoding="utf-8")
            return
    raise AssertionError(f"{old} is not there")


FORM, UPOS, HEAD, DEPREL = 1, 3, 6, 7


def test_another_word_touches_all_that_see_it(bank):
    before = keys(bank, systems=GRID, fit_on="train")
    form = tg.read(bank / "test.conllu")[0][0].form
    rewrite(bank / "test.conllu", FORM, form, "otherwise")
    assert changed(before, keys(bank, systems=GRID, fit_on="train")) == set(before)


def test_words_of_train_touch_what_learns_from_them(bank):
    before = keys(bank, systems=GRID)
    form = tg.read(bank / "train.conllu")[0][0].form
    rewrite(bank / "train.conllu", FORM, form, "otherwise")
    assert changed(before, keys(bank, systems=GRID)) == {"birds: most-frequent-tag"}


def test_gold_trees_touch_no_unsupervised_cell(bank):
    before = keys(bank, systems=GRID)
    for part in ("train", "dev", "test"):
        rewrite(bank / f"{part}.conllu", DEPREL, "nsubj", "dislocated")
    assert changed(before, keys(bank, systems=GRID)) == {"birds: most-frequent-tag"}


def test_gold_tags_touch_those_that_are_given_them(bank):
    before = keys(bank, systems=GRID)
    rewrite(bank / "test.conllu", UPOS, "NOUN", "PROPN")
    # The tagger neither learns from test nor may it see the tags there.
    assert changed(before, keys(bank, systems=GRID)) == set(before) - {"birds: most-frequent-tag"}


def test_the_name_of_a_treebank_touches_nothing(bank):
    before = list(keys(bank, systems=GRID).values())
    bank.rename(bank.with_name("crows"))
    assert list(keys(bank.with_name("crows"), systems=GRID).values()) == before


def test_another_code_touches_its_system_only(bank, odd_systems):
    systems = ["odd", "left-branching"]
    before = keys(bank, systems=systems)
    odd_systems.write_text(odd_systems.read_text() + "\n# another version\n")
    assert changed(before, keys(bank, systems=systems)) == {"birds: odd"}


def test_another_version_of_the_package_touches_everything(bank, monkeypatch):
    before = keys(bank, systems=GRID)
    monkeypatch.setattr("treegauge.runs.cell.__version__", "99")
    assert changed(before, keys(bank, systems=GRID)) == set(before)


def test_fit_on_says_what_is_learnt_from(bank, odd_systems):
    systems = ["odd", {"system": "odd", "label": "t", "fit_on": "train"}, *GRID[2:3], "random"]
    cells = {cell.choice.label: cell for cell in plan(bank, systems=systems).cells}
    assert {name: cell.fit_on for name, cell in cells.items()} == {
        "odd": "union",
        "t": "train",
        "most-frequent-tag": "train",
        "random": "nothing",
    }
    assert cells["odd"].fit_parts == ("train", "dev", "test")
    assert cells["most-frequent-tag"].fit_parts == ("train",)
    job = cells["odd"].job(threads=1, memory=None, timeout=None)
    sizes = [tg.read(bank / f"{part}.conllu").n_words for part in ("train", "dev", "test")]
    assert job.fit.n_words == sum(sizes)
    assert not job.fit.has_heads
    assert cells["odd"].words == sum(sizes) + sizes[2]
    assert cells["random"].words == sizes[2]


def test_jobs_hold_gold_for_supervised_learning_only(bank, odd_systems):
    for cell in plan(bank, systems=["odd", "most-frequent-tag"]).cells:
        job = cell.job(threads=1, memory=None, timeout=None)
        assert job.fit.has_heads == (cell.choice.system == "most-frequent-tag")
        assert not job.targets["test"].has_heads
        assert job.targets["test"].upos.is_annotated == (cell.track == "dependencies")


def test_tracks_choose_among_the_systems(bank):
    made = plan(bank, systems=GRID, tracks=["tags"])
    assert [cell.choice.label for cell in made.cells] == ["most-frequent-tag"]
    with pytest.raises(ExperimentError, match="no system of the experiment takes part in joint"):
        plan(bank, systems=GRID, tracks=["joint"])


# ---------------------------------------------------------------------- which treebanks


def test_a_treebank_is_there_once_however_it_is_named(bank, monkeypatch):
    monkeypatch.chdir(bank.parent)
    made = plan(bank, "./birds", f"{bank}/../birds", "toy:svo", "toy:svo")
    assert [one.name for one in made.banks] == ["birds", "toy:svo"]


def test_a_single_file_is_scored_as_a_whole(bank):
    made = plan(bank / "test.conllu", systems=["left-branching"])
    assert [(one.name, one.split) for one in made.banks] == [("test", "whole")]
    with pytest.raises(ExperimentError, match="most-frequent-tag needs the train part of test, wh"):
        plan(bank / "test.conllu", systems=["most-frequent-tag"])


def test_a_part_can_be_named(bank):
    assert [one.split for one in plan(f"{bank}:dev").banks] == ["dev"]
    assert [one.split for one in plan(bank, split="dev").banks] == ["dev"]
    assert str(plan(f"{bank}:dev").cells[0]) == "birds:dev: left-branching"
    with pytest.raises(ExperimentError, match="its parts dev and test cannot be scored in one"):
        plan(f"{bank}:dev", bank)


def test_names_may_have_odd_characters(tmp_path):
    odd = write_bank(tmp_path / "Zürich, 2 (α)|β")
    assert [one.name for one in plan(odd).banks] == ["Zürich, 2 (α)|β"]


def test_two_treebanks_of_one_name_are_refused(tmp_path):
    first, second = (write_bank(tmp_path / place / "birds") for place in "ab")
    with pytest.raises(ExperimentError, match="two treebanks are called 'birds'") as raised:
        plan(first, second)
    assert str(first) in str(raised.value)
    assert str(second) in str(raised.value)


def test_parts_that_are_needed_must_be_there(bank, odd_systems):
    (bank / "test.conllu").unlink()
    with pytest.raises(ExperimentError, match="left-branching needs the test part of birds, whi"):
        plan(bank)
    write_bank(bank.with_name("fish"))
    (bank.with_name("fish") / "train.conllu").unlink()
    assert plan(bank.with_name("fish"), systems=["random"]).cells
    with pytest.raises(ExperimentError, match='fit_on = "union" learns from the parts that are'):
        plan(bank.with_name("fish"), systems=[{"system": "odd", "fit_on": "train"}])
    with pytest.raises(ExperimentError, match=r"train part of train, which is not divided$"):
        plan(bank / "train.conllu", systems=["most-frequent-tag"])


def test_unknown_treebanks_and_standard_input(bank):
    with pytest.raises(CatalogueError, match="unknown treebank 'toi:svo'; did you mean"):
        plan("toi:svo")
    with pytest.raises(CatalogueError, match="no such file or folder"):
        plan(bank / "nothing")
    with pytest.raises(ExperimentError, match="standard input cannot be a treebank"):
        plan("-")


def test_settings_chosen_on_dev_are_not_scored_on_dev(bank):
    tuned = {"system": "external", "tune_on_dev": {"grid": {"command": ["cat", "tac"]}}}
    assert [cell.targets for cell in plan(bank, systems=[tuned]).cells] == [("dev", "test")] * 2
    with pytest.raises(ExperimentError, match="chosen on dev cannot be scored on dev"):
        plan(bank, systems=[tuned], split="dev")


def test_flaws_in_files_are_kept_for_whoever_asks(bank):
    rewrite(bank / "test.conllu", HEAD, "0", "1")
    made = plan(bank)
    assert made.cells[0].key
    (findings,) = [found for found in made.cache.findings if len(found)]
    assert "test.conllu" in findings.summary()


def test_a_file_that_changes_during_a_run_is_noticed(bank):
    made = plan(bank)
    cache, entry = made.cache, made.banks[0].entry
    assert made.cells[0].key
    cache._here.clear()
    assert made.banks[0].gold("test").n_words
    cache._here.clear()
    rewrite(bank / "test.conllu", DEPREL, "nsubj", "dislocated")
    with pytest.raises(ExperimentError, match="birds: its test part has changed while the exp"):
        cache.gold(entry, "test")


def test_few_treebanks_are_in_memory_at_a_time(tmp_path):
    first = write_bank(tmp_path / "bank0")
    others = [tmp_path / f"bank{number}" for number in range(1, 6)]
    for other in others:
        shutil.copytree(first, other)
    made = plan(first, *others)
    for one in made.banks:
        for part in one.parts:
            one.gold(part)
    assert len(made.cache._here) == 12


def test_points_without_chance_stand_for_choice_under_every_seed(bank):
    tuned = {
        "system": "dmv",
        "seeds": [1, 2],
        "tune_on_dev": {"grid": {"init": ["smith", "random"]}},
    }
    cells = plan(bank, systems=[tuned]).cells
    assert [(cell.seed, dict(cell.point)["init"]) for cell in cells] == [
        (1, "smith"),
        (1, "random"),
        (2, "smith"),
        (2, "random"),
    ]
    assert len({cell.key for cell in cells}) == 3
    tuned["tune_on_dev"]["grid"]["init"] = ["smith", "em"]
    assert {cell.seed for cell in plan(bank, systems=[tuned]).cells} == {1}


def test_a_number_of_classes_can_be_that_of_the_treebanks_tags(banks):
    names = ("c", "p", "u", "u12")
    systems = [
        {"system": "brown", "label": tags, "settings": {"classes": f"{{{tags}}}"}} for tags in names
    ]
    for cell in plan(*banks, systems=systems, fit_on="union").cells:
        train = tg.read(Path(cell.bank.entry.files("train")[0]))
        counted = {
            "c": set(train.columns["cpos"]) if train.columns["cpos"].is_annotated else None,
            "p": set(train.columns["xpos"]),
            "u": set(train.columns["upos"]),
            "u12": set(tg.treebank.tag_column(train, "u12").column),
        }[cell.choice.label]
        if counted is not None:
            assert cell.system.settings.classes == len(counted)
        assert cell.described_settings["classes_of"] == cell.choice.label


def test_classes_of_an_inducer_inside_of_a_system_are_counted_too(bank):
    joint = {"system": "tags-then-trees", "settings": {"tags_from": "brown:{u}"}}
    (cell,) = plan(bank, systems=[joint]).cells
    tags = set(tg.read(bank / "train.conllu").upos)
    assert cell.system.settings.tags_from == f"brown:{len(tags)}"
    assert cell.about["settings"]["tags_from"] == f"brown:{len(tags)}"


def test_a_number_of_classes_that_was_given_counts_nothing(bank):
    (cell,) = plan(bank, systems=[{"system": "brown", "settings": {"classes": 3}}]).cells
    assert cell.system.settings.classes == 3
    assert "classes_of" not in cell.described_settings


def test_fine_tags_that_hardly_any_word_has_are_not_counted(tmp_path):
    bank = write_bank(tmp_path / "bare")
    train = tg.read(bank / "train.conllu")
    fine = ["_"] * train.n_words
    fine[0] = "x"
    tg.write(train.replace(columns={"xpos": tg.Column.from_strings(fine)}), bank / "train.conllu")
    systems = [{"system": "brown", "settings": {"classes": "{p}"}}]
    (cell,) = plan(bank, systems=systems).cells
    assert cell.system.settings.classes == cell.bank.tag_count("c") > 2


def test_a_job_gets_sources_as_files(banks, tmp_path):
    """The process of a cell knows no data folders, so that it cannot look gold up."""
    source = write_bank(tmp_path / "data" / "xx_source", "toy:sov")
    system = {"system": "transfer-dmv", "settings": {"sources": ["xx_source", "toy:vso", "yy"]}}
    document = {"treebanks": [str(banks[0])], "systems": [system]}
    [cell] = make_plan(Experiment.from_dict(document), Catalogue([tmp_path / "data"])).cells
    job = cell.job(threads=1, memory=None, timeout=None)
    assert job.settings["sources"] == [str((source / "train.conllu").resolve()), "toy:vso", "yy"]
    assert cell.system.settings.sources == ("xx_source", "toy:vso", "yy")


def test_a_job_gets_raw_texts_as_files(banks, tmp_path):
    source = write_bank(tmp_path / "data" / "xx_source", "toy:sov")
    system = {"system": "mmi", "settings": {"raw": ["xx_source", "toy:vso"]}}
    document = {"treebanks": [str(banks[0])], "tracks": ["tags"], "systems": [system]}
    [cell] = make_plan(Experiment.from_dict(document), Catalogue([tmp_path / "data"])).cells
    job = cell.job(threads=1, memory=None, timeout=None)
    assert job.settings["raw"] == [str((source / "train.conllu").resolve()), "toy:vso"]
