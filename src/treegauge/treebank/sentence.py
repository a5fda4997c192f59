"""Light views of a treebank for people: a sentence, a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treegauge.treebank.side_lines import COMMENT, MULTIWORD

if TYPE_CHECKING:
    from treegauge.treebank.treebank import Treebank


@dataclass(frozen=True)
class Word:
    """One word of a sentence.

    Attributes
    ----------
    sentence : Sentence
        The sentence it belongs to.
    position : int
        Its position in the sentence, from 1.

    Examples
    --------
    >>> import treegauge as tg
    >>> word = tg.parse("birds/NOUN sing/VERB\\n")[0][1]
    >>> word.form, word.upos, word.position, word.head, word["lemma"]
    ('sing', 'VERB', 2, -1, '_')
    """

    sentence: Sentence
    position: int

    @property
    def form(self) -> str:
        """The word form."""
        return self["form"]

    @property
    def lemma(self) -> str:
        """The lemma."""
        return self["lemma"]

    @property
    def upos(self) -> str:
        """The universal tag."""
        return self["upos"]

    @property
    def xpos(self) -> str:
        """The fine tag."""
        return self["xpos"]

    @property
    def feats(self) -> dict[str, str]:
        """The features by name; a feature without a value maps to the empty string."""
        text = self["feats"]
        if text in ("", "_"):
            return {}
        return {key: value for key, _, value in (f.partition("=") for f in text.split("|"))}

    @property
    def head(self) -> int:
        """The position of the head: 0 is the root, -1 means not annotated."""
        return int(self.sentence.treebank.head[self._index])

    @property
    def deprel(self) -> str:
        """The relation to the head."""
        return self["deprel"]

    def __getitem__(self, column: str) -> str:
        """Return the value of any column."""
        return self.sentence.treebank.columns[column][self._index]

    @property
    def _index(self) -> int:
        return self.sentence.first + self.position - 1

    def __repr__(self) -> str:
        return f"<Word {self.position} {self.form!r} {self.upos} {self.deprel}←{self.head}>"


@dataclass(frozen=True)
class Sentence:
    """One sentence of a treebank: a sequence of words.

    Attributes
    ----------
    treebank : Treebank
        The treebank it belongs to.
    index : int
        Its index in the treebank, from 0.

    Examples
    --------
    >>> import treegauge as tg
    >>> sentence = tg.parse("birds/NOUN sing/VERB\\n")[0]
    >>> len(sentence), str(sentence), sentence.heads
    (2, 'birds sing', [-1, -1])
    >>> [word.upos for word in sentence]
    ['NOUN', 'VERB']
    """

    treebank: Treebank
    index: int

    @property
    def first(self) -> int:
        """The index of its first word in the treebank."""
        return int(self.treebank.offsets[self.index])

    def __len__(self) -> int:
        return int(self.treebank.offsets[self.index + 1]) - self.first

    def __getitem__(self, index: int) -> Word:
        """Return a word, counted from 0 as in any Python sequence."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"word {index} of {len(self)}")
        return Word(self, index % len(self) + 1)

    def __iter__(self) -> Iterator[Word]:
        return (Word(self, position) for position in range(1, len(self) + 1))

    @property
    def id(self) -> str:
        """The `# sent_id`; an empty string if there is none."""
        return self.treebank.sentence_ids[self.index]

    @property
    def comments(self) -> list[str]:
        """The comment lines, with their `#`."""
        return self._side_lines(COMMENT)

    @property
    def multiword_tokens(self) -> dict[tuple[int, int], str]:
        """The surface forms of multiword tokens, by their first and last position."""
        # CoNLL-U Plus has its columns in any order.
        written = self.treebank.file_columns
        columns = written if "ID" in written else ("ID", "FORM")
        id_column, form_column = columns.index("ID"), columns.index("FORM")
        tokens = {}
        for line in self._side_lines(MULTIWORD):
            fields = line.split("\t")
            first, last = fields[id_column].split("-")
            tokens[int(first), int(last)] = fields[form_column]
        return tokens

    @property
    def heads(self) -> list[int]:
        """The head of every word."""
        heads: list[int] = self.treebank.head[self.first : self.first + len(self)].tolist()
        return heads

    def _side_lines(self, kind: int) -> list[str]:
        lines = self.treebank.side_lines.of_sentence(self.index)
        return [text for line_kind, _, text in lines if line_kind == kind]

    def __str__(self) -> str:
        return " ".join(word.form for word in self)

    def __repr__(self) -> str:
        name = f" {self.id}" if self.id else ""
        return f"<Sentence{name}: {self}>"

    def _repr_html_(self) -> str:
        from treegauge.reports import sentence_html

        return sentence_html(self)
