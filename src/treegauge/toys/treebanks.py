"""Toy treebanks: sentences of a toy language, in columns, of any size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.toys.errors import ToyError
from treegauge.toys.language import ToyLanguage
from treegauge.toys.lexicon import lexicon
from treegauge.toys.names import toy_language
from treegauge.toys.sentences import GrownSentences, grow_sentences
from treegauge.toys.word_order import RELATIONS
from treegauge.treebank import COMMENT, EMPTY, Column, SideLines, Treebank, Vocabulary
from treegauge.treebank.parts import PARTS
from treegauge.wording import unknown_name

TOKENS = 20_000
"""How large a toy treebank is unless somebody says so."""

SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
"""How tokens are divided between the parts."""

# Sentences grow in batches, each from a stream of its own, so that a smaller treebank is the
# beginning of a larger one. A batch of any size costs some 20 ms: the first ones are small for
# the sake of small treebanks, the others large for the sake of large ones.
_BATCHES = (256, 1024, 4096)

_TEXT = "# text = "
_NO_SPACE_BEFORE = frozenset(".,?!)")
_NO_SPACE_BEHIND = frozenset("(")


def toy_treebank(
    name: str = "toy:svo",
    *,
    tokens: int = TOKENS,
    part: str = "train",
    seed: int = 0,
    nonprojective: float | None = None,
) -> Treebank:
    """Generate a treebank of a toy language.

    The same arguments give the same bytes on any machine. A smaller treebank is the beginning
    of a larger one.

    Parameters
    ----------
    name : str
        One of `TOY_LANGUAGES`: `toy:svo`, `toy:sov`, `toy:vso`, `toy:free`.
    tokens : int
        The number of words, punctuation included. The last sentence is completed.
    part : "train", "dev" or "test"
        Parts are drawn independently of each other.
    seed : int
        Another seed gives other sentences of the same language.
    nonprojective : float, optional
        The share of sentences with non-projective trees, from 0 to 1. Default: the usual share of
        the language.

    Returns
    -------
    Treebank
        With all columns, `# sent_id` and `# text`. It is empty if `tokens` is 0.

    Raises
    ------
    ToyError
        If the language or the part is unknown, or a number is out of range.

    Examples
    --------
    >>> treebank = toy_treebank("toy:svo", tokens=1000)
    >>> treebank.n_words >= 1000, treebank.sentence_ids[0]
    (True, 'toy-svo-train-1')
    """
    language = toy_language(name)
    share = language.nonprojective if nonprojective is None else nonprojective
    grown = _grown(language, tokens, part, seed, share)
    words = lexicon(language).columns
    columns = {column: values.take(grown.entry).compact() for column, values in words.items()}
    columns["deprel"] = Column(
        grown.relation.astype(np.int32), Vocabulary.from_strings(RELATIONS)
    ).compact()
    glued = _glued_to_next(columns["form"], grown.lengths)
    columns["misc"] = Column(
        glued.astype(np.int32), Vocabulary.from_strings([EMPTY, "SpaceAfter=No"])
    ).compact()
    offsets = np.concatenate([[0], np.cumsum(grown.lengths)])
    texts = _texts(columns["form"], glued, offsets)
    return Treebank(
        columns,
        grown.head,
        offsets=offsets,
        side_lines=_comments(f"toy-{language.code}-{part}", texts),
        name=name,
    )


def toy_parts(
    name: str = "toy:svo",
    tokens: int = TOKENS,
    seed: int = 0,
    *,
    nonprojective: float | None = None,
) -> dict[str, Treebank]:
    """Generate train, dev and test: 80, 10 and 10 percent of so many tokens.

    >>> {part: treebank.name for part, treebank in toy_parts("toy:vso", 100).items()}
    {'train': 'toy:vso', 'dev': 'toy:vso', 'test': 'toy:vso'}
    """
    return {
        part: toy_treebank(
            name,
            tokens=round(tokens * share),
            part=part,
            seed=seed,
            nonprojective=nonprojective,
        )
        for part, share in SHARES.items()
    }


def toy_text(
    name: str = "toy:svo",
    *,
    tokens: int = TOKENS,
    part: str = "train",
    seed: int = 0,
    nonprojective: float | None = None,
) -> str:
    """Generate raw text: the sentences of `toy_treebank`, one per line, without annotation.

    >>> print(toy_text("toy:sov", tokens=5), end="")
    Çum, çisonde Yik Nül bele rür şonupme!
    """
    treebank = toy_treebank(name, tokens=tokens, part=part, seed=seed, nonprojective=nonprojective)
    texts = [line.removeprefix(_TEXT) for line in treebank.side_lines.text][1::2]
    return "".join(f"{text}\n" for text in texts)


def _grown(
    language: ToyLanguage, tokens: int, part: str, seed: int, nonprojective: float
) -> GrownSentences:
    _check(tokens, part, seed, nonprojective)
    batches = []
    for sentences in _batches(language, part, seed, nonprojective):
        batches.append(sentences)
        if sum(len(batch.entry) for batch in batches) >= tokens:
            break
    lengths = np.concatenate([batch.lengths for batch in batches])
    ends = np.concatenate([[0], np.cumsum(lengths)])
    # The first boundary at or beyond the number of tokens.
    kept = int(np.searchsorted(ends, tokens))
    words = slice(0, int(ends[kept]))
    return GrownSentences(
        entry=np.concatenate([batch.entry for batch in batches])[words],
        head=np.concatenate([batch.head for batch in batches])[words],
        relation=np.concatenate([batch.relation for batch in batches])[words],
        lengths=lengths[:kept],
    )


def _batches(
    language: ToyLanguage, part: str, seed: int, nonprojective: float
) -> Iterator[GrownSentences]:
    for batch in count():
        stream = np.random.default_rng([seed, language.seed, PARTS.index(part), batch])
        number = _BATCHES[min(batch, len(_BATCHES) - 1)]
        yield grow_sentences(language, number, nonprojective, stream)


def _check(tokens: int, part: str, seed: int, nonprojective: float) -> None:
    if part not in PARTS:
        raise ToyError(unknown_name("part", part, PARTS))
    if tokens < 0:
        raise ToyError(f"a treebank cannot have {tokens} tokens; ask for 0 or more")
    if seed < 0:
        raise ToyError(f"a seed is 0 or more, not {seed}")
    if not 0 <= nonprojective <= 1:
        raise ToyError(f"the share of non-projective sentences is from 0 to 1, not {nonprojective}")


def _glued_to_next(forms: Column, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which words have no space behind them, though others follow in the sentence."""
    vocabulary = forms.vocabulary.strings
    before = np.array([form in _NO_SPACE_BEFORE for form in vocabulary], np.bool_)[forms.codes]
    behind = np.array([form in _NO_SPACE_BEHIND for form in vocabulary], np.bool_)[forms.codes]
    glued = behind.copy()
    glued[:-1] |= before[1:]
    glued[np.cumsum(lengths) - 1] = False
    return glued


def _texts(forms: Column, glued: NDArray[np.bool_], offsets: NDArray[np.int64]) -> Iterator[str]:
    strings = forms.vocabulary.strings
    written = [*strings, *(f"{form} " for form in strings)]
    pieces = [written[i] for i in (forms.codes + len(strings) * ~glued).tolist()]
    bounds = offsets.tolist()
    for first, last in pairwise(bounds):
        yield "".join(pieces[first:last]).rstrip()


def _comments(prefix: str, texts: Iterator[str]) -> SideLines:
    lines = [
        line
        for number, text in enumerate(texts, start=1)
        for line in (f"# sent_id = {prefix}-{number}", f"{_TEXT}{text}")
    ]
    return SideLines(
        sentence=np.repeat(np.arange(len(lines) // 2, dtype=np.int32), 2),
        after=np.zeros(len(lines), np.int32),
        kind=np.full(len(lines), COMMENT, np.uint8),
        text=Column.from_strings(lines),
    )
