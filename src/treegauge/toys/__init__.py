"""Toy languages: small artificial languages whose grammar is known.

A language is one page of TOML (`languages`): its word order, its endings, its function
words. Content words are invented from its sounds (`phonology`, `lexicon`); sentences grow by
rules that all languages share (`sentences`, `clauses`, `nominals`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
