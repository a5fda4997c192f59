"""Files in and out: formats, and findings about what is wrong with a file."""

from treegauge.formats.brackets import PhraseTree, parse_brackets, read_brackets
from treegauge.formats.detection import detect_format, format_of_name
from treegauge.formats.file_formats import FORMATS, bare_name, file_format
from treegauge.formats.findings import (
    KINDS,
    LISTED,
    Finding,
    Findings,
    FormatError,
    FormatWarning,
    Role,
    Severity,
)
from treegauge.formats.reading import parse, read
from treegauge.formats.sources import Source, source_name, write_chunks
from treegauge.formats.spacy_docs import from_spacy
from treegauge.formats.tag_maps import fill_universal_tags, read_tag_map
from treegauge.formats.validation import Validation, validate
from treegauge.formats.writing import to_text, write

__all__ = [
    "FORMATS",
    "KINDS",
    "LISTED",
    "Finding",
    "Findings",
    "FormatError",
    "FormatWarning",
    "PhraseTree",
    "Role",
    "Severity",
    "Source",
    "Validation",
    "bare_name",
    "detect_format",
    "file_format",
    "fill_universal_tags",
    "format_of_name",
    "from_spacy",
    "parse",
    "parse_brackets",
    "read",
    "read_brackets",
    "read_tag_map",
    "source_name",
    "to_text",
    "validate",
    "write",
    "write_chunks",
]
