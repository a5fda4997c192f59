"""A challenge of three sentences, in files, whose gold is marked so that it can be searched for."""

from __future__ import annotations

from pathlib import Path

from treegauge.catalogue import Catalogue
from treegauge.challenges import ChallengeFolder, Packing, pack_challenge

MARKS = ("GOLDTAG", "GOLDFINE", "GOLDREL", "GOLDLEMMA", "GOLDFEAT", "GOLDMISC", "GOLDDEPS")
"""What stands in gold columns, and nowhere else."""
COMMENT_MARKS = ("GOLDSENT", "GOLDNOTE", "GOLDFILE")
"""What stands in comments and in the names of files."""

SENTENCES = {
    "train": (("ravens", "fly"), ("a", "crow", "caws")),
    "dev": (("owls", "hoot"), ("the", "owl", "sees", "it")),
    "test": (("birds", "sing"), ("a", "bird", "sang", "loud"), ("sing", "!")),
}

CHALLENGE = """\
name = "small"
contact = "organisers@example.org"

[[tracks]]
name = "pos"
hide = ["heads", "tags"]
annotate = ["tags"]
metrics = ["v_measure"]
primary = "v_measure"

[[tracks]]
name = "dependencies"
hide = ["heads"]
annotate = ["heads", "relations"]
metrics = ["uas", "las"]
primary = "uas"

[[treebanks]]
name = "en"
train = "GOLDFILE-train.conllu"
dev = "GOLDFILE-dev.conllu"
test = "GOLDFILE-test.conllu"
licence = "CC BY 4.0"

[[phases]]
name = "first"
part = "test"
tracks = ["pos"]
opens = "2027-01-01 00:00 UTC"
closes = "2027-01-15 00:00 UTC"

[[phases]]
name = "second"
part = "test"
tracks = ["dependencies"]
opens = "2027-01-15 00:00 UTC"
closes = "2027-01-31 00:00 UTC"
"""


def gold_text(part: str) -> str:
    """Return the file of a part; everything but words and heads is marked."""
    lines = []
    for number, words in enumerate(SENTENCES[part], start=1):
        lines += [f"# sent_id = GOLDSENT-{part}-{number}", "# note = GOLDNOTE"]
        for position, word in enumerate(words, start=1):
            head = 0 if position == 2 else 2
            before = ("GOLDLEMMA", "GOLDTAG", "GOLDFINE", "F=GOLDFEAT")
            behind = ("GOLDREL", f"{head}:GOLDDEPS", "M=GOLDMISC")
            lines.append("\t".join(map(str, (position, word, *before, head, *behind))))
        lines.append("")
    return "\n".join(lines) + "\n"


def write_challenge(folder: Path, text: str = CHALLENGE) -> ChallengeFolder:
    """Write a challenge and its treebanks into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in SENTENCES:
        file = folder / f"GOLDFILE-{part}.conllu"
        file.write_text(gold_text(part), encoding="utf-8")
    (folder / "challenge.toml").write_text(text, encoding="utf-8")
    (folder / "rules.md").write_text("# Rules\n", encoding="utf-8")
    (folder / "salt.txt").write_text("5a" * 32 + "\n", encoding="utf-8")
    return ChallengeFolder(folder)


def pack_small(place: Path, text: str = CHALLENGE) -> Packing:
    """Write a challenge into `place/small` and its packs into `place/packs`."""
    folder = write_challenge(place / "small", text)
    return pack_challenge(folder, place / "packs", Catalogue())


SYSTEM = 'system = "ours"\nteam = "us"\ntrack = "dependencies"\nsupervision = "unsupervised"\n'


def submission_text(sentences: tuple[tuple[str, ...], ...] = SENTENCES["test"]) -> str:
    """Return a file in which every word depends on the one before it."""
    return "".join(
        "".join(
            f"{i}\t{word}\t_\tX\tX\t_\t{i - 1}\tdep\t_\t_\n"
            for i, word in enumerate(words, start=1)
        )
        + "\n"
        for words in sentences
    )


def write_submission(folder: Path, text: str = "", system: str = SYSTEM) -> Path:
    """Write a submission to the track `dependencies` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "en.conllu").write_text(text or submission_text(), encoding="utf-8")
    (folder / "system.toml").write_text(system, encoding="utf-8")
    return folder
