"""N-gram language models: interpolated modified Kneser-Ney, perplexity, ARPA files.

    Column, offsets -> train_language_model -> LanguageModel -> score -> ScoredText -> perplexity
                       read_arpa           ->               -> write_arpa

Words are what a column says of them, so that forms, lemmas and tags are all texts; a column whose
words are put in another order (`Column.take`) is one as well.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
