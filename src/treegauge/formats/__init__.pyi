"""What `formats` gives to other rooms."""

from .brackets import (
    PhraseTree as PhraseTree,
    parse_brackets as parse_brackets,
    read_brackets as read_brackets,
)
from .detection import (
    detect_format as detect_format,
    format_of_name as format_of_name,
)
from .file_formats import (
    FORMATS as FORMATS,
    bare_name as bare_name,
    file_format as file_format,
)
from .findings import (
    KINDS as KINDS,
    LISTED as LISTED,
    REPAIRS as REPAIRS,
    Finding as Finding,
    Findings as Findings,
    FormatError as FormatError,
    FormatWarning as FormatWarning,
    Role as Role,
    Severity as Severity,
)
from .reading import (
    parse as parse,
    read as read,
)
from .sources import (
    Source as Source,
    source_name as source_name,
    write_chunks as write_chunks,
    write_text as write_text,
)
from .spacy_docs import (
    from_spacy as from_spacy,
)
from .stanza_docs import (
    from_stanza as from_stanza,
)
from .streaming import (
    TreebankStream as TreebankStream,
    read_pieces as read_pieces,
)
from .tag_maps import (
    fill_universal_tags as fill_universal_tags,
    named_tags as named_tags,
    read_tag_map as read_tag_map,
    unmapped_tags as unmapped_tags,
)
from .texts import (
    read_text as read_text,
)
from .to_spacy_docs import (
    to_spacy as to_spacy,
)
from .validation import (
    Validation as Validation,
    validate as validate,
)
from .writing import (
    to_text as to_text,
    write as write,
    write_parts as write_parts,
)
