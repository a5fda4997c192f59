"""Reads what is text and no treebank: dictionaries, tag maps, settings, manifests, tables."""

from __future__ import annotations

from treegauge.errors import TreegaugeError
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.sources import Source, byte_chunks, source_name


def read_text(
    source: Source, *, what: str = "text", error: type[TreegaugeError] = FormatError
) -> str:
    """Return the text of a file, compressed or not; every flaw of the file is one error.

    Parameters
    ----------
    source : path, '-' or open file
        `.gz` and `.xz` are decompressed.
    what : str
        What the file should be, for messages: "a dictionary".
    error : class
        What is raised: the error of the room that asks.

    Raises
    ------
    TreegaugeError
        If the file cannot be read to its end, is larger than `TREEGAUGE_MAX_BYTES` allows, is
        no text, or has a byte that is not UTF-8 or is NUL; the message names file and line.
    """
    name = source_name(source)
    findings = Findings(name)
    try:
        with byte_chunks(source, findings, expected=what) as chunks:
            content = b"".join(chunks)
    except FormatError as broken:
        raise error(str(broken)) from None
    if findings.total(Severity.ERROR):
        raise error(str(findings.only(Severity.ERROR)))
    try:
        text = content.decode("utf-8-sig")
        flaw, found = content.find(0), "a NUL byte"
    except UnicodeDecodeError as broken:
        flaw, found = broken.start, f"byte 0x{content[broken.start]:02x}"
    if flaw >= 0:
        number = content.count(b"\n", 0, flaw) + 1
        raise error(f"{name}:{number}: [encoding] expected UTF-8 text, found {found}")
    return text
