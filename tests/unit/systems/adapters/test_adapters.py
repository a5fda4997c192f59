"""External tools with models that were trained elsewhere: spaCy and UDPipe, as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from tests.in_process import cells_in_process
from treegauge.catalogue import Catalogue
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.adapters import adapter
from treegauge.systems.adapters.adapter import fingerprint_of_files
from treegauge.toys import toy_parts
from treegauge.treebank import (
    Column,
    align_by_characters,
    comments_of,
    generator_of,
    paragraphs_of,
    sentence_texts,
)

COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel")
GOLD = toy_parts("toy:svo", tokens=3000)["test"][:30]


@pytest.fixture(params=["spacy", "udpipe"])
def tool(request):
    """A system of either tool."""
    path = request.getfixturevalue(
        {"spacy": "spacy_folder", "udpipe": "udpipe_file"}[request.param]
    )
    return make_system(f"{request.param}:{path}")


def same_annotation(first: tg.Treebank, second: tg.Treebank) -> bool:
    return first.head.tolist() == second.head.tolist() and all(
        list(first.columns[name]) == list(second.columns[name]) for name in COLUMNS
    )


# ---------------------------------------------------------------------- words as they are


def test_words_stay_and_all_annotation_is_the_tools(tool) -> None:
    answer = tool.annotate(GOLD)
    assert answer.form == GOLD.form
    assert answer.offsets.tolist() == GOLD.offsets.tolist()
    assert answer.sentence_ids == GOLD.sentence_ids
    scores = tg.evaluate(GOLD, answer, metrics=["upos", "uas"], resamples=0)
    assert scores["upos"].value > 0.7
    assert scores["uas"].value > 0.3


def test_a_tool_sees_words_and_nothing_else(tool) -> None:
    rng = np.random.default_rng(0)
    columns = {
        name: Column.from_strings(rng.permutation(list(GOLD.columns[name]))) for name in COLUMNS
    }
    other = GOLD.replace(columns=columns, head=np.ones(GOLD.n_words, np.int32))
    bare = GOLD.blind(heads=True, tags=True)
    answer = tool.annotate(GOLD)
    assert same_annotation(answer, tool.annotate(other))
    assert same_annotation(answer, tool.annotate(bare))


def test_sentences_without_words_are_left_alone(tool) -> None:
    emptied = tg.parse(".\tPUNCT\n\nbirds\tNOUN\n\n").without_punctuation()
    assert emptied.lengths.tolist() == [0, 1]
    answer = tool.annotate(emptied)
    assert answer.lengths.tolist() == [0, 1]
    assert tool.annotate(emptied[:1]).n_words == 0


def test_batches_make_no_difference(udpipe_file) -> None:
    answers = [
        make_system(f"udpipe:{udpipe_file}?batch_size={size}").annotate(GOLD) for size in (3, 1000)
    ]
    assert same_annotation(*answers)


# ---------------------------------------------------------------------- raw text


def test_raw_text_is_cut_by_the_tool_and_keeps_its_characters(tool) -> None:
    text = paragraphs_of(GOLD)
    answer = tool.annotate_text([*text, "  \n", *text])
    assert answer.name == tool.label
    twice = tg.concatenate([GOLD, GOLD])
    pairs = align_by_characters(twice, answer)
    assert len(pairs.first) > 0.95 * twice.n_words
    comments = comments_of(answer)
    assert [own[-1] for own in comments] == [f"text = {one}" for one in sentence_texts(answer)]
    assert sum("newpar" in own for own in comments) == 2
    assert answer.sentence_ids[:2] == ("1", "2")
    assert "".join(paragraphs_of(answer)).replace(" ", "") == 2 * "".join(text).replace(" ", "")


def test_raw_text_is_scored_against_words_that_are_others(tool) -> None:
    answer = tool.annotate_text(paragraphs_of(GOLD))
    scores = tg.evaluate(GOLD, answer, metrics=["words", "upos"], align=True, resamples=0)
    assert scores["words"].value > 0.95
    assert scores["upos"].value > 0.6
    assert ("align", "characters") in scores["upos"].signature.conventions


def test_a_text_without_words_is_refused(tool) -> None:
    for text in ([], ["", " \n"]):
        with pytest.raises(SystemsError, match="there are no words in this text"):
            tool.annotate_text(text)


def test_a_model_without_a_tokeniser_says_what_to_do(tmp_path, monkeypatch, udpipe_file) -> None:
    from treegauge.systems import native_model
    from treegauge.systems.saved_state import SavedState

    answer = SavedState({}, {"conllu": [], "lacks": "tokeniser"})
    monkeypatch.setattr(native_model.NativeModel, "_answer", lambda *_: answer)
    with pytest.raises(SystemsError, match=r"this model has no tokeniser: .*--pretokenised"):
        make_system(f"udpipe:{udpipe_file}").annotate_text(["birds sing"])


# ---------------------------------------------------------------------- versions


def test_versions_of_tool_and_model_are_in_file_and_signature(tool) -> None:
    answer = tool.annotate(GOLD)
    versions = generator_of(answer)
    assert versions == tool.versions
    kind, mark = versions.split("#")
    assert len(mark) == 8
    assert kind.startswith(("spaCy 3.", "UDPipe 1."))
    again = tg.parse(tg.to_text(answer))
    score = tg.evaluate(GOLD, again, metrics=["uas"], resamples=0)["uas"]
    assert f"|system:{versions}|" in str(score.signature)
    # Annotated once more, it has one author, the last.
    assert tg.to_text(tool.annotate(answer)).count("# generator = ") == 1


def test_fingerprints_change_with_content_and_names(tmp_path) -> None:
    folder = tmp_path / "model"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a").write_text("1")
    first = fingerprint_of_files(folder)
    (folder / "inner" / "a").write_text("12")
    second = fingerprint_of_files(folder)
    (folder / "inner" / "a").rename(folder / "inner" / "b")
    assert len({first, second, fingerprint_of_files(folder)}) == 3


# ---------------------------------------------------------------------- what is missing


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("spacy", "spacy needs a model: write spacy:en_core_web_sm"),
        ("udpipe-model", "udpipe-model needs a model: write udpipe:english"),
        ("spacy:xx_no_such_pipeline", "python -m spacy download xx_no_such_pipeline"),
        ("spacy:./nowhere", "there is no folder ./nowhere with a pipeline of spaCy"),
        ("udpipe:./nowhere.udpipe", "there is no file nowhere.udpipe: models are at https://"),
        ("spacy:x?device=fast", "setting device: expected cpu, gpu or a number, found 'fast'"),
    ],
)
def test_a_missing_model_is_one_sentence_with_what_to_do(name: str, message: str) -> None:
    with pytest.raises(SystemsError) as caught:
        make_system(name).annotate(GOLD[:1])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_package_is_one_sentence_with_the_command(tool, monkeypatch) -> None:
    def missing(module: str):
        raise ImportError(f"No module named {module!r}")

    monkeypatch.setattr(adapter, "import_module", missing)
    with pytest.raises(SystemsError, match=rf'pip install "treegauge\[{tool.tool}\]"$'):
        tool.annotate(GOLD[:1])


def test_a_file_that_is_no_model_of_udpipe_is_refused(tmp_path) -> None:
    path = tmp_path / "no.udpipe"
    path.write_bytes(b"\x00\x01 this is no model")
    with pytest.raises(SystemsError, match=r"is .*no\.udpipe a model of UDPipe 1\?"):
        make_system(f"udpipe:{path}").annotate(GOLD[:1])


@pytest.mark.long
def test_a_tool_is_not_saved_but_can_tag_for_a_parser(udpipe_file, tmp_path) -> None:
    tool = make_system(f"udpipe:{udpipe_file}")
    with pytest.raises(SystemsError, match="learns nothing here that could be saved: name it"):
        tool.save(tmp_path / "model")
    parser = make_system("transition", epochs=1, tags_from=f"udpipe:{udpipe_file}").fit(GOLD)
    parser.save(tmp_path / "parser")
    answer = load_system(tmp_path / "parser").annotate(GOLD)
    assert answer.head.tolist() == parser.annotate(GOLD).head.tolist()


@pytest.mark.long
def test_a_saved_model_loads_no_pipeline_of_spacy_without_leave(spacy_folder, tmp_path) -> None:
    parser = make_system("transition", epochs=1, tags_from=f"spacy:{spacy_folder}").fit(GOLD)
    parser.save(tmp_path / "parser")
    with pytest.raises(SystemsError, match="--allow-commands"):
        load_system(tmp_path / "parser")
    load_system(tmp_path / "parser", allow_commands=True)


def test_experiments_take_tools_as_they_are_typed(udpipe_file: Path) -> None:
    document = {"treebanks": ["toy:svo"], "systems": [f"udpipe:{udpipe_file}", "brown:5"]}
    first, second = tg.Experiment.from_dict(document).systems
    assert (first.system, first.label) == ("udpipe-model", "udpipe:toy")
    assert first.make().settings.model == str(udpipe_file)
    assert (second.system, dict(second.settings)) == ("brown", {"classes": "5"})
    assert second.label == "brown:5"
    tools = {"system": "udpipe:x.udpipe", "settings": {"beam": 3}}
    with pytest.raises(tg.ExperimentError, match="udpipe-model: unknown setting 'beam'"):
        tg.Experiment.from_dict({**document, "systems": [tools]})


@pytest.mark.long
def test_a_run_tells_a_given_model_from_a_trained_one(udpipe_file: Path, tmp_path) -> None:
    document = {
        "treebanks": ["toy:svo"],
        "systems": [f"udpipe:{udpipe_file}", "right-branching"],
        "preset": "conll2018",
        "metrics": ["upos", "mlas"],
        "resamples": 0,
    }
    with cells_in_process():
        done = tg.run(tg.Experiment.from_dict(document), tmp_path / "run", catalogue=Catalogue())
    rows = {row["metric"]: row for row in done.table.iter_rows(named=True) if row["value"]}
    assert rows["upos"]["system"] == "udpipe:toy"
    assert rows["upos"]["fit_on"] == "nothing"
    assert rows["upos"]["value"] > 0.7
    assert rows["mlas"]["value"] > 0.05
    assert "|system:UDPipe 1." in rows["upos"]["signature"]
    assert str(tg.report(tmp_path / "run"))
