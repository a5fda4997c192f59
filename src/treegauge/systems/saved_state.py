"""What a model holds, checked piece by piece before anything trusts it.

Kernels do not look where they read and write: a code that is too large ends the program, or worse.
So whatever a system takes back from a file goes through a `SavedState`, which knows how large an
array must be and what may stand in it, and says in one wording what is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import DTypeLike, NDArray

from treegauge.systems.errors import SystemsError
from treegauge.treebank import Vocabulary

if TYPE_CHECKING:
    from treegauge.systems.system import System

MOST = 2**53
"""No count is larger: it would be no exact number as a float."""
TAG_COLUMNS = ("upos", "xpos", "cpos")


def damaged(what: str) -> SystemsError:
    """Return the error for a model whose parts do not fit together."""
    return SystemsError(f"this model is damaged: {what}\n  train and save it anew")


def vocabulary_arrays(vocabulary: Vocabulary, name: str) -> dict[str, NDArray[Any]]:
    """Return a vocabulary as `save` writes it."""
    return {name: vocabulary.data, f"{name}_starts": vocabulary.starts}


class SavedState:
    """The arrays and facts that `state` gave, or that somebody put into a file.

    Every method returns a copy in the type that kernels want, or raises a `SystemsError`.

    >>> saved = SavedState({"codes": np.array([0, 7])}, {"tags": ["X", "Y"]})
    >>> saved.names("tags")
    ('X', 'Y')
    >>> saved.integers("codes", below=2)
    Traceback (most recent call last):
    ...
    treegauge.systems.errors.SystemsError: this model is damaged: codes has numbers outside 0 to 1
      train and save it anew
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
        if not isinstance(facts, Mapping):
            raise damaged("its facts are no table")
        self._arrays = arrays
        self._facts = facts

    # ------------------------------------------------------------------ arrays

    def __contains__(self, name: str) -> bool:
        return name in self._arrays

    def array(self, name: str) -> NDArray[Any]:
        """Return an array as it is; whoever calls this checks it."""
        if name not in self._arrays:
            raise damaged(f"it has no {name}")
        return self._arrays[name]

    def integers(
        self,
        name: str,
        *,
        shape: tuple[int | None, ...] = (None,),
        least: int = 0,
        below: int = MOST,
        dtype: DTypeLike = np.int64,
    ) -> NDArray[Any]:
        """Return whole numbers from `least` to `below` - 1; none in a shape stands for any size."""
        array = self._shaped(name, shape, kinds="iu", noun="whole numbers")
        if array.size and not (least <= int(array.min()) and int(array.max()) < below):
            raise damaged(f"{name} has numbers outside {least} to {below - 1}")
        return np.ascontiguousarray(array, dtype)

    def numbers(
        self,
        name: str,
        shape: tuple[int | None, ...],
        *,
        dtype: DTypeLike = np.float64,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> NDArray[Any]:
        """Return finite numbers, from `least` to `most`."""
        array = self._shaped(name, shape, kinds="f", noun="numbers")
        with np.errstate(over="ignore"):
            numbers = np.ascontiguousarray(array, dtype)
        if not (
            np.isfinite(numbers).all() and (least <= numbers).all() and (numbers <= most).all()
        ):
            raise damaged(f"{name} should be finite numbers from {least:g} to {most:g}")
        return numbers

    def weights(self, places: str, values: str, size: int) -> NDArray[np.float32]:
        """Return a table of weights of which only those that are not zero were saved."""
        at = self.integers(places, below=size)
        if (np.diff(at) <= 0).any():
            raise damaged(f"{places} are not in ascending order")
        table = np.zeros(size, np.float32)
        table[at] = self.numbers(values, (len(at),), dtype=np.float32)
        return table

    def bounds(self, name: str, *, size: int | None, total: int) -> NDArray[np.int64]:
        """Return where slices of `total` entries begin and end; there are `size` of them."""
        bounds = self.integers(name, shape=(None if size is None else size + 1,), below=total + 1)
        if not len(bounds) or bounds[0] != 0 or bounds[-1] != total or (np.diff(bounds) < 0).any():
            raise damaged(f"{name} does not divide {total} entries")
        return bounds

    def vocabulary(self, name: str, starts: str = "") -> Vocabulary:
        """Return distinct strings that `vocabulary_arrays` gave."""
        data = self.integers(name, below=256, dtype=np.uint8)
        vocabulary = Vocabulary(
            data, self.bounds(starts or f"{name}_starts", size=None, total=len(data))
        )
        try:
            strings = vocabulary.strings
        except UnicodeDecodeError:
            raise damaged(f"{name} is not UTF-8") from None
        if len(set(strings)) < len(strings):
            raise damaged(f"{name} has a string twice")
        return vocabulary

    def content(self, name: str) -> bytes:
        """Return the content of a file, as it was."""
        return self.integers(name, below=256, dtype=np.uint8).tobytes()

    def _shaped(
        self, name: str, shape: tuple[int | None, ...], *, kinds: str, noun: str
    ) -> NDArray[Any]:
        array = self.array(name)
        fits = array.ndim == len(shape) and all(
            wanted in (None, size) for wanted, size in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype.kind not in kinds:
            expected = " x ".join("any number of" if n is None else f"{n:,}" for n in shape)
            raise damaged(f"{name} should be {expected} {noun}")
        return array

    # ------------------------------------------------------------------ facts

    @property
    def fact_names(self) -> tuple[str, ...]:
        """What there are facts about."""
        return tuple(filter(is_text, self._facts))

    def fact(self, name: str) -> Any:
        """Return a fact as it is; whoever calls this checks it."""
        if name not in self._facts:
            raise damaged(f"it has no {name}")
        return self._facts[name]

    def text(self, name: str, choices: Iterable[str] | None = None) -> str:
        """Return a text, one of a few if these are named."""
        value = self.fact(name)
        if not is_text(value) or (choices is not None and value not in choices):
            self._refuse(name, "text" if choices is None else f"one of {', '.join(choices)}")
        return str(value)

    def number(self, name: str) -> float:
        """Return a number, which may be infinite or none."""
        if not is_number(self.fact(name)):
            self._refuse(name, "a number")
        return float(self.fact(name))

    def whole_number(self, name: str, *, least: int = 0, below: int = MOST) -> int:
        """Return a whole number from `least` to `below` - 1."""
        value = self.fact(name)
        if type(value) is not int or not least <= value < below:
            self._refuse(name, f"a whole number from {least} to {below - 1}")
        return int(value)

    def counts(self, name: str, *, size: int) -> list[int]:
        """Return how often things were seen, `size` of them."""
        values = self.sequence(name, size=size)
        if not all(type(value) is int and 0 <= value < MOST for value in values):
            self._refuse(name, "a list of counts")
        return list(values)

    def truth(self, name: str) -> bool:
        """Return whether something is so."""
        value = self.fact(name)
        if not isinstance(value, bool):
            self._refuse(name, "true or false")
        return bool(value)

    def series(self, name: str, *, size: int | None = None) -> list[float]:
        """Return numbers, such as a likelihood by iteration."""
        values = self.sequence(name, size=size)
        if not all(map(is_number, values)):
            self._refuse(name, "a list of numbers")
        return list(values)

    def strings(self, name: str, *, size: int | None = None) -> tuple[str, ...]:
        """Return texts, `size` of them."""
        values = self.sequence(name, size=size)
        if not all(map(is_text, values)):
            self._refuse(name, "a list of texts")
        return tuple(values)

    def names(self, name: str) -> tuple[str, ...]:
        """Return distinct texts, at least one."""
        values = self.strings(name)
        if not values or len(set(values)) < len(values):
            raise damaged(f"its {name} are no distinct names")
        return values

    def tag_column(self, name: str = "column") -> str:
        """Return the column that tags are written to."""
        return self.text(name, TAG_COLUMNS)

    def table(self, name: str) -> SavedState:
        """Return facts inside a fact, with the same arrays."""
        return SavedState(self._arrays, self.fact(name))

    def sequence(self, name: str, *, size: int | None = None) -> Sequence[Any]:
        """Return a list, with `size` entries of any kind."""
        values = self.fact(name)
        if not isinstance(values, (list, tuple)) or size not in (None, len(values)):
            self._refuse(name, "a list" if size is None else f"a list of {size}")
        return values

    def _refuse(self, name: str, expected: str) -> NoReturn:
        raise damaged(f"its {name} should be {expected}")

    # ------------------------------------------------------------------ systems inside systems

    def restore(self, system: System, *, prefix: str, facts: Any) -> None:
        """Give a system inside another its arrays, whose names have a prefix, and its facts."""
        if system.learns:
            own = {
                name.removeprefix(prefix): array
                for name, array in self._arrays.items()
                if name.startswith(prefix)
            }
            system.restore(own, facts)
        system.is_fitted = True


def is_number(value: Any) -> bool:
    """Say whether a fact is a number and not, as Python has it, true or false."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_text(value: Any) -> bool:
    """Say whether a fact is text that UTF-8 can write: JSON can hold halves of characters."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)
