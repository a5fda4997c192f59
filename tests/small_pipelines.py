"""Pipelines of spaCy and UDPipe that learn a toy language in a second or two."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import treegauge as tg
from treegauge.toys import toy_treebank

LANGUAGE = "toy:svo"


def train_spacy(folder: Path) -> Path:
    """Write a pipeline with a tagger and a parser, learnt from a blank one; return its folder."""
    import spacy
    from spacy.training import Example

    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec", config={"model": _TOK2VEC})
    nlp.add_pipe("morphologizer", config={"model": _TAGGER})
    nlp.add_pipe("parser", config={"model": _PARSER})
    documents = tg.to_spacy(toy_treebank(LANGUAGE, tokens=700), vocab=nlp.vocab)
    examples = [Example(nlp.make_doc(doc.text), doc) for doc in documents]
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.01
    numbers = random.Random(0)
    for _ in range(6):
        numbers.shuffle(examples)
        for begin in range(0, len(examples), 8):
            nlp.update(examples[begin : begin + 8], sgd=optimizer)
    path = folder / "toy_pipeline"
    nlp.to_disk(path)
    return path


_WIDTH = 32
_TOK2VEC: dict[str, Any] = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": _WIDTH,
    "depth": 1,
    "embed_size": 300,
    "window_size": 1,
    "maxout_pieces": 2,
    "subword_features": True,
}
_LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": _WIDTH, "upstream": "*"}
_TAGGER = {"@architectures": "spacy.Tagger.v2", "tok2vec": _LISTENER}
_PARSER = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "tok2vec": _LISTENER,
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 16,
    "maxout_pieces": 1,
    "use_upper": True,
}


def train_udpipe(folder: Path, *, tokeniser: str = "model=generic") -> Path:
    """Write a model with a tokeniser by rule, a tagger and a parser; return its path."""
    import ufal.udpipe as udpipe

    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(tg.to_text(toy_treebank(LANGUAGE, tokens=400)))
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    while reader.nextSentence(sentence := udpipe.Sentence(), error):
        sentences.append(sentence)
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        sentences,
        udpipe.Sentences(),
        tokeniser,
        "models=1;iterations=2;guesser_suffix_rules=2",
        "iterations=2;embedding_form=10;hidden_layer=20;structured_interval=0",
        error,
    )
    assert not error.occurred(), error.message
    path = folder / "toy.udpipe"
    path.write_bytes(bytes(model))
    return path
