"""Inducers of word classes and tags, one file each."""
