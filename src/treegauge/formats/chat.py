"""CHAT, the transcripts of CHILDES: words from the main line, tags from %mor, trees from %gra.

A transcript is made of tiers, `*CHI:` for what somebody says and `%mor:`, `%gra:` and others below
it; a line that begins with a tab goes on with the one above. An item of %mor is a tag, a bar and a
stem with affixes (`n|cookie-PL`); clitics stand after `~` or before `$` and are words of their
own, inside a multiword token. %gra numbers these words, as in `1|2|SUBJ`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from treegauge.formats.column_reader import read_columns
from treegauge.formats.findings import Findings
from treegauge.formats.layouts import CONLLU
from treegauge.formats.line_flaws import quoted
from treegauge.treebank import EMPTY, UD_TAGS, Treebank

FORMAT = "chat"

_FRAME = {"@UTF8", "@Begin", "@End"}
"""Headers that every transcript has, and that say nothing."""
_TIER = re.compile(r"([@*%][^:\s]+):?\s*(.*)", re.DOTALL)
_BULLET = re.compile("\x15[^\x15]*\x15")
_PIECE = re.compile(r"\[[^\]]*\]|[<>]|[^\s<>\[\]]+")
_RETRACED = re.compile(r"\[(/+|/-|/\?|e)\]")
_REPLACED = re.compile(r"\[::? (.*)\]")
_NO_WORD = re.compile(r"&.*|xxx|yyy|www|0.*|\((?:\.+|[\d.:]+)\)")
"""Events, fillers, what nobody understood, what was not said, and pauses."""
_TERMINATOR = re.compile(r"[.?!]|\+.+")
_SEPARATORS = {",", ";", ":", "‡", "„"}
_SEPARATOR_TAGS = {"cm", "beg", "end"}
_AFFIX = re.compile(r"[-&]")


@dataclass
class _Utterance:
    """What somebody says, and the tiers below it."""

    line: int
    speaker: str
    main: str
    tiers: dict[str, str] = field(default_factory=dict)


@dataclass
class _Word:
    """A word of the tree."""

    form: str
    lemma: str = EMPTY
    tag: str = EMPTY
    feats: str = EMPTY
    head: str = EMPTY
    relation: str = EMPTY


Token = tuple[str, list[_Word]]
"""A form of the main line and its words; several where it has clitics."""


def read_chat(blocks: Iterable[bytes], findings: Findings) -> Treebank:
    """Read a transcript; what has no place in a treebank goes to the findings.

    The `sent_id` of an utterance is its line. Tags are `xpos`, and `upos` as well if all of them
    are UPOS in small letters, as newer transcripts have them.
    """
    text = b"".join(blocks).decode(errors="replace")
    read = [(one, _tokens(one, findings)) for one in _utterances(text, findings)]
    tags = {word.tag for _, tokens in read for _, words in tokens for word in words}
    universal = {tag.lower() for tag in UD_TAGS} | _SEPARATOR_TAGS
    is_universal = bool(tags) and all(
        tag in universal or tag == EMPTY or not tag[:1].isalpha() for tag in tags
    )
    lines: list[str] = []
    for utterance, tokens in read:
        if tokens:
            lines += _conllu(utterance, tokens, is_universal=is_universal)
    text = "".join(f"{line}\n" for line in lines)
    treebank = read_columns([text.encode()] if lines else [], CONLLU, findings)
    return Treebank(
        treebank.columns,
        treebank.head,
        offsets=treebank.offsets,
        side_lines=treebank.side_lines,
        # Words have no lines of their own in a transcript; the sentence's id is its line.
        first_lines=np.zeros(treebank.n_sentences, np.int32),
        file_columns=CONLLU.columns,
    )


def _utterances(text: str, findings: Findings) -> Iterator[_Utterance]:
    utterance: _Utterance | None = None
    for number, name, content in _tiers(text, findings):
        if name.startswith("*"):
            if utterance is not None:
                yield utterance
            utterance = _Utterance(number, name[1:], content)
        elif name in ("%mor", "%gra") and utterance is not None:
            utterance.tiers[name] = content
        elif name not in _FRAME:
            what = "header" if name.startswith("@") else "tier"
            _leave_out(findings, number, f"the {what} {name}")
    if utterance is not None:
        yield utterance


def _tiers(text: str, findings: Findings) -> Iterator[tuple[int, str, str]]:
    """Give the line, the name and the content of every tier; a tab continues one."""
    begun: tuple[int, str, str] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("\t") and begun is not None:
            begun = (*begun[:2], f"{begun[2]} {line.strip()}")
            continue
        if begun is not None:
            yield begun
            begun = None
        if match := _TIER.fullmatch(line):
            begun = (number, match[1], match[2].strip())
        elif line.strip():
            findings.add(
                "chat-line",
                line=number,
                expected="a line that begins with @, *, % or a tab",
                found=quoted(line),
                advice="is this a CHAT transcript? name another format with --from",
            )
    if begun is not None:
        yield begun


def _leave_out(findings: Findings, line: int, what: str) -> None:
    findings.add(
        "chat-left-out",
        line=line,
        expected="words, tags and trees",
        found=what,
        advice="a treebank cannot hold it: it is left out",
    )


# ---------------------------------------------------------------------- one utterance


def _tokens(utterance: _Utterance, findings: Findings) -> list[Token]:
    """Return the tokens of an utterance, with everything that its tiers say of them."""
    forms, left_out = _spoken(utterance.main)
    if left_out:
        _leave_out(findings, utterance.line, ", ".join(dict.fromkeys(left_out)))
    if "%mor" not in utterance.tiers:
        if all(_TERMINATOR.fullmatch(form) for form in forms):
            _leave_out(findings, utterance.line, "an utterance without words")
            return []
        findings.add(
            "chat-no-analysis",
            line=utterance.line,
            expected="a tier %mor below the utterance",
            found="none",
            advice="its words are read without tags and without a tree",
        )
        return [(form, [_Word(form)]) for form in forms]
    groups = [_words(item) for item in utterance.tiers["%mor"].split()]
    tokens = _with_forms(groups, forms)
    if tokens is None:
        expected = f"{len(groups)} words, as %mor has"
        _mismatch(findings, utterance.line, expected, f"{len(forms)}", "stems replace forms")
        tokens = [("".join(word.lemma for word in words), words) for words in groups]
    words = [word for _, own in tokens for word in own]
    if "%gra" in utterance.tiers:
        _attach(utterance, words, findings)
    return tokens


def _mismatch(findings: Findings, line: int, expected: str, found: str, advice: str) -> None:
    findings.add("chat-mismatch", line=line, expected=expected, found=found, advice=advice)


def _spoken(main: str) -> tuple[list[str], list[str]]:
    """Return the words of a main line, and what stands there besides."""
    words: list[str] = []
    left_out: list[str] = []
    open_groups: list[int] = []
    scope = (0, 0)
    for piece in _PIECE.findall(_BULLET.sub(" ", main)):
        if piece == "<":
            open_groups.append(len(words))
        elif piece == ">":
            scope = (open_groups.pop() if open_groups else len(words), len(words))
        elif replaced := _REPLACED.fullmatch(piece):
            words[scope[0] : scope[1]] = replaced[1].split()
            scope = (scope[0], len(words))
        elif piece.startswith("["):
            retraced = words[scope[0] : scope[1]] if _RETRACED.fullmatch(piece) else []
            left_out.append(" ".join([*retraced, piece]))
            if retraced:
                del words[scope[0] : scope[1]]
                scope = (len(words), len(words))
        elif _NO_WORD.fullmatch(piece):
            left_out.append(piece)
            scope = (len(words), len(words))
        else:
            words.append(piece)
            scope = (len(words) - 1, len(words))
    # A + at the end says how the utterance ends; elsewhere, how it goes on with another one.
    linkers = [word for word in words[:-1] if word.startswith("+")]
    forms = [_plain(word) for i, word in enumerate(words)
             if i == len(words) - 1 or not word.startswith("+")]  # fmt: skip
    return [form for form in forms if form], left_out + linkers


def _plain(word: str) -> str:
    """Return a word without the marks of its pronunciation: `(be)cause`, `no:`, `dada@c`."""
    if _TERMINATOR.fullmatch(word) or word in _SEPARATORS:
        return word
    return re.sub(r"@\w.*$|[()^:ˈˌ↑↓]", "", word)


def _words(item: str) -> list[_Word]:
    """Return the words of an item of %mor: one, and its clitics."""
    if "|" not in item:
        return [_Word(item, item, item)]
    # Of several readings, the first is the one that %gra is about.
    return [_word(part.partition("^")[0]) for part in re.split(r"[~$]", item)]


def _word(part: str) -> _Word:
    tag, _, analysis = part.rpartition("#")[2].partition("|")
    analysis = analysis.partition("=")[0]
    if analysis.startswith("+"):  # a compound: +n|black+n|bird
        parts = [piece.rpartition("|")[2] for piece in analysis[1:].split("+")]
        stems, affixes = zip(*(_cut(piece) for piece in parts), strict=True)
        stem, feats = "+".join(stems), [one for own in affixes for one in own]
    else:
        stem, feats = _cut(analysis)
    stem = stem or EMPTY
    return _Word(stem, stem, tag or EMPTY, "|".join(feats) or EMPTY)


def _cut(analysis: str) -> tuple[str, list[str]]:
    stem, *affixes = _AFFIX.split(analysis)
    return stem, [affix for affix in affixes if affix]


def _with_forms(groups: list[list[_Word]], forms: list[str]) -> list[Token] | None:
    """Give items of %mor the forms of the main line; nothing if their numbers differ."""
    if len(groups) != len(forms):  # older transcripts have no commas in %mor
        forms = [form for form in forms if form not in _SEPARATORS]
    if len(groups) != len(forms):
        return None
    for words, form in zip(groups, forms, strict=True):
        if len(words) == 1:
            words[0].form = form
    return list(zip(forms, groups, strict=True))


def _attach(utterance: _Utterance, words: list[_Word], findings: Findings) -> None:
    """Give words the heads and relations of %gra."""
    items = [item.split("|") for item in utterance.tiers["%gra"].split()]
    numbered = all(len(item) == 3 and item[1].isdecimal() for item in items)
    if not numbered or [item[0] for item in items] != [str(i + 1) for i in range(len(words))]:
        expected = f"{len(words)} items in %gra, 1|head|RELATION and so on, as %mor has words"
        found = quoted(utterance.tiers["%gra"])
        _mismatch(findings, utterance.line, expected, found, "the utterance gets no tree")
        return
    for word, (_, head, relation) in zip(words, items, strict=True):
        word.head, word.relation = str(int(head[:9])), relation or EMPTY


def _conllu(utterance: _Utterance, tokens: list[Token], *, is_universal: bool) -> Iterator[str]:
    yield f"# sent_id = {utterance.line}"
    yield f"# speaker = {utterance.speaker}"
    yield f"# text = {' '.join(form for form, _ in tokens)}"
    number = 1
    for form, words in tokens:
        if len(words) > 1:
            empty = "\t".join([EMPTY] * 8)
            yield f"{number}-{number + len(words) - 1}\t{form}\t{empty}"
        for word in words:
            upos = _universal(word.tag) if is_universal else EMPTY
            fields = (word.form, word.lemma, upos, word.tag, word.feats, word.head, word.relation)
            yield "\t".join((str(number), *fields, EMPTY, EMPTY))
            number += 1
    yield ""


def _universal(tag: str) -> str:
    if tag in _SEPARATOR_TAGS or not tag[:1].isalpha():
        return EMPTY if tag == EMPTY else "PUNCT"
    return tag.upper()
