"""Taggers, one file each."""
