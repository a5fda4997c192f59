"""The verbs for systems: induce, train, annotate, and their lists."""

from __future__ import annotations

import json

import numpy as np
import pytest

import treegauge as tg
from treegauge.systems import DependencyInducer, SystemEntry, registry, systems


@pytest.fixture
def hundreds(tmp_path) -> str:
    """The name of a file with more words than two seeds can agree on."""
    tg.write(tg.toy_treebank("toy:svo", tokens=500), tmp_path / "hundreds.conllu")
    return "hundreds.conllu"


def column(text: str, index: int) -> list[str]:
    return [line.split("\t")[index] for line in text.splitlines() if line[:1].isdigit()]


# ---------------------------------------------------------------------- lists


def test_every_system_is_listed(run):
    document = json.loads(run("list", "systems", "--json").stdout)
    assert [row["system"] for row in document["systems"]] == list(systems())
    random = next(row for row in document["systems"] if row["system"] == "random")
    assert random == {
        "system": "random",
        "task": "dependencies",
        "supervision": "unsupervised",
        "summary": "A tree drawn uniformly among all projective trees of the sentence.",
        "package": "treegauge",
    }


def test_the_settings_of_a_system_are_listed(run):
    title, *shown = run("list", "systems", "most-frequent-tag").stdout.splitlines()
    assert title == "most-frequent-tag: Every word gets the tag it had most often in training."
    assert shown[0].split() == ["setting", "type", "default", "what", "it", "does"]
    assert shown[2].split()[:3] == ["tags", "text", "u"]
    document = json.loads(run("list", "systems", "external", "--json").stdout)
    assert (document["system"], document["summary"]) == (
        "external",
        "Any command that reads and writes CoNLL-U.",
    )
    (timeout,) = [row for row in document["settings"] if row["setting"] == "timeout"]
    assert timeout["type"] == "number >= 0 or none"
    assert run("list", "systems", "random").stdout.endswith("\nrandom has no settings\n")


def test_unknown_systems_are_answered_with_near_ones(run):
    for verb in (["list", "systems", "randomm"], ["induce", "randomm", "toy:svo"]):
        result = run(*verb)
        assert result.returncode == 1
        assert result.stderr.startswith("unknown system 'randomm'; did you mean random?")
    assert run("list", "formats", "conllu").returncode == 2


# ---------------------------------------------------------------------- induce


def test_induce_writes_trees_and_says_how_to_score_them(run, birds, tmp_path):
    result = run("induce", "left-branching", "birds.conllu", "-o", "out.conllu")
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    assert column((tmp_path / "out.conllu").read_text(), 6) == ["2", "0", "2"]
    assert result.stderr.splitlines() == [
        "wrote out.conllu: 1 sentence, 3 words",
        "score it with: treegauge evaluate birds.conllu out.conllu --preset pascal",
    ]
    scored = run(*result.stderr.splitlines()[1].split()[4:], "-m", "uas", "--json")
    (system,) = json.loads(scored.stdout)["systems"]
    assert system["scores"]["uas"]["value"] == 1.0


def test_what_takes_minutes_is_said_before_it_begins(run, birds, monkeypatch):
    said = "dmv learns from 3 words: about"
    assert said not in run("induce", "dmv", "birds.conllu", "-o", "out.conllu").stderr
    monkeypatch.setattr("treegauge.cli.learning._WORTH_SAYING", 0.0)
    assert said in run("induce", "dmv", "birds.conllu", "-o", "out.conllu").stderr


def test_induce_to_standard_output_and_from_standard_input(run, birds):
    for name in ("birds.conllu", "-"):
        stdin = birds.read_text() if name == "-" else None
        result = run("induce", "right-branching", name, stdin=stdin)
        assert column(result.stdout, 6) == ["0", "1", "1"]
        assert "score it" not in result.stderr


def test_induce_in_another_format(run, birds, tmp_path):
    result = run("induce", "right-branching", "birds.conllu", "--to", "conllx")
    assert "# sent_id" not in result.stdout
    assert column(result.stdout, 6) == ["0", "1", "1"]
    run("induce", "right-branching", "birds.conllu", "-o", "out.pascal")
    assert len((tmp_path / "out.pascal").read_text().splitlines()[0].split("\t")) == 9


def test_the_seed_decides(run, hundreds):
    def trees(seed: str) -> list[str]:
        return column(run("induce", "random", hundreds, "--seed", seed, "-q").stdout, 6)

    first = trees("1")
    assert first == trees("1")
    assert first != trees("2")


def test_a_summary_for_machines(run, birds):
    result = run("induce", "random", "birds.conllu", "-o", "out.conllu", "--seed", "3", "--json")
    document = json.loads(result.stdout)
    assert document.pop("annotate_seconds") > 0
    assert document.pop("fit_seconds") >= 0
    assert document == {
        "schema": 1,
        "system": "random",
        "settings": {},
        "seed": 3,
        "sentences": 1,
        "words": 3,
        "treebank": "birds.conllu",
        "fit_on": "birds.conllu",
        "output": "out.conllu",
    }
    assert run("induce", "random", "birds.conllu", "--json").returncode == 2


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "tsv"])
def test_a_summary_for_people(run, birds, form):
    for verb, out in (("induce", "o.conllu"), ("train", "m")):
        result = run(verb, "dmv", "birds.conllu", "-o", out, "-f", form)
        assert result.returncode == 0, result.stderr
        assert "init=smith, " in result.stdout
    plain = run("induce", "random", "birds.conllu", "-o", "o.conllu", "-f", "tsv").stdout
    assert "settings\t\n" in plain


def test_how_learning_ended_is_said(run):
    def ended(*options):
        result = run("induce", "dmv", "toy:svo", "-o", "o.conllu", "--json", *options)
        document = json.loads(result.stdout)
        return result.stderr, document["iterations"], document["converged"]

    said, iterations, converged = ended()
    assert f"\ndmv: {iterations} iterations, converged\n" in said
    assert (1 < iterations < 100, converged) == (True, True)
    said, *rest = ended("--set", "iterations=2")
    assert "\ndmv: 2 iterations, not converged\n" in said
    assert rest == [2, False]
    said, *rest = ended("--set", "iterations=0")
    assert "converged" not in said
    assert rest == [0, False]
    trained = run("train", "dmv", "toy:svo", "-o", "m", "--set", "iterations=1")
    assert "\ndmv: 1 iteration, not converged\n" in trained.stderr


def test_a_tag_column_that_is_nearly_empty_is_warned_of(run, birds, recwarn):
    birds.write_text(birds.read_text().replace("VBP", "_"))
    warned = run("induce", "dmv", "birds.conllu", "--set", "tags=p", "-o", "o.conllu")
    assert (
        "dmv: 50% of words have no tag in column p, and _ counts as one; the setting tags can name "
        "another column\n"
    ) in warned.stderr
    assert "counts as one" not in run("induce", "dmv", "birds.conllu", "-o", "o.conllu").stderr
    assert not recwarn


def test_what_learns_nothing_has_learnt_nothing(run, birds):
    result = run("train", "left-branching", "birds.conllu", "-o", "m")
    assert result.stderr.startswith("wrote m: left-branching, which learns nothing\n")


def test_a_saved_model_is_used_again(run, birds, hundreds, tmp_path):
    first = run("induce", "random", hundreds, "--seed", "9", "--save", "m", "-q").stdout
    assert (tmp_path / "m").exists()
    assert run("induce", "random", hundreds, "--model", "m", "-q").stdout == first
    result = run("induce", "left-branching", "birds.conllu", "--model", "m")
    assert result.returncode == 1
    assert result.stderr == "m: this is a model of random, not of left-branching\n"
    assert run("induce", "random", "birds.conllu", "--model", "m", "--seed", "1").returncode == 2
    assert run("induce", "random", "birds.conllu", "--model", "gone").stderr == (
        "gone: cannot be read: no such file or folder\n"
    )


def test_supervised_systems_are_not_induced(run, birds):
    result = run("induce", "most-frequent-tag", "birds.conllu")
    assert result.returncode == 2
    assert "learns from gold annotation" in " ".join(result.stderr.split())


def test_settings_are_checked_before_anything_is_read(run):
    result = run("induce", "random", "missing.conllu", "--set", "speed=3")
    assert result.returncode == 1
    assert result.stderr.startswith("random: unknown setting 'speed'")
    assert run("induce", "random", "missing.conllu", "--set", "speed").stderr == (
        "expected KEY=VALUE, found 'speed'\n"
    )


class Parrot(DependencyInducer):
    """Hangs words on the next one and remembers what it learnt from."""

    name = "parrot"

    def _fit(self, treebank, on_progress):
        on_progress(0.5, "log-likelihood -12.5")
        self.words = treebank.n_words

    def _heads(self, words, _on_progress):
        return np.zeros(words.n_words, np.int32)

    def describe_grammar(self, top: int) -> str:
        return f"learnt from {self.words} words; the {top} strongest"


@pytest.fixture
def parrot(monkeypatch):
    entry = SystemEntry("parrot", __name__, "Parrot", "dependencies", "unsupervised", "Talks.")
    monkeypatch.setattr(registry, "systems", lambda: {**systems(), "parrot": entry})


def test_show_grammar_prints_what_a_system_says_of_itself(run, birds, parrot):
    result = run("induce", "parrot", "birds.conllu", "-o", "o.conllu", "--show-grammar")
    assert result.stdout == "learnt from 3 words; the 10 strongest\n"
    result = run("induce", "parrot", "birds.conllu", "--show-grammar", "--top", "3")
    assert column(result.stdout, 6) == ["0", "0", "1"]
    assert "learnt from 3 words; the 3 strongest\n" in result.stderr
    result = run("induce", "random", "birds.conllu", "-o", "o.conllu", "--show-grammar")
    assert result.stdout == "random has no grammar to show\n"


def test_learning_from_another_treebank(run, birds, parrot):
    result = run(
        "induce", "parrot", "birds.conllu", "-o", "o", "--show-grammar", "--fit-on", "toy:svo"
    )
    assert "toy:svo: learning from its train part" in result.stderr
    learnt = int(result.stdout.split()[2])
    assert (
        learnt
        == json.loads(run("describe", "toy:svo:train", "--json").stdout)["treebanks"][0]["tokens"]
    )


# ---------------------------------------------------------------------- train and annotate


def test_train_and_annotate(run, birds, tmp_path):
    result = run("train", "most-frequent-tag", "birds.conllu", "-o", "tagger")
    assert result.returncode == 0
    assert result.stderr.splitlines() == [
        "wrote tagger: what most-frequent-tag learnt",
        "annotate with: treegauge annotate tagger FILE",
    ]
    (tmp_path / "text.conllu").write_text(birds.read_text().replace("NOUN", "X"))
    result = run("annotate", "tagger", "text.conllu", "-o", "tagged.conllu")
    assert result.stderr.splitlines()[1] == (
        "score it with: treegauge evaluate text.conllu tagged.conllu -m upos"
    )
    assert column((tmp_path / "tagged.conllu").read_text(), 3) == ["NOUN", "VERB", "PUNCT"]
    assert column(run("annotate", "tagger", "-", stdin=birds.read_text()).stdout, 3) == [
        "NOUN",
        "VERB",
        "PUNCT",
    ]


def test_training_takes_the_train_part_and_settings(run):
    result = run("train", "most-frequent-tag", "toy:svo", "-o", "m", "--set", "tags=p", "--json")
    assert "toy:svo: learning from its train part" in result.stderr
    document = json.loads(result.stdout)
    assert (document["settings"], document["model"]) == ({"tags": "p"}, "m")
    answer = run("annotate", "m", "toy:svo", "-o", "tagged.conllu", "--json")
    assert json.loads(answer.stdout)["system"] == "most-frequent-tag"
    assert "-m xpos" in answer.stderr
    scored = run("evaluate", "toy:svo", "tagged.conllu", "-m", "xpos", "--json")
    value = json.loads(scored.stdout)["systems"][0]["scores"]["xpos"]["value"]
    assert 0.8 < value < 1.0


def test_train_needs_a_place_for_the_model(run, birds):
    assert run("train", "most-frequent-tag", "birds.conllu").returncode == 2
    result = run("train", "most-frequent-tag", "birds.conllu", "-o", "no/such/m")
    assert result.stderr == "no/such/m: cannot be written: no such file or folder\n"


def test_plain_text_is_guessed_from_its_name_and_said(run, birds, tmp_path):
    assert run("train", "most-frequent-tag", "birds.conllu", "-o", "m").returncode == 0
    (tmp_path / "plain.txt").write_text("Birds sing .\nsing !\n", encoding="utf-8")
    result = run("annotate", "m", "plain.txt", "-o", "-")
    assert result.returncode == 0, result.stderr
    assert "plain.txt: read as --from tokens" in result.stderr
    tags = [line.split("\t")[1:4:2] for line in result.stdout.splitlines() if "\t" in line]
    assert tags[:3] == [["Birds", "NOUN"], ["sing", "VERB"], [".", "PUNCT"]]
    induced = run("induce", "right-branching", "plain.txt", "-o", "out.conllu")
    assert (induced.returncode, "read as --from tokens" in induced.stderr) == (0, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("(S (NP Birds) (VP sing))\n", "phrase structure in brackets"),
        ("a\tb\tc\n\n", "lines have 3 columns"),
    ],
)
def test_what_has_brackets_or_columns_is_no_plain_text(run, birds, tmp_path, content, message):
    assert run("train", "most-frequent-tag", "birds.conllu", "-o", "m").returncode == 0
    (tmp_path / "other.txt").write_text(content, encoding="utf-8")
    result = run("annotate", "m", "other.txt")
    assert (result.returncode, result.stdout) == (1, "")
    assert message in result.stderr
    assert "tokens: one sentence" not in result.stderr


def test_model_with_a_command_runs_only_with_leave(run, birds):
    command = "sh -c 'touch ran; cat'"
    trained = run("train", "external", "birds.conllu", "-o", "m", "--set", f"command={command}")
    assert "annotate with: treegauge annotate --allow-commands m FILE" in trained.stderr
    assert not birds.with_name("ran").exists()
    for words in (("annotate", "m"), ("induce", "external", "--model", "m")):
        result = run(*words, "birds.conllu", "-o", "out.conllu")
        assert result.returncode == 1
        assert f"m: this model runs a command, which nobody allowed: {command}" in result.stderr
        assert "--allow-commands" in result.stderr
        assert not birds.with_name("ran").exists()
        result = run(*words, "birds.conllu", "-o", "out.conllu", "--allow-commands", "--quiet")
        assert f"m runs: {command}" in result.stderr
        birds.with_name("ran").unlink()


def test_annotate_refuses_what_is_no_model(run, birds):
    result = run("annotate", "birds.conllu", "birds.conllu")
    assert result.returncode == 1
    assert result.stderr == (
        "birds.conllu: this is no model that treegauge saved, or it is damaged\n"
        "  `treegauge train` and `treegauge induce --save` write models\n"
    )
    result = run("induce", "dmv", "birds.conllu", "--model", ".")
    assert result.stderr == ".: cannot be read: is a folder, not a file\n"


def test_universal_constraints_have_short_names(run, tmp_path):
    text = "1\tof\t_\tADP\t_\t_\t_\t_\t_\t_\n2\tdogs\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
    (tmp_path / "in.conllu").write_text(text, encoding="utf-8")
    options = ("-o", "out.conllu", "--json")
    result = run("induce", "dmv", "in.conllu", "--no-function-heads", "--rules", "noji", *options)
    assert result.returncode == 0, result.stderr
    settings = json.loads(result.stdout)["settings"]
    assert (settings["no_function_heads"], settings["rules"]) == (True, "noji")
    refused = run("induce", "left-branching", "in.conllu", "--no-function-heads")
    assert refused.returncode == 1
    assert "unknown setting 'no_function_heads'" in refused.stderr


def test_optimise_is_for_systems_that_can(run):
    done = run("train", "tnt", "toy:svo:dev", "-o", "m", "--optimise")
    assert done.returncode == 1
    assert done.stderr.startswith("tnt: unknown setting 'optimise'")


# ---------------------------------------------------------------------- long sentences


def test_long_sentences_are_counted_and_named(run, hundreds):
    result = run("induce", "udp", hundreds, "--set", "longest_whole=16", "-o", "induced.conllu")
    assert result.returncode == 0
    assert (
        "udp: 10 sentences of more than 16 words are parsed in blocks of at most 16 "
        "(longest_whole): sentences " in result.stderr
    )


def test_chart_without_room_is_refused_and_not_a_memory_error(run, hundreds, monkeypatch):
    monkeypatch.setattr("treegauge.systems.long_sentences._memory", lambda: 1000.0)
    result = run("induce", "udp", hundreds)
    assert (result.returncode, result.stdout) == (1, "")
    assert "udp: a sentence of 34 words needs about " in result.stderr
    assert "Traceback" not in result.stderr


# ---------------------------------------------------------------------- long work


def test_samples_are_kept_until_the_trees_are_written(run, tmp_path):
    quick = ("--set", "passes=2", "--set", "test_passes=2", "--set", "chains=2")
    result = run("induce", "reducibility", "toy:svo:test", "-o", "out.conllu", *quick)
    assert "keeps its work in out.conllu.partial until out.conllu is written" in result.stderr
    assert (tmp_path / "out.conllu").exists()
    assert not (tmp_path / "out.conllu.partial").exists()


def test_a_raw_text_of_other_tags_is_refused_in_one_sentence(run, tmp_path):
    (tmp_path / "raw.tagged").write_text("dogs\tNNS\nbark\tVBP\n\n")
    result = run("induce", "reducibility", "toy:svo:test", "--set", "raw=raw.tagged")
    assert result.returncode == 1
    assert "raw=raw.tagged has no tags of column u, which the text has; tag it" in result.stderr


QUICK_CHAINS = ("--set", "chains=2", "--set", "iterations=2", "--set", "max_length=5")


@pytest.mark.slow
def test_chains_are_kept_until_the_output_is_written(run, tmp_path, monkeypatch):
    from treegauge.systems.dependency_induction.tree_substitution.chains import Chains

    tg.write(tg.toy_treebank("toy:svo", tokens=300), tmp_path / "text.conllu")
    chain, stopped = Chains.chain, []

    def stops_once(self, number, on_sweep):
        if number == 1 and not stopped:
            stopped.append(number)
            raise KeyboardInterrupt
        return chain(self, number, on_sweep)

    monkeypatch.setattr(Chains, "chain", stops_once)
    monkeypatch.setenv("TREEGAUGE_THREADS", "1")
    command = ("induce", "tsg-dmv", "text.conllu", "-o", "out.conllu", *QUICK_CHAINS)
    first = run(*command)
    assert first.returncode != 0
    assert "keeps its work in out.conllu.partial until out.conllu is written" in first.stderr
    assert [path.name for path in (tmp_path / "out.conllu.partial").iterdir()] == ["chain0.piece"]
    again = run(*command, "--show-grammar", "--top", "2")
    assert again.returncode == 0
    assert "continues from out.conllu.partial" in again.stderr
    assert "most used fragments" in again.stdout
    assert not (tmp_path / "out.conllu.partial").exists()
    model = run("train", "tsg-dmv", "text.conllu", "-o", "m", *QUICK_CHAINS)
    assert model.returncode == 0
    assert not (tmp_path / "m.partial").exists()


def test_another_setting_starts_anew(run, tmp_path):
    from treegauge.systems.partial_work import PartialWork

    tg.write(tg.toy_treebank("toy:svo", tokens=300), tmp_path / "text.conllu")
    PartialWork(tmp_path / "out.conllu.partial", system="tsg-dmv").keep("chain0", {}, {})
    result = run("induce", "tsg-dmv", "text.conllu", "-o", "out.conllu", *QUICK_CHAINS)
    assert result.returncode == 0
    assert "other settings" in result.stderr
    assert "the work starts anew" in result.stderr


def test_long_work_says_how_long_it_will_take(run, tmp_path, monkeypatch):
    from treegauge.systems.dependency_induction.tree_substitution.chains import Chains

    def stops(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(Chains, "run", stops)
    tg.write(tg.toy_treebank("toy:svo", tokens=6000), tmp_path / "text.conllu")
    result = run("induce", "tsg-dmv", "text.conllu", "--set", "schedule=challenge")
    assert "tsg-dmv learns from " in result.stderr
    assert ": about " in result.stderr
