"""A prompt kit: blind sentences to ask any model about, and the way back from its answers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
