"""The challenge's question on uses of induced classes (Gelling et al. 2012, section 6.1)."""
