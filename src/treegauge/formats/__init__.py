"""Files in and out: formats, and findings about what is wrong with a file."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
