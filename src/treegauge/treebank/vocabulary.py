"""Distinct strings, numbered, in one block of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from treegauge.wording import counted

Scalar = TypeVar("Scalar", bound=np.generic)


class Immutable:
    """Attributes are set while an object is made, and never again."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__dict__:
            raise AttributeError(f"a {type(self).__name__} never changes; make a new one")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} never changes; make a new one")


def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Take an array over: nothing in a treebank changes in place.

    The array itself becomes read-only, and what is returned is a view of it: NumPy does not
    let a view be made writeable again.
    """
    array.setflags(write=False)
    return array.view()


class Vocabulary(Immutable, Sequence[str]):
    """An immutable list of distinct strings; the index of a string is its code.

    Strings are stored as UTF-8 in `data`; string `i` is `data[starts[i]:starts[i + 1]]`. Kernels
    work on these two arrays. Python strings are made only when they are needed.

    Parameters
    ----------
    data : array of uint8
        The bytes of all strings.
    starts : array of int64
        Where every string begins, and where the last one ends.

    Examples
    --------
    >>> vocabulary = Vocabulary.from_strings(["the", "cat"])
    >>> vocabulary[1], vocabulary.code("the"), vocabulary.code("dog")
    ('cat', 0, -1)
    """

    def __init__(self, data: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
        self.data = frozen(data)
        self.starts = frozen(starts)

    @classmethod
    def from_strings(cls, strings: Iterable[str]) -> Vocabulary:
        """Return a vocabulary of distinct strings, numbered in the order given.

        Parameters
        ----------
        strings : iterable of str
            Without repetitions.

        Returns
        -------
        Vocabulary
            The vocabulary.
        """
        encoded = [string.encode() for string in strings]
        starts = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(item) for item in encoded], out=starts[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8).copy(), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, code: int) -> str: ...
    @overload
    def __getitem__(self, code: slice) -> list[str]: ...
    def __getitem__(self, code: int | slice) -> str | list[str]:
        if isinstance(code, slice):
            return list(self.strings[code])
        if not -len(self) <= code < len(self):
            raise IndexError(f"code {code} in a vocabulary of {len(self)}")
        code %= len(self)
        return self.data[self.starts[code] : self.starts[code + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    def __contains__(self, string: object) -> bool:
        return string in self._codes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return np.array_equal(self.starts, other.starts) and np.array_equal(self.data, other.data)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(self[code]) for code in range(min(len(self), 5)))
        return (
            f"Vocabulary({shown}{', …' if len(self) > 5 else ''}; {counted(len(self), 'string')})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self.data, self.starts)

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """All strings, by code."""
        data, starts = self.data.tobytes(), self.starts.tolist()
        return tuple(data[starts[i] : starts[i + 1]].decode() for i in range(len(self)))

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {string: code for code, string in enumerate(self.strings)}

    def code(self, string: str) -> int:
        """Return the code of a string.

        Parameters
        ----------
        string : str
            The string to look up.

        Returns
        -------
        int
            Its code, or -1 if it is not in the vocabulary.
        """
        if "_codes" in self.__dict__:
            return self._codes.get(string, -1)
        # One look-up is not worth making all the strings.
        wanted = np.frombuffer(string.encode(), np.uint8)
        candidates = np.flatnonzero(np.diff(self.starts) == len(wanted))
        places = self.starts[candidates][:, None] + np.arange(len(wanted))
        matches = candidates[(self.data[places] == wanted).all(axis=1)]
        return int(matches[0]) if len(matches) else -1

    def take(self, codes: NDArray[np.int32]) -> Vocabulary:
        """Return a new vocabulary of some strings, which shares no memory with this one.

        Parameters
        ----------
        codes : array of int32
            The codes of the strings, in the new order.

        Returns
        -------
        Vocabulary
            The new vocabulary.

        Examples
        --------
        >>> import numpy as np
        >>> list(Vocabulary.from_strings(["a", "b", "c"]).take(np.array([2, 0])))
        ['c', 'a']
        """
        lengths = np.diff(self.starts)[codes]
        starts = np.zeros(len(codes) + 1, np.int64)
        np.cumsum(lengths, out=starts[1:])
        shifts = np.repeat(self.starts[codes] - starts[:-1], lengths)
        return Vocabulary(self.data[shifts + np.arange(starts[-1])], starts)
