"""Validation at the levels 1 and 2 of Universal Dependencies.

Kernels look at everything and name the sentences that may break a rule; only those are read
again, line by line, by the checks in `backbone.py`, `annotation.py` and `metadata.py`, which say
exactly which rule of the official validator is broken.
"""
