from __future__ import annotations


def test_the_tour_ends_in_a_report(run, tmp_path):
    result = run("demo", "--into", "tour")
    assert result.returncode == 0, result.stderr
    assert result.stderr.endswith("the report is tour/index.html; the files are in tour\n")
    page = (tmp_path / "tour" / "index.html").read_text(encoding="utf-8")
    titles = [line.removeprefix("== ") for line in result.stdout.splitlines() if line[:3] == "== "]
    assert len(titles) >= 6
    assert all(title in page for title in titles)
    assert (tmp_path / "tour" / "toy_svo" / "train.conllu").exists()


def test_the_commands_of_the_tour_do_what_it_shows(run, tmp_path):
    shown = run("demo", "--into", "tour").stdout
    commands = [line[len("$ treegauge ") :] for line in shown.splitlines() if line[:2] == "$ "]
    assert commands
    for command in commands:
        result = run(*command.split())
        assert result.returncode == (1 if "broken" in command else 0), command
        if command.startswith(("validate", "describe")):
            assert result.stdout.strip() in shown


def test_a_page_needs_nothing_from_the_network(run, tmp_path):
    run("demo", "--into", "tour", "--quiet")
    page = (tmp_path / "tour" / "index.html").read_text(encoding="utf-8")
    assert "http://" not in page
    assert "https://" not in page
