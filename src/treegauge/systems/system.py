"""The one shape of all systems: fit, annotate, save, load.

What a system may see is decided here and nowhere else: inducers get blind copies, whatever
they are given (the runner hands out blind copies too; two locks are better than one).
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from treegauge.errors import TreegaugeError
from treegauge.settings import Settings, read_settings
from treegauge.systems.code_version import code_version
from treegauge.systems.commands import note_commands
from treegauge.systems.derivation import Derivation
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import BLOCK, Blocks, require_memory, warn_of_long
from treegauge.systems.model_file import write_model
from treegauge.systems.partial_work import PartialWork
from treegauge.systems.saved_state import damaged
from treegauge.treebank import Column, Treebank, blind, restore_words, without_punctuation

Task = Literal["tags", "dependencies", "joint"]
Supervision = Literal[
    "unsupervised",
    "universal rules",
    "dev-tuned",
    "dictionary",
    "cross-lingual",
    "supervised",
    "oracle",
]
"""What a system is told about the language: words and their tags, annotation of other languages,
its own annotation, or the very answer."""
OnProgress = Callable[[float, str], None]
"""Told the share that is done and a line such as the likelihood."""

Arrays = dict[str, NDArray[Any]]


def no_progress(_share: float, _line: str) -> None:
    """Tell nobody."""


class System(ABC):
    """A system that annotates treebanks. `make_system` returns one by name.

    Subclasses describe themselves in class attributes, name a dataclass of settings, and
    implement `_annotate` and, if they learn, `_fit`.

    Parameters
    ----------
    settings : Settings or mapping, optional
        Default: the settings of the paper.
    seed : int
        The random seed.

    Raises
    ------
    SystemsError
        If a setting does not exist or a value does not fit.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> train, test = tg.toy_treebank(tokens=500), tg.toy_treebank(part="test", tokens=200)
    >>> tagger = tg.make_system("most-frequent-tag").fit(train)
    >>> tagger.annotate(test).upos.is_annotated
    True
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tagger.save(f"{folder}/tagger.model")
    >>> tagger.sees(test), tagger.sees_in_training(train) == train
    (<Treebank: 18 sentences, 216 words; no annotation>, True)
    >>> tagger.expected_seconds(train) > 0, tagger.memory_for(50)
    (True, 0)
    >>> tagger.long_sentences(test).tolist()
    []
    >>> print(tg.make_system("dmv", iterations=1).fit(train).describe_grammar(top=1).split()[0])
    root
    >>> arrays, facts = tagger.state()
    >>> tg.make_system("most-frequent-tag").restore(arrays, facts)
    """

    name: ClassVar[str]
    task: Task
    """What it annotates: tags, heads, or both."""
    settings_type: ClassVar[type[Settings]] = Settings
    is_supervised: bool = False
    """Whether it learns from gold annotation."""
    learns: bool = True
    """Whether there is anything to fit."""
    is_tool: ClassVar[bool] = False
    """Whether it is a tool of others with a model that was trained elsewhere."""
    is_deterministic: bool = True
    """Whether all seeds give the same."""
    seconds_per_word: float = 1e-4
    """A guess for the plan of a run, before anything has been measured."""
    made_of: tuple[str, ...] = ()
    """The names of the systems that its settings name, such as the tagger of a parser."""
    tags_types: ClassVar[bool | None] = None
    """Whether all tokens of a type get one tag; none where it does not induce tags."""
    history: Sequence[Any] | None = None
    """What was climbed, iteration by iteration; none where it does not iterate."""
    has_converged: bool | None = None
    """Whether learning came to rest; none where there is nothing to say."""
    notes: tuple[str, ...] = ()
    """What is worth saying of the last time that it learnt or annotated: what was left out."""
    block: ClassVar[int] = BLOCK
    """Words of a block, into which sentences are cut that are too long to be parsed whole."""
    keeps_pieces: bool = False
    """Whether it keeps pieces of its work, with which an interrupted `fit` goes on."""
    partial_work: PartialWork
    """Those pieces; there while and after it learns."""
    piece_names: tuple[str, ...] = ()
    """The pieces that know nothing of each other, so that each can be done anywhere
    (`fit_piece`); none where there are no such pieces."""
    writes_paths: ClassVar[bool] = False
    """Whether its tags have bit strings, which `write_paths` writes."""
    has_derivations: ClassVar[bool] = False
    """Whether its trees come from derivations, which `derivation` gives."""

    def __init__(
        self, settings: Settings | Mapping[str, Any] | None = None, *, seed: int = 0
    ) -> None:
        if settings is None or isinstance(settings, Mapping):
            settings = read_settings(
                self.settings_type, settings or {}, place=self.name, error=SystemsError
            )
        if not isinstance(settings, self.settings_type):
            raise SystemsError(
                f"{self.name} takes {self.settings_type.__name__}, not {type(settings).__name__}"
            )
        self.settings: Any = settings
        self.seed = seed
        self.is_fitted = not self.learns
        note_commands(self.commands)

    def __repr__(self) -> str:
        settings = ", ".join(f"{key}={value!r}" for key, value in vars(self.settings).items())
        return f"{self.name}({settings})"

    @property
    def supervision(self) -> Supervision:
        """How much it is told about the language, from `unsupervised` to `supervised`."""
        return "supervised" if self.is_supervised else "unsupervised"

    @property
    def knows_tag_set(self) -> bool:
        """Whether it knows the names of gold's tags, so that its own tags can be right."""
        return self.supervision in ("dictionary", "cross-lingual", "supervised", "oracle")

    @property
    def commands(self) -> tuple[str, ...]:
        """The command lines that it runs. A model with any is loaded only with `allow_commands`."""
        return ()

    @property
    def label(self) -> str:
        """Its default name in tables."""
        return self.name

    @property
    def versions(self) -> str:
        """The versions of the external tool and its model; empty for treegauge's own systems."""
        return ""

    # ------------------------------------------------------------------ what it sees

    @property
    def hides_tags(self) -> bool:
        """Whether gold tags are hidden from it, in addition to heads."""
        return self.task != "dependencies"

    def sees(self, treebank: Treebank) -> Treebank:
        """Return what the system may see of a treebank that it annotates.

        Parameters
        ----------
        treebank : Treebank
            A treebank with gold annotation.

        Returns
        -------
        Treebank
            A blind copy.
        """
        return blind(treebank, heads=True, tags=self.hides_tags)

    def sees_in_training(self, treebank: Treebank) -> Treebank:
        """Return what the system may see of a treebank that it learns from.

        Parameters
        ----------
        treebank : Treebank
            A treebank with gold annotation.

        Returns
        -------
        Treebank
            The treebank itself for supervised systems, otherwise a blind copy.
        """
        return treebank if self.is_supervised else self.sees(treebank)

    # ------------------------------------------------------------------ fit and annotate

    def fit(
        self,
        treebank: Treebank,
        *,
        on_progress: OnProgress = no_progress,
        keep_in: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn from a treebank. An unsupervised system sees a blind copy.

        Parameters
        ----------
        treebank : Treebank
            What to learn from.
        on_progress : callable
            Called with the progress of learning.
        keep_in : path, optional
            A folder for intermediate results, for systems with `keeps_pieces`. An interrupted `fit`
            continues from them. `partial_work.remove()` deletes them.

        Returns
        -------
        System
            The system itself.

        Raises
        ------
        SystemsError
            If there is nothing to learn from.
        """
        if self.learns:
            self._fit(self._training_text(treebank, keep_in), on_progress)
            self.is_fitted = True
        return self

    def fit_piece(self, treebank: Treebank, name: str, *, keep_in: str | os.PathLike[str]) -> None:
        """Do one of the pieces in `piece_names`, and store it where `fit` finds it.

        Pieces are independent: they may be done in any order and by any process.

        Parameters
        ----------
        treebank : Treebank
            What to learn from.
        name : str
            One of `piece_names`.
        keep_in : path
            The folder for the piece.

        Raises
        ------
        SystemsError
            If there is no such piece, or nothing to learn from.

        Examples
        --------
        >>> import tempfile, treegauge as tg
        >>> treebank = tg.toy_treebank(tokens=100)
        >>> sampler = tg.make_system("tsg-dmv", chains=2, iterations=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in sampler.piece_names:
        ...         sampler.fit_piece(treebank, name, keep_in=folder)
        ...     sampler.fit(treebank, keep_in=folder).is_fitted
        True
        """
        if name not in self.piece_names:
            raise SystemsError(f"{self.name} does not learn in pieces of which one is {name!r}")
        self._fit_piece(self._training_text(treebank, keep_in), self.piece_names.index(name))

    def _training_text(
        self, treebank: Treebank, keep_in: str | os.PathLike[str] | None
    ) -> Treebank:
        """Return what may be seen, with the pieces of work on it at hand."""
        if not treebank.n_words:
            raise SystemsError(f"{self.name}: nothing to learn from: the treebank has no words")
        self.notes = ()
        seen = self.sees_in_training(treebank)
        self.partial_work = PartialWork()
        if keep_in is not None and self.keeps_pieces:
            self.partial_work = self._partial_work(seen, keep_in)
        return seen

    def expected_seconds(self, treebank: Treebank) -> float:
        """Return roughly how long learning from a treebank takes.

        Parameters
        ----------
        treebank : Treebank
            What to learn from.

        Returns
        -------
        float
            Seconds.
        """
        return self.seconds_per_word * treebank.n_words

    def _partial_work(
        self, treebank: Treebank, folder: str | os.PathLike[str], *, also_read: str = ""
    ) -> PartialWork:
        """Return the pieces that are there; `also_read` is the fingerprint of further files."""
        return PartialWork(
            folder,
            system=self.name,
            settings=self.settings.to_dict(),
            seed=self.seed,
            text=treebank.fingerprint + also_read,
            code=code_version(type(self).__module__),
        )

    def annotate(self, treebank: Treebank, *, on_progress: OnProgress = no_progress) -> Treebank:
        """Annotate a treebank.

        Parameters
        ----------
        treebank : Treebank
            The treebank to annotate. The system sees a blind copy.
        on_progress : callable
            Called with the progress of annotating.

        Returns
        -------
        Treebank
            The treebank with the system's annotation instead of its own.

        Raises
        ------
        SystemsError
            If the system has not been fitted.
        """
        if not self.is_fitted:
            raise SystemsError(f"{self.name} is not fitted yet: call fit first, or load a model")
        self.notes = ()
        return self._merged(treebank, self._annotate(self.sees(treebank), on_progress))

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        """Learn from what may be seen; for systems that learn."""
        raise NotImplementedError

    def _fit_piece(self, treebank: Treebank, number: int) -> None:
        """Do one of the pieces and keep it; for systems that have `piece_names`."""
        raise NotImplementedError

    @abstractmethod
    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        """Return what may be seen, annotated."""

    def _merged(self, treebank: Treebank, annotated: Treebank) -> Treebank:
        """Return the treebank with what the system says, and nothing that contradicts it."""
        columns: dict[str, Column] = {}
        head = None
        if self.task != "dependencies":
            columns["upos"] = annotated.upos
            columns["xpos"] = annotated.xpos
            columns["cpos"] = annotated.cpos
        if self.task != "tags":
            head = annotated.head
            columns["deprel"] = annotated.deprel
            columns["deps"] = Column.constant("_", treebank.n_words)
        if head is None:
            return treebank.replace(columns=columns)
        return treebank.replace(columns=columns, head=head)

    # ------------------------------------------------------------------ long sentences

    @property
    def longest_whole(self) -> int | None:
        """The longest sentence that is parsed whole, in words; None for no limit."""
        return getattr(self.settings, "longest_whole", None)

    def long_sentences(self, treebank: Treebank) -> NDArray[np.intp]:
        """Return the sentences that are too long to be parsed whole.

        Parameters
        ----------
        treebank : Treebank
            Any treebank.

        Returns
        -------
        array of int
            Indices from 0.
        """
        limit = self.longest_whole
        return np.flatnonzero(treebank.lengths > (treebank.n_words if limit is None else limit))

    def _blocks(self, treebank: Treebank) -> Blocks:
        """Cut long sentences, and say which they are."""
        limit = self.longest_whole
        if limit is not None:
            how = f"parsed in blocks of at most {min(self.block, limit)}"
            warn_of_long(self.name, self.long_sentences(treebank), limit, how)
        blocks = Blocks.of(treebank, limit, self.block)
        self._require_memory(blocks.treebank.lengths)
        return blocks

    def _require_memory(self, lengths: NDArray[np.int64]) -> None:
        """Refuse what cannot be held, before any work."""
        longest = int(lengths.max(initial=0))
        require_memory(self.name, longest, self.memory_for(longest))

    def memory_for(self, words: int) -> int:
        """Return the memory for a sentence, if it grows faster than the sentence.

        Parameters
        ----------
        words : int
            The length of the sentence.

        Returns
        -------
        int
            Bytes; 0 if the memory grows no faster than the sentence.
        """
        del words
        return 0

    # ------------------------------------------------------------------ what it has learnt

    def describe_grammar(self, top: int = 20) -> str:
        """Describe the most probable parts of the learnt grammar in words.

        Parameters
        ----------
        top : int
            How many of each kind.

        Returns
        -------
        str
            Lines of text. Systems without a grammar say so.
        """
        del top
        return f"{self.name} has no grammar to show"

    def derivation(self, treebank: Treebank, sentence: int) -> Derivation | None:
        """Return the derivation of a sentence, for systems with `has_derivations`.

        Parameters
        ----------
        treebank : Treebank
            Any treebank. Punctuation is left out.
        sentence : int
            The index of the sentence, from 0.

        Returns
        -------
        Derivation or None
            None if the system does not derive the sentence.

        Raises
        ------
        SystemsError
            If the system has no derivations.

        Examples
        --------
        >>> import treegauge as tg
        >>> treebank = tg.toy_treebank(tokens=200)
        >>> ccg = tg.make_system("ccg", iterations=1).fit(treebank)
        >>> ccg.derivation(treebank, 0) is not None
        True
        """
        del treebank, sentence
        raise SystemsError(f"{self.name} has no derivations")

    def write_paths(self, path: str | os.PathLike[str]) -> None:
        """Write the bit strings of the tags, for systems with `writes_paths`.

        Parameters
        ----------
        path : path
            The file to write.

        Raises
        ------
        SystemsError
            If the system has no bit strings.

        Examples
        --------
        >>> import tempfile, treegauge as tg
        >>> from pathlib import Path
        >>> brown = tg.make_system("brown:4").fit(tg.toy_treebank(tokens=200))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     brown.write_paths(f"{folder}/paths.txt")
        ...     len(Path(folder, "paths.txt").read_text().splitlines()) > 4
        True
        """
        raise SystemsError(f"{path}: {self.name} has no bit strings to write")

    # ------------------------------------------------------------------ save and load

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was learnt to a file of arrays and JSON, without code.

        Parameters
        ----------
        path : path
            The file to write. `load_system` reads it.

        Raises
        ------
        SystemsError
            If the system has not been fitted.
        """
        if not self.is_fitted:
            raise SystemsError(f"{self.name} is not fitted yet: there is nothing to save")
        arrays, facts = self.state()
        about = {
            "system": self.name,
            "settings": self.settings.to_dict(),
            "seed": self.seed,
            "facts": facts,
        }
        write_model(path, arrays, about)

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return what was learnt.

        Returns
        -------
        (dict of arrays, dict)
            Arrays, and facts that JSON can hold.
        """
        return self._state()

    def restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        """Restore what `state` returned.

        Parameters
        ----------
        arrays : dict of arrays
            The arrays.
        facts : dict
            The facts.

        Raises
        ------
        SystemsError
            If arrays and facts do not come from `state`.
        """
        try:
            self._restore(arrays, facts)
        except TreegaugeError:
            raise
        except KeyError as error:
            raise damaged(f"it has no {error}") from error
        except Exception as error:  # what is no state at all can fail in any way
            reason = f"{type(error).__name__} {error}".strip().partition("\n")[0]
            raise damaged(f"{self.name} cannot take it back ({reason})") from error

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return what was learnt; for systems that learn."""
        return {}, {}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        """Take back what `_state` gave; for systems that learn."""
        if arrays or facts:
            raise damaged(f"{self.name} learns nothing, and it holds something")


class DependencyInducer(System):
    """A system that hangs words on each other without having seen a tree.

    Works on sentences without punctuation, as the PASCAL challenge scores them (Gelling et al.
    2012, section 2); marks are attached to the root word afterwards, where no score looks.
    """

    task: Task = "dependencies"

    def long_sentences(self, treebank: Treebank) -> NDArray[np.intp]:
        """Return the sentences that are too long to be parsed whole, punctuation not counted."""
        longer = super().long_sentences(treebank)
        return super().long_sentences(without_punctuation(treebank)) if len(longer) else longer

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        # Words that somebody took out before are not ours to bring back: sentences count as
        # they are here.
        here = Treebank(
            treebank.columns, offsets=treebank.offsets, punctuation=treebank.punctuation
        )
        words = without_punctuation(here)
        heads = self._heads_in_text(here, words, on_progress)
        return restore_words(words.replace(head=heads), here).replace(
            columns={"deprel": Column.constant("_", treebank.n_words)}
        )

    def _heads_in_text(
        self, treebank: Treebank, words: Treebank, on_progress: OnProgress
    ) -> NDArray[np.int32]:
        """Return a head for every word of a treebank that is no punctuation."""
        del treebank  # for systems that look at punctuation as well
        blocks = self._blocks(words)
        return blocks.joined(self._heads(blocks.treebank, on_progress))

    @abstractmethod
    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        """Return a head for every word of a treebank without punctuation."""
