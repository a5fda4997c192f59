"""Supervised dependency parsers, one file each."""
