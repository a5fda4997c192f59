"""Evaluating taggers without test data."""
