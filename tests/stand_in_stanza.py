"""Documents shaped as Stanza's, whose package needs PyTorch and models that are downloaded."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class StandInWord:
    """The attributes of `stanza.models.common.doc.Word` that are read."""

    id: int
    text: str
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: str | None = None
    head: int | None = None
    deprel: str | None = None


@dataclass
class StandInToken:
    """The same of `Token`; older versions of Stanza have no `spaces_after`."""

    text: str
    words: list[StandInWord]
    spaces_after: str | None = " "
    start_char: int | None = None
    end_char: int | None = None


@dataclass
class StandInSentence:
    tokens: list[StandInToken]

    @property
    def words(self) -> list[StandInWord]:
        return [word for token in self.tokens for word in token.words]


@dataclass
class StandInDocument:
    sentences: list[StandInSentence] = field(default_factory=list)

    @property
    def num_words(self) -> int:
        return sum(len(sentence.words) for sentence in self.sentences)
