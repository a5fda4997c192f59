"""What all papers' verbs refuse before anything is learnt."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["word-order", "--small", "--parsers", "tnt"], "tnt annotates tags, not dependencies"),
        (["perplexity", "--small", "--others", "tnt"], "tnt annotates tags, not dependencies"),
        (["tagger-evaluation", "--small", "--taggers", "graph"], "graph annotates dependencies"),
        (["word-order", "-t", "toy:svo:train"], "name the whole treebank, toy:svo"),
        (["perplexity", "-t", "toy:svo:dev"], "name the whole treebank, toy:svo"),
        (["tagger-evaluation", "-t", "toy:svo:test"], "name the whole treebank, toy:svo"),
    ],
)
def test_misuse_ends_in_a_message(run, arguments, message):
    result = run("reproduce", *arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert not result.stdout
