"""Classes that say most about their contexts, and that words are spelt for (Stratos 2019).

Two encoders give a distribution over classes: q(z | x) sees the context, the vectors of the two
words before and the two behind, and p(z | y) the word, its vector and its letters, read both ways
by an LSTM. Together they raise a lower bound on the information that a context has about the
class of the word in it,

    I(X; Z)  >=  H(Z) - H(p, q)                                                            (1)

the entropy of classes in a batch less the cross entropy of the two encoders: words are to have a
class that their contexts can tell, and there are to be many classes (`negative_information` in
`neural/mmi_network.py`). The class of a type is the likeliest under p. A word that was not seen
has the mean of the vectors of the rarest types, and letters of its own.

The number of epochs is fixed: nothing is chosen by gold tags. Three things can be added: classes
of another inducer, which the encoders fit before they go on (`start`); further text without any
annotation (`raw`); and several networks of which each has a seed of its own (`members`). These
number their classes as they like, so each is aligned one to one with the mean of those before it
(`class_alignment.py`), and probabilities are averaged.

PyTorch comes with the extra `neural`. On the CPU one thread adds up all numbers, so that the same
seed gives the same model.

References
----------
Stratos (2019), Mutual information maximization for simple and accurate part-of-speech induction.
NAACL; McAllester (2018), Information theoretic co-training (the bound).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.partial_work import PartialWork
from treegauge.systems.pytorch import (
    chosen_device,
    import_torch,
    memory_of_device,
    network_arrays,
    one_thread,
    restored_network,
    seeded,
)
from treegauge.systems.raw_texts import fingerprint_of_files, pieces_of
from treegauge.systems.registry import find_system
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.systems.system_names import parse_system
from treegauge.systems.tag_induction.class_alignment import aligned_classes
from treegauge.systems.tag_induction.encoded_text import EncodedText
from treegauge.systems.tag_induction.word_class_inducer import (
    WordClassInducer,
    WordClassSettings,
    by_size,
)
from treegauge.systems.tag_source import part_of
from treegauge.treebank import Treebank, Vocabulary, concatenate

NO_START = "none"
_EDGE = 15
"""Letters at the beginning and at the end of a longer word that are read."""
_SECONDS_OF_WORD = 1.5e-4
"""In an epoch."""
_EPOCH, _MEMBER, _START = "epoch", "member", "start"
"""Names of pieces."""


@dataclass(frozen=True)
class MmiSettings(WordClassSettings):
    """What can be chosen about the encoders, and what is added to them."""

    epochs: int = setting(4, "number of epochs", minimum=1)
    batch: int = setting(320, "words per step; use many more than the number of classes", minimum=1)
    rate: float = setting(2e-3, "learning rate", minimum=0.0)
    width: int = setting(2, "words of context on each side", minimum=1, maximum=100)
    word_size: int = setting(200, "size of word vectors", minimum=1)
    character_size: int = setting(100, "size of character vectors", minimum=1)
    character_hidden: int = setting(100, "size of the character LSTM per direction", minimum=1)
    members: int = setting(1, "number of networks that vote, each with its own seed", minimum=1)
    start: str = setting(
        NO_START, "an inducer whose classes are learnt first, such as pyp-hmm; none"
    )
    start_epochs: int = setting(2, "epochs on those classes, before the others", minimum=1)
    raw: tuple[str, ...] = setting(
        (), "more texts to learn from, files or treebanks; only words are read"
    )
    device: str = setting("auto", "the device: auto, cpu, cuda, or another PyTorch device")


class _Member(NamedTuple):
    """What one network found."""

    posteriors: NDArray[np.float32]
    """[type, class]."""
    spelling: Any
    """What knows new words."""
    history: list[float]


class Mmi(WordClassInducer):
    """Two encoders, of words and of contexts, that agree on many classes.

    Attributes
    ----------
    history : list of float
        The bound on information in every epoch, in nats; those of members one behind the other.
    """

    name = "mmi"
    settings_type = MmiSettings
    is_deterministic = False
    keeps_pieces = True

    history: list[float]

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        self._starter = self._new_starter()
        rounds = self.settings.members * self._epochs
        self.seconds_per_word = _SECONDS_OF_WORD * rounds
        if self._starter is not None:
            self.seconds_per_word += self._starter.seconds_per_word
            self.made_of = (self._starter.name,)

    def _new_starter(self) -> System | None:
        if self.settings.start == NO_START:
            return None
        name, chosen = parse_system(self.settings.start)
        cls = find_system(name).load()
        if cls.tags_types is None or cls.task != "tags":
            raise SystemsError(f"{self.name}: setting start: {name} is no inducer of classes")
        return cls({"classes": self.settings.classes, **chosen}, seed=self.seed)

    @property
    def _epochs(self) -> int:
        first = 0 if self._starter is None else self.settings.start_epochs
        return int(first + self.settings.epochs)

    # ------------------------------------------------------------------ learning

    def _partial_work(
        self, treebank: Treebank, folder: str | os.PathLike[str], *, also_read: str = ""
    ) -> PartialWork:
        """Pieces depend on the raw texts too."""
        also_read += fingerprint_of_files(self.settings.raw)
        return super()._partial_work(treebank, folder, also_read=also_read)

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        import_torch(self.name)
        words = self._with_raw_texts(treebank)
        self._start_classes = None
        share = 0.0
        if self._starter is not None:
            share = self._starter.seconds_per_word / self.seconds_per_word
            self._start_classes = self._started(words, part_of(on_progress, 0, share))
        super()._fit(words, part_of(on_progress, share, 1))

    def _with_raw_texts(self, treebank: Treebank) -> Treebank:
        """Return the words of the treebank and of the raw texts."""
        texts = [treebank]
        for name in self.settings.raw:
            texts += pieces_of(name, lambda _: None)
        return concatenate([Treebank({"form": text.form}, offsets=text.offsets) for text in texts])

    def _started(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int64]:
        """Return the class that the other inducer gives to every word."""
        piece = self.partial_work.piece(_START)
        if piece is not None:
            return SavedState(*piece).integers(
                "classes", shape=(words.n_words,), below=self.settings.classes
            )
        assert self._starter is not None
        tags = self._starter.fit(words, on_progress=on_progress).annotate(words).upos.compact()
        if len(tags.vocabulary) > self.settings.classes:
            raise SystemsError(
                f"{self.name}: setting start: {self._starter.name} has {len(tags.vocabulary)} "
                f"classes, more than {self.settings.classes}"
            )
        classes = tags.codes.astype(np.int64)
        self.partial_work.keep(_START, {"classes": classes}, {})
        return classes

    def _induce(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        self._letters = Vocabulary.from_strings(sorted(set("".join(text.forms))))
        n = self.settings.members
        members = []
        with one_thread(self.name), memory_of_device(self.name, "choose a smaller batch"):
            for number in range(n):
                on_part = part_of(on_progress, number / n, (number + 1) / n)
                members.append(self._member(number, text, on_part))
        self.history = [bound for member in members for bound in member.history]
        mean, order = _mean_of_aligned([member.posteriors for member in members], text.counts)
        best = mean.argmax(axis=1)
        classes = by_size(best, text.counts)
        first_number = np.empty(classes.max() + 1, np.int64)
        first_number[classes] = best
        self._spellings = [member.spelling for member in members]
        for spelling, own_number in zip(self._spellings, order, strict=True):
            spelling.choose(own_number[first_number])
        return classes

    def _member(self, number: int, text: EncodedText, on_progress: OnProgress) -> _Member:
        """Return what a network has found, or finds now."""
        n_classes = min(self.settings.classes, text.n_types)
        member = self._kept_member(number, text.n_types, n_classes)
        if member is not None:
            return member
        from treegauge.systems.neural.mmi_network import Encoders
        from treegauge.systems.neural.mmi_training import Text, Training, contexts_of

        settings = self.settings
        # Members of neighbouring seeds are not the same.
        state = np.random.SeedSequence([self.seed, number]).generate_state(2)
        sizes = self._sizes(n_classes, n_words=text.n_types + 1)
        device = chosen_device(settings.device, self.name)
        with seeded(self.name, int(state[0]), device):
            training = Training(
                Encoders(sizes).to(device),
                Text(
                    text.words.astype(np.int64),
                    contexts_of(text.words, text.offsets, settings.width, text.n_types),
                    self._spelt(text.forms),
                ),
                np.random.default_rng(int(state[1])),
                batch=settings.batch,
                rate=settings.rate,
                start=self._start_classes,
                start_epochs=settings.start_epochs,
            )
            self._resume(training, number)
            for epoch in range(len(training.history), self._epochs):
                on_epoch = part_of(on_progress, epoch / self._epochs, (epoch + 1) / self._epochs)
                training.run_epoch(
                    lambda share, line, epoch=epoch, on_epoch=on_epoch: on_epoch(
                        share, f"epoch {epoch + 1}: {line}"
                    )
                )
                arrays, facts = training.state()
                self.partial_work.keep(_EPOCH, arrays, {"member": number, "training": facts})
            rarest = np.flatnonzero(text.counts == text.counts.min())
            member = _Member(
                training.posteriors(), training.spelling(sizes, rarest), training.history
            )
        self._keep_member(number, member)
        return member

    def _sizes(self, n_classes: int, *, n_words: int = 0) -> Any:
        import_torch(self.name)
        from treegauge.systems.neural.mmi_network import Sizes

        settings = self.settings
        return Sizes(
            n_words=n_words,
            n_letters=len(self._letters) + 1,
            n_classes=n_classes,
            width=settings.width,
            word_size=settings.word_size,
            character_size=settings.character_size,
            character_hidden=settings.character_hidden,
        )

    def _spelt(self, forms: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return words as numbers of letters, from 1; 0 is no letter, or one never seen."""
        number = {letter: place for place, letter in enumerate(self._letters, 1)}
        return [np.array([number.get(c, 0) for c in _edges(form)] or [0]) for form in forms]

    # ------------------------------------------------------------------ pieces of work

    def _resume(self, training: Any, number: int) -> None:
        """Bring a training to the last epoch that was kept of it, if one was."""
        piece = self.partial_work.piece(_EPOCH)
        if piece is None:
            return
        arrays, facts = piece
        try:
            if facts["member"] == number:
                training.resume(arrays, facts["training"])
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise SystemsError(
                f"{self.name}: the piece of the last epoch in {self.partial_work.folder} is "
                "damaged: remove it"
            ) from error

    def _keep_member(self, number: int, member: _Member) -> None:
        arrays = {"posteriors": member.posteriors, **network_arrays(member.spelling)}
        self.partial_work.keep(f"{_MEMBER}{number}", arrays, {"history": member.history})

    def _kept_member(self, number: int, n_types: int, n_classes: int) -> _Member | None:
        piece = self.partial_work.piece(f"{_MEMBER}{number}")
        if piece is None:
            return None
        saved = SavedState(*piece)
        return _Member(
            saved.numbers("posteriors", (n_types, n_classes), dtype=np.float32),
            self._restored_spelling(saved, n_classes),
            saved.series("history"),
        )

    # ------------------------------------------------------------------ words never seen

    def _classes_of_unseen(self, forms: Sequence[str]) -> list[int]:
        from treegauge.systems.neural.mmi_training import posteriors_of_new

        letters = self._spelt(forms)
        with one_thread(self.name):
            votes = sum(posteriors_of_new(spelling, letters) for spelling in self._spellings)
        return [int(best) for best in np.argmax(votes, axis=1)]

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        arrays |= vocabulary_arrays(self._letters, "letters")
        for number, spelling in enumerate(self._spellings):
            arrays |= network_arrays(spelling, _prefix(number))
        return arrays, facts | {"history": self.history}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.history = saved.series("history")
        self._letters = saved.vocabulary("letters")
        if self.settings.members > len(arrays):
            raise damaged("its networks do not fit its settings")
        self._spellings = [
            self._restored_spelling(saved, self.n_classes, _prefix(number))
            for number in range(self.settings.members)
        ]

    def _restored_spelling(self, saved: SavedState, n_classes: int, *prefix: str) -> Any:
        sizes = self._sizes(n_classes)
        from treegauge.systems.neural.mmi_network import SpellingEncoder

        return restored_network(saved, lambda: SpellingEncoder(sizes), self.name, *prefix)


def _prefix(member: int) -> str:
    return f"network{member}."


def _edges(form: str) -> str:
    """Return a word, without what is in the middle of one that is very long."""
    return form if len(form) <= 2 * _EDGE else form[:_EDGE] + form[-_EDGE:]


def _mean_of_aligned(
    posteriors: Sequence[NDArray[np.float32]], counts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], list[NDArray[np.int64]]]:
    """Return mean probabilities, and what each member calls the classes of the first.

    >>> one = np.array([[0.9, 0.1], [0.2, 0.8]], np.float32)
    >>> mean, order = _mean_of_aligned([one, one[:, ::-1]], np.array([1, 1]))
    >>> mean.round(3).tolist(), [numbers.tolist() for numbers in order]
    ([[0.9, 0.1], [0.2, 0.8]], [[0, 1], [1, 0]])
    """
    total = np.zeros(posteriors[0].shape)
    order: list[NDArray[np.int64]] = []
    for own in posteriors:
        numbers = aligned_classes(total, own, counts) if order else np.arange(own.shape[1])
        total += own[:, numbers]
        order.append(numbers)
    return total / len(posteriors), order
