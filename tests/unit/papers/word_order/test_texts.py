"""The two texts of Ancient Greek."""

from __future__ import annotations

import treegauge as tg
from treegauge.papers.word_order.texts import texts_of


def numbered(*numbers: str) -> tg.Treebank:
    """Return sentences of one word with these numbers."""
    line = "1\tword\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    return tg.parse("".join(f"# sent_id = {number}\n{line}" for number in numbers))


def ids(treebank: tg.Treebank) -> list[str]:
    return list(treebank.sentence_ids)


def test_a_later_number_belongs_to_the_sentence_before_it():
    part = numbered("75001", "64428", "75002", "64429", "14759", "75000", "158830", "14760")
    texts = texts_of("grc_proiel", {"train": part, "test": part})
    assert list(texts) == ["grc_proiel-new-testament", "grc_proiel-herodotus"]
    for parts in texts.values():
        assert list(parts) == ["train", "test"]
    new_testament, herodotus = (ids(parts["train"]) for parts in texts.values())
    assert herodotus == ["75001", "64428", "75002", "64429"]
    assert new_testament == ["14759", "75000", "158830", "14760"]


def test_what_has_one_text_only_stays_whole():
    both, one = numbered("64428", "14759"), numbered("64430")
    for name, parts in (
        ("grc_proiel", {"train": both, "test": one}),
        ("grc_proiel", {"train": numbered("a", "b")}),
        ("la_proiel", {"train": both}),
    ):
        assert {key: dict(own) for key, own in texts_of(name, parts).items()} == {name: parts}
