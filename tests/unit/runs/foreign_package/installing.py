"""Puts the foreign package where Python finds it, as pip would."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treegauge.systems import systems
from treegauge.systems.code_version import code_version

ENTRY_POINTS = """\
[treegauge.systems]
odd = odd_systems:Odd
peeking = odd_systems:Peeking
piecewise = odd_systems:Piecewise
"""


@contextmanager
def installed(folder: Path) -> Iterator[Path]:
    """Install into a new folder; give the path of the module."""
    (folder / "odd_systems-1.0.dist-info").mkdir(parents=True)
    source = Path(__file__).with_name("odd_systems.py")
    (folder / "odd_systems.py").write_bytes(source.read_bytes())
    metadata = "Metadata-Version: 2.1\nName: odd-systems\nVersion: 1.0\n"
    (folder / "odd_systems-1.0.dist-info" / "METADATA").write_text(metadata)
    (folder / "odd_systems-1.0.dist-info" / "entry_points.txt").write_text(ENTRY_POINTS)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    systems.cache_clear()
    code_version.cache_clear()
    try:
        yield folder / "odd_systems.py"
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("odd_systems", None)
        importlib.invalidate_caches()
        systems.cache_clear()
        code_version.cache_clear()
