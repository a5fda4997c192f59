"""Dependency inducers, one file each."""
