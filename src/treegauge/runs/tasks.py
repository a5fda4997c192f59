"""Tasks: what a worker does in one go, and in which order.

A cell is one task, unless its system learns in pieces that know nothing of each other (the chains
of a sampler). Then every piece is a task, and the cell is the last one: it finds them all done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from treegauge.runs.cell import Cell
from treegauge.runs.experiment import SystemChoice
from treegauge.runs.outcome import Outcome


@dataclass(frozen=True)
class Task:
    """A piece of a cell, or the cell itself."""

    cell: Cell
    piece: str = ""

    @property
    def choice(self) -> SystemChoice:
        """The system of the experiment."""
        return self.cell.choice

    @property
    def guessed_seconds(self) -> float:
        """The time it takes, before anything has been measured: all of a cell's tasks the same."""
        return self.cell.guessed_seconds / (1 + len(self.cell.piece_names))


@dataclass
class _Pieces:
    """What is known of the pieces of a cell."""

    cell: Cell
    left: list[str]
    """Those that nobody has begun, in order."""
    running: set[str] = field(default_factory=set)
    failures: dict[str, Outcome] = field(default_factory=dict)


class TaskQueue:
    """The tasks of cells, in order, as they become ready.

    Parameters
    ----------
    cells : iterable of Cell
        Each once.
    has_piece : callable
        Says whether a piece of a cell, given by its key, was done before.
    """

    def __init__(self, cells: Iterable[Cell], has_piece: Callable[[str, str], bool]) -> None:
        self._ready: deque[Task] = deque()
        self._pieces: dict[str, _Pieces] = {}
        """By the key of a cell that waits for them."""
        for cell in cells:
            left = [name for name in cell.piece_names if not has_piece(cell.key, name)]
            if left:
                self._pieces[cell.key] = _Pieces(cell, left)
            self._ready += [Task(cell, name) for name in left] or [Task(cell)]

    def __bool__(self) -> bool:
        return bool(self._ready)

    @property
    def left(self) -> list[Task]:
        """All tasks that nobody has begun, also cells that are not ready for want of pieces."""
        return [*self._ready, *(Task(pieces.cell) for pieces in self._pieces.values())]

    @property
    def first(self) -> Task:
        """The task that comes next."""
        return self._ready[0]

    def take(self) -> Task:
        """Return the task that comes next; it is begun."""
        task = self._ready.popleft()
        if task.piece:
            pieces = self._pieces[task.cell.key]
            pieces.left.remove(task.piece)
            pieces.running.add(task.piece)
        return task

    def pieces_done(self, cell: Cell) -> int:
        """Return how many pieces of a cell are done."""
        pieces = self._pieces.get(cell.key)
        missing = len(pieces.left) + len(pieces.running) if pieces else 0
        return len(cell.piece_names) - missing

    def end(self, task: Task, outcome: Outcome) -> Outcome | None:
        """Take note of what came of a task; return what came of its cell, if that has ended.

        After a failure no other piece is begun, but those that run may end. Of several failures
        the first in the order of pieces counts: all before it were begun before it, so it is the
        same whoever was faster.
        """
        cell = task.cell
        if not task.piece:
            return outcome
        pieces = self._pieces[cell.key]
        pieces.running.remove(task.piece)
        if not outcome.is_done:
            pieces.failures[task.piece] = outcome
            pieces.left.clear()
            self._ready = deque(other for other in self._ready if other.cell.key != cell.key)
        if pieces.left or pieces.running:
            return None
        del self._pieces[cell.key]
        if not pieces.failures:
            self._ready.appendleft(Task(cell))
            return None
        return pieces.failures[min(pieces.failures, key=cell.piece_names.index)]
