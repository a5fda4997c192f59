"""The features of a configuration as strings, straight from what the names of templates say."""

from __future__ import annotations

from dataclasses import dataclass

ON_STACK = ("arc-standard", "swap-eager", "swap-lazy")

NOTHING, ROOT, UNSEEN = "<nothing>", "<root>", "<unseen>"


@dataclass
class SlowConfiguration:
    """A configuration in plain Python: positions from 1, 0 the root."""

    system: str
    stack: list[int]  # the top first
    buffer: list[int]  # the front first
    arcs: dict[int, tuple[int, str]]  # by dependent: head and label
    n_words: int
    root_is_last: bool

    def place(self, word: int) -> int:
        return self.n_words + 1 if word == 0 and self.root_is_last else word

    def children(self, word: int, side: str) -> list[int]:
        """Return the children on one side, the outermost first."""
        found = [d for d, (head, _) in self.arcs.items() if head == word]
        if side == "l":
            return sorted(d for d in found if d < self.place(word))
        return sorted((d for d in found if d > self.place(word)), reverse=True)

    def node(self, name: str) -> int | None:
        """Return the word that a name such as `al2` stands for."""
        stack: list[int | None] = [*self.stack, None, None, None]
        buffer: list[int | None] = [*self.buffer, None, None, None, None]
        if self.system in ON_STACK:
            bases = {"a": stack[1], "b": stack[0], "a1": stack[2]}
            bases |= {"b1": buffer[0], "b2": buffer[1], "b3": buffer[2]}
        else:
            bases = {"a": stack[0], "b": buffer[0], "a1": stack[1]}
            bases |= {"b1": buffer[1], "b2": buffer[2], "b3": buffer[3]}
        base = max((b for b in bases if name.startswith(b)), key=len)
        word, rest = bases[base], name.removeprefix(base)
        if word is None or not rest:
            return word
        if rest in (">", "<"):
            beside = self.place(word) + (1 if rest == ">" else -1)
            return beside if 1 <= beside <= self.n_words else None
        if rest[0] == "h":
            for _ in rest.replace("2", "h"):
                word = self.arcs.get(word, (None,))[0] if word is not None else None
            return word
        children = self.children(word, rest[0])
        wanted = 1 if rest.endswith("2") else 0
        return children[wanted] if len(children) > wanted else None


def features(
    names: tuple[str, ...], configuration: SlowConfiguration, words: list[dict[str, str]]
) -> list[tuple[str, ...]]:
    """Return the features: a template's name and what its atoms are.

    `words` has, for each word, its atoms by kind: w, m, p, x, f, s; "" where there is none.
    """
    found: list[tuple[str, ...]] = []
    for name in names:
        parts = name.split("+")
        joined = [_atom(part, configuration, words) for part in parts if "*" not in part]
        if "*" not in name:
            found.append((name, *joined))
            continue
        word = configuration.node(parts[0][0])
        attributes = words[word - 1]["f"].split("|") if word else []
        found += [(name, *joined, attribute) for attribute in attributes if attribute]
    return found


def _atom(part: str, configuration: SlowConfiguration, words: list[dict[str, str]]) -> str:
    if part == "d":
        a, b = configuration.node("a"), configuration.node("b")
        if a is None or b is None:
            return "0"
        apart = abs(configuration.place(b) - configuration.place(a))
        return str(apart if apart < 5 else 5 if apart < 10 else 6)
    node, kind = part.split(".")
    word = configuration.node(node)
    if kind in ("vl", "vr", "tl", "tr"):
        children = configuration.children(word, kind[1]) if word is not None else []
        if kind[0] == "v":
            return str(len(children))
        return " ".join(sorted({configuration.arcs[child][1] for child in children}))
    if word is None:
        return NOTHING
    if word == 0:
        return ROOT
    if kind == "r":
        return configuration.arcs[word][1] if word in configuration.arcs else UNSEEN
    return words[word - 1][kind] or NOTHING
