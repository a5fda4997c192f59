"""Papers done again: one file a paper, and what they need."""
