from __future__ import annotations

import gzip
import json
import lzma


def test_the_extension_says_which_format(run, birds, tmp_path):
    result = run("convert", "birds.conllu", "birds.conllx")
    assert result.returncode == 0
    assert (tmp_path / "birds.conllx").read_text() == (
        "1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
        "2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_\n"
        "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
    )
    assert result.stderr.splitlines() == [
        "conllx has no column for MISC: left out",
        "conllx has no comments, multiword tokens or empty nodes: 2 lines left out",
        "wrote birds.conllx: 1 sentence, 3 words",
    ]


def test_quiet_is_quiet(run, birds):
    assert run("convert", "birds.conllu", "birds.conllx", "--quiet").stderr == ""


def test_tagged_text_to_standard_output(run, birds):
    assert run("convert", "birds.conllu", "-", "--to", "slashed").stdout == (
        "Birds/NOUN sing/VERB ./PUNCT\n"
    )
    assert run("convert", "birds.conllu", "-", "--to", "tagged", "--tags", "p").stdout == (
        "Birds\tNNS\nsing\tVBP\n.\t.\n\n"
    )


def test_a_tag_map_fills_universal_tags(run, tmp_path):
    (tmp_path / "in.conllx").write_text("1\tsing\t_\tV\tVBP\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "my.map").write_text("VBP\tVERB\nNNS\tNOUN\n")
    run("convert", "in.conllx", "out.pascal", "--tag-map", "my.map")
    assert (tmp_path / "out.pascal").read_text() == "1\tsing\t_\tV\tVBP\tVERB\t_\t0\troot\n\n"


def test_unmapped_tags_are_refused_by_name_and_nothing_is_written(run, tmp_path):
    (tmp_path / "in.conllx").write_text("1\tsing\t_\tV\tVBP\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "my.map").write_text("NNS\tNOUN\n")
    result = run("convert", "in.conllx", "out.pascal", "--tag-map", "my.map")
    assert result.returncode == 1
    assert "no universal tag for VBP (1)" in result.stderr
    assert not (tmp_path / "out.pascal").exists()


def test_compressed_files_both_ways(run, birds, tmp_path):
    run("convert", "birds.conllu", "birds.conllu.gz")
    run("convert", "birds.conllu.gz", "birds.conllu.xz")
    assert gzip.decompress((tmp_path / "birds.conllu.gz").read_bytes()) == birds.read_bytes()
    assert lzma.decompress((tmp_path / "birds.conllu.xz").read_bytes()) == birds.read_bytes()


def test_a_broken_file_leaves_the_old_target_alone(run, birds, tmp_path):
    target = tmp_path / "target.conllx"
    target.write_text("precious\n")
    birds.write_text(birds.read_text().replace("2\tsing", "2 sing"))
    result = run("convert", "birds.conllu", "target.conllx")
    assert result.returncode == 1
    assert "birds.conllu:4: [columns] expected 10 columns, found 9" in result.stderr
    assert target.read_text() == "precious\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["birds.conllu", "target.conllx"]


def test_an_unknown_extension_is_asked_about(run, birds, tmp_path):
    result = run("convert", "birds.conllu", "birds.foo")
    assert result.returncode == 1
    assert result.stderr == "birds.foo: which format? name it with --to, or by the extension\n"
    assert run("convert", "birds.conllu", "no/such/folder/birds.conllx").stderr.endswith(
        "no/such/folder/birds.conllx: cannot be written: no such file or folder\n"
    )


IN_ROME = """\
# sent_id = rome-1
1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tsat\tsit\tVERB\t_\t_\t0\troot\t0:root\t_
3\tin\tin\tADP\t_\t_\t4\tcase\t4:case\t_
4\tRome\tRome\tPROPN\t_\t_\t2\tobl\t2:obl:in\t_

"""


def test_a_style_and_the_way_back(run, tmp_path):
    (tmp_path / "ud.conllu").write_text(IN_ROME)
    result = run("convert", "ud.conllu", "turned.conllu", "--style", "functional")
    assert result.returncode == 0
    assert result.stderr.splitlines() == [
        "style functional: 2 of 4 words have another head",
        "enhanced dependencies do not fit the new trees: DEPS left out",
        "wrote turned.conllu: 1 sentence, 4 words",
    ]
    assert (tmp_path / "turned.conllu").read_text().splitlines()[3:5] == [
        "3\tin\tin\tADP\t_\t_\t2\tobl\t_\t_",
        "4\tRome\tRome\tPROPN\t_\t_\t3\tcomp:case\t_\t_",
    ]
    back = run("convert", "turned.conllu", "-", "--to", "conllu", "--style", "ud", "--quiet")
    without_enhanced = [line.rsplit("\t", 2)[0] for line in IN_ROME.splitlines()]
    assert [line.rsplit("\t", 2)[0] for line in back.stdout.splitlines()] == without_enhanced


def test_the_summary_names_the_style(run, tmp_path):
    (tmp_path / "ud.conllu").write_text(IN_ROME)
    arguments = ["--style", "prague,coordination=first,copulas=dependent", "--json"]
    result = run("convert", "ud.conllu", "turned.conllu", *arguments)
    assert json.loads(result.stdout)["style"] == "ud,adpositions=head,subordinators=head"


def test_version_1_is_said_to_be_so(run, tmp_path):
    (tmp_path / "ud1.conllu").write_text(IN_ROME.replace("obl\t", "dobj\t"))
    result = run("convert", "ud1.conllu", "turned.conllu", "--style", "prague")
    assert "relations of UD version 1" in result.stderr


def test_an_unknown_style_is_a_usage_error(run, birds):
    result = run("convert", "birds.conllu", "out.conllu", "--style", "functionl")
    assert result.returncode == 2
    assert "did you mean functional?" in result.stderr
    second = run("convert", "birds.conllu", "out.conllu", "--style", "ud,prague")
    assert second.returncode == 2
    assert "prague is a style, which can only be the first" in second.stderr
    empty = run("convert", "birds.conllu", "out.conllu", "--style", "")
    assert empty.returncode == 2
    assert "unknown style ''" in empty.stderr


def test_another_scheme_has_no_style(run, birds, tmp_path):
    birds.write_text(birds.read_text().replace("nsubj", "SBJ").replace("root", "ROOT"))
    result = run("convert", "birds.conllu", "out.conllu", "--style", "functional")
    assert result.returncode == 1
    assert "starts from Universal Dependencies; 2 of 3 words have other relations" in result.stderr
    assert not (tmp_path / "out.conllu").exists()


def test_a_blind_file_has_no_gold_and_nothing_that_leads_to_it(run, birds, tmp_path):
    words = "1\tBirds\t{0}\t_\t_\n2\tsing\t{1}\t_\t_\n3\t.\t{2}\t_\t_\n\n"
    tags = ("bird\tNOUN\tNNS\tNumber=Plur", "sing\tVERB\tVBP\t_", ".\tPUNCT\t.\t_")
    blank = ("_\t_\t_\t_",) * 3
    heads = ("2", "0", "2")
    for hidden, shown, at in (
        ("heads", tags, ("_",) * 3),
        ("tags", blank, heads),
        ("both", blank, ("_",) * 3),
    ):
        assert run("convert", "birds.conllu", "out.conllu", "--blind", hidden).returncode == 0
        rows = [f"{a}\t{b}\t_" for a, b in zip(shown, at, strict=True)]
        assert (tmp_path / "out.conllu").read_text() == words.format(*rows)
    assert run("convert", "birds.conllu", "out.conllu", "--blind", "words").returncode == 2


def test_a_file_is_divided_by_shares_and_a_seed(run, tmp_path):
    sentences = [f"1\tw{n}\t_\t_\t_\t_\t0\troot\t_\t_\n\n" for n in range(20)]
    (tmp_path / "all.conllu").write_text("".join(sentences))
    result = run("convert", "all.conllu", "part.v2.conllu.gz", "--split", "9:1", "--json")
    assert json.loads(result.stdout)["parts"] == [
        "part.v2-train.conllu.gz",
        "part.v2-test.conllu.gz",
    ]
    test = gzip.decompress((tmp_path / "part.v2-test.conllu.gz").read_bytes()).decode()
    assert test == "".join(sentences[18:])
    for _ in range(2):
        run("convert", "all.conllu", "part.conllu", "--split", "8:1:1", "--seed", "3")
        texts = [
            (tmp_path / f"part-{part}.conllu").read_text() for part in ("train", "dev", "test")
        ]
        found = [text.count("root") for text in texts]
        assert found == [16, 2, 2]
        assert sorted("".join(texts).split("\n\n")) == sorted("".join(sentences).split("\n\n"))
        assert texts[0] != "".join(sentences[:16])
    first = texts
    run("convert", "all.conllu", "part.conllu", "--split", "8:1:1", "--seed", "3")
    assert first[1] == (tmp_path / "part-dev.conllu").read_text()


def test_odd_splits_are_refused(run, birds, tmp_path):
    for split in ("9", "9:0", "9:-1", "a:b", "1:1:1:1", "nan:1", "inf:1"):
        assert run("convert", "birds.conllu", "out.conllu", "--split", split).returncode == 2
    assert run("convert", "birds.conllu", "-", "--split", "9:1", "--to", "conllu").returncode == 2
    assert run("convert", "birds.conllu", "out.conllu", "--seed", "1").returncode == 2
    result = run("convert", "birds.conllu", "out.conllu", "--split", "9:1")
    assert result.returncode == 1
    assert result.stderr == "--split 9:1: nothing of 1 sentence is left for test\n"
    assert [path.name for path in tmp_path.iterdir()] == ["birds.conllu"]


def test_debatable_structures_are_marked(run, tmp_path):
    (tmp_path / "in.conllu").write_text(
        "1\tin\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tRome\t_\tPROPN\t_\t_\t0\troot\t_\t_\n\n"
    )
    result = run("convert", "in.conllu", "out.conllu", "--mark-debatable", "all", "--json")
    assert "marked 2 of 2 words as parts of debatable structures" in result.stderr
    assert "prepositional phrase" in json.loads(result.stdout)["debatable"]
    assert (tmp_path / "out.conllu").read_text().count("\tDebatable=1\n") == 2


def test_an_unknown_debatable_structure_is_misuse(run, birds):
    result = run("convert", "birds.conllu", "out.conllu", "--mark-debatable", "conjunctions")
    assert result.returncode == 2
    assert "unknown structure 'conjunctions'" in result.stderr
