"""`treegauge import-answers`: what a model answered, as a treebank."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import INPUT, OUTPUT
from treegauge.cli.treebanks import ToOption, write_and_say
from treegauge.wording import counted


@prints_summary
def import_answers_cli(
    answers: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Answers, one JSON object per line, or -."),
    ],
    prompts: Annotated[
        str,
        typer.Option(
            "--prompts",
            metavar="FILE",
            rich_help_panel=INPUT,
            help="The file from `treegauge export-prompt`, if the answers do not repeat the "
            "prompts.",
        ),
    ] = "",
    answer_field: Annotated[
        str,
        typer.Option(
            "--answer-field",
            metavar="PATH",
            rich_help_panel=INPUT,
            help="The field of a line that holds the answer, such as "
            "response.body.choices.0.message.content.",
        ),
    ] = "",
    id_field: Annotated[
        str,
        typer.Option(
            "--id-field",
            metavar="PATH",
            rich_help_panel=INPUT,
            help="The field of a line that holds the id.",
        ),
    ] = "id",
    target: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="The file for the treebank.",
        ),
    ] = "-",
    to_format: ToOption = "",
) -> dict[str, Any]:
    """Read the answers of a language model into a treebank, and report what could not be read.

    Answers are read as far as possible. Repairs are marked in MISC. Score the treebank with
    `treegauge evaluate GOLD FILE --repair`.

    Example: `treegauge import-answers answers.jsonl --prompts prompts.jsonl -o parsed.conllu`
    """
    from treegauge.formats.prompts import AnswerFields, import_answers, read_prompts

    asked = read_prompts(prompts) if prompts else []
    with console.progress(f"reading {answers}"):
        read = import_answers(answers, prompts=asked, fields=AnswerFields(id_field, answer_field))
    for finding in list(read.findings)[:10]:
        console.say(finding.without_advice, style="yellow")
    report = read.to_dict()
    repairs = ", ".join(
        f"{kind.removeprefix('repaired-')} {number:,}" for kind, number in report["repairs"].items()
    )
    console.say(
        f"{answers}: {read.answered:,} of {counted(read.prompts, 'prompt')} answered, "
        f"{report['wrong_words']:,} of {counted(report['words'], 'word')} could not be read"
        + (f"; repaired {repairs}" if repairs else "")
    )
    write_and_say(read.treebank, target, format=to_format or None)
    findings = [finding.to_dict() for finding in read.findings]
    return {"answers": answers, **report, "findings": findings, "output": target}
