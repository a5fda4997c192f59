"""What is punctuation for the scorer of CoNLL-X and CoNLL 2007, decided by Perl as it did.

`eval.pl` decodes a form and asks whether all of its characters have the Unicode property
Punctuation; here the same is asked of many forms at once.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import pytest

PERL = shutil.which("perl")
needs_perl = pytest.mark.skipif(PERL is None, reason="needs Perl")
_RULE = r"chomp; print Encode::decode_utf8($_) =~ /^\p{Punctuation}+$/ ? 1 : 0"


def is_punctuation_in_perl(forms: Sequence[str]) -> list[bool]:
    """Return which forms are punctuation; none may have a line break."""
    text = "".join(f"{form}\n" for form in forms).encode()
    answers = _perl("-MEncode", "-ne", _RULE, text=text)
    assert len(answers) == len(forms)
    return [answer == "1" for answer in answers]


def unicode_version_of_perl() -> str:
    """Return the version of Unicode that Perl knows."""
    return _perl("-MUnicode::UCD", "-e", "print Unicode::UCD::UnicodeVersion()")


def _perl(*arguments: str, text: bytes = b"") -> str:
    assert PERL is not None
    return subprocess.run(
        [PERL, *arguments], input=text, stdout=subprocess.PIPE, check=True
    ).stdout.decode()
