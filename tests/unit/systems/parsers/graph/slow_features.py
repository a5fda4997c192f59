"""Features of arcs and siblings as strings, from the treebank itself: the slow twin of kernels."""

from __future__ import annotations

from treegauge.systems.parsers.graph.arc_features import TEMPLATES
from treegauge.systems.parsers.graph.sibling_features import SIBLING_PAIRS, SIBLING_TRIPLES
from treegauge.treebank import Treebank

Atoms = dict[str, str]
_COLUMNS = {
    "w": "form",
    "r": "form",
    "s": "form",
    "l": "lemma",
    "p": "upos",
    "x": "xpos",
    "f": "feats",
}
ROOT, OUTSIDE, UNSEEN = "<root>", "<none>", "<unseen>"


def _value(atom: str, text: str) -> str:
    return {"r": text[:5], "s": text[-3:]}.get(atom, text)


class SlowFeatures:
    """What the features of arcs and siblings are, given what was seen in training."""

    def __init__(self, seen: Treebank) -> None:
        self.seen = {
            atom: {_value(atom, text) for text in seen.columns[column]}
            for atom, column in _COLUMNS.items()
        }
        self.features = {single for text in seen.feats for single in _singles(text)}

    def atoms(self, sentence: Treebank) -> list[Atoms]:
        """Return the atoms of the root and of all words."""
        words = [dict.fromkeys(_COLUMNS, ROOT)]
        for i in range(sentence.n_words):
            values = {atom: _value(atom, sentence.columns[c][i]) for atom, c in _COLUMNS.items()}
            words.append({a: v if v in self.seen[a] else UNSEEN for a, v in values.items()})
        for i, word in enumerate(words):
            for atom in "px":
                word[f"{atom}<"] = words[i - 1][atom] if i > 1 else OUTSIDE
                is_inside = 0 < i < len(words) - 1
                word[f"{atom}>"] = words[i + 1][atom] if is_inside else OUTSIDE
        return words

    def arcs(self, sentence: Treebank) -> dict[tuple[int, int], list[str]]:
        """Return the features of every arc of a treebank's one sentence.

        Templates come first, then tags between, then pairs of morphological features.
        """
        atoms = self.atoms(sentence)
        singles = [
            [single for single in _singles(feats) if single in self.features]
            for feats in sentence.feats
        ]
        found = {}
        for head in range(len(atoms)):
            for dependent in range(1, len(atoms)):
                if head == dependent:
                    continue
                features = [
                    f"{template}: {_filled(template, atoms[head], atoms[dependent])}"
                    for template in TEMPLATES
                ]
                if head == 0:
                    for side, around in (
                        ("before", atoms[1:dependent]),
                        ("after", atoms[dependent + 1 :]),
                    ):
                        tags = dict.fromkeys(word["p"] for word in around)
                        features += [f"{side}: {atoms[dependent]['p']} {tag}" for tag in tags]
                else:
                    left, right = sorted([head, dependent])
                    between = dict.fromkeys(word["p"] for word in atoms[left + 1 : right])
                    outer = atoms[head]["p"], atoms[dependent]["p"]
                    features += [f"between: {outer} {tag}" for tag in between]
                    features += [
                        f"pair: {a} {b}" for a in singles[head - 1] for b in singles[dependent - 1]
                    ]
                found[head, dependent] = features
        return found

    def siblings(self, sentence: Treebank) -> dict[tuple[int, int, int], list[str]]:
        """Return the features of every (head, dependent, inner sibling), 0 being no sibling."""
        atoms = self.atoms(sentence)
        n = sentence.n_words
        return {
            (head, dependent, inner): [
                f"{template}: "
                + _filled_three(template, atoms[head], atoms[inner], atoms[dependent])
                for template in (*SIBLING_PAIRS, *SIBLING_TRIPLES)
            ]
            for head in range(1, n + 1)
            for dependent in range(1, n + 1)
            if dependent != head
            for inner in (0, *range(min(head, dependent) + 1, max(head, dependent)))
        }


def direction(head: int, dependent: int) -> str:
    """Return the direction, in words."""
    return "root" if head == 0 else "to the right" if head < dependent else "to the left"


def circumstance(head: int, dependent: int) -> str:
    """Return direction and distance, in words."""
    if head == 0:
        return "root"
    distance = abs(head - dependent)
    far = {1: "1", 2: "2", 3: "3", 4: "4-5", 5: "4-5"}.get(distance, "6-10")
    return f"{direction(head, dependent)} {'11+' if distance > 10 else far}"


def _filled(template: str, head: Atoms, dependent: Atoms) -> str:
    of_head, of_dependent = template.split("|")
    return " ".join(
        [*(head[a] for a in of_head.split()), "|", *(dependent[a] for a in of_dependent.split())]
    )


def _filled_three(template: str, head: Atoms, inner: Atoms, dependent: Atoms) -> str:
    sides = zip(template.split("|"), (head, inner, dependent), strict=True)
    return " | ".join(" ".join(word[a] for a in side.split()) for side, word in sides)


def _singles(feats: str) -> list[str]:
    return [] if feats == "_" else feats.split("|")
