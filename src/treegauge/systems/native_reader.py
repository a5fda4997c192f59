"""The program in which libraries in C++ read their models: a process of its own.

UDPipe and CRFsuite trust what they read: bytes that somebody forged can end the process that reads
them. Here that costs nobody anything. The program is told a library and the path of a model; it
says in a line of JSON whether the library can read it, and then answers every line of standard
input, also JSON, by another.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

Answer = dict[str, Any]
_MEMORY = 8 << 30
"""Bytes that a library may take, whatever a model says of its size."""


def open_udpipe(path: str) -> tuple[Answer, Callable[[Answer], Answer]]:
    """Open a model of UDPipe, which tags and parses sentences."""
    sentence_of = import_module("treegauge.systems.udpipe_trainer").sentence
    udpipe = import_module("ufal.udpipe")
    model = udpipe.Model.load(path)

    def annotated(question: Answer) -> Answer:
        if "texts" in question:
            return _udpipe_texts(udpipe, model, question["texts"])
        if "columns" in question:
            return _udpipe_words(udpipe, model, question)
        answer: Answer = {"tags": [], "heads": [], "relations": []}
        do = model.parse if question["parse"] else model.tag
        error = udpipe.ProcessingError()
        for begin, end in pairwise(question["starts"]):
            sentence = sentence_of(udpipe, question["words"], begin, end)
            if not do(sentence, question["how"], error):
                return {"error": error.message}
            # The words die with their sentence. The first is the root.
            for word in list(sentence.words)[1:]:
                answer["tags"].append(word.upostag)
                answer["heads"].append(word.head)
                answer["relations"].append(word.deprel)
        return answer

    return {"error": "it is no model"} if model is None else {}, annotated


def _udpipe_texts(udpipe: Any, model: Any, texts: list[str]) -> Answer:
    """Cut raw texts into words and sentences and annotate these; each text becomes CoNLL-U."""
    written = []
    output = udpipe.OutputFormat.newOutputFormat("conllu")
    for text in texts:
        tokenizer = model.newTokenizer(model.DEFAULT)
        if tokenizer is None:
            return {"conllu": [], "lacks": "tokeniser"}
        tokenizer.setText(text)
        lines = []
        error = udpipe.ProcessingError()
        sentence = udpipe.Sentence()
        while tokenizer.nextSentence(sentence, error):
            _udpipe_annotate(udpipe, model, sentence)
            lines.append(output.writeSentence(sentence))
        if error.occurred():
            return {"error": error.message}
        written.append("".join(lines))
    return {"conllu": written, "lacks": ""}


def _udpipe_words(udpipe: Any, model: Any, question: Answer) -> Answer:
    """Annotate words as they are; return a list for every column that is asked for."""
    sentence_of = import_module("treegauge.systems.udpipe_trainer").sentence
    columns: Answer = {name: [] for name in question["columns"]}
    for begin, end in pairwise(question["starts"]):
        sentence = sentence_of(udpipe, question["words"], begin, end)
        _udpipe_annotate(udpipe, model, sentence)
        for word in list(sentence.words)[1:]:
            for name, values in columns.items():
                values.append(str(getattr(word, name)))
    return columns


def _udpipe_annotate(udpipe: Any, model: Any, sentence: Any) -> None:
    """Tag and parse, as far as the model can; one without a tagger or a parser does the rest."""
    model.tag(sentence, model.DEFAULT, udpipe.ProcessingError())
    model.parse(sentence, model.DEFAULT, udpipe.ProcessingError())


def open_crfsuite(path: str) -> tuple[Answer, Callable[[Answer], Answer]]:
    """Open a model of CRFsuite, which labels sequences of features."""
    tagger = import_module("pycrfsuite").Tagger()
    try:
        tagger.open(path)
    except ValueError as error:
        return {"error": str(error)}, dict

    def labelled(question: Answer) -> Answer:
        return {"labels": [label for items in question["items"] for label in tagger.tag(items)]}

    return {"labels": tagger.labels()}, labelled


LIBRARIES = {"UDPipe": open_udpipe, "CRFsuite": open_crfsuite}


def main(library: str, path: str) -> None:
    """Open a model and answer until nobody asks."""
    for name in ("SIGPIPE", "SIGINT"):  # whoever started this ends it
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    with contextlib.suppress(ImportError, ValueError, OSError):
        resource = import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Whatever a library prints must not stand among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer, respond = LIBRARIES[library](path)
    while True:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()
        question = sys.stdin.buffer.readline()
        if not question:
            return
        answer = respond(json.loads(question))


if __name__ == "__main__":
    main(*sys.argv[3:])
