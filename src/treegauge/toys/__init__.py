"""Toy languages: small artificial languages whose grammar is known.

A language is one page of TOML (`languages`): its word order, its endings, its function
words. Content words are invented from its sounds (`phonology`, `lexicon`); sentences grow by
rules that all languages share (`sentences`, `clauses`, `nominals`).
"""

from treegauge.toys.names import TOY_LANGUAGES, toy_language
from treegauge.toys.treebanks import toy_parts, toy_text, toy_treebank
from treegauge.toys.word_lists import toy_dictionary, toy_word_list

__all__ = [
    "TOY_LANGUAGES",
    "toy_dictionary",
    "toy_language",
    "toy_parts",
    "toy_text",
    "toy_treebank",
    "toy_word_list",
]
