"""`treegauge reproduce`: experiments of papers, done again on treebanks of one's own."""

from __future__ import annotations

import typer

from treegauge.cli.reproduce import ned, pascal, perplexity, tagger_evaluation, word_order

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Do the experiments of a paper again.",
    epilog="Example: `treegauge reproduce ned --small`",
)


@app.callback()
def reproduce() -> None:
    """Do the experiments of a paper again, with the published figures beside ours."""


app.command("ned")(ned.ned_cli)
app.command("pascal")(pascal.pascal_cli)
app.command("perplexity")(perplexity.perplexity_cli)
app.command("tagger-evaluation")(tagger_evaluation.tagger_evaluation_cli)
app.command("word-order")(word_order.word_order_cli)
