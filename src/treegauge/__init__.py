"""treegauge measures syntax across languages.

How good is a tagger, a parser or a grammar inducer; with gold trees, with several gold
standards, or with none; and how hard is a treebank? The stub beside this file lists the public
interface. Names are imported when they are first used, so that `import treegauge` is quick.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]
