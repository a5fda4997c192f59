"""Makes the treebanks of the studies that ask why a figure falls short of its paper's.

    python -m studies.cause_treebanks TAG_MAPS

writes into `runs/causes`, with the folder of tag maps (`en-ptb.map`, `eu-eus3lb.map`):

`NAME_functional`      a treebank with function words as heads, as treebanks of the challenge had;
                       what inducers see is the same, so that a run shares their cells
`en_ewt_part_1` … `3`  English with as many short sentences to learn from as the sample of the Wall
                       Street Journal has, and the same with function words as heads
`NAME_more`            a treebank whose train part has the text of the others of its language too
`en_wsj_more`          the same of the sample of the Wall Street Journal
`eu_challenge`         Basque of CoNLL 2007, which the challenge used, with tags from the map
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from treegauge.catalogue import Catalogue
from treegauge.catalogue.sets import BUILT_IN_SETS
from treegauge.formats import fill_universal_tags, read_tag_map
from treegauge.papers.derived_treebanks import Parts, write_treebanks
from treegauge.papers.pascal.penn import penn_parts, penn_sample, with_dev
from treegauge.papers.pascal.references import word_sequences
from treegauge.rewrite import to_style
from treegauge.treebank import Column, Treebank, concatenate

FOLDER = Path("runs/causes")
PARTS = ("train", "dev", "test")
SHARES = 12
"""A twelfth of English has as many short sentences as the sample of the Wall Street Journal."""
MORE = {
    "cs_cac": ("cs_cltt", "cs_fictree"),
    "nl_alpino": ("nl_lassysmall",),
    "sv_talbanken_v2": ("sv_talbanken",),
    "en_ewt": ("en_childes", "en_wsj_sample"),
    "es_gsd": ("es_ancora", "es_conll2007"),
}
"""The treebanks whose text is added to that of a treebank of their language."""
MORE_OF_PENN = ("en_ewt", "en_childes")
BASQUE = "eu_conll2007"


def main() -> None:
    """Write them."""
    maps = Path(sys.argv[1])
    catalogue = Catalogue.from_environment()
    names = dict.fromkeys([*BUILT_IN_SETS["pascal10"], *MORE])
    banks = {name: parts_of(catalogue, name) for name in names}
    made = {f"{name}_functional": functional(banks[name]) for name in BUILT_IN_SETS["pascal10"]}
    for number in range(1, 4):
        part = share(banks["en_ewt"], number)
        made |= {
            f"en_ewt_part_{number}": part,
            f"en_ewt_part_{number}_functional": functional(part),
        }
    for name, others in MORE.items():
        texts = [part for other in others for part in parts_of(catalogue, other).values()]
        made[f"{name}_more"] = with_more_text(banks[name], texts)
    write_treebanks(FOLDER, made)
    basque = parts_of(catalogue, BASQUE)
    tags = read_tag_map(str(maps / "eu-eus3lb.map"))
    filled = {part: fill_universal_tags(bank, tags) for part, bank in basque.items()}
    sample = penn_sample(catalogue)
    if sample is None:
        sys.exit("en_wsj_sample with its brackets is not here; TREEGAUGE_DATA names its folder")
    penn = penn_parts(sample, read_tag_map(str(maps / "en-ptb.map")))
    texts = [part for other in MORE_OF_PENN for part in parts_of(catalogue, other).values()]
    of_challenge = {"eu_challenge": with_dev(filled), "en_wsj_more": with_more_text(penn, texts)}
    write_treebanks(FOLDER, of_challenge, format="pascal")


def parts_of(catalogue: Catalogue, name: str) -> Parts:
    """Return the parts of a treebank that are there."""
    (entry,) = catalogue.resolve(name)
    return {part: entry.read(part) for part in PARTS if part in entry.parts}


def functional(parts: Parts) -> Parts:
    """Return a treebank with function words as heads."""
    return {part: to_style(bank, "functional") for part, bank in parts.items()}


def share(parts: Parts, number: int) -> Parts:
    """Return a treebank with a share of its train part, sentences from all of it."""
    train = parts["train"]
    chosen = np.arange(number - 1, train.n_sentences, SHARES)
    return {**parts, "train": train.take(chosen)}


def with_more_text(parts: Parts, texts: Sequence[Treebank]) -> Parts:
    """Return a treebank whose train part has more text, without trees, and without its own again.

    A sentence that the treebank has too is left out, because texts of one language overlap.
    """
    known = {words for bank in parts.values() for words in word_sequences(bank)}
    new = [
        words_only(text.take(np.flatnonzero([one not in known for one in word_sequences(text)])))
        for text in texts
    ]
    return {**parts, "train": concatenate([parts["train"], *new], name=parts["train"].name)}


def words_only(bank: Treebank) -> Treebank:
    """Return a text of the same words: no tags, and every word on the one before it."""
    empty = Column.constant("_", bank.n_words)
    chain = np.arange(bank.n_words) - bank.offsets[bank.sentence_of_word]
    columns = dict.fromkeys(("lemma", "upos", "xpos", "cpos", "feats", "deprel"), empty)
    return bank.replace(columns=columns, head=chain.astype(np.int32))


if __name__ == "__main__":
    main()
