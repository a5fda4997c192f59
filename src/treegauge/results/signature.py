"""Signatures: the line that says how a number was made, so that it can be made again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    """A metric and the conventions it was computed under.

    Two numbers with different signatures are never shown in one column.

    Attributes
    ----------
    metric : str
        The metric.
    conventions : tuple of (str, str)
        Names and values.

    Examples
    --------
    >>> str(Signature("las", (("punct", "yes"), ("len", "all"))))
    'las|punct:yes|len:all'
    """

    metric: str
    conventions: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "|".join([self.metric, *(f"{key}:{value}" for key, value in self.conventions)])

    def without(self, name: str) -> Signature:
        """Return the signature without a convention.

        Parameters
        ----------
        name : str
            The convention.

        Returns
        -------
        Signature
            The rest.

        Examples
        --------
        >>> str(Signature("las", (("punct", "yes"), ("len", "all"))).without("len"))
        'las|punct:yes'
        """
        rest = tuple(field for field in self.conventions if field[0] != name)
        return Signature(self.metric, rest)
