"""The rules of the levels 1 and 2, ours beside the ids of the official validator."""

from __future__ import annotations

from dataclasses import dataclass, replace

from treegauge.formats.findings import KINDS, FindingKind, Severity

LEVELS = (1, 2)


@dataclass(frozen=True)
class LevelRule:
    """A rule of Universal Dependencies."""

    official: str
    """What the official validator calls it; empty for a rule that only we have."""
    id: str
    """What we call it."""
    level: int
    expected: str
    advice: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True)
class Breach:
    """A rule that a sentence breaks."""

    line: int
    """Which line of the sentence it is, from 0."""
    rule: str
    """The key of the rule in `LEVEL_RULES`."""
    found: str


_TABLE = """
1 invalid-utf replacement-character | text without U+FFFD | an earlier conversion went wrong here; restore the character
1 unicode-normalization unicode-normalization | text in Unicode normal form C (NFC) | write letter and diacritic as one character; `uconv -x nfc` does it
1 - control-character | no control character | remove it
1 misplaced-comment comment-place | comments before the first word | move the comment before the first word
1 pseudo-empty-line blank-line | an empty line | remove the spaces
1 empty-sentence empty-sentence | a word before the blank line | remove surplus blank lines and comments without a sentence
1 invalid-line invalid-line | a line that begins with a number or # | remove the line, or give the word its number
1 missing-empty-line final-blank-line | a blank line after the last sentence | add it; check that the file is complete
1 number-of-columns columns | 10 columns | separate the columns with single tabs, and put _ where a value is missing
1 invalid-whitespace-mwt whitespace-in-multiword | no space in a multiword token | a token with a space in it is two tokens
1 invalid-whitespace whitespace-in-field | no space in this column | remove the space
1 empty-column empty-field | a value or _ | write _ for no value
1 leading-whitespace leading-whitespace | a value without a space at the beginning | remove the space
1 trailing-whitespace trailing-whitespace | a value without a space at the end | remove the space
1 repeated-whitespace repeated-whitespace | single spaces | remove the extra spaces
1 invalid-word-id word-id | a word number such as 3, a range such as 3-4, or an empty node such as 3.1 | number the words of every sentence 1, 2, 3 and so on
1 word-id-sequence word-id | words with the numbers 1, 2, 3 and so on | renumber the words of the sentence
1 misplaced-word-interval range-id | a range before its first word | move the line before the first word of the range
1 reversed-word-interval range-id | a range from its first word to its last | swap the two numbers
1 word-interval-out range-id | numbers of words that are in the sentence | renumber the words, or correct the range
1 misplaced-empty-node node-id | empty nodes i.1, i.2 and so on after word i | move or renumber the empty node
1 overlapping-word-intervals range-overlap | ranges that do not overlap | a word belongs to one multiword token
1 non-unix-newline line-ends | lines that end in LF | convert the file, for example with `dos2unix`
2 invalid-head head-number | a whole number as HEAD | write 0 for the root and another word's number otherwise
2 unknown-head head-outside | a HEAD that is a word of the sentence, or 0 | set HEAD to a word of the same sentence
2 invalid-deps deps-syntax | DEPS of the form head:relation, separated by bars | write for example 2:nsubj, 2:nsubj|4:nsubj or _
2 invalid-ehead deps-head-number | a word number or an empty node as head in DEPS | write for example 2 or 2.1
2 unknown-ehead deps-head-outside | a head in DEPS that is a node of the sentence, or 0 | set it to a node of the same sentence
2 head-self-loop cycle | a head that is another word | attach the word elsewhere
2 non-tree cycle | a tree | attach these words so that all of them are below the root
2 multiple-roots several-roots | one word with head 0 | keep one root and attach the others to it
2 mwt-nonempty-field multiword-annotation | _ between FORM and MISC of a multiword token | annotate its words instead
2 empty-node-nonempty-field node-in-tree | _ as HEAD and DEPREL of an empty node | an empty node is not part of the tree; attach it in DEPS
2 unknown-upos unknown-upos | one of the 17 UPOS tags | correct the tag; `treegauge convert --tag-map` maps those of another tag set
2 unsorted-features unsorted-features | features in alphabetical order, ignoring case | sort them
2 invalid-feature invalid-feature | Feature=Value in letters and digits, both beginning with a capital (a value may begin with a digit) | correct the feature
2 repeated-feature-value repeated-feature-value | every value of a feature once | remove the other
2 unsorted-feature-values unsorted-feature-values | values in alphabetical order, ignoring case | sort them
2 repeated-feature repeated-feature | every feature once | write several values as Feature=A,B
2 empty-string-in-xpos empty-xpos | a tag or _ as XPOS | write _ for no tag
2 invalid-deprel deprel-syntax | a relation in lower-case letters a to z, perhaps with a subtype after a colon | correct the relation
2 unknown-udeprel unknown-deprel | one of the 37 universal relations, with any subtype | correct the relation
2 unsorted-deps unsorted-deps | DEPS sorted by head | sort them
2 unsorted-deps-2 unsorted-deps-of-head | relations to the same head in alphabetical order | sort them
2 repeated-deps repeated-deps | every edge of DEPS once | remove the other
2 deps-self-loop deps-self-loop | no edge of DEPS from a node to itself | remove the edge
2 invalid-edeprel deps-relation-syntax | an enhanced relation in lower-case letters, in up to four parts | correct the relation
2 unknown-eudeprel unknown-deps-relation | one of the 37 universal relations or ref, with any subtype | correct the relation
2 empty-misc empty-misc | an attribute on both sides of a bar in MISC | remove the bar | warning
2 empty-misc-key empty-misc-key | a name before = in MISC | name the attribute | warning
2 misc-extra-space misc-extra-space | no space around names and values in MISC | remove the space | warning
2 misc-attr-typo misc-attribute-typo | attributes of MISC as the guidelines spell them | correct letters and spaces | warning
2 repeated-misc repeated-misc | this attribute of MISC once | remove the other
2 edeps-only-sometimes deps-only-sometimes | DEPS in all sentences or in none | annotate the others, or write _ here
2 unconnected-egraph deps-not-connected | a path from the root to every node in DEPS | attach these nodes in DEPS
2 invalid-sent-id sent-id-syntax | # sent_id = and an id without spaces | correct the comment
2 missing-sent-id missing-sent-id | a comment # sent_id = … | give the sentence an id
2 multiple-sent-id several-sent-ids | one sent_id | keep one
2 non-unique-sent-id repeated-sent-id | an id that no other sentence has | give the sentence an id of its own
2 slash-in-sent-id slash-in-sent-id | at most one slash in sent_id | slashes are reserved for parallel treebanks
2 invalid-parallel-id parallel-id-syntax | # parallel_id = corpus/sentence, perhaps with /alt1, /part2 or /alt1part2 | correct the comment
2 multiple-parallel-id several-parallel-ids | one parallel_id | keep one
2 non-unique-parallel-id repeated-parallel-id | a parallel_id that no other sentence has | number the translations with /alt1, /alt2 or /part1, /part2
2 parallel-id-alt parallel-id-alt | alternatives numbered alt1, alt2 and so on, or none of them | renumber them
2 parallel-id-part parallel-id-part | parts numbered part1, part2 and so on, or none of them | renumber them
2 multiple-newdoc several-newdoc | one newdoc | keep one
2 multiple-newpar several-newpar | one newpar | keep one
2 spaceafter-newdocpar space-before-newdoc | no SpaceAfter=No at the end of a document or paragraph | remove it from the last word of the sentence before
2 missing-text missing-text | a comment # text = … | give the sentence its text
2 multiple-text several-texts | one text | keep one
2 empty-text empty-text | the text of the sentence | write it
2 text-trailing-whitespace text-trailing-space | a text without a space at the end | remove the space
2 nospaceafter-yes no-space-after-yes | SpaceAfter=No | write SpaceAfter=No
2 spaceafter-value space-after-value | SpaceAfter with the value No only | did you mean SpacesAfter?
2 spaceafter-empty-node space-after-empty-node | no SpaceAfter=No at an empty node | remove it
2 spaceafter-mwt-node space-after-in-multiword | no SpaceAfter=No inside a multiword token | move it to the line of the token
2 text-form-mismatch text-mismatch | the words of the text in their order | correct the text or the forms
2 missing-spaceafter missing-space-after | SpaceAfter=No where no space follows in the text | add it, or put a space into the text
2 text-extra-chars text-beyond-words | no text after the last word | correct the text, or add the words
"""  # noqa: E501


def _rules() -> dict[str, LevelRule]:
    rules = {}
    for row in _TABLE.strip().split("\n"):
        head, expected, *more = (part.strip() for part in row.split(" | "))
        level, official, own = head.split()
        is_warning = more[-1] == "warning"
        advice = " | ".join(more[:-1] if is_warning else more)
        key = official if official != "-" else own
        severity = Severity.WARNING if is_warning else Severity.ERROR
        rules[key] = LevelRule(
            "" if official == "-" else official, own, int(level), expected, advice, severity
        )
    return rules


LEVEL_RULES = _rules()
"""Every rule by the official id, or by ours where there is no official one."""

# The official validator takes a byte-order mark for a line that is neither word nor comment.
_MARK = {"byte-order-mark": replace(KINDS["byte-order-mark"], severity=Severity.ERROR)}

LEVEL_KINDS: dict[str, FindingKind] = {
    **KINDS,
    **_MARK,
    **{
        rule.id: FindingKind(
            rule.id,
            KINDS[rule.id].rule
            if rule.id in KINDS
            else f"{rule.expected[0].upper()}{rule.expected[1:]}.",
            rule.severity,
            strict=Severity.ERROR,
        )
        for rule in LEVEL_RULES.values()
    },
}
"""Every kind of finding, with the severity of its level."""
