"""Trees or tags from text in one go: a system learns from a blind copy and annotates it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treegauge.systems.best_inducer import BEST, BestInducer, choose_inducer
from treegauge.systems.errors import SystemsError
from treegauge.systems.registry import make_system
from treegauge.systems.system import System
from treegauge.tables import Cell, NumberFormat, Table, Value
from treegauge.treebank import Treebank, require_treebanks

if TYPE_CHECKING:
    import polars as pl

    from treegauge.systems.expected_accuracy import ExpectedAccuracy

_SECONDS = NumberFormat(decimals=3)


@dataclass(frozen=True)
class Induction:
    """What a system induced for a treebank; made by `induce`. It prints as a short table.

    Attributes
    ----------
    system : System
        The fitted system.
    treebank : Treebank
        The treebank with the annotation of the system.
    fit_seconds, annotate_seconds : float
        The time for learning and for annotating.
    chosen : BestInducer, optional
        Why this system was chosen. Only for `best`.
    expected : ExpectedAccuracy, optional
        The expected share of correct heads. Only for `best`.

    Examples
    --------
    >>> import treegauge as tg
    >>> induced = tg.induce("left-branching", tg.toy_treebank(tokens=100))
    >>> induced.to_dict()["system"]
    'left-branching'
    >>> induced.to_polars().columns
    ['sentence', 'position', 'form', 'upos', 'head', 'deprel']
    >>> [column.title for column in induced.table().columns]
    ['what', 'value']
    """

    system: System
    treebank: Treebank
    fit_seconds: float
    annotate_seconds: float
    chosen: BestInducer | None = None
    expected: ExpectedAccuracy | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the facts of the induction as in JSON output.

        Returns
        -------
        dict
            The system, its settings, sizes and seconds.
        """
        choice: dict[str, Any] = {}
        if self.chosen is not None:
            choice["reason"] = self.chosen.reason
        if self.expected is not None:
            choice["expected"] = self.expected.to_dict()
        return {
            "system": self.system.name,
            "settings": self.system.settings.to_dict(),
            "seed": self.system.seed,
            "sentences": self.treebank.n_sentences,
            "words": self.treebank.n_words,
            **how_learning_ended(self.system),
            "fit_seconds": round(self.fit_seconds, 3),
            "annotate_seconds": round(self.annotate_seconds, 3),
            **choice,
        }

    def table(self) -> Table:
        """Return the facts of the induction as a table.

        Returns
        -------
        Table
            One row per fact.
        """
        facts = self.to_dict()
        lists = facts.pop("settings")
        lists |= {f"expected {key}": value for key, value in facts.pop("expected", {}).items()}
        facts |= {key: ", ".join(map(str, _as_list(value))) for key, value in lists.items()}
        rows: list[list[Cell | Value]] = [
            [what, Cell(str(value) if isinstance(value, bool) else value, format=_SECONDS)]
            for what, value in facts.items()
        ]
        return Table(["what", "value"], rows)

    def to_polars(self) -> pl.DataFrame:
        """Return the annotated words as a data frame.

        Returns
        -------
        polars.DataFrame
            One row per word: sentence, position, form, tag, head and relation.
        """
        import polars as pl

        words = [word for sentence in self.treebank for word in sentence]
        sentences = [s.index + 1 for s in self.treebank for _ in s]
        return pl.DataFrame(
            {
                "sentence": sentences,
                "position": [word.position for word in words],
                "form": [word.form for word in words],
                "upos": [word.upos for word in words],
                "head": [word.head for word in words],
                "deprel": [word.deprel for word in words],
            }
        )

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def how_learning_ended(system: System) -> dict[str, Any]:
    """Return how many iterations a system took and whether it came to rest, if it says."""
    if system.history is None or system.has_converged is None:
        return {}
    return {"iterations": len(system.history), "converged": system.has_converged}


def induce(
    system: System | str,
    treebank: Treebank,
    *,
    fit_on: Treebank | None = None,
    seed: int = 0,
    **settings: Any,
) -> Induction:
    """Let a system learn from the plain text of a treebank, and annotate the treebank.

    Parameters
    ----------
    system : str or System
        A name from `treegauge list systems`, or a system. It sees a copy without the annotation
        that it has to find. `best` chooses the strongest inducer for the text: with universal
        tags, with other tags, or with words only.
    treebank : Treebank
        The treebank to annotate.
    fit_on : Treebank, optional
        The treebank to learn from. Default: `treebank` itself.
    seed : int
        The random seed.
    **settings
        Settings of the system, if it is given by name. `tags_from="brown:45"` induces trees over
        the tags of a tagger.

    Returns
    -------
    Induction
        The annotated treebank, the system, and the seconds it took. For `best` also the expected
        accuracy.

    Raises
    ------
    SystemsError
        If the system is unknown, a setting does not exist, or the system is supervised.
    TreebankError
        If `treebank` or `fit_on` is not a treebank.

    Examples
    --------
    >>> from treegauge import toy_treebank
    >>> induced = induce("dmv", toy_treebank("toy:svo", tokens=500), iterations=2)
    >>> induced.system.name, induced.treebank.has_heads
    ('dmv', True)
    >>> best = induce("best", toy_treebank("toy:svo", tokens=5000))
    >>> best.system.name, 0 < best.expected.low < best.expected.value < best.expected.high < 1
    ('universal-dmv', True)
    """
    require_treebanks(treebank, *([] if fit_on is None else [fit_on]))
    chosen = expected = None
    if system == BEST:
        from treegauge.systems.expected_accuracy import expected_accuracy
        from treegauge.systems.text_profile import profile_of

        chosen = choose_inducer(treebank if fit_on is None else fit_on, treebank)
        system = chosen.make(settings, seed=seed)
        treebank = chosen.prepared(treebank)
        fit_on = None if fit_on is None else chosen.prepared(fit_on)
        expected = expected_accuracy(profile_of(fit_on or treebank, chosen), chosen.kind)
    elif isinstance(system, str):
        system = make_system(system, seed=seed, **settings)
    elif settings:
        raise SystemsError(f"{system.name} is made already: its settings cannot be changed")
    if system.is_supervised:
        raise SystemsError(f"{system.name} learns from gold annotation: call fit and annotate")
    begin = time.perf_counter()
    if not system.is_fitted or fit_on is not None:
        system.fit(fit_on or treebank)
    learnt = time.perf_counter()
    annotated = system.annotate(treebank)
    seconds = learnt - begin, time.perf_counter() - learnt
    return Induction(system, annotated, *seconds, chosen, expected)
