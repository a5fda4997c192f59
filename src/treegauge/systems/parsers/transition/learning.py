"""How a transition parser goes through its training data once."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from treegauge.kernel_variants import with_choices
from treegauge.kernels import kernel
from treegauge.systems.parsers.transition import _learning_numba as kernels
from treegauge.systems.parsers.transition._learning_numba import Lesson
from treegauge.systems.parsers.transition._parsing_numba import new_view
from treegauge.systems.parsers.transition.weights import Tables, with_room
from treegauge.transitions import TransitionSystem
from treegauge.transitions.stepping import N_MOVES, costs, in_system, new_configuration, new_gold

__all__ = ["Lesson", "learn"]


def learn(
    plan: Any, words: Any, lesson: Any, tables: Tables, sums: Any, time: int
) -> tuple[Tables, Any, int, int, int]:
    """Learn from every sentence once; return tables, sums, the time, and what was decided right.

    The time counts decisions. The last two numbers are those of right decisions and of all.
    """
    learner = _learner(TransitionSystem(plan.system), lesson.is_dynamic)
    view = new_view(plan, words)
    longest = int(np.diff(words.offsets).max(initial=0))
    gold, scratch = new_gold(longest), new_configuration(longest)
    found = np.zeros(N_MOVES, np.int32)
    progress = np.array([0, 0, time, 0])
    while not learner(plan, words, lesson, tables, sums, view, gold, scratch, found, progress):
        tables, sums = with_room(tables, sums, len(view.keys))
    end = int(progress[kernels.TIME])
    return tables, sums, end, int(progress[kernels.RIGHT]), end - time


@cache
def _learner(system: TransitionSystem, is_dynamic: bool) -> kernel:
    if is_dynamic:
        return in_system(kernels.learn, system)
    choices = {costs: kernels.costs_of_oracle}
    return in_system(with_choices(kernels.learn, choices, "static"), system)
