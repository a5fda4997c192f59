from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.unit.treebank.small_trees import heads, sentences
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.treebank import Column

TEXT = sentences("birds/NOUN/2 sing/VERB/0 ./PUNCT/2", "dogs/NOUN/2 bark/VERB/0")

# Every word hangs on the one before it. Reads standard input and writes standard output, or
# the files that it is told.
CHAIN = """\
import sys
source = open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin
target = open(sys.argv[2], "w") if len(sys.argv) > 2 else sys.stdout
for line in source:
    fields = line.rstrip("\\n").split("\\t")
    if len(fields) == 10:
        fields[6], fields[7] = str(int(fields[0]) - 1), "chain"
        line = "\\t".join(fields) + "\\n"
    target.write(line)
"""


@pytest.fixture
def program(tmp_path):
    """Write a Python program; return the command that runs it."""

    def written(source: str, name: str = "program.py", arguments: str = "") -> str:
        (tmp_path / name).write_text(source, encoding="utf-8")
        return f"{shlex.join([sys.executable, str(tmp_path / name)])} {arguments}".strip()

    return written


def external(command: str, **settings):
    return make_system("external", {"command": command, **settings})


# ---------------------------------------------------------------------- running


@pytest.mark.parametrize("arguments", ["", "{input}", "{input} {output}"])
def test_standard_streams_or_files(program, arguments) -> None:
    answer = external(program(CHAIN, arguments=arguments)).annotate(TEXT)
    assert heads(answer) == [[0, 1, 2], [0, 1]]  # punctuation is left in
    assert set(answer.deprel) == {"chain"}
    assert answer.upos == TEXT.upos


def test_no_shell_looks_at_the_command(program, tmp_path) -> None:
    command = program(CHAIN, name="a program; touch harm.py", arguments="{input} {output}")
    assert heads(external(command).annotate(TEXT)) == [[0, 1, 2], [0, 1]]
    assert [path.name for path in tmp_path.iterdir()] == ["a program; touch harm.py"]


@pytest.mark.parametrize(
    "command", ["awk {print}", "find -exec a \\;", "sh -c 'a | b; c > {output}'", 'a \';\' "\\"|"']
)
def test_what_is_quoted_or_no_placeholder_is_meant_so(command) -> None:
    assert external(command).settings.command == command


def test_it_sees_a_blind_copy_under_a_name_that_says_nothing(program, tmp_path) -> None:
    gold = TEXT.replace(columns={"misc": Column.constant("Gold=Yes", 5)}, name="zebra")
    spy = f"import pathlib, sys\npath = pathlib.Path(sys.argv[1])\nseen = path.read_text()\n{CHAIN}"
    spy += f"pathlib.Path({str(tmp_path / 'seen')!r}).write_text(str(path) + '\\n' + seen)\n"
    external(program(spy, arguments="{input} {output}")).annotate(gold)
    path, _, seen = (tmp_path / "seen").read_text().partition("\n")
    assert "zebra" not in path
    assert not Path(path).exists()
    rows = [line.split("\t") for line in seen.splitlines() if line]
    assert [row[1] for row in rows] == ["birds", "sing", ".", "dogs", "bark"]
    assert [row[3] for row in rows][:2] == ["NOUN", "VERB"]
    assert {(row[6], row[7], row[9]) for row in rows} == {("_", "_", "_")}


def test_tags_are_hidden_from_what_produces_them(program) -> None:
    tagger = CHAIN.replace('fields[6], fields[7] = str(int(fields[0]) - 1), "chain"', "TAG")
    tagger = tagger.replace("TAG", 'fields[3] = fields[3] + "!" if fields[3] != "_" else "T"')
    answer = external(program(tagger), produces="tags").annotate(TEXT)
    assert list(answer.upos) == ["T"] * 5
    assert answer.head.tolist() == TEXT.head.tolist()


def test_sentences_without_words_are_kept(program) -> None:
    text = sentences("a/X", "!/PUNCT", "b/X c/X").without_punctuation()
    assert heads(external(program(CHAIN)).annotate(text)) == [[0], [], [0, 1]]
    assert heads(external("false").annotate(text[1:2])) == [[]]  # nothing to run for


def test_the_seed_is_handed_on(program) -> None:
    seeded = CHAIN.replace('"chain"', "sys.argv[3]")
    command = program(seeded, arguments="{input} {output} {seed}")
    answer = make_system("external", {"command": command}, seed=42).annotate(TEXT)
    assert set(answer.deprel) == {"42"}


# ---------------------------------------------------------------------- learning

LEARNER = """\
import pathlib, sys
text = sys.stdin.read() if len(sys.argv) == 2 else pathlib.Path(sys.argv[2]).read_text()
relations = {line.split("\\t")[7] for line in text.splitlines() if line}
model = pathlib.Path(sys.argv[1])
"""
TO_FILE = LEARNER + 'model.write_text("+".join(sorted(relations)))\n'
TO_FOLDER = LEARNER + (
    '(model / "deep").mkdir(parents=True)\n'
    '(model / "deep" / "weights").write_text("+".join(sorted(relations)))\n'
)
FROM_FILE = CHAIN.replace('"chain"', "open(sys.argv[3]).read()")
FROM_FOLDER = CHAIN.replace('"chain"', 'open(sys.argv[3] + "/deep/weights").read()')
GOLD = TEXT.replace(columns={"deprel": Column.from_strings(["a", "b", "c", "a", "b"])})


@pytest.mark.parametrize("train_input", ["", "{train}"])
@pytest.mark.parametrize(
    ("learner", "user"), [(TO_FILE, FROM_FILE), (TO_FOLDER, FROM_FOLDER)], ids=["file", "folder"]
)
@pytest.mark.parametrize(("supervised", "learnt"), [(True, "a+b+c"), (False, "_")])
def test_training(program, tmp_path, train_input, learner, user, supervised, learnt) -> None:
    system = external(
        program(user, arguments="{input} {output} {model}"),
        train_command=program(learner, name="learn.py", arguments="{model} " + train_input),
        supervised=supervised,
    )
    assert system.supervision == ("supervised" if supervised else "unsupervised")
    with pytest.raises(SystemsError, match="is not fitted yet"):
        system.annotate(GOLD)
    assert set(system.fit(GOLD).annotate(GOLD).deprel) == {learnt}
    system.save(tmp_path / "saved")
    again = load_system(tmp_path / "saved", allow_commands=True)
    assert again.annotate(GOLD) == system.annotate(GOLD)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("external", {"command": "{}"}),
        ("external", {"command": "cat {{model}}", "train_command": "{} {{model}}"}),
        ("ensemble", {"parsers": ["external?supervised=true&command={}"]}),
        ("tags-then-trees", {"tags_from": "brown:2", "inducer": "external?command={}"}),
        (
            "ensemble",
            {"parsers": ["ensemble?parsers=external%3Fsupervised%3Dtrue%26command%3D{}"]},
        ),
    ],
)
def test_model_with_a_command_does_not_run_it(tmp_path, name, settings) -> None:
    command = f"touch {tmp_path / 'ran'}"

    def filled(value):
        return [filled(v) for v in value] if isinstance(value, list) else value.format(command)

    about = {
        "schema": 1,
        "system": name,
        "settings": {key: filled(value) for key, value in settings.items()},
        "seed": 0,
        "facts": {},
    }
    np.savez(tmp_path / "m.npz", about=np.frombuffer(json.dumps(about).encode(), np.uint8))
    shown = re.escape(command)
    with pytest.raises(SystemsError, match=rf"m\.npz: this model runs .*{shown}.*\n.*--allow-com"):
        load_system(tmp_path / "m.npz").annotate(TEXT)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "name",
    ["/tmp/escaped", "../escaped", "a/../../escaped", "a//b", ".", "..\\escaped", "C:x"],
)
def test_files_of_a_model_stay_in_its_folder(tmp_path, name) -> None:
    system = external("cat {model}", train_command="touch {model}")
    facts = {"model": ["weights", name]}
    parts = {f"part{i}": np.zeros(1, np.uint8) for i in range(3)}
    with pytest.raises(SystemsError, match="is no name of a file inside a folder"):
        system.restore(parts, facts)
    system.restore(parts, {"model": ["weights", "net/weights"]})


def test_files_of_a_model_that_cannot_be_written() -> None:
    system = external("cat {model}", train_command="touch {model}")
    system.restore({f"part{i}": np.zeros(1, np.uint8) for i in range(3)}, {"model": ["a", "a/b"]})
    system.is_fitted = True
    with pytest.raises(SystemsError, match="a file of the model cannot be written"):
        system.annotate(TEXT)


def test_whoever_allows_commands_is_told_them(program, tmp_path) -> None:
    command = program(CHAIN)
    external(command).save(tmp_path / "saved")
    told: list[str] = []
    again = load_system(tmp_path / "saved", allow_commands=True, on_command=told.append)
    assert told == [command]
    assert set(again.annotate(TEXT).deprel) == {"chain"}


def test_a_command_may_learn_and_annotate_in_one_go(program) -> None:
    both = CHAIN.replace('"chain"', 'str(open(sys.argv[3]).read().count("\\tNOUN\\t"))')
    system = external(program(both, arguments="{input} {output} {train}"))
    assert set(system.fit(GOLD).annotate(GOLD[:1]).deprel) == {"2"}


def test_a_learner_that_writes_no_model(program) -> None:
    system = external(
        program(CHAIN, arguments="{input} {output} {model}"),
        train_command=program("print('done')", name="learn.py", arguments="{model}"),
    )
    with pytest.raises(SystemsError, match=r"train_command wrote no \{model\}\n.*\n.*\| done"):
        system.fit(GOLD)


# ---------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "external: setting command: expected a command, found ''"),
        ({"command": "  "}, "external: setting command: expected a command, found '  '"),
        ({"command": "a 'b"}, 'external: setting command: No closing quotation in "a \'b"'),
        ({"command": "a {model}"}, "there is no train_command to write it"),
        ({"command": "a", "train_command": "b {model}"}, "both must name it"),
        ({"command": "a {model}", "train_command": "b"}, "both must name it"),
        (
            {"command": "a {modle}"},
            "setting command: unknown placeholder {modle}; did you mean {mod",
        ),
        ({"command": "a", "train_command": "b {Train}"}, "setting train_command: unknown placeh"),
        ({"command": "a {input} | b"}, "no shell runs the command, and '|' would be a word of it"),
        ({"command": "a; b"}, "'a;' would be a word of it like any other\n  write sh -c '…'"),
        ({"command": "a > {output}"}, "'>' would be"),
        ({"command": "a && b"}, "'&&' would be"),
        ({"command": "a", "produces": "trees"}, "expected one of dependencies, tags, joint"),
        ({"command": "a", "timeout": -1}, "expected at least 0"),
    ],
)
def test_settings_are_checked_before_anything_runs(settings, message) -> None:
    with pytest.raises(SystemsError) as refused:
        make_system("external", settings)
    assert message in str(refused.value)


# ---------------------------------------------------------------------- what goes wrong


def complaint(command: str, **settings) -> str:
    with pytest.raises(SystemsError) as refused:
        external(command, **settings).annotate(TEXT)
    return str(refused.value)


def test_a_program_that_is_not_there() -> None:
    assert complaint("no-such-parser {input}") == (
        "external: command: there is no program 'no-such-parser' to run"
    )


def test_a_program_that_fails(program) -> None:
    source = "import sys\nfor i in range(20): print('line', i, file=sys.stderr)\nsys.exit(3)"
    said = complaint(program(source))
    assert said.splitlines()[0] == "external: command failed: exit code 3: line 19"
    assert "| line 19" in said
    assert "| line 10" in said
    assert "line 9" not in said


def test_a_program_that_is_ended() -> None:
    assert complaint("sh -c 'kill -9 $$'") == (
        "external: command failed: ended by SIGKILL; it said nothing"
    )


def test_a_program_that_says_nothing_at_all() -> None:
    said = complaint("true")
    assert "its output: [empty-file] expected at least one sentence, found none" in said
    assert said.endswith("command ended with exit code 0 and said nothing")


def test_a_program_that_writes_no_file() -> None:
    said = complaint("true {input} {output}")
    assert "what came back is not CoNLL-U that can be used" in said
    assert "its output: cannot be read" in said
    assert "command ended with exit code 0 and said nothing" in said


def test_output_that_is_not_conllu() -> None:
    said = complaint("echo birds sing")
    assert "what came back is not CoNLL-U that can be used\nits output:1: [columns]" in said


def changed(program, change: str) -> str:
    """A program that hangs words on the one before and then changes the fields of a line."""
    return program(CHAIN.replace('"chain"\n', f'"chain"\n        {change}\n'))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("fields[1] = fields[1].upper()", 'sentence 1, word 1: expected "birds", found "BIRDS"'),
        (
            'fields[1] = fields[1].replace("bark", "meow")',
            'sentence 2, word 2: expected "bark", found "meow"',
        ),
        (
            'if fields[1] == ".": continue',
            'sentence 1, word 3: expected ".", found its end',
        ),
        ('if fields[1] == "sing": target.write("\\n"); fields[0] = "1"', "[word-id]"),
        ('if fields[1] in ("dogs", "bark"): continue', "2 sentences went in, 1 came back"),
        (
            'if fields[1] == "sing": fields[6] = "9"',
            'sentence 1, word 2 "sing": expected a head from 0 to 3, found 9 (1 word like this)',
        ),
        (
            'if fields[1] != "birds": fields[6] = "_"',
            'sentence 1, word 2 "sing": expected a head from 0 to 3, found none (4 words',
        ),
    ],
)
def test_what_comes_back_is_checked(program, change, message) -> None:
    assert message in complaint(changed(program, change))


def test_tags_that_did_not_come_back(program) -> None:
    assert "no tags came back" in complaint(program(CHAIN), produces="joint")


# ---------------------------------------------------------------------- limits

PARENT = """\
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
"""


def is_running(pid: int) -> bool:
    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.02)
    return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
@pytest.mark.parametrize("ending", ["time.sleep(60)\n", ""], ids=["timeout", "left behind"])
def test_nothing_that_a_command_started_lives_on(program, tmp_path, ending) -> None:
    begin = time.monotonic()
    command = program(PARENT + ending, arguments=shlex.quote(str(tmp_path / "pid")))
    said = complaint(command, timeout=1.5)
    assert time.monotonic() - begin < 20
    if ending:
        assert said == (
            "external: command was ended after 1.5 seconds; the setting timeout allows more"
        )
    pid = int((tmp_path / "pid").read_text())
    try:
        assert not is_running(pid)
    finally:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)


# What daemons do: fork, open a session, fork again, so that nobody is their parent any more.
DAEMON = """\
import os, pathlib, sys, time
if not os.fork():
    os.setsid()
    if not os.fork():
        pathlib.Path(sys.argv[1] + ".new").write_text(str(os.getpid()))
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        time.sleep(60)
    os._exit(0)
os.wait()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know no adoption")
@pytest.mark.parametrize("ending", ["time.sleep(60)\n", ""], ids=["timeout", "left behind"])
def test_a_daemon_that_left_the_group_outlived_its_command(program, tmp_path, ending) -> None:
    command = program(DAEMON + ending, arguments=shlex.quote(str(tmp_path / "pid")))
    complaint(command, timeout=1.5)
    pid = int((tmp_path / "pid").read_text())
    try:
        assert not is_running(pid)
    finally:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)


RUN = """\
import sys
from treegauge.systems import make_system
from tests.unit.systems.test_external import TEXT
make_system("external", {"command": sys.argv[1]}).annotate(TEXT)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_a_command_outlived_the_program_that_was_killed(program, tmp_path) -> None:
    place = tmp_path / "pid"
    command = program(DAEMON + "time.sleep(60)\n", arguments=shlex.quote(str(place)))
    parent = subprocess.Popen([sys.executable, "-c", RUN, command])
    try:
        deadline = time.monotonic() + 60
        while not place.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        parent.kill()
        parent.wait()
    assert not is_running(int(place.read_text()))


@pytest.mark.parametrize(
    "where", ["sys.stdout", "sys.stderr", "open(sys.argv[2], 'w')"], ids=["out", "err", "file"]
)
def test_a_command_that_never_stops_writing_filled_the_disk(program, where) -> None:
    source = f"import sys\ntarget = {where}\nwhile True: target.write('x' * 100_000)\n"
    command = program(source, arguments="{input} {output}" if "argv" in where else "{input}")
    assert complaint(command, largest_file=1) == (
        "external: command failed: it printed, or wrote to a file, 1 MiB or more; "
        "the setting largest_file allows more"
    )


def test_a_shell_ended_by_the_limit_is_told_from_one_that_crashed() -> None:
    said = complaint("sh -c 'exec cat /dev/zero > {output}.other'", largest_file=1)
    assert said == (
        "external: command failed: it printed, or wrote to a file, 1 MiB or more; "
        "the setting largest_file allows more"
    )


@pytest.mark.parametrize("harm", ["ln -s /dev/zero {output}", "mkfifo {output}"])
def test_an_output_without_end_was_read_for_ever(harm) -> None:
    assert complaint(harm) == "external: command failed: its output is no ordinary file"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep this limit")
def test_memory_is_limited(program) -> None:
    greedy = f"block = bytearray(300 << 20)\n{CHAIN}"
    assert heads(external(program(greedy)).annotate(TEXT)) == [[0, 1, 2], [0, 1]]
    said = complaint(program(greedy), memory=150)
    assert said.splitlines()[0] == (
        "external: command failed: more than the 150 MiB of the setting memory were needed: "
        "MemoryError"
    )
