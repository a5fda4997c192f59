"""Measures treegauge against peers from PyPI, on the same input in the same run.

`make bench` runs every benchmark and writes the figures to docs/benchmarks.md.
"""
