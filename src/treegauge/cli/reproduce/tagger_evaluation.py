"""`treegauge reproduce tagger-evaluation`: taggers scored by dictionaries instead of gold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOfTablesOption, JsonOption, OutputFormat, QuietOption
from treegauge.cli.reproduce.arguments import (
    FolderOption,
    SmallOption,
    SystemSettingsOption,
    TreebanksOption,
    WorkersOption,
    names_in,
    require_systems,
    require_whole,
    settings_by_system,
)
from treegauge.cli.reproduce.figures import write_figures
from treegauge.cli.running import RunOptions, run_experiment
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.papers.tagger_evaluation.dictionary_sources import DictionarySources
    from treegauge.runs import Experiment, Run

_DEFAULT = ("da_ddt", "el_gdt", "de_gsd")
"""What takes minutes: development languages of the paper with small treebanks."""
_SMALL = ("toy:sov", "toy:vso", "toy:free")
_SMALL_TAGGERS = "tnt,most-frequent-tag"
_SMALL_SENTENCES = 200
_TOY_ENGLISH = "toy:svo"
_ENGLISH = "en_ewt"
_NONE = "none"


def tagger_evaluation_cli(
    treebanks: TreebanksOption = [],  # noqa: B006
    everything: Annotated[
        bool, typer.Option("--all", help="All treebanks at hand that have a dictionary.")
    ] = False,
    taggers: Annotated[
        str,
        typer.Option(
            "--taggers",
            metavar="NAMES",
            help="tnt,tree,perceptron,most-frequent-tag if missing; crf, udpipe-tagger and so on.",
        ),
    ] = "",
    cross_lingual: Annotated[
        str,
        typer.Option(
            "--cross-lingual",
            metavar="NAMES",
            help="Taggers that learn from the other languages; transfer if missing. Or none.",
        ),
    ] = "",
    dictionaries: Annotated[
        str,
        typer.Option(
            "--dictionaries",
            metavar="FOLDER",
            help="A folder with a manifest.json that says which dictionary is of which language.",
        ),
    ] = "",
    sources: Annotated[
        str,
        typer.Option(
            "--sources",
            metavar="NAMES",
            help="Inner folders to take dictionaries from; all if missing, but wiktionary alone "
            "where it has the language.",
        ),
    ] = "",
    own: Annotated[
        list[str],
        typer.Option(
            "--dictionary",
            metavar="TREEBANK=FILE[,FILE]",
            help="The dictionary of a treebank or language; may be repeated.",
        ),
    ] = [],  # noqa: B006
    bilingual: Annotated[
        list[str],
        typer.Option(
            "--bilingual",
            metavar="TREEBANK=FILE[,FILE]",
            help="English words and their translations; may be repeated.",
        ),
    ] = [],  # noqa: B006
    english: Annotated[
        str,
        typer.Option(
            "--english", metavar="FILE[,FILE]", help="The English dictionary that is translated."
        ),
    ] = "",
    english_treebank: Annotated[
        str,
        typer.Option(
            "--english-treebank",
            metavar="TREEBANK",
            help="Whose training dictionary is translated too; en_ewt if it is at hand.",
        ),
    ] = "",
    sentences: Annotated[
        int | None,
        typer.Option("--sentences", min=1, help="At most so many of each train part."),
    ] = None,
    assignments: SystemSettingsOption = [],  # noqa: B006
    folder: FolderOption = "",
    workers: WorkersOption = None,
    small: SmallOption = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Everything random.")] = 0,
    data: DataOption = [],  # noqa: B006
    format: FormatOfTablesOption = OutputFormat.TABLE,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Taggers without test data (Agić et al. 2017): what dictionaries say of them.

    Trains taggers on treebanks that have a dictionary, and scores them by gold, by the dictionary
    and by a translated one: Table 1 and Figure 1, which tagger is best, how many annotated
    sentences would do as well, and accuracies calibrated on the other languages. Published
    figures stand beside ours. Started again, it goes on where it was left.

    Example: `treegauge reproduce tagger-evaluation --dictionaries dictionaries --data treebanks`
    """
    console.manners.quiet = quiet
    if small and (treebanks or everything or dictionaries or own or bilingual or english):
        raise typer.BadParameter("--small brings its own treebanks and dictionaries")
    if treebanks and everything:
        raise typer.BadParameter("--all takes all treebanks: leave --treebank out")
    require_whole(treebanks)
    from treegauge.catalogue import Catalogue
    from treegauge.papers.tagger_evaluation.experiment import (
        TAGGERS,
        TRANSFER,
        TaggerEvaluationSettings,
        measure_taggers,
    )
    from treegauge.papers.tagger_evaluation.statistics import document
    from treegauge.papers.tagger_evaluation.tables import (
        corruption_figure,
        size_figure,
        tagger_evaluation_tables,
    )
    from treegauge.systems import systems

    names = names_in(taggers or (_SMALL_TAGGERS if small else ",".join(TAGGERS)))
    if cross_lingual:
        foreign = () if cross_lingual == _NONE else names_in(cross_lingual)
    else:
        foreign = (TRANSFER,) if TRANSFER in systems() else ()
    require_systems((*names, *foreign), "tags")
    by_system = settings_by_system(assignments)
    for name in by_system:
        if name not in (*names, *foreign):
            raise typer.BadParameter(f"{name} is no tagger of this experiment")
    catalogue = Catalogue.from_environment(data)
    known = _dictionaries(small, dictionaries, sources, own, bilingual, english)
    if not english_treebank:
        if small:
            english_treebank = _TOY_ENGLISH
        elif any(entry.name == _ENGLISH for entry in catalogue.entries):
            english_treebank = _ENGLISH
    chosen: list[str] = list(treebanks) or list(_SMALL if small else _DEFAULT)
    if everything:
        chosen = [
            entry.name for entry in catalogue.entries if known.has_dictionary(entry.name, entry.iso)
        ]
        if not chosen:
            raise typer.BadParameter("--all: no treebank at hand has a dictionary; see --data")
    settings = TaggerEvaluationSettings(
        taggers=names,
        cross_lingual=foreign,
        system_settings=by_system,
        english_treebank=english_treebank,
        most_sentences=sentences or (_SMALL_SENTENCES if small else None),
        seed=seed,
    )
    place = Path(folder or f"runs/tagger-evaluation{'-small' if small else ''}")

    def run_it(experiment: Experiment, inner: Path, within: Catalogue) -> Run:
        return run_experiment(experiment, str(inner), within, RunOptions(workers=workers))

    found = measure_taggers(
        chosen, place, run_it, catalogue=catalogue, dictionaries=known, settings=settings
    )
    figures: dict[Path, Callable[[], Any]] = {
        place / "figure-1.svg": partial(size_figure, found),
        place / "figure-1-training-dictionary.svg": partial(size_figure, found, "G"),
        place / "corruption.svg": partial(corruption_figure, found),
    }
    write_figures(figures)
    console.emit(
        OutputFormat.JSON if json else format,
        "",
        table=lambda: tagger_evaluation_tables(found),
        document=lambda: document(found),
    )
    if found.failures:
        raise typer.Exit(1)


def _dictionaries(
    small: bool, folder: str, sources: str, own: list[str], bilingual: list[str], english: str
) -> DictionarySources:
    from treegauge.papers.tagger_evaluation.dictionary_sources import (
        DictionaryFiles,
        ToyDictionaries,
    )

    if small:
        return ToyDictionaries(_TOY_ENGLISH)
    if not folder and not own:
        raise typer.BadParameter(
            "say where dictionaries are: --dictionaries FOLDER, or --dictionary TREEBANK=FILE"
        )
    found = DictionaryFiles()
    if folder:
        found = DictionaryFiles.from_folder(folder, sources=names_in(sources))
    return found.with_files(
        _files_by_name(own, "--dictionary"),
        _files_by_name(bilingual, "--bilingual"),
        tuple(map(Path, names_in(english))),
    )


def _files_by_name(texts: list[str], option: str) -> dict[str, tuple[Path, ...]]:
    found = {}
    for text in texts:
        name, equals, files = text.partition("=")
        if not equals or not name or not names_in(files):
            raise typer.BadParameter(f"{option}: expected TREEBANK=FILE, found {text!r}")
        found[name] = tuple(map(Path, names_in(files)))
    return found
