"""Dictionaries of words and tags, and what they say of taggers where there is no gold.

`read_dictionary`, `import_dictionary`, `from_treebank` and `translate` make a `TagDictionary`;
an `Assessment` scores and ranks taggers of one text by it. Below that, `Text` holds the words of a
text against a dictionary, `evaluate_taggers` gives records, and `rank`, `verdict` and `Calibrator`
say which tagger to take and how good it is.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
