"""Writes what came of the attacks into docs/reliability.md, between two marks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.attack.attack import Tally

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN = "<!-- begin: counts of `python -m tests.attack --write` -->"
END = "<!-- end: counts -->"


def table(tallies: Sequence[Tally], seed: int) -> str:
    """Return the counts of every kind as a table of Markdown."""
    lines = ["| attack | what | cases | outcomes | found |", "| :-- | :-- | --: | :-- | --: |"]
    for tally in tallies:
        outcomes = "; ".join(f"{n:,} {outcome}" for outcome, n in tally.outcomes.most_common())
        cases = tally.outcomes.total() + len(tally.failures)
        name, what = tally.attack.name, tally.attack.what
        lines.append(f"| `{name}` | {what} | {cases:,} | {outcomes} | {len(tally.failures):,} |")
    cases = sum(tally.outcomes.total() + len(tally.failures) for tally in tallies)
    failures = sum(len(tally.failures) for tally in tallies)
    lines.append(f"| all | seed {seed} | {cases:,} | | {failures:,} |")
    return "\n".join(lines)


def written(page: str, counts: str) -> str:
    """Return a page with other counts between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError("the page has no place for counts")
    return f"{before}{BEGIN}\n\n{counts}\n\n{END}{after}"


def write_counts(tallies: Sequence[Tally], seed: int) -> None:
    """Put the counts into the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(written(page, table(tallies, seed)), encoding="utf-8")
