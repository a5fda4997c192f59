"""Dictionaries of words and tags, and what they say of taggers where there is no gold.

`read_dictionary`, `import_dictionary`, `from_treebank` and `translate` make a `TagDictionary`;
an `Assessment` scores and ranks taggers of one text by it. Below that, `Text` holds the words of a
text against a dictionary, `evaluate_taggers` gives records, and `rank`, `verdict` and `Calibrator`
say which tagger to take and how good it is.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

# Functions that are called like their module: of the two, the room gives the function.
from treegauge.dictionaries.quality import quality  # noqa: E402, F401
from treegauge.dictionaries.soft_accuracy import soft_accuracy  # noqa: E402, F401
from treegauge.dictionaries.verdict import verdict  # noqa: E402, F401
