"""A submission that is accepted: every word depends on the one before it, and there is one tag."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treegauge.challenges.submission import Submission
from treegauge.challenges.submission_findings import SubmissionFindings
from treegauge.challenges.system_file import SystemDescription
from treegauge.challenges.task import Task
from treegauge.treebank import Column, Treebank, Vocabulary

EXAMPLE_TAG = "NOUN"
EXAMPLE_RELATION = "dep"


def example_submission(task: Task, *, contact: str = "") -> Submission:
    """Return a submission for a task; there is as little gold in it as in the task."""
    annotated = {name: _annotation(one, task.columns) for name, one in task.treebanks.items()}
    system = SystemDescription(
        system="example",
        team="organisers",
        track=task.track,
        supervision="unsupervised",
        resources=("the words of the pack",),
        description="Every word depends on the one before it; there is one tag.",
        contact=contact,
        part="dev" if task.part == "dev" else "test",
    )
    return Submission("example", task, system, annotated, SubmissionFindings())


def _annotation(words: Treebank, columns: Sequence[str]) -> Treebank:
    head = np.arange(words.n_words) - words.offsets[words.sentence_of_word]
    relations = Vocabulary.from_strings(["root", EXAMPLE_RELATION])
    relation = Column((head != 0).astype(np.int32), relations)
    filled = {
        name: relation if name == "deprel" else Column.constant(EXAMPLE_TAG, words.n_words)
        for name in columns
        if name not in ("head", "feats")
    }
    return words.replace(columns=filled, head=head if "head" in columns else None)
