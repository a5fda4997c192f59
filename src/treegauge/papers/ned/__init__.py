"""Schwartz et al. (2011): neutral edge direction."""
