"""The columnar core: one data structure, and what can be done with it alone."""

from treegauge.treebank.alignment import (
    Alignment,
    AlignmentError,
    align_by_characters,
    align_by_position,
)
from treegauge.treebank.blindness import blind
from treegauge.treebank.column import EMPTY, KNOWN_COLUMNS, Column
from treegauge.treebank.concatenation import concatenate
from treegauge.treebank.errors import TreebankError, require_treebanks
from treegauge.treebank.interning import Interner
from treegauge.treebank.origin import Origin
from treegauge.treebank.punctuation import is_punctuation_form, punctuation_mask
from treegauge.treebank.selection import (
    comment_mask,
    cut_off_mask,
    keep_words,
    length_mask,
    restore_words,
    without_punctuation,
)
from treegauge.treebank.sentence import Sentence, Word
from treegauge.treebank.side_lines import COMMENT, EMPTY_NODE, MULTIWORD, SideLines, parse_comment
from treegauge.treebank.tag_columns import (
    PETROV_TAGS,
    UD_TAGS,
    UD_TO_PETROV,
    parse_tag_column,
    tag_column,
    to_petrov,
)
from treegauge.treebank.treebank import NOT_ANNOTATED, Treebank
from treegauge.treebank.trees import TreeFlaw, require_trees, tree_flaws
from treegauge.treebank.vocabulary import Vocabulary

__all__ = [
    "COMMENT",
    "EMPTY",
    "EMPTY_NODE",
    "KNOWN_COLUMNS",
    "MULTIWORD",
    "NOT_ANNOTATED",
    "PETROV_TAGS",
    "UD_TAGS",
    "UD_TO_PETROV",
    "Alignment",
    "AlignmentError",
    "Column",
    "Interner",
    "Origin",
    "Sentence",
    "SideLines",
    "TreeFlaw",
    "Treebank",
    "TreebankError",
    "Vocabulary",
    "Word",
    "align_by_characters",
    "align_by_position",
    "blind",
    "comment_mask",
    "concatenate",
    "cut_off_mask",
    "is_punctuation_form",
    "keep_words",
    "length_mask",
    "parse_comment",
    "parse_tag_column",
    "punctuation_mask",
    "require_treebanks",
    "require_trees",
    "restore_words",
    "tag_column",
    "to_petrov",
    "tree_flaws",
    "without_punctuation",
]
