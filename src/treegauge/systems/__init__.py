"""Systems that annotate treebanks, and the one shape they all have."""

from treegauge.settings import (
    Settings,
    parse_assignments,
    setting,
)
from treegauge.systems.errors import SystemsError, SystemsWarning
from treegauge.systems.induction import Induction, how_learning_ended, induce
from treegauge.systems.registry import (
    SystemEntry,
    find_system,
    load_system,
    make_system,
    systems,
)
from treegauge.systems.system import (
    DependencyInducer,
    OnProgress,
    Supervision,
    System,
    Task,
    no_progress,
)

__all__ = [
    "DependencyInducer",
    "Induction",
    "OnProgress",
    "Settings",
    "Supervision",
    "System",
    "SystemEntry",
    "SystemsError",
    "SystemsWarning",
    "Task",
    "find_system",
    "how_learning_ended",
    "induce",
    "load_system",
    "make_system",
    "no_progress",
    "parse_assignments",
    "setting",
    "systems",
]
