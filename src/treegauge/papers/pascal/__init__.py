"""Gelling et al. (2012): the PASCAL challenge on grammar induction."""
