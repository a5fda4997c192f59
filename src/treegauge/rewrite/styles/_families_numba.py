"""Kernels that every pass begins with: children in order, and parents before children."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def list_children(head, first, next_sibling):
    """Link the children of every word of one sentence, left to right; 0 ends a list."""
    n = len(head)
    for w in range(n + 1):
        first[w] = 0
    for w in range(n, 0, -1):
        h = head[w - 1]
        next_sibling[w] = first[h]
        first[h] = w


@kernel
def list_parents_first(first, next_sibling, order):
    """Put the words of one sentence in an order in which heads come before dependents."""
    end = 0
    w = first[0]
    while w:
        order[end] = w
        end += 1
        w = next_sibling[w]
    done = 0
    while done < end:
        w = first[order[done]]
        done += 1
        while w:
            order[end] = w
            end += 1
            w = next_sibling[w]
