"""`treegauge induce`: trees or tags from text, without having seen any."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import best_choice, console, learning
from treegauge.cli.completion import BEST, offer_inducers, offer_treebanks
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import INPUT, OUTPUT
from treegauge.cli.learning import (
    AllowCommandsOption,
    AnnotatedOption,
    SeedOption,
    SetOption,
    TagsFromOption,
    TextArgument,
)
from treegauge.cli.treebanks import (
    DataOption,
    FromOption,
    ToOption,
    open_treebank,
    write_and_say,
)

if TYPE_CHECKING:
    from treegauge.systems import System


InducerArgument = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM",
        autocompletion=offer_inducers,
        help="A system (see `treegauge list systems`), or best: the strongest one for this text.",
    ),
]
FitOnOption = Annotated[
    str,
    typer.Option(
        "--fit-on",
        metavar="TREEBANK",
        autocompletion=offer_treebanks,
        rich_help_panel=INPUT,
        help="Learn from the text of another treebank (its train part). Default: TREEBANK.",
    ),
]
SaveOption = Annotated[
    str,
    typer.Option(
        "--save",
        metavar="MODEL",
        rich_help_panel=OUTPUT,
        help="Write the trained model to a file.",
    ),
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="MODEL",
        rich_help_panel=INPUT,
        help="Use a saved model and learn nothing.",
    ),
]
PathsOption = Annotated[
    str,
    typer.Option(
        "--paths",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="Write the bit string, the word and the count of every word type (brown).",
    ),
]


@prints_summary
def induce_cli(
    system: InducerArgument,
    treebank: TextArgument,
    target: AnnotatedOption = "-",
    assignments: SetOption = [],  # noqa: B006
    no_function_heads: Annotated[
        bool,
        typer.Option(
            "--no-function-heads", help="Short for --set no_function_heads=true (DMV family)."
        ),
    ] = False,
    rules: Annotated[
        str, typer.Option("--rules", metavar="LIST", help="Short for --set rules=LIST.")
    ] = "",
    tags_from: TagsFromOption = "",
    seed: SeedOption = None,
    fit_on: FitOnOption = "",
    save: SaveOption = "",
    model: ModelOption = "",
    allow_commands: AllowCommandsOption = False,
    show_grammar: Annotated[
        bool, typer.Option("--show-grammar", help="Describe the learnt grammar in words.")
    ] = False,
    top: Annotated[
        int,
        typer.Option(
            "--top", min=1, help="The number of entries of each kind that --show-grammar shows."
        ),
    ] = 10,
    paths: PathsOption = "",
    to_format: ToOption = "",
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Induce trees or tags: learn from the plain text of a treebank, and annotate it.

    The system sees a copy without the annotation that it has to find, so any treebank can be given.
    Without -o, the result goes to standard output as CoNLL-U. `best` chooses the strongest inducer
    for the text (universal tags, other tags, or words only) and reports the expected accuracy.

    Example: `treegauge induce best toy:svo -o induced.conllu`
    """
    assignments = [*assignments, *["no_function_heads=true"] * no_function_heads]
    if rules:
        assignments = [*assignments, f"rules={rules}"]
    if model and (assignments or tags_from or seed is not None or fit_on):
        raise typer.BadParameter(
            "a --model already has its settings, its seed and what it has learnt"
        )
    if system == BEST and tags_from:
        system = best_choice.over_tags_of(tags_from)
    inducer = None
    if model:
        inducer = _loaded(model, system, allow_commands=allow_commands)
    elif system != BEST:
        inducer = learning.make(system, assignments, tags_from, seed)
    if inducer is not None:
        _check_inducer(inducer, tags_from or system, paths)
    text = open_treebank(treebank, data=data, format=from_format or None, plain_text=True)
    training = learning.open_training(fit_on, data=data, plain_text=True) if fit_on else text
    chosen = None
    if system == BEST:
        chosen = best_choice.choose(training, text, model, inducer)
        inducer = inducer or best_choice.make(chosen, assignments, seed)
        _check_inducer(inducer, chosen.system, paths)
        text, training = chosen.prepared(text), chosen.prepared(training)
    assert inducer is not None
    expected = None if chosen is None else best_choice.say_what_to_expect(chosen, training)
    fit_seconds = 0.0 if model else learning.fit(inducer, training, target)
    induction = learning.annotate(inducer, text, fit_seconds, chosen, expected)
    if not model:
        learning.say_how_it_went(inducer)
    if save:
        learning.save(inducer, save)
    if paths:
        inducer.write_paths(paths)
        console.say(f"wrote {paths}: bit strings of {system}")
    write_and_say(induction.treebank, target, format=to_format or None)
    learning.forget_pieces(inducer)
    if show_grammar:
        # Behind a treebank on standard output nothing else may follow.
        stream = sys.stderr if target == "-" else sys.stdout
        stream.write(inducer.describe_grammar(top).rstrip("\n") + "\n")
    learning.say_how_to_evaluate(induction, text, treebank, target, data, from_format)
    summary = {"treebank": treebank, "fit_on": model or fit_on or treebank, "output": target}
    return induction.to_dict() | summary


def _check_inducer(inducer: System, name: str, paths: str) -> None:
    if paths and not inducer.writes_paths:
        raise typer.BadParameter(f"{name} has no bit strings to write; use brown")
    if inducer.is_supervised:
        raise typer.BadParameter(
            f"{name} learns from gold annotation; use `treegauge train` and `treegauge annotate`"
        )


def _loaded(path: str, name: str, *, allow_commands: bool) -> System:
    from treegauge.systems import SystemsError, find_system

    if name != BEST:
        find_system(name)
    loaded = learning.load(path, allow_commands=allow_commands)
    # A system that finds tags first may be called by what finds its trees.
    if name not in (BEST, loaded.name, *loaded.made_of[-1:]):
        raise SystemsError(f"{path}: this is a model of {loaded.name}, not of {name}")
    return loaded
