"""Søgaard and Haulrich (2010): derivation perplexity."""
