"""Combinatory categorial grammar: categories, their induction, charts, a model, derivations."""
