"""A grammar as people read it: the strongest attachments, and how likely sides end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treegauge.systems.dependency_induction.chart import Grammar

_SIDES = ("left", "right")


def grammar_in_words(
    grammar: Grammar, tags: Sequence[str], shares: Sequence[float], top: int = 20
) -> str:
    """Return the strongest attachments and the stop decisions of the most frequent tags.

    Attachments are ordered by how often they are expected: the frequency of the head times
    the probability that it has a dependent on that side times that of the dependent. `shares` are
    the frequencies of tags.
    """
    frequency = np.array(shares)
    roots = np.argsort(-grammar.root, kind="stable")[:top]
    lines = ["root", *(f"  {tags[tag]:<12} {grammar.root[tag]:.3f}" for tag in roots)]
    lines += ["", "strongest attachments"]
    # The first dependent of a side; further ones have the same distribution or a near one.
    strength = (frequency[:, None] * grammar.go[:, :, 0])[..., None] * grammar.attach[:, :, 0]
    for cell in np.argsort(-strength, axis=None, kind="stable")[:top].tolist():
        head, side, child = np.unravel_index(cell, strength.shape)
        lines.append(
            f"  {tags[head]:<12} takes {tags[child]:<12} on its {_SIDES[side]:<5} "
            f"{grammar.attach[head, side, 0, child]:.3f}"
        )
    lines += [
        "",
        "how likely a side ends   left: no child yet  has one   right: no child yet  has one",
    ]
    for tag in np.argsort(-frequency, kind="stable")[:top].tolist():
        left, right = grammar.stop[tag]
        sides = f"{left[0]:>18.2f} {left[-1]:>8.2f} {right[0]:>21.2f} {right[-1]:>8.2f}"
        lines.append(f"  {tags[tag]:<22} {sides}")
    return "\n".join(lines) + "\n"
