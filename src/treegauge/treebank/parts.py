"""What a treebank is divided into."""

from __future__ import annotations

PARTS = ("train", "dev", "test")
"""The parts of a treebank."""

WHOLE = "whole"
"""The one part of a treebank that is a single, undivided file."""
