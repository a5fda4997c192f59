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
    """One word of a sentence; everything is looked up in the treebank when asked for."""

    sentence: Sentence
    position: int
    """Place in the sentence, counted from 1."""

    @property
    def form(self) -> str:
        """The word itself."""
        return self["form"]

    @property
    def lemma(self) -> str:
        """Dictionary form."""
        return self["lemma"]

    @property
    def upos(self) -> str:
        """Universal tag."""
        return self["upos"]

    @property
    def xpos(self) -> str:
        """Fine tag."""
        return self["xpos"]

    @property
    def feats(self) -> dict[str, str]:
        """Features by name; a flag without a value maps to the empty string."""
        text = self["feats"]
        if text in ("", "_"):
            return {}
        return {key: value for key, _, value in (f.partition("=") for f in text.split("|"))}

    @property
    def head(self) -> int:
        """Position of the head: 0 is the root, -1 not annotated."""
        return int(self.sentence.treebank.head[self._index])

    @property
    def deprel(self) -> str:
        """Relation to the head."""
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
    """One sentence of a treebank: a sequence of words."""

    treebank: Treebank
    index: int

    @property
    def first(self) -> int:
        """Index in the treebank of the first word."""
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
        """The `# sent_id`, empty if there is none."""
        return self.treebank.sentence_ids[self.index]

    @property
    def comments(self) -> list[str]:
        """Comment lines, with their `#`."""
        return self._side_lines(COMMENT)

    @property
    def multiword_tokens(self) -> dict[tuple[int, int], str]:
        """Surface forms by the (first, last) position they span."""
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
