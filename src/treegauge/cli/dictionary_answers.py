"""What the verbs of `treegauge dictionary` find out about taggers, as tables and as JSON has it."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from treegauge.cli import console
from treegauge.cli.scoring_options import open_system
from treegauge.cli.treebanks import is_file, open_treebank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treegauge.dictionaries import (
        CurvePoint,
        Matching,
        Record,
        TagDictionary,
        Tagged,
        Text,
    )
    from treegauge.reports import Table
    from treegauge.treebank import Treebank

_FEW = 0.05
"""A dictionary that has a smaller share of the words is perhaps of another language."""


class Question:
    """Taggers, their text and the dictionary, read and checked."""

    def __init__(
        self, dictionary: str, tagged: Sequence[str], gold: str, data: list[str], matching: Matching
    ) -> None:
        from treegauge.dictionaries import (
            DictionaryError,
            Text,
            refuse_training_dictionary,
            tagged_texts,
        )

        self.dictionary, parts = open_dictionary(dictionary)
        outputs = [open_tagged(text) for text in tagged]
        for one in outputs:
            for part in parts:
                refuse_training_dictionary(part, treebank=one)
        self.gold = open_treebank(gold, data=data, format=None) if gold else None
        # A text is not called after the first of its taggers.
        words = outputs[0].replace(name="") if self.gold is None else self.gold
        self.text: Text = Text(words, self.dictionary, matching)
        self.tagged: list[Tagged] = tagged_texts(self.text, outputs)
        if not self.text.is_covered.any():
            raise DictionaryError(
                f"{dictionary} and the text have no word in common\n"
                "  is the dictionary of this language, and of this spelling? --case backoff also "
                "looks in lower case"
            )
        no_marks = ~self.text.is_punctuation
        found = float(self.text.is_covered[no_marks].mean()) if no_marks.any() else 1.0
        if found < _FEW:
            console.say(
                f"only {100 * found:.1f}% of the words that are no punctuation marks are in "
                f"{dictionary}: is it of this language?",
                style="yellow",
            )

    @property
    def signature(self) -> str:
        """How scores are made."""
        from treegauge.dictionaries import evaluate_taggers

        (record,) = evaluate_taggers(self.text, self.tagged[:1], resamples=0)
        return str(record.conditions.signature)


def ranked(
    asked: Question,
    *,
    pool: Sequence[Record],
    estimator: str,
    trials: int,
    resamples: int,
    seed: int,
) -> tuple[list[Table], dict[str, Any]]:
    """Return the ranking of taggers as tables and as JSON has it."""
    from treegauge.dictionaries import (
        Calibrator,
        evaluate_taggers,
        few_taggers_note,
        indistinguishable,
        rank,
        tag_codes,
        verdict,
    )
    from treegauge.reports import Table
    from treegauge.reports.dictionary_tables import percent, ranking_table

    text, tagged = asked.text, asked.tagged
    records = evaluate_taggers(text, tagged, gold=asked.gold, resamples=resamples, seed=seed)
    groups = indistinguishable(
        text,
        tagged,
        [text.accepted(one.codes) for one in tagged],
        text.is_covered,
        trials=trials,
        seed=seed,
    )
    calibrator = Calibrator(pool, estimator=estimator) if pool else None
    found = verdict(text, tagged, records, calibrator, resamples=resamples, seed=seed)
    tables = [ranking_table(records, groups, found)]
    document: dict[str, Any] = {
        "schema": 1,
        "signature": asked.signature,
        "verdict": str(found),
        "best": found.best,
        "probability": found.probability,
        "estimates": None
        if found.estimates is None
        else {name: asdict(one) for name, one in found.estimates.items()},
        "groups": [list(group) for group in groups.groups],
        "pairs": [asdict(pair) for pair in groups.pairs],
        "records": [record.to_dict() for record in records],
    }
    if asked.gold is not None and len(records) > 1:
        gold = tag_codes(asked.gold, text.matching)
        true = [record.gold.accuracy for record in records if record.gold is not None]
        soft = [record.soft.value for record in records]
        agreement = rank(true, soft, seed=seed)  # type: ignore[arg-type]
        truly = indistinguishable(
            text,
            tagged,
            [one.codes == gold for one in tagged],
            text.is_scored,
            trials=trials,
            seed=seed,
        )
        in_group = float(groups.order[0] in truly.best)
        note = few_taggers_note(len(records))
        document["against_gold"] = {
            **asdict(agreement),
            "precision_at_1_of_group": in_group,
            "best_group": list(truly.best),
            "note": note,
        }
        tables.append(
            Table(
                ("P@1", "P@1 of group", "regret", "tau", "p"),
                [
                    (
                        agreement.precision_at_1,
                        in_group,
                        percent(agreement.regret),
                        agreement.tau,
                        None if agreement.p is None else f"{agreement.p:.4f}",
                    )
                ],
                title="against gold",
                notes=[note],
                right=frozenset([4]),
            )
        )
    return tables, document


def read_records(path: str) -> list[Record]:
    """Read what `score --json` wrote."""
    from treegauge.dictionaries import DictionaryError, Record
    from treegauge.dictionaries.files import text_of

    try:
        document = json_module.loads(text_of(path))
        found = document["records"]
    except (ValueError, KeyError, TypeError):
        raise DictionaryError(
            f"{path}: no records; they are written by `treegauge dictionary score --json`"
        ) from None
    try:
        return [Record.from_dict(one) for one in found]
    except DictionaryError as error:
        raise DictionaryError(f"{path}: {error}") from None


def ranked_records(paths: Sequence[str], trials: int, seed: int) -> tuple[Table, dict[str, Any]]:
    """Rank the taggers of several languages, and test the rankings together."""
    from treegauge.dictionaries import DictionaryError, pooled_test, rank, require_comparable
    from treegauge.reports import Table
    from treegauge.reports.dictionary_tables import percent

    scores: dict[str, tuple[list[float], list[float]]] = {}
    rows = []
    document: dict[str, Any] = {"schema": 1, "languages": {}}
    for path in paths:
        records = read_records(path)
        require_comparable(records)
        true = [r.gold.accuracy for r in records if r.gold is not None]
        soft = [r.soft.value for r in records if r.soft.value is not None]
        known = [value for value in true if value is not None]
        if not records or len(known) != len(records) or len(soft) != len(records):
            raise DictionaryError(f"{path}: a ranking needs records with gold; use score --gold")
        name = records[0].conditions.treebank or path
        if name in scores:
            raise DictionaryError(f"{path}: {name} was there before")
        scores[name] = (known, soft)
        found = rank(known, soft, seed=seed)
        document["languages"][name] = {"taggers": len(records), **asdict(found)}
        rows.append(
            (name, len(records), found.precision_at_1, percent(found.regret), found.tau, found.p)
        )
    pooled = pooled_test(scores, trials=max(trials, 1), seed=seed)
    document["pooled"] = asdict(pooled)
    hits = sum(row[2] for row in rows)
    notes = [
        f"best tagger found for {hits:g} of {len(rows)}; mean tau {pooled.mean_tau:.3f}, "
        f"p {pooled.p:.4f} ({pooled.trials:,} permutations within languages)"
    ]
    table = Table(("treebank", "taggers", "P@1", "regret", "tau", "p"), rows, notes=notes)
    return table, document


def of_size(
    asked: Question,
    corpus: Treebank | None,
    sizes: list[int] | None,
    draws: int,
    confidence: float,
    seed: int,
    figure: str,
) -> tuple[Table, dict[str, Any]]:
    """Return soft accuracy by parts of the dictionary, and draw it if a file is given."""
    from treegauge.dictionaries import form_frequencies, sub_dictionary_curve
    from treegauge.reports.dictionary_tables import curve_table

    points = sub_dictionary_curve(
        asked.text,
        asked.tagged,
        None if corpus is None else form_frequencies(corpus),
        sizes=sizes,
        draws=draws,
        confidence=confidence,
        seed=seed,
    )
    if figure:
        _draw(points, asked, confidence, figure)
    return curve_table(points, confidence), {
        "confidence": confidence,
        "draws": draws,
        "seed": seed,
        "points": [asdict(point) for point in points],
    }


def _draw(points: list[CurvePoint], asked: Question, confidence: float, path: str) -> None:
    from treegauge.dictionaries import evaluate_taggers
    from treegauge.reports import save_figure
    from treegauge.reports.dictionary_figures import sub_dictionary_figure

    accuracies = {}
    if asked.gold is not None:
        for record in evaluate_taggers(asked.text, asked.tagged, gold=asked.gold, resamples=0):
            if record.gold is not None and record.gold.accuracy is not None:
                accuracies[record.tagger] = record.gold.accuracy
    figure = sub_dictionary_figure(points, accuracies=accuracies, confidence=confidence)
    save_figure(figure, path)
    console.say(f"wrote {path}")


def of_corruption(asked: Question, seed: int) -> tuple[Table, dict[str, Any]]:
    """Return soft accuracy of gold with more and more wrong tags."""
    from treegauge.dictionaries import corruption_curve, tag_codes
    from treegauge.reports.dictionary_tables import corruption_table

    assert asked.gold is not None  # checked when options were read
    found = corruption_curve(asked.text, tag_codes(asked.gold, asked.text.matching), seed=seed)
    return corruption_table(found), {"seed": seed, **asdict(found)}


def of_held_out(asked: Question, seed: int) -> tuple[Table, dict[str, Any]]:
    """Return how many gold sentences rank taggers as well as the dictionary does."""
    from treegauge.dictionaries import held_out_curve, rank, required_sentences, tag_codes
    from treegauge.dictionaries.soft_accuracy import share
    from treegauge.reports.dictionary_tables import held_out_table

    assert asked.gold is not None  # checked when options were read
    text = asked.text
    gold = tag_codes(asked.gold, text.matching)
    rights = [(one.codes == gold) & text.is_scored for one in asked.tagged]
    table = text.by_sentence(*rights, text.is_scored)
    points = held_out_curve(table[:, :-1], table[:, -1], seed=seed)
    true = [float(right.sum() / text.is_scored.sum()) for right in rights]
    covered = text.is_covered.sum()
    soft = [share(text.accepted(one.codes).sum(), covered) or 0.0 for one in asked.tagged]
    tau = rank(true, soft, seed=seed).tau
    required = required_sentences(points, tau=tau) if tau is not None else None
    return held_out_table(points, required, tau), {
        "seed": seed,
        "tau": tau,
        "required_sentences": required,
        "points": [asdict(point) for point in points],
    }


def open_dictionary(text: str) -> tuple[TagDictionary, list[TagDictionary]]:
    """Read the dictionaries that a user names; return their union, and all of them."""
    from treegauge.dictionaries import TagDictionary, joined, read_dictionary
    from treegauge.toys import toy_dictionary

    parts = []
    for name in [text] if is_file(text) else text.split(","):
        if name.startswith("toy:"):
            parts.append(TagDictionary.from_mapping(toy_dictionary(name), name=name))
        else:
            parts.append(read_dictionary(name))
    union = joined(parts)
    return union, parts if len(parts) == 1 else [*parts, union]


def open_tagged(text: str) -> Treebank:
    """Read a tagger's output, FILE or NAME=FILE."""
    name, equals, path = text.partition("=")
    if not equals or is_file(text):
        return open_system(text)[0]
    return open_system(path)[0].replace(name=name)
