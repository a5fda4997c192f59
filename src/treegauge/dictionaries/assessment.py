"""Taggers of one text and the dictionary that scores them: everything that can be asked of them.

`scores`, `ranking` and the curves of an `Assessment` return results that print as tables
(`tables`) and are JSON (`to_dict`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from treegauge.dictionaries.calibration import Calibrator
from treegauge.dictionaries.corruption import CorruptionPoint, corruption_curve
from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.held_out import HeldOutPoint, held_out_curve, required_sentences
from treegauge.dictionaries.matching import Matching
from treegauge.dictionaries.ranking import (
    Groups,
    Ranking,
    few_taggers_note,
    indistinguishable,
    rank,
)
from treegauge.dictionaries.records import Record, evaluate_taggers
from treegauge.dictionaries.soft_accuracy import share
from treegauge.dictionaries.sub_dictionaries import (
    CurvePoint,
    form_frequencies,
    sub_dictionary_curve,
)
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.texts import Text, tag_codes, tagged_texts
from treegauge.dictionaries.training_use import refuse_training_dictionary
from treegauge.dictionaries.verdict import Verdict, verdict
from treegauge.tables import PERCENT, Column, NumberFormat, Table, from_records
from treegauge.treebank import Treebank

_FOUR_DECIMALS = NumberFormat(decimals=4)


def _percents(*titles: str) -> list[Column]:
    return [Column(title, format=PERCENT) for title in titles]


class Assessment:
    """Taggers' outputs of one text, held against a dictionary.

    Parameters
    ----------
    dictionary : TagDictionary
        What scores.
    outputs : sequence of Treebank
        The same text, tagged by several taggers.
    gold : Treebank, optional
        The same text with gold tags.
    matching : Matching, optional
        How words are looked up.
    parts : sequence of TagDictionary
        Dictionaries that the dictionary is the union of; no tagger may have learnt one of them.
    called : str
        What messages call the dictionary; its name if missing.

    Raises
    ------
    DictionaryError
        If a tagger has learnt the dictionary, or no word of the text is in it.
    """

    def __init__(
        self,
        dictionary: TagDictionary,
        outputs: Sequence[Treebank],
        *,
        gold: Treebank | None = None,
        matching: Matching | None = None,
        parts: Sequence[TagDictionary] = (),
        called: str = "",
    ) -> None:
        for output in outputs:
            for part in (*parts, dictionary):
                refuse_training_dictionary(part, treebank=output)
        self.gold = gold
        # A text is not called after the first of its taggers.
        words = outputs[0].replace(name="") if gold is None else gold
        self.text = Text(words, dictionary, matching)
        self.tagged = tagged_texts(self.text, outputs)
        if not self.text.is_covered.any():
            raise DictionaryError(
                f"{called or dictionary.name} and the text have no word in common\n"
                "  is the dictionary of this language, and of this spelling? --case backoff also "
                "looks in lower case"
            )

    @property
    def coverage(self) -> float:
        """The share of words that the dictionary has, punctuation marks aside."""
        no_marks = ~self.text.is_punctuation
        return float(self.text.is_covered[no_marks].mean()) if no_marks.any() else 1.0

    @cached_property
    def signature(self) -> str:
        """How scores are made."""
        (record,) = evaluate_taggers(self.text, self.tagged[:1], resamples=0)
        return str(record.conditions.signature)

    def _gold_codes(self) -> Any:
        if self.gold is None:
            raise DictionaryError("gold tags are needed; give the same text with gold tags")
        return tag_codes(self.gold, self.text.matching)

    def scores(self, *, worst: int = 0, **options: Any) -> TaggerScores:
        """Score taggers: the share of tags that the dictionary warrants.

        Parameters
        ----------
        worst : int
            Entries to show that reject most words.
        **options
            As `evaluate_taggers` has them: trusted, language, resamples, confidence, seed.
        """
        records = evaluate_taggers(
            self.text, self.tagged, gold=self.gold, listed=worst or 10, **options
        )
        return TaggerScores(tuple(records), worst)

    def ranking(
        self,
        *,
        pool: Sequence[Record] = (),
        estimator: str = "ridge",
        trials: int = 10_000,
        resamples: int = 1000,
        seed: int = 0,
    ) -> TaggerRanking:
        """Say which tagger is best, how sure that is, and, with records of others, how good it is.

        Parameters
        ----------
        pool : sequence of Record
            With gold, of other languages: what accuracy is estimated from.
        """
        text, tagged = self.text, self.tagged
        records = evaluate_taggers(text, tagged, gold=self.gold, resamples=resamples, seed=seed)
        chances = {"trials": trials, "seed": seed}
        accepted = [text.accepted(one.codes) for one in tagged]
        groups = indistinguishable(text, tagged, accepted, text.is_covered, **chances)
        calibrator = Calibrator(pool, estimator=estimator) if pool else None
        answer = verdict(text, tagged, records, calibrator, resamples=resamples, seed=seed)
        agreement, best = None, tuple[str, ...]()
        if self.gold is not None and len(records) > 1:
            true = [record.gold.accuracy for record in records if record.gold is not None]
            soft = [record.soft.value for record in records]
            agreement = rank(true, soft, seed=seed)  # type: ignore[arg-type]
            gold = self._gold_codes()
            rights = [one.codes == gold for one in tagged]
            best = indistinguishable(text, tagged, rights, text.is_scored, **chances).best
        return TaggerRanking(self.signature, tuple(records), groups, answer, agreement, best)

    def size_curve(
        self,
        corpus: Treebank | None = None,
        *,
        sizes: Sequence[int] | None = None,
        draws: int = 100,
        confidence: float = 0.95,
        seed: int = 0,
    ) -> TaggerCurve:
        """Return scores by parts of the dictionary, as in the paper's Figure 1.

        Parameters
        ----------
        corpus : Treebank, optional
            Raw text of the language, for frequent words.
        """
        frequencies = None if corpus is None else form_frequencies(corpus)
        about: dict[str, Any] = {"confidence": confidence, "draws": draws, "seed": seed}
        points = sub_dictionary_curve(self.text, self.tagged, frequencies, sizes=sizes, **about)
        known = evaluate_taggers(self.text, self.tagged, gold=self.gold, resamples=0)
        accuracies = {
            one.tagger: one.gold.accuracy
            for one in known
            if one.gold is not None and one.gold.accuracy is not None
        }
        columns = (
            *(Column("tagger"), Column("variant"), Column("forms", "size")),
            *(Column("A_soft", "value", PERCENT), *_percents("low", "high")),
            *(*_percents("mean low", "mean high", "coverage"), Column("undefined")),
        )
        note = (
            f"low and high: {100 * confidence:g}% of the random dictionaries; "
            "mean low and high: interval of their mean"
        )
        return TaggerCurve(self.signature, about, tuple(points), columns, (note,), accuracies)

    def corruption_curve(self, *, seed: int = 0) -> TaggerCurve:
        """Return scores of gold with more and more wrong tags."""
        curve = corruption_curve(self.text, self._gold_codes(), seed=seed)
        notes = []
        if curve.ceiling is not None and curve.wrong_accepted is not None:
            notes.append(
                f"ceiling r = {100 * curve.ceiling:.2f}, wrong tags accepted "
                f"s = {100 * curve.wrong_accepted:.2f}; expected is a r + (1 - a) s"
            )
        if curve.zero_error is not None:
            notes.append(f"no error at an accuracy of {100 * curve.zero_error:.2f}")
        if curve.correlation is not None:
            notes.append(f"Pearson of error and accuracy {curve.correlation:.2f}")
        columns = (
            *(Column("A_true", "true", PERCENT), Column("A_soft ± s.d.", "soft", PERCENT)),
            *_percents("expected", "error"),
        )
        about = {"seed": seed, **asdict(curve)}
        del about["points"]
        return TaggerCurve(self.signature, about, curve.points, columns, tuple(notes))

    def held_out_curve(self, *, seed: int = 0) -> TaggerCurve:
        """Return how many gold sentences rank taggers as well as the dictionary does."""
        text, gold = self.text, self._gold_codes()
        rights = [(one.codes == gold) & text.is_scored for one in self.tagged]
        counts = text.by_sentence(*rights, text.is_scored)
        points = held_out_curve(counts[:, :-1], counts[:, -1], seed=seed)
        true = [float(right.sum() / text.is_scored.sum()) for right in rights]
        covered = text.is_covered.sum()
        soft = [share(text.accepted(one.codes).sum(), covered) or 0.0 for one in self.tagged]
        tau = rank(true, soft, seed=seed).tau
        required, notes = None, []
        if tau is not None:
            required = required_sentences(points, tau=tau)
            takes = "more" if required is None else str(required)
            than = " than these" if required is None else ""
            notes.append(f"the dictionary's tau of {tau:.2f} takes {takes} sentences{than}")
        columns = (Column("sentences"), Column("P@1", "precision_at_1"), Column("tau"))
        about = {"seed": seed, "tau": tau, "required_sentences": required}
        return TaggerCurve(self.signature, about, tuple(points), columns, tuple(notes))


@dataclass(frozen=True)
class TaggerScores:
    """What a dictionary says of taggers."""

    records: tuple[Record, ...]
    worst: int = 0
    """Entries to show that reject most words."""

    def table(self) -> Table:
        """Return the scores, the best in bold; the signature below."""
        conditions = self.records[0].conditions
        columns = [
            *(Column("tagger"), *_percents("A_soft"), Column("covered"), Column("n")),
            *_percents("coverage", "of types", "type-macro", "no punct.", "permissive"),
        ]
        best = [1]
        if conditions.has_gold:
            best.append(len(columns))
            columns += _percents("A_true", "ceiling")
            if conditions.trusted_hash is not None:
                columns += _percents("known", "unknown", "ambiguous")
        notes = [str(conditions.signature)]
        if conditions.resamples > 0:
            notes.insert(
                0,
                f"{100 * conditions.confidence:g}% intervals over resampled sentences "
                f"({conditions.resamples:,}, seed {conditions.seed})",
            )
        return from_records(columns, map(_score_record, self.records), notes=notes).with_best(best)

    def tables(self) -> list[Table]:
        """Return the scores, and for every tagger the entries that reject most of its words."""
        shown = self.records if self.worst else ()
        return [self.table(), *map(_costly_table, shown)]

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as JSON has them."""
        return {"schema": 1, "records": [record.to_dict() for record in self.records]}


def _score_record(record: Record) -> dict[str, Any]:
    soft, gold = record.soft, record.gold
    row = {
        "tagger": record.tagger,
        "a_soft": soft.value,
        "a_soft_low": soft.low,
        "a_soft_high": soft.high,
        "covered": soft.covered,
        "n": soft.n,
        "coverage": soft.coverage,
        "of_types": soft.type_coverage,
        "type-macro": soft.type_macro,
        "no_punct.": soft.without_punctuation,
        "permissive": soft.permissiveness,
    }
    if gold is not None:
        row |= {"a_true": gold.accuracy, "ceiling": gold.ceiling}
        row |= {"known": gold.known, "unknown": gold.unknown, "ambiguous": gold.ambiguous}
    return row


def _costly_table(record: Record) -> Table:
    """Return the entries of the dictionary that reject most words of a tagger."""
    rows = [{**asdict(one), "tags": ", ".join(one.tags)} for one in record.soft.costly]
    columns = [
        *(Column("form"), Column("in the dictionary", "tags"), Column("tagged", "usual_tag")),
        *(Column("rejected"), Column("words")),
    ]
    return from_records(columns, rows, title=f"costly entries: {record.tagger}")


@dataclass(frozen=True)
class TaggerRanking:
    """Which tagger is best, and, with gold, whether that is so."""

    signature: str
    records: tuple[Record, ...]
    groups: Groups
    verdict: Verdict
    agreement: Ranking | None = None
    """With gold: how well the dictionary ranks."""
    best_group: tuple[str, ...] = ()
    """With gold: the taggers that it cannot tell from the best."""

    def tables(self) -> list[Table]:
        """Return taggers by soft accuracy, with groups and chances; the verdict above."""
        rows = []
        for name in self.groups.order:
            (record,) = (one for one in self.records if one.tagger == name)
            row = {"tagger": name, "a_soft": record.soft.value}
            groups = enumerate(self.groups.groups)
            row["group"] = "".join(chr(ord("a") + i) for i, group in groups if name in group)
            row["probability"] = self.verdict.probability[name]
            if self.verdict.estimates is not None:
                estimate = self.verdict.estimates[name]
                row |= {"estimate": estimate.value, "estimate_low": estimate.low}
                row["estimate_high"] = estimate.high
            if record.gold is not None:
                row["a_true"] = record.gold.accuracy
            rows.append(row)
        columns = [Column("tagger"), *_percents("A_soft"), Column("group")]
        columns.append(Column("P(best)", "probability"))
        columns += _percents("estimate") if self.verdict.estimates is not None else []
        columns += _percents("A_true") if any(one.gold for one in self.records) else []
        notes = [
            "taggers that share a letter do not differ significantly on this dictionary and text",
            str(self.records[0].conditions.signature),
        ]
        table = from_records(columns, rows, title=str(self.verdict), notes=notes)
        return [table, *([] if self.agreement is None else [self._agreement_table()])]

    @property
    def _in_group(self) -> float:
        return float(self.groups.order[0] in self.best_group)

    def _agreement_table(self) -> Table:
        assert self.agreement is not None
        columns = [
            *(Column("P@1", "precision_at_1"), Column("P@1 of group", "in_group")),
            *(*_percents("regret"), Column("tau"), Column("p", format=_FOUR_DECIMALS)),
        ]
        row = {**asdict(self.agreement), "in_group": self._in_group}
        notes = [few_taggers_note(len(self.records))]
        return from_records(columns, [row], title="against gold", notes=notes)

    def to_dict(self) -> dict[str, Any]:
        """Return the ranking as JSON has it."""
        estimates = self.verdict.estimates
        document: dict[str, Any] = {
            "schema": 1,
            "signature": self.signature,
            "verdict": str(self.verdict),
            "best": self.verdict.best,
            "probability": self.verdict.probability,
            "estimates": None
            if estimates is None
            else {name: asdict(one) for name, one in estimates.items()},
            "groups": [list(group) for group in self.groups.groups],
            "pairs": [asdict(pair) for pair in self.groups.pairs],
            "records": [record.to_dict() for record in self.records],
        }
        if self.agreement is not None:
            document["against_gold"] = {
                **asdict(self.agreement),
                "precision_at_1_of_group": self._in_group,
                "best_group": list(self.best_group),
                "note": few_taggers_note(len(self.records)),
            }
        return document


@dataclass(frozen=True)
class TaggerCurve:
    """How scores depend on the size of the dictionary, on accuracy, or on sentences."""

    signature: str
    about: Mapping[str, Any]
    """How it was made, and what follows from all points."""
    points: tuple[CurvePoint | CorruptionPoint | HeldOutPoint, ...]
    columns: tuple[Column, ...]
    """Of its table: fields of points."""
    notes: tuple[str, ...] = ()
    accuracies: Mapping[str, float] = field(default_factory=dict)
    """By tagger, where there is gold."""

    @property
    def size_points(self) -> list[CurvePoint]:
        """The points of a curve over sizes."""
        return [point for point in self.points if isinstance(point, CurvePoint)]

    def tables(self) -> list[Table]:
        """Return a row for every point."""
        return [from_records(self.columns, map(asdict, self.points), notes=self.notes)]

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as JSON has it."""
        points = [asdict(point) for point in self.points]
        return {"schema": 1, "signature": self.signature, **self.about, "points": points}
