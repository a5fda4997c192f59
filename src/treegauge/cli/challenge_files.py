"""`treegauge challenge init, pack, fill, check`: what goes out, and what comes in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_treebanks
from treegauge.cli.console import Results, prints_results, prints_summary
from treegauge.cli.help_pages import OUTPUT
from treegauge.cli.treebanks import DataOption
from treegauge.wording import counted, listed

if TYPE_CHECKING:
    from treegauge.challenges import Submission
    from treegauge.tables import Table

FolderArgument = Annotated[
    str, typer.Argument(metavar="FOLDER", help="The folder of the challenge. Keep it private.")
]


@prints_summary
def init_cli(
    folder: FolderArgument,
    template: Annotated[
        str,
        typer.Option("--template", metavar="pascal|ud|tagging", help="The kind of challenge."),
    ] = "pascal",
    treebanks: Annotated[
        str,
        typer.Option(
            "--treebanks",
            metavar="LIST",
            autocompletion=offer_treebanks,
            help="Treebanks, such as toy:svo,en_ewt. Default: toy:svo.",
        ),
    ] = "",
    open_now: Annotated[
        str,
        typer.Option(
            "--open-now",
            metavar="TRACK",
            help="Open the test phase of a track now. The other dates move with it.",
        ),
    ] = "",
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Write a new challenge: a commented challenge.toml, rules, data statements and a salt.

    The name of the folder is the name of the challenge. Keep the folder private: it will contain
    gold.

    Example: `treegauge challenge init demo --template pascal --treebanks toy:svo,toy:sov`
    """
    from treegauge.catalogue import Catalogue
    from treegauge.challenges import new_challenge

    catalogue = Catalogue.from_environment(data)
    with console.progress(f"looking at {treebanks or 'toy:svo'}"):
        files = new_challenge(folder, template, listed(treebanks), catalogue, open_now=open_now)
    console.say(f"wrote {folder}: {', '.join(path.name for path in files)}")
    console.say(
        f"fill in {files[0]}, rules and data statements; then `treegauge challenge pack {folder} "
        "-o packs`"
    )
    return {"folder": folder, "files": [str(path) for path in files]}


@prints_summary
def pack_cli(
    folder: FolderArgument,
    packs: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="PACKS",
            rich_help_panel=OUTPUT,
            help="The folder for participants. Gold is never written there.",
        ),
    ],
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Write the packs of a challenge: the release, and per track a blind test and an example.

    Gold is written to the folder of the challenge. The same folder gives the same bytes. The
    command refuses tracks that leak into each other, metrics without gold, and test parts that
    are public.

    Example: `treegauge challenge pack demo -o packs`
    """
    from treegauge.catalogue import Catalogue
    from treegauge.challenges import ChallengeFolder, pack_challenge

    opened = ChallengeFolder(folder)
    with console.progress(f"packing {folder}") as advance:
        packing = pack_challenge(opened, packs, Catalogue.from_environment(data), advance)
    for remark in packing.remarks:
        console.say(remark, style="yellow")
    for shown in packing.shown:
        console.say(str(shown), style="yellow")
    for one in packing.packs:
        when = f"give it out from {one.goes_out} on" if one.goes_out else "keep it private"
        console.say(f"wrote {one.file}: {when}")
    console.say(f"gold is committed to: {packing.commitment}")
    return {
        "folder": folder,
        "commitment": packing.commitment,
        "packs": [
            {
                "file": str(one.file),
                "kind": one.kind,
                "id": one.id,
                "sha256": one.sha256,
                "goes_out": one.goes_out or None,
            }
            for one in packing.packs
        ],
        "shown_sentences": [
            {"treebank": one.treebank, "dev_of": one.shown_in, "sentences": list(one.sentences)}
            for one in packing.shown
        ],
        "remarks": packing.remarks,
    }


@prints_summary
def fill_cli(
    pack: Annotated[str, typer.Argument(metavar="PACK", help="A pack without words.")],
    source: Annotated[
        str, typer.Option("--source", metavar="DIR", help="The folder with your own files.")
    ],
    target: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="The file for the complete pack. Default: PACK-filled.zip.",
        ),
    ] = "",
) -> dict[str, Any]:
    """Restore the words of treebanks that may not be distributed, from your own licensed files.

    Files are recognised by their SHA-256, whatever their names. Nothing is written if the result
    differs from what the organisers have.

    Example: `treegauge challenge fill demo-release.zip --source LDC99T42`
    """
    from treegauge.challenges import fill, read_pack
    from treegauge.challenges.packs import write_zip

    opened = read_pack(pack, "release", "test")
    with console.progress(f"filling {pack}"):
        files = fill(opened, source)
        name = target or str(Path(pack).with_name(f"{Path(pack).stem}-filled.zip"))
        digest = write_zip(name, files)
    filled = sorted(opened.manifest["to_fill"])
    console.say(f"wrote {name}: {counted(len(filled), 'file')} rebuilt")
    return {"pack": pack, "written": name, "sha256": digest, "rebuilt": filled}


@prints_results
def check_cli(
    pack: Annotated[
        str,
        typer.Argument(metavar="PACK", help="The blind pack, or the release for the dev part."),
    ],
    submission: Annotated[
        str,
        typer.Argument(metavar="SUBMISSION", help="A folder or a zip file with your annotation."),
    ],
    target: Annotated[
        str,
        typer.Option(
            "--zip",
            metavar="OUT",
            rich_help_panel=OUTPUT,
            help="Write the submission ready to send: only the annotation, without text.",
        ),
    ] = "",
) -> Results:
    """Check a submission as the organisers will. This needs no gold and sends nothing.

    Every finding has its file and line. All files are checked, even if one has errors. Exit code 1
    if there are errors.

    Example: `treegauge challenge check demo-dependencies-test.zip ours --zip ours.zip`
    """
    from treegauge.challenges import (
        read_pack,
        read_submission,
        task_of_pack,
        track_of_submission,
    )
    from treegauge.challenges.packs import write_zip

    opened = read_pack(pack, "test", "release")
    track = track_of_submission(submission) if opened.kind == "release" else ""
    with console.progress(f"checking {submission}") as advance:
        read = read_submission(submission, task_of_pack(opened, track), advance)
    accepted = read.findings.is_acceptable
    lines = [(line, _STYLES[str(grade)]) for line, grade in read.findings.lines()]
    lines.append(_verdict(read))
    document: dict[str, Any] = {
        "schema": 1,
        "pack": pack,
        "submission": submission,
        "challenge": read.task.challenge,
        "track": read.task.track,
        "part": read.task.part,
        "accepted": accepted,
        "system": read.system.to_dict() if read.system else None,
        "treebanks": [
            {"name": name, "sentences": one.n_sentences, "words": one.n_words}
            for name, one in read.treebanks.items()
        ],
        "findings": read.findings.to_list(),
    }
    if target and accepted:
        files = read.canonical_files()
        document |= {"zip": target, "sha256": write_zip(target, files), "content": read.content}
        lines.append((f"{target}: SHA-256 {document['sha256']}", ""))
    elif target:
        console.say(f"{target} is not written: correct the errors first", style="yellow")
    return Results([_table(read)], document, lines=lines, failed=not accepted)


_STYLES = {"error": "red", "warning": "yellow", "note": "cyan"}


def _verdict(read: Submission) -> tuple[str, str]:
    there = counted(len(read.treebanks), "treebank")
    of = f"{there} of {len(read.task.treebanks)}"
    if read.findings.is_acceptable:
        return f"{read.source}: accepted, {of}; {read.findings.summary()}", "bold green"
    return f"{read.source}: not accepted, {of} right; {read.findings.summary()}", "bold red"


def _table(read: Submission) -> Table:
    from treegauge.tables import Table

    columns = ("severity", "id", "file", "line", "sentence", "expected", "found", "advice")
    rows = [[finding[column] for column in columns] for finding in read.findings.to_list()]
    return Table(columns, rows)
