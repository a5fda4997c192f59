"""The challenge's question on large corpora (Gelling et al. 2012, section 6.1)."""
