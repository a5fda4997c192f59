"""What is attacked: small files of every format that the program reads, drawn by chance."""

from __future__ import annotations

from random import Random

FORMS = (
    "birds",
    "sing",
    "loudly",
    ".",
    "!",
    "…",
    "don't",
    "und",
    "Äpfel",
    "鳥",
    "in New York",
    "_",
    "-LRB-",
    "#",
    "1/2",
)
TAGS = ("NOUN", "VERB", "ADV", "PUNCT", "DET", "ADJ", "AUX", "ADP", "X")
FINE_TAGS = ("NN", "NNS", "VB", ".", "RB", "DT", "_", "``")
RELATIONS = (
    "nsubj",
    "obj",
    "det",
    "case",
    "advmod",
    "punct",
    "nsubj:pass",
    "aux",
    "conj",
    "dep",
    "obl:tmod",
)
FEATURES = ("_", "Number=Sing", "Case=Nom|Number=Plur", "Clitic=Yes|Case=Acc", "Tense=Past|Foo=Bar")
LEMMAS = ("bird", "sing", "_", "und", ".")

Rows = list[list[str]]
"""The words of a sentence: form, lemma, tag, fine tag, features, head, relation."""


def sentence(random: Random) -> Rows:
    """Return the words of a sentence, with a tree over them."""
    n = random.choice((1, 2, 3, 4, 5, 6, 8, 11))
    order = random.sample(range(1, n + 1), n)
    rows: Rows = []
    for place in range(1, n + 1):
        at = order.index(place)
        head = order[random.randrange(at)] if at else 0
        form = random.choice(FORMS)
        tag = "PUNCT" if form in (".", "!", "…") else random.choice(TAGS)
        relation = random.choice(RELATIONS) if head else "root"
        rows.append(
            [
                form,
                random.choice(LEMMAS),
                tag,
                random.choice(FINE_TAGS),
                random.choice(FEATURES),
                str(head),
                relation,
            ]
        )
    return rows


def treebank(random: Random) -> list[Rows]:
    """Return a few sentences."""
    return [sentence(random) for _ in range(random.choice((1, 2, 3, 5)))]


def prediction(random: Random, gold: list[Rows]) -> list[Rows]:
    """Return the same words with a system's annotation: some of it right, none of it illegal."""
    rate = random.choice((0.0, 0.2, 0.5, 1.0))
    columns = (
        (1, LEMMAS),
        (2, TAGS),
        (3, FINE_TAGS),
        (4, FEATURES),
        (6, (*RELATIONS, "root", "_")),
    )
    predicted = []
    for rows in gold:
        copy = [list(row) for row in rows]
        for row in copy:
            for column, values in columns:
                if random.random() < rate:
                    row[column] = random.choice(values)
            if random.random() < rate:
                # Cycles and heads behind the end are errors of a system, not of a file.
                row[5] = str(random.choice((*range(len(rows) + 1), len(rows) + 1, 40, "_")))
        predicted.append(copy)
    return predicted


def written(sentences: list[Rows], format: str) -> bytes:
    """Return sentences as a file of a column format."""
    lines = []
    for number, rows in enumerate(sentences):
        if format == "conllu":
            lines.append(f"# sent_id = s{number}")
        for place, (form, lemma, tag, fine, features, head, relation) in enumerate(rows, start=1):
            fields = {
                "conllu": (place, form, lemma, tag, fine, features, head, relation, "_", "_"),
                "conllx": (place, form, lemma, tag[:1], fine, features, head, relation, "_", "_"),
                "pascal": (place, form, lemma, tag[:1], fine, tag, features, head, relation),
                "tagged": (form, tag),
            }[format]
            lines.append("\t".join(map(str, fields)))
        lines.append("")
    return "".join(f"{line}\n" for line in lines).encode()


def running_text(sentences: list[Rows], *, with_tags: bool) -> bytes:
    """Return one sentence per line, as `word/TAG` or as words alone."""
    lines = [
        " ".join(row[0].replace(" ", "") + (f"/{row[2]}" if with_tags else "") for row in rows)
        for rows in sentences
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def brackets(random: Random, sentences: list[Rows]) -> bytes:
    """Return phrases in brackets with the words of the sentences."""

    def phrase(leaves: list[str]) -> str:
        if len(leaves) == 1:
            return leaves[0]
        middle = random.randint(1, len(leaves) - 1)
        label = random.choice(("NP", "VP", "NP-SBJ-1", "S", "PP-LOC", "ADVP|PRT", "NP=2"))
        return f"({label} {phrase(leaves[:middle])} {phrase(leaves[middle:])})"

    lines = []
    for rows in sentences:
        leaves = [f"({row[3].replace('_', 'XX')} {row[0].replace(' ', '')})" for row in rows]
        lines.append(f"( (S (-NONE- *T*-1) {phrase(leaves)}) )")
    return "".join(f"{line}\n" for line in lines).encode()


def bytes_of(random: Random, format: str) -> bytes:
    """Return a small file of any format of treebanks."""
    sentences = treebank(random)
    if format == "conllup":
        content = written(sentences, "conllu")
        return b"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n" + content
    if format == "mrg":
        return brackets(random, sentences)
    if format in ("slashed", "tok"):
        return running_text(sentences, with_tags=format == "slashed")
    return written(sentences, format)


FORMATS = ("conllu", "conllup", "conllx", "pascal", "tagged", "slashed", "tok", "mrg")
"""Every format of treebanks, by the extension of its files."""
