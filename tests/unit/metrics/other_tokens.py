"""Sentences that can be cut into tokens and words in other ways, and damaged.

Words know their head as a word, not as a number, so that heads survive whatever is done to a
sentence. All random choices come from a `random.Random`; hypothesis can provide one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from treegauge.treebank import Treebank

COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel")


@dataclass(eq=False)
class Word:
    """A word; the head is None for the root."""

    form: str
    columns: dict[str, str] = field(default_factory=dict)
    head: Word | None = None


@dataclass(eq=False)
class Token:
    """A stretch of text: one word, or several if it is a multiword token."""

    form: str
    words: list[Word]

    @property
    def is_multiword(self) -> bool:
        return len(self.words) > 1


Sentence = list[Token]


def bare(form: str) -> str:
    """Return a form without its spaces."""
    return "".join(char for char in form if unicodedata.category(char) != "Zs")


def plain(word: Word) -> Token:
    return Token(word.form, [word])


def words_of(sentence: Iterable[Token]) -> list[Word]:
    return [word for token in sentence for word in token.words]


# ---------------------------------------------------------------------- from and to treebanks


def sentences_of(treebank: Treebank) -> list[Sentence]:
    """Take a treebank apart."""
    columns = {name: list(treebank.columns[name]) for name in ("form", *COLUMNS)}
    found = []
    for sentence in treebank:
        words = [
            Word(
                columns["form"][sentence.first + i],
                {name: columns[name][sentence.first + i] for name in COLUMNS},
            )
            for i in range(len(sentence))
        ]
        for word, head in zip(words, sentence.heads, strict=True):
            word.head = words[head - 1] if head > 0 else None
        tokens = []
        multiword = {
            first: (last, form) for (first, last), form in sentence.multiword_tokens.items()
        }
        i = 1
        while i <= len(words):
            last, form = multiword.get(i, (i, words[i - 1].form))
            tokens.append(Token(form, words[i - 1 : last]))
            i = last + 1
        found.append(tokens)
    return found


def to_conllu(sentences: Sequence[Sentence]) -> str:
    """Write sentences as CoNLL-U."""
    lines = []
    for sentence in sentences:
        number = {word: i for i, word in enumerate(words_of(sentence), start=1)}
        for token in sentence:
            if token.is_multiword:
                first, last = number[token.words[0]], number[token.words[-1]]
                lines.append("\t".join([f"{first}-{last}", token.form] + ["_"] * 8))
            for word in token.words:
                head = 0 if word.head is None else number[word.head]
                lemma, upos, xpos, feats, deprel = (word.columns[name] for name in COLUMNS)
                fields = (number[word], word.form, lemma, upos, xpos, feats, head, deprel, "_", "_")
                lines.append("\t".join(map(str, fields)))
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def copies(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return sentences that can be changed without changing the originals."""
    copied = []
    for sentence in sentences:
        twin = {word: Word(word.form, dict(word.columns)) for word in words_of(sentence)}
        for word, copy in twin.items():
            copy.head = None if word.head is None else twin[word.head]
        copied.append([Token(t.form, [twin[word] for word in t.words]) for t in sentence])
    return copied


# ---------------------------------------------------------------------- drawing

VALUES = {
    "lemma": ["_", "kepta", "sul"],
    "upos": ["NOUN", "VERB"],
    "xpos": ["_", "n", "v"],
    "feats": ["_", "Case=Nom", "Style=Arch", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom"],
    "deprel": ["root", "nsubj", "nsubj:pass", "obj", "case", "det", "aux", "punct", "cc"],
}


def random_sentences(random: Random) -> list[Sentence]:
    """Draw sentences of short words from few letters, so that much can be aligned with much."""
    found = []
    for _ in range(random.randint(1, 2)):
        drawn: Sentence = []
        for _ in range(random.randint(1, 4)):
            words = [
                Word(
                    random.choice(["a", "b", "A", "ab", "ba", "a b"]),
                    {name: random.choice(values) for name, values in VALUES.items()},
                )
                for _ in range(random.choice([1, 1, 1, 2, 3]))
            ]
            whole = "".join(word.form for word in words)
            form = whole if len(words) == 1 else random.choice([whole, "ab", "b"])
            drawn.append(Token(form, words))
        words = words_of(drawn)
        for word in words:
            word.head = random.choice([None, *words])
        mend(words)
        found.append(drawn)
    return found


# ---------------------------------------------------------------------- damage


def damage(sentences: Sequence[Sentence], random: Random, share: float) -> None:
    """Give a share of the words other heads and values that occur in the text."""
    everything = words_of(token for sentence in sentences for token in sentence)
    seen = {name: sorted({word.columns[name] for word in everything}) for name in COLUMNS}
    seen["feats"].append("_")
    seen["lemma"].append("_")
    for sentence in sentences:
        words = words_of(sentence)
        for word in words:
            for name in COLUMNS:
                if random.random() < share:
                    word.columns[name] = random.choice(seen[name])
            if random.random() < share:
                word.head = random.choice([None, *words])
        mend(words)


def mend(words: Sequence[Word]) -> None:
    """Make a tree of words whose heads are gone or form cycles: their words become roots."""
    inside = set(words)
    safe: set[Word] = set()
    for word in words:
        path: list[Word] = []
        at: Word | None = word
        while at is not None and at not in safe:
            if at.head is not None and (at.head not in inside or at.head in [*path, at]):
                at.head = None
            path.append(at)
            at = at.head
        safe.update(path)


# ---------------------------------------------------------------------- other tokens


def retokenise(sentences: Sequence[Sentence], random: Random, share: float) -> list[Sentence]:
    """Cut the same text into other tokens, words and sentences."""
    found: list[Sentence] = []
    for sentence in sentences:
        tokens: Sentence = []
        waiting = list(reversed(sentence))
        while waiting:
            token = waiting.pop()
            if random.random() >= share:
                tokens.append(token)
                continue
            following = waiting.pop() if waiting else None
            tokens += _recut(token, following, random)
        found.append(tokens)
    found = _other_sentences(found, random, share)
    for sentence in found:
        mend(words_of(sentence))
    return found


def _recut(token: Token, following: Token | None, random: Random) -> Sentence:
    both = [token] if following is None else [token, following]
    joined = "".join(t.form for t in both)
    kind = random.choice(["dissolve", "wrap", "merge", "split", "respell", "space"])
    if kind == "dissolve" and "".join(bare(w.form) for w in token.words) == bare(token.form):
        return [*map(plain, token.words), *both[1:]]
    if kind == "wrap" and following is not None:
        return [Token(joined, words_of(both))]
    if kind == "merge":
        merged = Word(joined, token.words[0].columns, token.words[0].head)
        for other in words_of(both):
            other.head = merged  # whoever hangs on one of them hangs, in the end, on it
        return [Token(joined, [merged])]
    half = bare(token.form)
    if kind == "split" and len(half) > 1:
        cut = random.randrange(1, len(half))
        first = token.words[0]
        second = Word(half[cut:], dict(first.columns), first)
        first.form = half[:cut]
        for lost in token.words[1:]:
            lost.head = first
        parts = [first, second]
        as_token = [Token(token.form, parts)] if random.random() < 0.5 else [*map(plain, parts)]
        return [*as_token, *both[1:]]
    if kind == "respell" and token.is_multiword:
        word = random.choice(token.words)
        word.form = random.choice([word.form.upper(), word.form + "x", token.form])
    if kind == "space" and not token.is_multiword and len(half) > 1:
        token.form = token.words[0].form = half[:1] + random.choice([" ", "\u00a0"]) + half[1:]
    return both


def _other_sentences(sentences: list[Sentence], random: Random, share: float) -> list[Sentence]:
    found: list[Sentence] = []
    for sentence in sentences:
        if found and random.random() < share / 4:
            found[-1] = found[-1] + sentence
        elif len(sentence) > 1 and random.random() < share / 4:
            cut = random.randrange(1, len(sentence))
            found += [sentence[:cut], sentence[cut:]]
        else:
            found.append(sentence)
    return found
