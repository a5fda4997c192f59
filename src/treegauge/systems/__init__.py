"""Systems that annotate treebanks, and the one shape they all have."""

from treegauge.settings import (
    Settings,
    parse_assignments,
    setting,
)
from treegauge.systems.errors import SystemsError, SystemsWarning
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
    "OnProgress",
    "Settings",
    "Supervision",
    "System",
    "SystemEntry",
    "SystemsError",
    "SystemsWarning",
    "Task",
    "find_system",
    "load_system",
    "make_system",
    "no_progress",
    "parse_assignments",
    "setting",
    "systems",
]
