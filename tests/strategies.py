"""Hypothesis strategies that all property tests share.

Sentences are drawn as lists of rows, one per word, and rendered as the text of a file; so a
test knows what a reader must find without asking the reader.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from hypothesis import strategies as st

import treegauge as tg

UNIVERSAL = ["ADJ", "ADP", "AUX", "DET", "NOUN", "PRON", "PUNCT", "VERB", "X"]
# fmt: off
CONLLU_COLUMNS = [
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
]
COLUMNS = {
    "conllu": CONLLU_COLUMNS,
    "conllx": [
        "ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL",
    ],
    "pascal": ["ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "UPOSTAG", "FEATS", "HEAD", "DEPREL"],
    "tagged": ["FORM", "TAG"],
}
# fmt: on

# A tab, a line feed and a carriage return divide; lone surrogates are no UTF-8, NUL is no text.
_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0")
_letters = st.sampled_from("abkmrstí#_-./ \u00a0\u2028ט漢😀\u0301")

values = st.text(_letters, min_size=1, max_size=4) | st.text(_characters, min_size=1, max_size=4)
"""What can stand in a column: anything but tabs and line ends."""

few_values = st.sampled_from(["_", "sul", "dorvi", "kepta", "mírlo"]) | values
"""The same, with repetitions, as columns have them."""

forms = few_values.filter(lambda form: form.strip(" ") != "")
"""Words; one of spaces alone would make a blank line where there are no word numbers."""

slashed_forms = forms.filter(lambda form: " " not in form)
slashed_tags = values.filter(lambda tag: " " not in tag and "/" not in tag)

tags = st.sampled_from(UNIVERSAL)
tag_sequences = st.lists(tags, max_size=12)

comments = st.builds("#{}".format, st.text(_letters | _characters | st.just("\t"), max_size=8))


# ---------------------------------------------------------------- trees


@st.composite
def projective_heads(draw: st.DrawFn, min_size: int = 1, max_size: int = 8) -> list[int]:
    """Draw the heads of a tree without crossing arcs, one root."""
    n = draw(st.integers(min_size, max_size))
    heads = [0] * n

    def attach(first: int, last: int, head: int) -> None:
        """Give the words first..last to a head, as one or more subtrees side by side."""
        while first <= last:
            end = draw(st.integers(first, last)) if head else last
            top = draw(st.integers(first, end))
            heads[top - 1] = head
            attach(first, top - 1, top)
            attach(top + 1, end, top)
            first = end + 1

    attach(1, n, 0)
    return heads


@st.composite
def any_tree_heads(draw: st.DrawFn, min_size: int = 1, max_size: int = 8) -> list[int]:
    """Draw the heads of a tree with one root, projective or not."""
    n = draw(st.integers(min_size, max_size))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for i, position in enumerate(order[1:], start=1):
        heads[position - 1] = order[draw(st.integers(0, i - 1))]
    return heads


def trees(min_size: int = 1, max_size: int = 8) -> st.SearchStrategy[list[int]]:
    """Heads of a tree with one root; half of the trees are projective."""
    return projective_heads(min_size, max_size) | any_tree_heads(min_size, max_size)


def heads_of_any_kind(max_size: int = 8) -> st.SearchStrategy[list[int | None]]:
    """Heads that need not be a tree; None is "not annotated"."""
    return st.lists(st.none() | st.integers(0, max_size + 2), min_size=1, max_size=max_size)


# ---------------------------------------------------------------- sentences


@dataclass
class DrawnSentence:
    """A sentence as it was drawn: rows of fields, and lines that are no words."""

    rows: list[list[str]]
    heads: list[int | None] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    before: dict[int, list[str]] = field(default_factory=dict)
    """Multiword tokens and empty nodes that stand before word i, counted from 1."""

    def text(self) -> str:
        """Render the sentence with the blank line behind it."""
        lines = list(self.comments)
        for i, row in enumerate(self.rows, start=1):
            lines += self.before.get(i, [])
            lines.append("\t".join(row))
        lines += self.before.get(len(self.rows) + 1, [])
        return "".join(f"{line}\n" for line in lines) + "\n"


@st.composite
def sentences(draw: st.DrawFn, columns: list[str], max_words: int = 5) -> DrawnSentence:
    """Draw a sentence with any values in these columns and a tree, or no heads."""
    heads: list[int | None] = list(draw(trees(max_size=max_words)))
    if draw(st.booleans()) and draw(st.booleans()):
        heads = [None] * len(heads)
    rows = []
    for i, head in enumerate(heads, start=1):
        drawn = {
            "ID": str(i),
            "HEAD": "_" if head is None else str(head),
            "FORM": draw(forms),
            "UPOS": draw(tags),
            "UPOSTAG": draw(tags),
        }
        rows.append([drawn[c] if c in drawn else draw(few_values) for c in columns])
    return DrawnSentence(rows, heads)


@st.composite
def conllu_sentences(draw: st.DrawFn, max_words: int = 5) -> DrawnSentence:
    """Draw a CoNLL-U sentence with comments, multiword tokens and empty nodes."""
    sentence = draw(sentences(CONLLU_COLUMNS, max_words))
    sentence.comments = draw(st.lists(comments, max_size=2))
    n = len(sentence.rows)
    covered = 0

    def side_line(number: str) -> str:
        return "\t".join([number, *(draw(few_values) for _ in range(9))])

    for i in range(1, n + 2):
        lines = []
        # Nodes behind word i - 1, unless a multiword token goes on with word i.
        if i > covered:
            nodes = draw(st.sampled_from([0, 0, 0, 1, 2]))
            lines += [side_line(f"{i - 1}.{k}") for k in range(1, nodes + 1)]
        if covered < i < n and draw(st.integers(0, 3)) == 0:
            covered = draw(st.integers(i + 1, n))
            lines.append(side_line(f"{i}-{covered}"))
        if lines:
            sentence.before[i] = lines
    return sentence


# ---------------------------------------------------------------- files


def conllu_texts(min_sentences: int = 0, max_sentences: int = 2) -> st.SearchStrategy[str]:
    """Texts of CoNLL-U files, complete and without a flaw."""
    drawn = st.lists(conllu_sentences(), min_size=min_sentences, max_size=max_sentences)
    return drawn.map(lambda found: "".join(sentence.text() for sentence in found))


def column_texts(
    format: str, min_sentences: int = 0, max_sentences: int = 2
) -> st.SearchStrategy[str]:
    """Texts of files of any column format, complete and without a flaw."""
    if format == "conllu":
        return conllu_texts(min_sentences, max_sentences)
    drawn = st.lists(sentences(COLUMNS[format]), min_size=min_sentences, max_size=max_sentences)
    return drawn.map(lambda found: "".join(sentence.text() for sentence in found))


@st.composite
def plus_texts(draw: st.DrawFn) -> str:
    """Texts of CoNLL-U Plus files: FORM and any other columns in any order."""
    names = [*CONLLU_COLUMNS[2:], "MY:OWN", "LENGTHS", "TAG"]
    chosen = draw(st.lists(st.sampled_from(names), unique=True, max_size=5))
    columns = draw(st.permutations(["ID", "FORM", *chosen]))
    drawn = draw(st.lists(sentences(columns), max_size=2))
    # Where ID is not the first column, a line that begins with # is a comment.
    body = "".join(
        sentence.text()
        for sentence in drawn
        if not any(r[0].startswith("#") for r in sentence.rows)
    )
    return f"# global.columns = {' '.join(columns)}\n{body}"


@st.composite
def slashed_texts(draw: st.DrawFn, max_sentences: int = 2) -> str:
    """Texts of files of word/TAG."""
    words = st.builds("{}/{}".format, slashed_forms, slashed_tags)
    lines = draw(st.lists(st.lists(words, min_size=1, max_size=4), max_size=max_sentences))
    return "".join(f"{' '.join(line)}\n" for line in lines)


@st.composite
def token_texts(draw: st.DrawFn, max_sentences: int = 2) -> str:
    """Texts of files of words."""
    lines = draw(st.lists(st.lists(slashed_forms, min_size=1, max_size=4), max_size=max_sentences))
    return "".join(f"{' '.join(line)}\n" for line in lines)


def texts(format: str) -> st.SearchStrategy[str]:
    """Texts of files of any format, complete and without a flaw."""
    if format == "tokens":
        return token_texts()
    return slashed_texts() if format == "slashed" else column_texts(format)


def read_text(text: str | bytes, format: str | None = "conllu") -> tg.Treebank:
    """Read a text, taking warnings as they come."""
    source = io.BytesIO(text.encode() if isinstance(text, str) else text)
    return tg.read(source, format=format, findings=tg.Findings(), allow_empty=True)


def treebanks(min_sentences: int = 0, max_sentences: int = 2) -> st.SearchStrategy[tg.Treebank]:
    """Treebanks with all columns, comments, multiword tokens and empty nodes."""
    return conllu_texts(min_sentences, max_sentences).map(read_text)


# ---------------------------------------------------------------- damage

_junk = st.binary(min_size=1, max_size=4) | st.sampled_from(
    [
        b"\t", b"\n", b"\r", b"\r\n", b"\r\r\n", b" ", b"#", b"/", b"_", b"-", b".", b"0", b"-1",
        b"1-2\t", b"1.1\t", b"\n\n", b"\t\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc3",
        b"\xe2\x80\xa8", b"# global.columns = ID FORM\n", b"99999999999", b"2147483647",
    ]
)  # fmt: skip
"""Bytes that mean something to a reader, and some that do not."""


@st.composite
def damaged(draw: st.DrawFn, text: bytes) -> bytes:
    """Do one kind of damage to a text, as disks, editors and scripts do it."""
    kind = draw(st.sampled_from(DAMAGES))
    lines = text.split(b"\n")
    at = draw(st.integers(0, len(text)))
    line = draw(st.integers(0, len(lines) - 1))
    if kind == "flip a byte" and text:
        at = min(at, len(text) - 1)
        return text[:at] + bytes([draw(st.integers(0, 255))]) + text[at + 1 :]
    if kind == "insert junk":
        return text[:at] + draw(_junk) + text[at:]
    if kind == "junk first":
        return draw(_junk) + text
    if kind == "drop bytes":
        return text[:at] + text[at + draw(st.integers(1, 8)) :]
    if kind == "cut the end":
        return text[:at]
    if kind == "drop a line":
        del lines[line]
    if kind == "repeat a line":
        lines.insert(draw(st.integers(0, len(lines))), lines[line])
    if kind == "join lines" and line + 1 < len(lines):
        lines[line : line + 2] = [lines[line] + lines[line + 1]]
    if kind == "swap columns":
        fields = lines[line].split(b"\t")
        i, j = (draw(st.integers(0, len(fields) - 1)) for _ in range(2))
        fields[i], fields[j] = fields[j], fields[i]
        lines[line] = b"\t".join(fields)
    if kind == "replace a field":
        fields = lines[line].split(b"\t")
        fields[draw(st.integers(0, len(fields) - 1))] = draw(_junk)
        lines[line] = b"\t".join(fields)
    if kind == "shuffle lines":
        lines = draw(st.permutations(lines)) if len(lines) < 12 else lines[::-1]
    if kind == "Windows line ends":
        return text.replace(b"\n", b"\r\n")
    return b"\n".join(lines)


DAMAGES = [
    "flip a byte",
    "insert junk",
    "junk first",
    "drop bytes",
    "cut the end",
    "drop a line",
    "repeat a line",
    "join lines",
    "swap columns",
    "replace a field",
    "shuffle lines",
    "Windows line ends",
]


@st.composite
def broken_texts(draw: st.DrawFn) -> bytes:
    """Texts of files of any format with some damage, or with none that shows."""
    whole = st.one_of(*(texts(format) for format in [*COLUMNS, "slashed", "tokens"]), plus_texts())
    text = draw(whole).encode()
    for _ in range(draw(st.integers(1, 4))):
        text = draw(damaged(text))
    return text


broken_lines = column_texts("conllu", 1, 1).flatmap(lambda text: damaged(text.encode()))
"""One sentence with one kind of damage."""
