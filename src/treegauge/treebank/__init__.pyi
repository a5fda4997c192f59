"""What `treebank` gives to other rooms."""

from .alignment import (
    Alignment as Alignment,
    AlignmentError as AlignmentError,
    align_by_characters as align_by_characters,
    align_by_position as align_by_position,
)
from .blindness import (
    blind as blind,
)
from .column import (
    EMPTY as EMPTY,
    KNOWN_COLUMNS as KNOWN_COLUMNS,
    Column as Column,
)
from .concatenation import (
    concatenate as concatenate,
)
from .errors import (
    TreebankError as TreebankError,
    require_treebanks as require_treebanks,
)
from .interning import (
    Interner as Interner,
)
from .origin import (
    Origin as Origin,
)
from .punctuation import (
    PunctuationOfParts as PunctuationOfParts,
    is_punctuation_form as is_punctuation_form,
    punctuation_mask as punctuation_mask,
    unicode_punctuation_mask as unicode_punctuation_mask,
)
from .raw_text import (
    GENERATOR as GENERATOR,
    NO_SPACE as NO_SPACE,
    comments_of as comments_of,
    generator_of as generator_of,
    given_of as given_of,
    paragraphs_of as paragraphs_of,
    sentence_texts as sentence_texts,
    with_columns_given as with_columns_given,
    with_comments as with_comments,
    with_generator as with_generator,
)
from .repairs import (
    Repairs as Repairs,
)
from .selection import (
    comment_mask as comment_mask,
    cut_off_mask as cut_off_mask,
    keep_words as keep_words,
    length_mask as length_mask,
    restore_words as restore_words,
    without_punctuation as without_punctuation,
)
from .sentence import (
    Sentence as Sentence,
    Word as Word,
)
from .side_lines import (
    COMMENT as COMMENT,
    EMPTY_NODE as EMPTY_NODE,
    MULTIWORD as MULTIWORD,
    SideLines as SideLines,
    parse_comment as parse_comment,
)
from .tag_columns import (
    PETROV_TAGS as PETROV_TAGS,
    UD_TAGS as UD_TAGS,
    UD_TO_PETROV as UD_TO_PETROV,
    parse_tag_column as parse_tag_column,
    tag_column as tag_column,
    to_petrov as to_petrov,
)
from .treebank import (
    NOT_ANNOTATED as NOT_ANNOTATED,
    Treebank as Treebank,
)
from .trees import (
    TreeFlaw as TreeFlaw,
    require_trees as require_trees,
    tree_flaws as tree_flaws,
    words_on_cycles as words_on_cycles,
)
from .vocabulary import (
    Vocabulary as Vocabulary,
)
