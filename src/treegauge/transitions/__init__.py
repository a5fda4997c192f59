"""Transition systems and their oracles, for parsers and for derivations of treebanks."""

from treegauge.transitions.derivations import Derivation, derive, rebuild
from treegauge.transitions.errors import TransitionError
from treegauge.transitions.systems import Root, TransitionSystem

__all__ = ["Derivation", "Root", "TransitionError", "TransitionSystem", "derive", "rebuild"]
