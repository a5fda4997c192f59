"""What a shell offers when the Tab key is pressed."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.test_heavy_modules import NOTHING, heavy_modules

BREAKS = re.compile(r"([:=]+)")
"""Where bash divides words by itself."""


@pytest.fixture
def offers(run):
    """Return what bash, zsh and fish are offered behind a line that is not finished."""

    def of(line: str, shell: str = "fish", **environment: str) -> list[str]:
        environment |= {"_TREEGAUGE_COMPLETE": f"complete_{shell}"}
        if shell == "bash":
            words = [part for word in f"{line}|".split(" ") for part in BREAKS.split(word)]
            words = [word for word in words if word]
            words[-1] = words[-1].removesuffix("|")
            if not words[-1] and BREAKS.fullmatch(words[-2]):
                words.pop()  # as bash does behind a colon
            environment |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
        else:
            environment |= {
                "_TYPER_COMPLETE_ARGS": line,
                "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            }
        answer = run(**environment).stdout
        if shell == "zsh":
            return [
                one.replace("\\\\:", ":")
                for one in re.findall(r'^(?:_arg.*\(\()?"(.*?)"(?::|$|\))', answer, re.MULTILINE)
            ]
        return [offered.partition("\t")[0] for offered in answer.splitlines() if offered]

    return of


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("treegauge eval", ["evaluate"]),
        ("treegauge induce right-", ["right-branching"]),
        ("treegauge list systems right-", ["right-branching"]),
        ("treegauge list settings eval", ["evaluate"]),
        ("treegauge list settings dictionary.sc", ["dictionary.score"]),
        ("treegauge list metrics right-", []),
        ("treegauge init --systems random,dm", ["random,dmv"]),
        ("treegauge evaluate gold out -m many", ["many_to_one"]),
        ("treegauge evaluate gold out -m uas,many", ["uas,many_to_one"]),
        ("treegauge evaluate gold out --metrics dependen", ["dependencies"]),
        ("treegauge evaluate gold out --by direc", ["direction"]),
        ("treegauge evaluate gold out --by relation*direc", ["relation*direction"]),
        ("treegauge evaluate gold out --preset pas", ["pascal"]),
        ("treegauge evaluate gold out --format la", ["latex"]),
        ("treegauge evaluate gold out --styles prague,func", ["prague,functional"]),
        ("treegauge convert in out --to pas", ["pascal"]),
        ("treegauge convert in out --from conllx", ["conllx"]),
        ("treegauge convert in out --style func", ["functional"]),
        ("treegauge convert in out --style ud,coordi", ["ud,coordination="]),
        ("treegauge convert in out --heads col", ["collins"]),
        ("treegauge permute in out --order opt", ["optdl"]),
        ("treegauge derive in out --system arc-h", ["arc-hybrid"]),
        ("treegauge train transition in --set delex", ["delexicalised="]),
        ("treegauge reproduce n", ["ned"]),
        ("treegauge reproduce pascal --set dm", ["dmv."]),
        ("treegauge reproduce pascal --set dmv.smooth", ["dmv.smoothing="]),
    ],
)
def test_names_are_offered(offers, shell, line, offered):
    assert offers(line, shell)[:1] == offered


@pytest.mark.parametrize(
    ("line", "bash", "others"),
    [
        ("treegauge describe toy:sv", "svo", "toy:svo"),
        ("treegauge evaluate --preset=pas", "pascal", "pascal"),
        ("treegauge train transition in --set delexicalised=t", "true", "delexicalised=true"),
        ("treegauge convert in out --style coordination=fi", "first", "coordination=first"),
    ],
)
def test_bash_is_offered_what_stands_behind_its_own_word_breaks(offers, line, bash, others):
    assert offers(line, "bash") == [bash]
    assert offers(line, "zsh") == offers(line, "fish") == [others]


def test_bash_offers_all_toy_languages_behind_the_colon(offers):
    assert offers("treegauge describe toy:", "bash") == ["svo", "sov", "vso", "free"]
    assert offers("treegauge describe to")[0] == "toy:svo"


def test_nothing_is_offered_for_a_treebank_before_a_letter_so_that_shells_offer_files(offers):
    assert offers("treegauge describe ") == []


def test_treebanks_of_data_folders_and_sets_are_offered_by_name(offers, tmp_path, birds):
    folder = tmp_path / "ud" / "UD_English-EWT"
    folder.mkdir(parents=True)
    birds.rename(folder / "en_ewt-ud-test.conllu")
    assert offers("treegauge describe --data ud en_") == ["en_ewt"]
    assert offers("treegauge describe en_", TREEGAUGE_DATA=str(tmp_path / "ud")) == ["en_ewt"]
    assert offers("treegauge describe en_ewt:", TREEGAUGE_DATA=str(tmp_path / "ud")) == [
        "en_ewt:test"
    ]
    assert offers("treegauge describe pasc")


def test_settings_that_were_set_are_of_the_system_that_is_named(offers):
    assert "iterations=" in offers("treegauge induce dmv toy:svo --set ")
    assert offers("treegauge induce right-branching toy:svo --set iter") == []
    assert offers("treegauge induce nonsense toy:svo --set iter") == []


def test_a_setting_that_is_alone_comes_with_its_default_so_that_no_space_follows(offers):
    offered = offers("treegauge train transition in --set delex")
    assert offered == ["delexicalised=", "delexicalised=false", "delexicalised=true"]


def test_a_folder_that_is_not_there_offers_nothing_and_says_nothing(run):
    line = {"_TYPER_COMPLETE_ARGS": "treegauge describe --data nowhere xy"}
    result = run(_TREEGAUGE_COMPLETE="complete_zsh", **line)
    assert (result.stdout.strip(), result.stderr) == ("_files", "")


@pytest.mark.parametrize(
    "line",
    [
        "treegauge evaluate gold out -m u",
        "treegauge evaluate gold out --by r",
        "treegauge convert in out --style f",
        "treegauge describe toy:s",
        "treegauge induce dmv toy:svo --set i",
        "treegauge train transition toy:svo --set i",
    ],
)
def test_completing_imports_nothing_heavy(tmp_path, monkeypatch, line):
    words = shlex.split(line)
    monkeypatch.setenv("_TREEGAUGE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert heavy_modules(tmp_path, "") == NOTHING
