"""What a file is that is no text of UTF-8, told from its first bytes."""

from __future__ import annotations

from typing import NamedTuple


class NotText(NamedTuple):
    """What was recognised, as a finding says it."""

    kind: str
    found: str
    advice: str


_EXPORT = "save or export it as text in one of the formats of `treegauge list formats`"
_UNPACK = "unpack it first"
_RIGHT_FILE = "is this the right file?"

_SIGNATURES = (
    (b"%PDF-", "a PDF file", _EXPORT),
    (b"%!PS", "a PostScript file", _EXPORT),
    (b"{\\rtf", "an RTF file", _EXPORT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (.doc, .xls)", _EXPORT),
    (b"PAR1\x15", "a Parquet file", _EXPORT),
    (b"ARROW1\x00", "an Arrow file", _EXPORT),
    (b"SQLite format 3\x00", "an SQLite database", _EXPORT),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", _EXPORT),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", _RIGHT_FILE),
    (b"\xff\xd8\xff", "a JPEG image", _RIGHT_FILE),
    (b"GIF87a", "a GIF image", _RIGHT_FILE),
    (b"GIF89a", "a GIF image", _RIGHT_FILE),
    (b"\x7fELF", "a program (ELF)", _RIGHT_FILE),
    (b"\x93NUMPY", "a NumPy array", _RIGHT_FILE),
    *(
        (b"BZh%d1AY&SY" % level, "a bzip2 file", "unpack it first, for example with `bunzip2`")
        for level in range(1, 10)
    ),
    (b"PK\x05\x06", "an empty zip archive", _RIGHT_FILE),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it first, for example with `unzstd`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"\x1f\x8b", "a gzip file inside a compressed one", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz file inside a compressed one", _UNPACK),
)
_ZIP = b"PK\x03\x04"
_TAR_AT = 257

# The longer mark first: that of UTF-16 begins that of UTF-32.
_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
LOOKED_AT = 1 << 13
"""How many bytes are enough to tell."""
_CONTROL = bytes({*range(32)} - set(b"\t\n\v\f\r\x1b"))


def recognise(beginning: bytes) -> NotText | None:
    """Return what begins like this, if it is no text of UTF-8; nothing if it may be.

    >>> recognise(b"%PDF-1.7").found
    'a PDF file'
    >>> recognise("1\\tbirds".encode("utf-16")).found
    'UTF-16'
    >>> recognise(b"1\\tbirds")
    """
    if beginning.startswith(_ZIP):
        return _zip(beginning)
    for magic, found, advice in _SIGNATURES:
        if beginning.startswith(magic):
            return NotText("unreadable", found, advice)
    if beginning[_TAR_AT:].startswith(b"ustar"):
        return NotText("unreadable", "a tar archive", _UNPACK)
    sample = beginning[:LOOKED_AT]
    encoding = _wide_encoding(sample)
    if encoding:
        advice = f"convert the file, for example with `iconv -f {encoding} -t UTF-8`"
        return NotText("encoding", encoding, advice)
    return NotText("unreadable", "a binary file", _RIGHT_FILE) if _is_binary(sample) else None


def _zip(beginning: bytes) -> NotText:
    """Tell models and documents from other archives by the name of the first file inside."""
    length = int.from_bytes(beginning[26:28], "little")
    first = beginning[30 : 30 + length]
    if first.endswith(b".npy"):
        advice = "a model is for `treegauge annotate MODEL TREEBANK`"
        return NotText("unreadable", "a model, or another archive of arrays", advice)
    if first in (b"[Content_Types].xml", b"mimetype", b"_rels/.rels"):
        return NotText("unreadable", "an Office document", _EXPORT)
    return NotText("unreadable", "a zip archive", _UNPACK)


def _wide_encoding(sample: bytes) -> str:
    """Return UTF-16 or UTF-32, with the order of bytes where no mark says it."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return encoding
    # Digits, tabs and tags are ASCII in every treebank: their other bytes are zero.
    whole = sample[: len(sample) // 4 * 4]
    if len(whole) < 16:
        return ""
    zeros = [whole[place::4].count(0) * 4 / len(whole) for place in range(4)]
    for order, shares in (("LE", zeros), ("BE", zeros[::-1])):
        low, *high = shares
        if min(high[1:]) > 0.9 and high[0] > 0.3 and low < 0.1:
            return f"UTF-32{order}"
        if min(high[0], high[2]) > 0.3 and max(low, high[1]) < 0.1:
            return f"UTF-16{order}"
    return ""


def _is_binary(sample: bytes) -> bool:
    """Return whether many bytes are none of a text, or some are and it is not UTF-8 either."""
    if not sample:
        return False
    strange = len(sample) - len(sample.translate(None, _CONTROL))
    if sample.count(0) > len(sample) / 10:
        return True
    try:
        sample[:-3].decode()  # a character may be cut at the end
    except UnicodeDecodeError as error:
        return error.start < len(sample) - 6 and strange > len(sample) / 50
    return False
