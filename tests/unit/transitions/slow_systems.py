"""The transition systems as papers write them: lists, and one condition after the other.

The root is word 0 wherever it stands. Moves are called by their names.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from treegauge.transitions import Root, TransitionSystem

NOBODY = None


@dataclass
class SlowConfiguration:
    """A stack with its top last, a buffer with its front first, and the arcs so far."""

    system: TransitionSystem
    root: Root
    single_root: bool
    n: int
    stack: list[int] = field(default_factory=list)
    buffer: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    """Covington: the words between the top of the stack, which is i, and the front, j."""
    heads: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.stack and not self.buffer:
            self.stack = [0] * (self.root is Root.FIRST)
            self.buffer = [*range(1, self.n + 1)] + [0] * (self.root is Root.LAST)

    @property
    def kind(self) -> str:
        return self.system.spelling.split("-")[0 if "arc" not in self.system.spelling else 1]

    def copy(self) -> SlowConfiguration:
        return replace(
            self,
            stack=self.stack[:],
            buffer=self.buffer[:],
            passed=self.passed[:],
            heads=dict(self.heads),
        )

    # ------------------------------------------------------------------ arcs

    def top(self, word: int) -> int:
        while word in self.heads:
            word = self.heads[word]
        return word

    def has_root(self) -> bool:
        return 0 in self.heads.values()

    def descendants(self, word: int) -> set[int]:
        return {w for w in range(1, self.n + 1) if self.top_or_through(w, word)}

    def top_or_through(self, word: int, ancestor: int) -> bool:
        while word != ancestor and word in self.heads:
            word = self.heads[word]
        return word == ancestor

    # ------------------------------------------------------------------ the end

    def is_terminal(self) -> bool:
        if self.kind == "covington":
            return not self.buffer
        if self.kind == "eager":
            if self.root is Root.LAST:
                return self.buffer == [0] and not self.stack
            return not self.buffer
        if self.kind == "hybrid" and self.root is Root.LAST:
            return self.buffer == [0] and not self.stack
        if self.root is Root.NONE:
            return not self.buffer and len(self.stack) <= 1
        return not self.buffer and self.stack == [0]

    # ------------------------------------------------------------------ legal moves

    def legal(self) -> set[str]:
        if self.is_terminal():
            return set()
        return {move for move in self.system.moves if self.may(move)}

    def may(self, move: str) -> bool:
        kind = "standard" if self.kind in ("standard", "swap") else self.kind
        name = f"may_{move.replace('-', '_')}_{kind}"
        return bool(getattr(self, name)())

    def may_shift_standard(self) -> bool:
        if not self.buffer:
            return False
        if self.buffer == [0] and self.single_root:
            return len(self.stack) <= 1
        return True

    def may_left_arc_standard(self) -> bool:
        return len(self.stack) >= 2 and self.stack[-2] != 0

    def may_right_arc_standard(self) -> bool:
        if len(self.stack) < 2 or self.stack[-1] == 0:
            return False
        if self.single_root and self.stack[-2] == 0:
            return not self.buffer and len(self.stack) == 2
        return True

    def may_swap_standard(self) -> bool:
        return len(self.stack) >= 2 and 0 < self.stack[-2] < self.stack[-1]

    def may_shift_eager(self) -> bool:
        return self.buffer not in ([], [0])

    def may_left_arc_eager(self) -> bool:
        if not self.stack or not self.buffer or self.stack[-1] == 0:
            return False
        if self.buffer == [0] and self.single_root and self.has_root():
            return False
        return self.stack[-1] not in self.heads

    def may_right_arc_eager(self) -> bool:
        if not self.stack or self.buffer in ([], [0]):
            return False
        return not (self.stack[-1] == 0 and self.single_root and self.has_root())

    def may_reduce_eager(self) -> bool:
        if not self.stack or self.stack[-1] == 0:
            return False
        if self.stack[-1] in self.heads:
            return True
        others = [word for word in self.stack[:-1] if word not in self.heads]
        return self.single_root and self.buffer == [0] and bool(others or self.has_root())

    def may_shift_hybrid(self) -> bool:
        return self.buffer not in ([], [0])

    def may_left_arc_hybrid(self) -> bool:
        if not self.stack or not self.buffer or self.stack[-1] == 0:
            return False
        return not (self.single_root and self.buffer == [0] and len(self.stack) > 1)

    def may_right_arc_hybrid(self) -> bool:
        if len(self.stack) < 2:
            return False
        if self.single_root and self.stack[-2] == 0:
            return not self.buffer and len(self.stack) == 2
        return True

    def may_shift_covington(self) -> bool:
        return True

    def may_left_arc_covington(self) -> bool:
        if not self.stack or self.stack[-1] == 0 or self.stack[-1] in self.heads:
            return False
        if self.buffer[0] == 0 and self.single_root and self.has_root():
            return False
        return self.top(self.stack[-1]) != self.top(self.buffer[0])

    def may_right_arc_covington(self) -> bool:
        if not self.stack or self.buffer[0] == 0 or self.buffer[0] in self.heads:
            return False
        if self.stack[-1] == 0 and self.single_root and self.has_root():
            return False
        return self.top(self.stack[-1]) != self.top(self.buffer[0])

    def may_no_arc_covington(self) -> bool:
        if self.system is TransitionSystem.COVINGTON:
            return len(self.stack) >= 2
        return bool(self.stack) and self.heads.get(self.stack[-1], NOBODY) in self.stack

    # ------------------------------------------------------------------ moves

    def make(self, move: str) -> None:
        if self.kind == "covington":
            self.make_covington(move)
        elif move == "shift":
            self.stack.append(self.buffer.pop(0))
        elif move == "reduce":
            self.stack.pop()
        elif move == "swap":
            self.buffer.insert(0, self.stack.pop(-2))
        elif self.kind == "eager":
            if move == "left-arc":
                self.heads[self.stack.pop()] = self.buffer[0]
            else:
                self.heads[self.buffer[0]] = self.stack[-1]
                self.stack.append(self.buffer.pop(0))
        elif move == "left-arc" and self.kind == "hybrid":
            self.heads[self.stack.pop()] = self.buffer[0]
        elif move == "left-arc":
            head = self.stack[-1]
            self.heads[self.stack.pop(-2)] = head
        else:
            dependent = self.stack.pop()
            self.heads[dependent] = self.stack[-1]

    def make_covington(self, move: str) -> None:
        """Move words between the two lists; without crossing arcs skip what cannot be linked."""
        projective = self.system is TransitionSystem.COVINGTON_PROJECTIVE
        j = self.buffer[0]
        if move == "shift":
            self.stack += [*self.passed, self.buffer.pop(0)]
            self.passed = []
            return
        i = self.stack[-1]
        if move == "left-arc":
            self.heads[i] = j
        elif move == "right-arc":
            self.heads[j] = i
        self.pass_one()
        if not projective:
            return
        if move == "left-arc":
            while self.stack and self.stack[-1] in self.descendants(j):
                self.pass_one()
        elif move == "right-arc":
            while self.stack:
                self.pass_one()
        else:
            while self.stack[-1] != self.heads[i]:
                self.pass_one()

    def pass_one(self) -> None:
        self.passed.insert(0, self.stack.pop())
