"""`treegauge induce --paths`: bit strings of Brown clusters."""

from __future__ import annotations

import treegauge as tg


def test_bit_strings_are_written_beside_the_tags(run, tmp_path):
    text = tg.toy_treebank("toy:svo", tokens=300)
    tg.write(text, tmp_path / "text.conllu")
    result = run(
        *["induce", "brown", "text.conllu", "--set", "classes=5"],
        *["--paths", "paths", "-o", "out.conllu"],
    )
    assert result.returncode == 0
    assert "wrote paths" in result.stderr
    lines = (tmp_path / "paths").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    assert {len(row) for row in rows} == {3}
    assert {word: int(count) for _, word, count in rows} == text.form.counts()
    assert len({bits for bits, _, _ in rows}) == 5
    # Words with one bit string have one tag.
    tags = dict(zip(text.form, tg.read(tmp_path / "out.conllu").upos, strict=True))
    assert len({(bits, tags[word]) for bits, word, _ in rows}) == 5


def test_a_saved_model_knows_its_bit_strings(run, tmp_path):
    tg.write(tg.toy_treebank("toy:svo", tokens=200), tmp_path / "text.conllu")
    run("induce", "brown", "text.conllu", "--save", "model", "--paths", "a", "-o", "a.conllu")
    run("induce", "brown", "text.conllu", "--model", "model", "--paths", "b", "-o", "b.conllu")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != b""
    assert (tmp_path / "a.conllu").read_bytes() == (tmp_path / "b.conllu").read_bytes()


def test_systems_without_bit_strings_say_so(run, birds):
    result = run("induce", "mkcls", "birds.conllu", "--paths", "paths")
    assert result.returncode == 2
    assert "mkcls has no bit strings to write" in result.stderr
