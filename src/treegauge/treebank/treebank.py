"""The one data structure: a treebank as parallel arrays over words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, zip_longest
from types import MappingProxyType
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.treebank.column import KNOWN_COLUMNS, Column
from treegauge.treebank.content import content
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.origin import Origin
from treegauge.treebank.repairs import Repairs
from treegauge.treebank.sentence import Sentence
from treegauge.treebank.side_lines import COMMENT, SideLines, parse_comment, ranges
from treegauge.treebank.vocabulary import Immutable, frozen
from treegauge.wording import counted

NOT_ANNOTATED = -1
"""The head of a word that has none in the file."""


class Treebank(Immutable):
    """Sentences of words with their annotation, in columns; never changed in place.

    Every column is an array over all words. The words of sentence `s` are
    `offsets[s]:offsets[s + 1]`. `head` counts positions in the sentence from 1; 0 is the root and
    -1 means not annotated. Methods that select or change sentences return new treebanks.
    `treebank[0]` is the first sentence; `treebank[:100]` and `treebank[mask]` are treebanks.

    Parameters
    ----------
    columns : mapping from name to Column
        `form` is required. The others of `KNOWN_COLUMNS` are optional. More names are allowed
        (the additional columns of CoNLL-U Plus).
    head : array of int, optional
        One per word. Default: not annotated.
    offsets : array of int
        Where sentences begin, and the number of words at the end.
    side_lines : SideLines, optional
        Comments, multiword tokens and empty nodes.
    first_lines : array of int, optional
        The line in the file at which each sentence begins, 0 if unknown.
    origin : Origin, optional
        Lengths and positions before words were removed.
    punctuation : array of bool, optional
        Which words are punctuation, instead of what the tags say. Blind copies have it.
    repairs : Repairs, optional
        What was repaired while a system's output was read.
    file_columns : sequence of str
        The columns of the file it was read from, in the names and the order of the file.
    file_header : str
        The line of a CoNLL-U Plus file that names them, unchanged.
    name : str
        The name of the treebank in tables.

    Raises
    ------
    TreebankError
        If columns differ in length, offsets decrease, or heads are not whole numbers from -1.

    Examples
    --------
    >>> import treegauge as tg
    >>> treebank = tg.parse("1\\tbirds\\t_\\tNOUN\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n"
    ...                     "2\\tsing\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
    >>> treebank
    <Treebank: 1 sentence, 2 words; upos deprel head>
    >>> list(treebank.form), treebank.head.tolist()
    (['birds', 'sing'], [2, 0])
    >>> treebank[0]
    <Sentence: birds sing>
    """

    def __init__(
        self,
        columns: Mapping[str, Column],
        head: ArrayLike | None = None,
        *,
        offsets: ArrayLike,
        side_lines: SideLines | None = None,
        first_lines: ArrayLike | None = None,
        origin: Origin | None = None,
        punctuation: ArrayLike | None = None,
        repairs: Repairs | None = None,
        file_columns: Sequence[str] = (),
        file_header: str = "",
        name: str = "",
    ) -> None:
        self.offsets = _int_array(offsets, np.int64)
        n_words = int(self.offsets[-1])
        self.head = (
            frozen(np.full(n_words, NOT_ANNOTATED, np.int32))
            if head is None
            else _int_array(_checked_heads(head), np.int32)
        )
        missing = {c: Column.constant("_", n_words) for c in KNOWN_COLUMNS if c not in columns}
        self.columns: Mapping[str, Column] = MappingProxyType({**columns, **missing})
        self.side_lines = side_lines if side_lines is not None else SideLines.none()
        self.first_lines = _int_array(
            np.zeros(self.n_sentences) if first_lines is None else first_lines, np.int64
        )
        self.origin = origin
        self.punctuation = None if punctuation is None else frozen(np.array(punctuation, np.bool_))
        self.repairs = repairs
        self.file_columns = tuple(file_columns)
        self.file_header = file_header
        self.name = name
        self._check_lengths()

    def _check_lengths(self) -> None:
        if self.offsets[0] != 0 or (np.diff(self.offsets) < 0).any():
            raise TreebankError("sentence offsets must begin at 0 and never decrease")
        per_word: dict[str, Any] = {**self.columns, "head": self.head}
        per_sentence = {"first_lines": self.first_lines}
        if self.origin is not None:
            per_word["origin"] = self.origin.position
            per_sentence["origin"] = self.origin.length
        if self.punctuation is not None:
            per_word["punctuation"] = self.punctuation
        if self.repairs is not None:
            per_word["repairs"] = self.repairs.word
            per_sentence["repairs"] = self.repairs.surplus
        for name, values in per_word.items():
            if len(values) != self.n_words:
                raise TreebankError(
                    f"column {name!r} has {counted(len(values), 'value')} for "
                    f"{counted(self.n_words, 'word')}"
                )
        for name, values in per_sentence.items():
            if len(values) != self.n_sentences:
                raise TreebankError(
                    f"{name!r} has {counted(len(values), 'value')} for "
                    f"{counted(self.n_sentences, 'sentence')}"
                )

    # ------------------------------------------------------------------ size and columns

    @property
    def n_words(self) -> int:
        """The number of words. Multiword tokens and empty nodes are not counted."""
        return int(self.offsets[-1])

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    @property
    def summary(self) -> str:
        """The size in words, such as `2,001 sentences, 25,094 words`."""
        return f"{counted(self.n_sentences, 'sentence')}, {counted(self.n_words, 'word')}"

    def __len__(self) -> int:
        return self.n_sentences

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words in every sentence."""
        return np.diff(self.offsets)

    @property
    def original_lengths(self) -> NDArray[np.int64]:
        """The number of words in every sentence before any were removed."""
        return self.lengths if self.origin is None else self.origin.length.astype(np.int64)

    @property
    def original_positions(self) -> NDArray[np.int64]:
        """The position of every word in its sentence before any were removed, from 1."""
        if self.origin is not None:
            return self.origin.position.astype(np.int64)
        return ranges(np.ones(self.n_sentences, np.int64), self.lengths)

    @property
    def sentence_of_word(self) -> NDArray[np.intp]:
        """The index of the sentence that every word belongs to, from 0."""
        return np.repeat(np.arange(self.n_sentences), self.lengths)

    @property
    def form(self) -> Column:
        """The word forms (FORM)."""
        return self.columns["form"]

    @property
    def lemma(self) -> Column:
        """The lemmas (LEMMA)."""
        return self.columns["lemma"]

    @property
    def upos(self) -> Column:
        """Universal tags (UPOS, UPOSTAG)."""
        return self.columns["upos"]

    @property
    def xpos(self) -> Column:
        """Fine tags (XPOS, POSTAG)."""
        return self.columns["xpos"]

    @property
    def cpos(self) -> Column:
        """Coarse tags (CPOSTAG)."""
        return self.columns["cpos"]

    @property
    def feats(self) -> Column:
        """The morphological features (FEATS)."""
        return self.columns["feats"]

    @property
    def deprel(self) -> Column:
        """The relations to the heads (DEPREL)."""
        return self.columns["deprel"]

    @property
    def has_heads(self) -> bool:
        """Whether any word has an annotated head."""
        return bool((self.head != NOT_ANNOTATED).any())

    # ------------------------------------------------------------------ looking

    @cached_property
    def sentence_ids(self) -> tuple[str, ...]:
        """The `# sent_id` of every sentence; an empty string where there is none."""
        ids = [""] * self.n_sentences
        table = self.side_lines
        # Texts are interned, so the pattern is tried once for each distinct comment.
        comments = [parse_comment(text) for text in table.text.vocabulary]
        for i in np.flatnonzero(table.kind == COMMENT):
            key, value = comments[table.text.codes[i]]
            if key == "sent_id":
                ids[table.sentence[i]] = value
        return tuple(ids)

    def line(self, sentence: int, position: int = 0) -> int:
        """Return the line in the file of a word or of the beginning of a sentence.

        Parameters
        ----------
        sentence : int
            The index of the sentence, from 0.
        position : int
            The position of the word, from 1; 0 for the beginning of the sentence. If words were
            removed from the treebank, the beginning is returned for every word.

        Returns
        -------
        int
            The line from 1, or 0 if it is unknown.

        Examples
        --------
        >>> import treegauge as tg
        >>> treebank = tg.parse("birds\\tNOUN\\nsing\\tVERB\\n\\nyes\\tINTJ\\n\\n")
        >>> treebank.line(0, 2), treebank.line(1)
        (2, 4)
        """
        first = int(self.first_lines[sentence])
        if not first:
            return 0
        if not position or self.origin is not None:
            return first
        before = sum(1 for _, after, _ in self.side_lines.of_sentence(sentence) if after < position)
        return first + before + position - 1

    def __iter__(self) -> Iterator[Sentence]:
        return (Sentence(self, index) for index in range(self.n_sentences))

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | list[int] | list[bool]) -> Treebank: ...
    def __getitem__(self, index: Any) -> Sentence | Treebank:
        """Return one sentence, or a treebank of the sentences in a slice, mask or list."""
        if isinstance(index, (int, np.integer)) and not isinstance(index, bool):
            if not -self.n_sentences <= index < self.n_sentences:
                raise IndexError(f"sentence {index} of {self.n_sentences}")
            return Sentence(self, int(index) % self.n_sentences)
        if isinstance(index, slice):
            return self.take(np.arange(self.n_sentences)[index])
        chosen = np.asarray(index)
        if chosen.dtype == np.bool_:
            if chosen.shape != (self.n_sentences,):
                raise TreebankError(
                    f"a mask over sentences needs {counted(self.n_sentences, 'value')}, "
                    f"not {chosen.size:,}"
                )
            return self.take(np.flatnonzero(chosen))
        if chosen.size and not np.issubdtype(chosen.dtype, np.integer):
            raise TreebankError(f"sentences are chosen by whole numbers, not {chosen.dtype}")
        return self.take(chosen.astype(np.intp))

    def __repr__(self) -> str:
        columns = [
            name for name, column in self.columns.items() if name != "form" and column.is_annotated
        ]
        annotated = " ".join(columns + ["head"] * self.has_heads) or "no annotation"
        name = f" {self.name}" if self.name else ""
        return f"<Treebank{name}: {self.summary}; {annotated}>"

    def _repr_html_(self) -> str:
        from treegauge.reports import treebank_html

        return treebank_html(self)

    # ------------------------------------------------------------------ identity

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that depend on the content alone.

        Equal for the same sentences whatever file, name or in-memory numbering they have;
        different, for all practical purposes, if anything in any column differs.
        """
        digest = hashlib.blake2b(digest_size=8)
        for part in content(self):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part.data)
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Treebank):
            return NotImplemented
        if self.offsets.shape != other.offsets.shape or self.n_words != other.n_words:
            return False
        return all(
            a is not None and b is not None and np.array_equal(a, b)
            for a, b in zip_longest(content(self), content(other))
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._fields(),)

    def _fields(self) -> dict[str, Any]:
        return {
            "columns": dict(self.columns),
            "head": self.head,
            "offsets": self.offsets,
            "side_lines": self.side_lines,
            "first_lines": self.first_lines,
            "origin": self.origin,
            "punctuation": self.punctuation,
            "repairs": self.repairs,
            "file_columns": self.file_columns,
            "file_header": self.file_header,
            "name": self.name,
        }

    # ------------------------------------------------------------------ new treebanks

    def replace(
        self,
        *,
        columns: Mapping[str, Column] = MappingProxyType({}),
        head: ArrayLike | None = None,
        name: str | None = None,
        file_header: str | None = None,
        punctuation: ArrayLike | None = None,
        side_lines: SideLines | None = None,
    ) -> Treebank:
        """Return a treebank in which only the given parts are replaced.

        Parameters
        ----------
        columns : mapping from name to Column
            Columns to replace or to add.
        head : array of int, optional
            New heads.
        name : str, optional
            A new name.
        file_header : str, optional
            A new header of a CoNLL-U Plus file.
        punctuation : array of bool, optional
            A new mask of what is punctuation.
        side_lines : SideLines, optional
            New comments, multiword tokens and empty nodes.

        Returns
        -------
        Treebank
            The new treebank.

        Raises
        ------
        TreebankError
            If a column or the heads do not have one value per word.

        Examples
        --------
        >>> import treegauge as tg
        >>> tg.parse("birds/NOUN sing/VERB\\n").replace(head=[2, 0], name="birds")
        <Treebank birds: 1 sentence, 2 words; upos head>
        """
        fields = self._fields()
        fields["columns"].update(columns)
        given = {
            "head": head,
            "name": name,
            "file_header": file_header,
            "punctuation": punctuation,
            "side_lines": side_lines,
        }
        fields.update({key: value for key, value in given.items() if value is not None})
        return Treebank(**fields)

    def take(self, chosen: NDArray[np.intp]) -> Treebank:
        """Return the treebank of some sentences, in the order given.

        Parameters
        ----------
        chosen : array of int
            The indices of the sentences, from 0.

        Returns
        -------
        Treebank
            One sentence per index.

        Raises
        ------
        TreebankError
            If there is no such sentence.

        Examples
        --------
        >>> import numpy as np, treegauge as tg
        >>> treebank = tg.parse("birds/NOUN sing/VERB\\n\\nyes/INTJ\\n")
        >>> list(treebank.take(np.array([1, 0])).form)
        ['yes', 'birds', 'sing']
        """
        if len(chosen) and not (
            -self.n_sentences <= chosen.min() <= chosen.max() < self.n_sentences
        ):
            raise TreebankError(f"there are only {counted(self.n_sentences, 'sentence')}")
        chosen = chosen % max(self.n_sentences, 1)
        lengths = self.lengths[chosen]
        words = ranges(self.offsets[:-1][chosen], lengths)
        fields = self._word_fields(words)
        fields["offsets"] = np.concatenate([[0], np.cumsum(lengths)])
        fields["head"] = self.head[words]
        fields["side_lines"] = self.side_lines.of_sentences(chosen, self.n_sentences)
        fields["first_lines"] = self.first_lines[chosen]
        if self.origin is not None:
            fields["origin"] = Origin(self.origin.length[chosen], self.origin.position[words])
        if self.repairs is not None:
            fields["repairs"] = self.repairs.take(chosen, words)
        return Treebank(**fields)

    def _word_fields(self, words: NDArray[np.intp]) -> dict[str, Any]:
        fields = self._fields()
        fields["columns"] = {name: column.take(words) for name, column in self.columns.items()}
        if self.punctuation is not None:
            fields["punctuation"] = self.punctuation[words]
        return fields

    def __add__(self, other: Treebank) -> Treebank:
        from treegauge.treebank.concatenation import concatenate

        return concatenate([self, other])

    def shuffled(self, *, seed: int = 0) -> Treebank:
        """Return the sentences in a random order.

        Parameters
        ----------
        seed : int
            The same seed gives the same order.

        Returns
        -------
        Treebank
            The same sentences.

        Examples
        --------
        >>> import treegauge as tg
        >>> treebank = tg.toy_treebank(tokens=500)
        >>> treebank.shuffled(seed=1) == treebank.shuffled(seed=1)
        True
        """
        return self.take(np.random.default_rng(seed).permutation(self.n_sentences))

    def split(self, *shares: float, seed: int | None = None) -> tuple[Treebank, ...]:
        """Split the treebank into parts.

        Parameters
        ----------
        *shares : float
            The share of sentences in every part. They sum to 1.
        seed : int, optional
            Shuffle the sentences first. Default: keep their order.

        Returns
        -------
        tuple of Treebank
            One treebank per share.

        Raises
        ------
        TreebankError
            If the shares are negative or do not sum to 1.

        Examples
        --------
        >>> import treegauge as tg
        >>> train, test = tg.toy_treebank(tokens=5000).split(0.9, 0.1, seed=1)
        >>> train.n_sentences > 8 * test.n_sentences
        True
        """
        if not shares or min(shares) < 0 or not abs(sum(shares) - 1) <= 1e-9:
            raise TreebankError(f"shares must be positive and sum to 1, not {shares}")
        whole = self if seed is None else self.shuffled(seed=seed)
        cuts = np.rint(np.cumsum([0.0, *shares]) * self.n_sentences).astype(int)
        return tuple(whole[a:b] for a, b in pairwise(cuts))

    def up_to(self, words: int, *, count_punctuation: bool = True) -> Treebank:
        """Return the sentences up to a length.

        Parameters
        ----------
        words : int
            The largest number of words.
        count_punctuation : bool
            Count all words of the sentence as it was read, also those that were removed since
            (the cut-off `@10`). Otherwise count only words that are not punctuation (`@10w`).

        Returns
        -------
        Treebank
            The short sentences, in the same order.

        Examples
        --------
        >>> import treegauge as tg
        >>> int(tg.toy_treebank(tokens=500).up_to(10).lengths.max())
        10
        """
        from treegauge.treebank.selection import length_mask

        return self[length_mask(self, words, count_punctuation=count_punctuation)]

    def without_punctuation(self) -> Treebank:
        """Return the treebank without punctuation.

        Children of a punctuation mark are attached to its nearest ancestor that is a word. They
        become roots if there is none. `restore_words` is the reverse.

        Returns
        -------
        Treebank
            As many sentences, with fewer words.

        Examples
        --------
        >>> import treegauge as tg
        >>> list(tg.parse("birds/NOUN sing/VERB ./PUNCT\\n").without_punctuation().form)
        ['birds', 'sing']
        """
        from treegauge.treebank.selection import without_punctuation

        return without_punctuation(self)

    def blind(self, *, heads: bool = True, tags: bool = False) -> Treebank:
        """Return a copy without gold heads, gold tags or both, as `treegauge.blind` does.

        Parameters
        ----------
        heads : bool
            Hide heads.
        tags : bool
            Hide all tags, lemmas and features.

        Returns
        -------
        Treebank
            The copy.

        Raises
        ------
        ValueError
            If neither heads nor tags are hidden.

        Examples
        --------
        >>> import treegauge as tg
        >>> tg.toy_treebank(tokens=100).blind().has_heads
        False
        """
        from treegauge.treebank.blindness import blind

        return blind(self, heads=heads, tags=tags)

    def tags(self, which: str = "u") -> Column:
        """Return a tag column by its short name.

        Parameters
        ----------
        which : str
            `u` (universal), `u12` (the 12 of Petrov et al. 2012), `c` (coarse) or `p` (fine).
            `p:2` and so on: only the first characters of every tag.

        Returns
        -------
        Column
            One tag per word.

        Raises
        ------
        TreebankError
            If there is no such column, or it is empty.

        Examples
        --------
        >>> import treegauge as tg
        >>> list(tg.parse("Ann/PROPN sings/VERB\\n").tags("u12"))
        ['NOUN', 'VERB']
        """
        from treegauge.treebank.tag_columns import tag_column

        return tag_column(self, which).column


def _restore(fields: dict[str, Any]) -> Treebank:
    # Unpickled NumPy arrays are writeable; going through the constructor freezes them again.
    return Treebank(**fields)


def _checked_heads(head: ArrayLike) -> NDArray[Any]:
    heads = np.asarray(head)
    if heads.size and not np.issubdtype(heads.dtype, np.integer):
        raise TreebankError(f"heads are whole numbers, not {heads.dtype}")
    if heads.size and not NOT_ANNOTATED <= heads.min() <= heads.max() < 1 << 31:
        raise TreebankError("a head is a position from 1, 0 for the root, or -1 for none")
    return heads


def _int_array(values: ArrayLike, dtype: Any) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype != dtype or array.flags.writeable:
        array = array.astype(dtype)
    return frozen(np.ascontiguousarray(array))
