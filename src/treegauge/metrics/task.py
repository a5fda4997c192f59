"""A task that trees are for: who does what to whom.

Conventions
-----------
From a tree, a program that looks for the arguments of verbs takes triples: the verb, the role
(subject or object), and the head of the argument. A triple is right if gold has it.

The relation gives the role: `nsubj` and `csubj` with all their subtypes are subjects; `obj`,
`iobj` and `ccomp` are objects (UD v2, and `nsubjpass`, `csubjpass`, `dobj` of v1); so are SUD's
`subj` and `comp:obj`, SBJ, OBJ and IOBJ of the CoNLL shared tasks and of LTH, and Prague's Sb and
Obj, in capitals or not. The verb is what the argument hangs on, also where that is a nominal
predicate. An argument without a head in the sentence is none.

Trees without relations do not say which words are arguments. Of them, less is asked: on which
word every argument of gold hangs; precision and recall are then the same. `verb_arguments` does
so where a system has no relations at all; `verb_argument_pairs` does so for every system, and is
the one to rank trees with relations and trees without.

Metrics
-------
verb_arguments       F1 of (verb, role, argument)
verb_argument_pairs  gold's arguments that hang on their verb
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics.attachment import same_head, words_with_gold_head
from treegauge.metrics.comparison import Comparison
from treegauge.metrics.errors import MetricError
from treegauge.metrics.metric import Outcome, word_metric

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "subj", "sbj", "sb"})
"""Relations of subjects, in small letters, without subtypes."""

OBJECTS = frozenset({"obj", "iobj", "dobj", "ccomp", "comp:obj"})
"""Relations of objects."""


def role(relation: str) -> str:
    """Return the role that a relation stands for, empty if it is neither.

    >>> role("nsubj:pass"), role("OBJ"), role("comp:obj"), role("obl")
    ('subject', 'object', 'object', '')
    """
    name = relation.lower()
    whole = {name, name.partition(":")[0]}
    if whole & SUBJECTS:
        return "subject"
    return "object" if whole & OBJECTS else ""


def _arguments(comparison: Comparison) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which words of gold and of the system are arguments of a word."""

    def chosen() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        if comparison.gold.n_words and not comparison.gold.deprel.is_annotated:
            raise MetricError(
                "the arguments of verbs are found by relations, and "
                f"{comparison.gold.name or 'gold'} has none"
            )
        gold_role, system_role, names = comparison.values("deprel", role)
        counted_gold, counted_system = words_with_gold_head(comparison)
        none = names.code("")
        in_gold = counted_gold & (gold_role != none) & (comparison.gold_head >= 0)
        in_system = counted_system & (system_role != none) & (comparison.own_system_head >= 0)
        if comparison.system.repairs is not None:
            # What a repaired word was, nobody knows: it may have been an argument.
            in_system |= counted_system & comparison.doubtful(uses_heads=True)
        return np.asarray(in_gold), np.asarray(in_system)

    return comparison.once("verb arguments", chosen)


def _verb_arguments(comparison: Comparison) -> Outcome:
    repairs = comparison.system.repairs
    is_unread = repairs is not None and bool(repairs.word.all())
    if not (comparison.system.deprel.is_annotated or is_unread):
        return _verb_argument_pairs(comparison)
    in_gold, in_system = _arguments(comparison)
    gold_role, system_role, _ = comparison.values("deprel", role)
    same_role = comparison.at_gold(gold_role) == comparison.at_system(system_role)
    correct = same_head(comparison) & same_role & comparison.at_gold(in_gold)
    return Outcome(np.asarray(correct), in_gold, in_system)


def _verb_argument_pairs(comparison: Comparison) -> Outcome:
    in_gold, _ = _arguments(comparison)
    arguments = comparison.at_gold(in_gold)
    in_system = comparison.in_system(arguments, unaligned=False)
    correct = same_head(comparison) & arguments
    return Outcome(correct, in_gold, in_system, counts_surplus=False)


METRICS = (
    word_metric(
        "verb_arguments", "Verb arguments", "F1 of verb, role and argument, by the relations",
        family="task", needs=("head",), outcome=_verb_arguments,
    ),
    word_metric(
        "verb_argument_pairs", "Argument pairs", "gold subjects and objects on their verb",
        family="task", needs=("head",), outcome=_verb_argument_pairs,
    ),
)  # fmt: skip
"""The metrics of this chapter."""
