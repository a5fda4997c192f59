"""What `toys` gives to other rooms."""

from .errors import (
    ToyError as ToyError,
)
from .names import (
    TOY_LANGUAGES as TOY_LANGUAGES,
    toy_language as toy_language,
)
from .treebanks import (
    toy_parts as toy_parts,
    toy_text as toy_text,
    toy_treebank as toy_treebank,
)
from .word_lists import (
    toy_dictionary as toy_dictionary,
    toy_word_list as toy_word_list,
)
