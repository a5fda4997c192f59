"""What `formats.prompts` gives to other rooms."""

from .answers import (
    AnswerFields as AnswerFields,
    ReadAnswers as ReadAnswers,
    import_answers as import_answers,
)
from .prompting import (
    COLUMNS as COLUMNS,
    Prompt as Prompt,
    make_prompts as make_prompts,
    parse_columns as parse_columns,
    read_prompts as read_prompts,
    write_prompts as write_prompts,
)
