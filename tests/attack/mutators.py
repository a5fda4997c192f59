"""Mutators: ways to spoil a file, or to change it within its format.

A mutator takes a random source and the bytes of a file, and gives other bytes. All of them
work on any format: lines are cut at line feeds and fields at tabs, whatever they mean.
"""

from __future__ import annotations

import gzip
import lzma
import re
import unicodedata
from collections.abc import Callable
from random import Random
from typing import Any

Mutator = Callable[[Random, bytes], bytes]

NUMBERS = (b"0", b"00", b"01", b"-1", b"+1", b"1.0", b"1e3", b"_", b"", b" 1", b"1 ")
NUMBERS += (b"999999999", b"1000000000", b"2147483647", b"2147483648", b"4294967297")
NUMBERS += (b"9" * 30, "١".encode(), "２".encode(), b"0x1", b"1_0", b"NaN", b"inf", b"1-2", b"1.1")
VALUES = (b"_", b"", b"*", b"nsubj", b"nsubj:pass", b":", b"a:b:c", b"PUNCT", b"NOUN", b".", b"|")
VALUES += (b"Case=Nom|Number=Sing", b"Number=Sing|Case=Nom", b"=", b"x" * 300, b"#", b"/", b"(")
CHARACTERS = "\x00\x01\x07\x08\x0b\x0c\x1b\x1c\x1d\x1e\x1f\x7f\x85\xa0\xad\u0301\u200b\u200d\u200e"
CHARACTERS += "\u2028\u2029\u202e\u2066\u3000\ufeff\ufffd\U0001f600\U000e0001\u0600\u00e9"
COMMENTS = (
    b"# sent_id = x\n",
    b"#\n",
    b"# text = \xe2\x80\xae\n",
    b"# global.Entity = x\n",
    b"#\t1\n",
)


def flip_bits(random: Random, content: bytes) -> bytes:
    spoilt = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 8)) if spoilt else 0):
        spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
    return bytes(spoilt)


def replace_bytes(random: Random, content: bytes) -> bytes:
    place = random.randint(0, len(content))
    return content[:place] + random.randbytes(random.randint(1, 4)) + content[place + 2 :]


def insert_bytes(random: Random, content: bytes) -> bytes:
    place = random.randint(0, len(content))
    return content[:place] + random.randbytes(random.randint(1, 4)) + content[place:]


def delete_bytes(random: Random, content: bytes) -> bytes:
    place = random.randint(0, len(content))
    return content[:place] + content[place + random.randint(1, 20) :]


def cut_end(random: Random, content: bytes) -> bytes:
    return content[: random.randint(0, len(content))]


def cut_beginning(random: Random, content: bytes) -> bytes:
    return content[random.randint(0, len(content)) :]


def cut_last_line_ends(random: Random, content: bytes) -> bytes:
    return content.rstrip(b"\n") + b"\n" * random.choice((0, 1, 3))


def empty(_random: Random, _content: bytes) -> bytes:
    return b""


def delete_line(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


def repeat_line(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at = random.randrange(len(lines))
    lines[at:at] = [lines[at]] * random.choice((1, 1, 2, 50))
    return b"\n".join(lines)


def swap_lines(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def repeat_sentence(random: Random, content: bytes) -> bytes:
    sentences = content.split(b"\n\n")
    at = random.randrange(len(sentences))
    sentences.insert(at, sentences[at])
    return b"\n\n".join(sentences)


def add_blank_lines(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at = random.randint(0, len(lines))
    lines[at:at] = [random.choice((b"", b"", b" ", b"\t", b" \t ", b"\x0c", b"\xc2\xa0"))]
    return b"\n".join(lines)


def add_comment(random: Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    lines.insert(random.randint(0, len(lines)), random.choice(COMMENTS))
    return b"".join(lines)


def _change_field(random: Random, content: bytes, change: Callable[[list[bytes]], None]) -> bytes:
    """Change the fields of one line that has several."""
    lines = content.split(b"\n")
    places = [i for i, line in enumerate(lines) if b"\t" in line]
    if places:
        at = random.choice(places)
        fields = lines[at].split(b"\t")
        change(fields)
        lines[at] = b"\t".join(fields)
    return b"\n".join(lines)


def add_column(random: Random, content: bytes) -> bytes:
    return _change_field(
        random,
        content,
        lambda fields: fields.insert(random.randint(0, len(fields)), random.choice(VALUES)),
    )


def delete_column(random: Random, content: bytes) -> bytes:
    return _change_field(random, content, lambda fields: fields.remove(random.choice(fields)))


def delete_column_throughout(random: Random, content: bytes) -> bytes:
    at = random.randrange(10)
    lines = [line.split(b"\t") for line in content.split(b"\n")]
    return b"\n".join(b"\t".join(f for i, f in enumerate(line) if i != at) for line in lines)


def blank_column_throughout(random: Random, content: bytes) -> bytes:
    at = random.randrange(2, 10)
    lines = [line.split(b"\t") for line in content.split(b"\n")]
    return b"\n".join(
        b"\t".join(b"_" if i == at else f for i, f in enumerate(line)) for line in lines
    )


def change_number(random: Random, content: bytes) -> bytes:
    def change(fields: list[bytes]) -> None:
        numbers = [i for i, field in enumerate(fields) if re.fullmatch(rb"[\d_]+", field)]
        if numbers:
            fields[random.choice(numbers)] = random.choice((*NUMBERS, b"%d" % random.randrange(12)))

    return _change_field(random, content, change)


def change_head(random: Random, content: bytes) -> bytes:
    def change(fields: list[bytes]) -> None:
        heads = [i for i, field in enumerate(fields) if i > 5 and field.isdigit()]
        if heads:
            fields[heads[0]] = random.choice((b"_", b"0", b"%d" % random.randrange(14)))

    return _change_field(random, content, change)


def change_value(random: Random, content: bytes) -> bytes:
    def change(fields: list[bytes]) -> None:
        fields[random.randrange(len(fields))] = random.choice(VALUES)

    return _change_field(random, content, change)


def swap_fields(random: Random, content: bytes) -> bytes:
    def change(fields: list[bytes]) -> None:
        a, b = random.randrange(len(fields)), random.randrange(len(fields))
        fields[a], fields[b] = fields[b], fields[a]

    return _change_field(random, content, change)


def add_multiword_token(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at = random.randrange(len(lines))
    if (number := lines[at].split(b"\t")[0]).isdigit():
        last = int(number) + random.choice((-1, 0, 1, 1, 1, 2, 90))
        lines.insert(at, b"%s-%d\tmulti\t_\t_\t_\t_\t_\t_\t_\t_" % (number, last))
    return b"\n".join(lines)


def add_empty_node(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at = random.randrange(len(lines))
    if (number := lines[at].split(b"\t")[0]).isdigit():
        rest = b".%d\tempty\t_\t_\t_\t_\t_\t_\t_\t_" % random.choice((0, 1, 1, 1, 2, 10))
        lines.insert(at + 1, number + rest)
    return b"\n".join(lines)


def tabs_to_spaces(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    chosen = range(len(lines)) if random.random() < 0.3 else [random.randrange(len(lines))]
    for at in chosen:
        lines[at] = lines[at].replace(b"\t", random.choice((b" ", b"  ", b"    ")))
    return b"\n".join(lines)


def windows_line_ends(random: Random, content: bytes) -> bytes:
    end = random.choice((b"\r\n", b"\r\n", b"\r\r\n", b"\n\r", b"\r"))
    if random.random() < 0.5:
        return content.replace(b"\n", end)
    return end.join(content.split(b"\n", random.randint(0, 5)))


def byte_order_mark(random: Random, content: bytes) -> bytes:
    return random.choice((b"", b"", b"\n", b" ")) + b"\xef\xbb\xbf" + content


def other_encoding(random: Random, content: bytes) -> bytes:
    text = content.decode(errors="replace") + random.choice(("", "é"))
    encodings = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp037", "utf-7")
    return text.encode(random.choice(encodings), errors="replace")


def add_character(random: Random, content: bytes) -> bytes:
    text = content.decode(errors="replace")
    place = random.randint(0, len(text))
    return (
        text[:place] + random.choice(CHARACTERS) * random.choice((1, 1, 3)) + text[place:]
    ).encode()


def decompose(_random: Random, content: bytes) -> bytes:
    return unicodedata.normalize("NFD", content.decode(errors="replace")).encode()


def surrogates(random: Random, content: bytes) -> bytes:
    place = random.randint(0, len(content))
    return (
        content[:place]
        + random.choice((b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"))
        + content[place:]
    )


def long_field(random: Random, content: bytes) -> bytes:
    long = b"x" * random.choice((1000, 20000))
    return _change_field(
        random, content, lambda fields: fields.__setitem__(random.randrange(len(fields)), long)
    )


def many_brackets(random: Random, content: bytes) -> bytes:
    place = random.choice((0, content.find(b"=") + 1, random.randint(0, len(content))))
    bracket = random.choice((b"(", b")", b"[", b"{", b"(S ", b'{"a":'))
    return content[:place] + bracket * random.choice((1, 3, 3000, 100_000)) + content[place:]


def binary_beginning(random: Random, content: bytes) -> bytes:
    beginnings = (
        b"%PDF-1.7\n",
        b"\x89PNG\r\n",
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"\xfd7zXZ\x00",
        b"BZh9",
        b"\x7fELF",
    )
    return random.choice(beginnings) + content


MUTATORS: tuple[Mutator, ...] = (
    flip_bits, replace_bytes, insert_bytes, delete_bytes, cut_end, cut_beginning,
    cut_last_line_ends, empty, delete_line, repeat_line, swap_lines, repeat_sentence,
    add_blank_lines, add_comment, add_column, delete_column, delete_column_throughout,
    blank_column_throughout, change_number, change_head, change_value, swap_fields,
    add_multiword_token, add_empty_node, tabs_to_spaces, windows_line_ends, byte_order_mark,
    other_encoding, add_character, decompose, surrogates, long_field, many_brackets,
    binary_beginning,
)  # fmt: skip

MILD: tuple[Mutator, ...] = (
    *(change_head, change_head, change_value, add_multiword_token, add_empty_node, add_comment),
    *(
        change_number,
        add_blank_lines,
        byte_order_mark,
        windows_line_ends,
        cut_last_line_ends,
        repeat_sentence,
    ),
    *(add_character, decompose, blank_column_throughout),
)
"""Those after which a file may well be read, so that its numbers matter."""


def mutated(random: Random, content: bytes, mutators: tuple[Mutator, ...] = MUTATORS) -> bytes:
    """Apply one to three mutators."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        content = random.choice(mutators)(random, content)
    return content


ODD_VALUES = (
    None,
    True,
    -1,
    0,
    1.5,
    10**30,
    float("nan"),
    "",
    "x",
    "\x1b[31m",
    "../x",
    [],
    {},
    [[]],
)
ODD_VALUES += ({"a": {}}, [None], "x" * 5000, ["uas", 1], {"": 0}, -(10**30), "toy:svo")


def mutated_document(random: Random, document: Any) -> Any:
    """Return a document of JSON or TOML with one value that is of another kind, or gone."""
    if not document or not isinstance(document, dict | list) or random.random() < 0.15:
        return random.choice(ODD_VALUES)
    if isinstance(document, list):
        at = random.randrange(len(document))
        return [*document[:at], mutated_document(random, document[at]), *document[at + 1 :]]
    key = random.choice(sorted(document))
    rest = {name: value for name, value in document.items() if name != key}
    if random.random() < 0.15:
        return {**rest, random.choice(("", "x", key.upper(), f"{key}s")): document[key]}
    return {**document, key: mutated_document(random, document[key])} if rest else rest


def compressed(random: Random, content: bytes) -> tuple[str, bytes]:
    """Return an ending and the content as it promises: plain or compressed, perhaps damaged."""
    ending = random.choice(("", "", "", "", "", "", "", "", ".gz", ".xz"))
    if ending == ".gz":
        content = gzip.compress(content, 1, mtime=0)
    elif ending == ".xz":
        content = lzma.compress(content, preset=0)
    if ending and random.random() < 0.3:
        damage = (flip_bits, cut_end, delete_bytes, insert_bytes, empty)
        content = random.choice(damage)(random, content)
    return ending, content
