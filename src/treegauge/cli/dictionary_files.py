"""`treegauge dictionary`: dictionaries made, translated, and held against each other."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import Results, prints_results, prints_summary
from treegauge.cli.treebanks import DataOption, is_file, open_treebank

if TYPE_CHECKING:
    from treegauge.dictionaries import TagDictionary


class Casing(StrEnum):
    """How forms are looked up."""

    EXACT = "exact"
    LOWER = "lower"
    BACKOFF = "backoff"


class Symbols(StrEnum):
    """What SYM is among the 12 tags."""

    X = "X"
    PUNCTUATION = "."


DictionaryArgument = Annotated[
    str,
    typer.Argument(
        metavar="DICTIONARY",
        help="One or more files of forms and tags, separated by commas, or "
        "a toy language such as toy:svo.",
    ),
]
CaseOption = Annotated[
    Casing,
    typer.Option(
        "--case",
        help="How forms are looked up: exact, in lower case, or exact "
        "first and then in lower case (backoff).",
    ),
]
SymbolsOption = Annotated[
    Symbols,
    typer.Option("--symbols", help="Which of the 12 tags SYM becomes: X, or . (punctuation)."),
]
OutArgument = Annotated[
    str, typer.Argument(metavar="OUT", help="The dictionary to write; - for standard output.")
]


def open_dictionary(text: str) -> tuple[TagDictionary, list[TagDictionary]]:
    """Read the dictionaries that a user names; return their union, and all of them."""
    from treegauge.dictionaries import TagDictionary, joined, read_dictionary
    from treegauge.toys import toy_dictionary

    parts = []
    for name in [text] if is_file(text) else text.split(","):
        if name.startswith("toy:"):
            parts.append(TagDictionary.from_mapping(toy_dictionary(name), name=name))
        else:
            parts.append(read_dictionary(name))
    return joined(parts), parts


@prints_results
def quality_cli(
    dictionary: DictionaryArgument,
    trusted: Annotated[
        str,
        typer.Argument(
            metavar="TRUSTED", help="A treebank (file or name), or a dictionary in a .tsv file."
        ),
    ],
    case: CaseOption = Casing.EXACT,
    data: DataOption = [],  # noqa: B006
) -> Results:
    """Compare a dictionary with a trusted one, usually that of a training set.

    Example: `treegauge dictionary quality da.tsv da_ddt:train`
    """
    from treegauge.dictionaries import compare_dictionaries, from_treebank

    ours = open_dictionary(dictionary)[0]
    if trusted.endswith((".tsv", ".tsv.xz", ".tsv.gz")):
        theirs = open_dictionary(trusted)[0]
    else:
        theirs = from_treebank(open_treebank(trusted, data=data, format=None))
    comparison = compare_dictionaries(ours, theirs, casing=case.value, called=(dictionary, trusted))
    return Results(comparison.tables(), comparison.to_dict())


@prints_summary
def translate_cli(
    dictionary: DictionaryArgument,
    word_list: Annotated[
        str,
        typer.Argument(
            metavar="WORDS",
            help="Pairs of words, separated by a tab. The word of the dictionary comes first.",
        ),
    ],
    out: OutArgument,
    match_tags: Annotated[
        bool, typer.Option("--match-tags", help="Use the tags in a third column, if there is one.")
    ] = False,
    min_share: Annotated[
        float,
        typer.Option(
            "--min-share", min=0, max=1, help="Drop tags with a smaller share of the translations."
        ),
    ] = 0.0,
    max_tags: Annotated[
        int,
        typer.Option(
            "--max-tags",
            min=1,
            max=12,
            help="Keep at most this many tags per word, the best supported ones.",
        ),
    ] = 12,
) -> dict[str, Any]:
    """Translate a dictionary with a list of word pairs.

    Example: `treegauge dictionary translate en.tsv eng-dan.tsv da.tsv`
    """
    from treegauge.dictionaries import read_word_list, translate

    translation = translate(
        open_dictionary(dictionary)[0],
        read_word_list(word_list),
        match_tags=match_tags,
        min_share=min_share,
        max_tags=max_tags,
    )
    _write(translation.dictionary, out)
    console.say(
        f"{translation.pairs:,} pairs: {translation.dropped_multiword:,} of several words dropped, "
        f"{translation.without_tags:,} without tags"
    )
    return translation.to_dict()


@prints_summary
def from_treebank_cli(
    treebank: Annotated[str, typer.Argument(metavar="TREEBANK", help="A file or a name.")],
    out: OutArgument,
    symbols: SymbolsOption = Symbols.X,
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Extract the dictionary of an annotated treebank.

    Example: `treegauge dictionary from-treebank da_ddt:train gold.tsv`
    """
    from treegauge.dictionaries import from_treebank

    annotated = open_treebank(treebank, data=data, format=None)
    entries = from_treebank(annotated, symbols=symbols.value)
    _write(entries, out)
    return entries.summary()


@prints_summary
def import_cli(
    source: Annotated[str, typer.Argument(metavar="IN", help="The dictionary of another project.")],
    out: OutArgument,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="unimorph, wiktionary, wiktextract, apertium, freedict or tsv. Default: "
            "detected from the file name.",
        ),
    ] = "",
    language: Annotated[
        str,
        typer.Option("--language", help="Import only entries of this language, by name or code."),
    ] = "",
) -> dict[str, Any]:
    """Convert a dictionary of another project to forms and the 12 universal tags.

    Example: `treegauge dictionary import kaikki-danish.jsonl da.tsv --language da`
    """
    from treegauge.dictionaries import import_dictionary

    imported = import_dictionary(source, kind, language=language)
    _write(imported.dictionary, out)
    console.say(
        f"{imported.entries:,} entries read: {imported.dropped_multiword:,} of several words "
        f"dropped, {sum(imported.dropped_parts.values()):,} of other parts of speech"
    )
    return imported.to_dict()


def _write(dictionary: TagDictionary, out: str) -> None:
    from treegauge.dictionaries import write_dictionary

    write_dictionary(dictionary, out)
    if out != "-":
        console.say(
            f"wrote {out}: {len(dictionary):,} forms, {dictionary.n_entries:,} entries "
            f"({dictionary.fingerprint})"
        )
