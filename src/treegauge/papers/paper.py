"""A paper as data: settings, runs, measurements, tables, figures, remarks, published numbers.

A paper is a folder: `README.md` (citation, what is reproduced, what differs), a class below
`Paper`, and `published.tsv`. Its verb (`treegauge reproduce NAME`), its JSON, its page and its
`--small` follow from the class:

    settings --measure--> frames --tables, figures, remarks--> verb, JSON, page

`measure` runs ordinary experiments on a `Workbench`, which is resumable, and returns frames:
long tables of what was measured. Everything that is shown is made from frames alone.

A class of a paper imports what measures and what shows in the methods that need it: to print the
help of its verb must not take long.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar

from treegauge.errors import TreegaugeError
from treegauge.settings import Settings, setting
from treegauge.wording import did_you_mean

if TYPE_CHECKING:
    import polars as pl

    from treegauge.catalogue import Catalogue
    from treegauge.formats import Findings
    from treegauge.reports.charts import Figure
    from treegauge.reports.pages import Page
    from treegauge.runs import Experiment, Run
    from treegauge.significance.correlation import Correlation
    from treegauge.systems import OnProgress
    from treegauge.tables import Table
    from treegauge.treebank import Treebank

Frames = Mapping[str, "pl.DataFrame"]
"""What was measured: long tables by name."""

Verdict = Literal["holds", "partly", "does not hold"]

_MOST_CASES = 6
"""That a remark shows."""


class MisuseError(TreegaugeError):
    """Settings that make no sense together; the verb says so and ends with exit code 2."""


@dataclass(frozen=True)
class PaperSettings(Settings):
    """What can be chosen about every paper; each adds its own.

    Every field is an option of the verb: `setting(default, help)`, and what else the command line
    needs in `metadata` (`flags`, `metavar`). A tuple is an option that may be repeated, and that
    takes several values between commas unless `commas=False`.
    """

    treebanks: tuple[str, ...] = setting(
        (),
        "A treebank or a set of treebanks with train and test parts. May be repeated.",
        flags="--treebank,-t",
        metavar="TREEBANK",
    )
    seed: int = setting(0, "The random seed.", minimum=0)
    tag_map: str = setting(
        "", "A tag map, for treebanks that have no universal tags.", metavar="FILE"
    )


S = TypeVar("S", bound=PaperSettings)


@dataclass(frozen=True)
class Checked:
    """What figures say of a remark."""

    verdict: Verdict
    evidence: str
    """The figures themselves, in a few words."""

    @classmethod
    def of_cases(cls, cases: Mapping[str, bool]) -> Checked | None:
        """Return what cases say together, by all, some or none of them; None without any.

        >>> Checked.of_cases({"C06 0.47": True, "C07 -0.12": False})
        Checked(verdict='partly', evidence='1 of 2: C06 0.47; C07 -0.12')
        """
        if not cases:
            return None
        held = sum(cases.values())
        some: Verdict = "partly" if held else "does not hold"
        evidence = "; ".join(list(cases)[:_MOST_CASES])
        more = "; …" if len(cases) > _MOST_CASES else ""
        counted = f"{held} of {len(cases)}: " if len(cases) > 1 else ""
        return cls("holds" if held == len(cases) else some, f"{counted}{evidence}{more}")


@dataclass(frozen=True)
class Remark:
    """A sentence of a paper, as a predicate of its measurements.

    `check` is given frames, those of the paper's own numbers or those of a run, and returns
    None where they lack what the sentence is about.
    """

    section: str
    text: str
    check: Callable[[Frames], Checked | None]


class RunExperiment(Protocol):
    """Runs an experiment in a folder, or goes on with it."""

    def __call__(self, experiment: Experiment, folder: Path, catalogue: Catalogue, /) -> Run:
        """Return the run."""


def _nothing_shown(task: str) -> AbstractContextManager[OnProgress]:  # noqa: ARG001
    from treegauge.systems import no_progress

    return nullcontext(no_progress)


@dataclass(frozen=True)
class Workbench:
    """Where a paper is measured: treebanks, a folder, and what runs experiments."""

    catalogue: Catalogue
    folder: Path
    run_experiment: RunExperiment
    system_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Settings by system, as `--set SYSTEM.KEY=VALUE` gives them."""
    progress: Callable[[str], AbstractContextManager[OnProgress]] = _nothing_shown
    """Shows how far something is that is no run: `with workbench.progress("flips") as advance`."""
    say: Callable[[str], None] = lambda line: None  # noqa: ARG005
    """Told what a reader should know before a long wait."""

    def run(self, experiment: Experiment, inner: str = "") -> Run:
        """Run an experiment in the folder, or in one inside it; finished cells are kept."""
        return self.run_experiment(experiment, self.folder / inner, self.catalogue)

    def read(self, text: str) -> Treebank:
        """Read the treebank that a user names, and say what was found in its files."""
        findings: list[Findings] = []
        with self.progress(f"reading {text}") as advance:
            treebank = self.catalogue.open(
                text, findings=findings, on_progress=lambda share: advance(share, "")
            )
        for of_file in findings:
            if len(of_file):
                self.say(of_file.summary())
        return treebank

    def settings_of(self, system: str, **values: Any) -> tuple[tuple[str, Any], ...]:
        """Return what a system is told, changed by `--set`, as experiments have it."""
        return tuple(sorted({**values, **self.system_settings.get(system, {})}.items()))

    def require_settings_of(self, names: Iterable[str], kind: str) -> None:
        """Refuse settings of systems that are not in the experiment."""
        known = list(names)
        for name in self.system_settings:
            if name not in known:
                near = did_you_mean(name, known)
                there_are = f"there are {', '.join(sorted(set(known)))}"
                raise MisuseError(f"{name} is not a {kind} of this experiment{near}\n  {there_are}")


@dataclass(frozen=True)
class Measurements(Generic[S]):
    """What came of a paper: its settings, its frames, and what went wrong."""

    settings: S
    frames: Frames
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    """Cells that gave nothing, with the reason."""


class Paper(ABC, Generic[S]):
    """An experiment of the literature, reproduced on your treebanks."""

    name: ClassVar[str]
    """What the verb is called."""
    citation: ClassVar[str]
    """Authors, year, title, place."""
    summary: ClassVar[str]
    """The help of the verb: a first sentence that fits in a list, then what is done."""
    lead: ClassVar[str] = ""
    """What the page says first; what the summary says after its first sentence if missing."""
    example: ClassVar[str]
    """A command that works."""
    settings_type: ClassVar[type[PaperSettings]]
    default_treebanks: ClassVar[tuple[str, ...]] = ()
    """What is taken where no treebank is named."""
    small_treebanks: ClassVar[tuple[str, ...]] = ()
    """Toy languages for `--small`, which needs no data and takes a minute."""
    small_tokens: ClassVar[int] = 0
    """How large the toy treebanks of `--small` are, in words; 0 for what is usual for them."""
    small_on_disk: ClassVar[bool] = False
    """Whether these are written into the folder of the run, where `treegauge report` finds them."""
    small_system_settings: ClassVar[Mapping[str, Mapping[str, Any]]] = MappingProxyType({})
    """Settings by system that `--small` brings; `--set` has others for a system."""

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the paper says that can be checked."""
        return ()

    def small(self, settings: S) -> S:
        """Return settings that take seconds, for toy languages.

        Raises
        ------
        MisuseError
            If settings were chosen that toy languages have no use for.
        """
        return settings

    def check(self, settings: S, workbench: Workbench) -> None:
        """Refuse settings that make no sense with a `MisuseError`, before any work."""

    @abstractmethod
    def measure(self, settings: S, workbench: Workbench) -> Measurements[S]:
        """Run what is to be run, and return what was measured."""

    @abstractmethod
    def tables(self, measured: Measurements[S]) -> list[Table]:
        """Return the paper's tables, published numbers beside ours."""

    def shown_tables(self, measured: Measurements[S]) -> list[Table]:
        """Return the tables that the verb shows, where that is not all of them."""
        return self.tables(measured)

    def figures(self, measured: Measurements[S]) -> list[Figure]:  # noqa: ARG002
        """Return the paper's figures."""
        return []

    def published(self) -> Frames:
        """Return the paper's own numbers, as frames of the same shape as those of a run."""
        return {}

    def published_tables(self) -> list[Table]:
        """Return tables of the paper's own numbers, for `--published`."""
        return []

    # ------------------------------------------------------------------ what follows

    def all_tables(self, measured: Measurements[S], *, shown: bool = False) -> list[Table]:
        """Return the tables of the paper, or those that the verb shows, and its remarks below."""
        remarks = self.remark_table(measured.frames)
        tables = self.shown_tables(measured) if shown else self.tables(measured)
        return [*tables, *([remarks] if remarks else [])]

    def has_page(self, settings: S) -> bool:  # noqa: ARG002
        """Return whether the page is written into the folder of the runs."""
        return True

    def page(
        self,
        measured: Measurements[S],
        workbench: Workbench,  # noqa: ARG002  a paper that is one run may show that run
        *,
        command: str = "",
    ) -> Page:
        """Return the page of the paper: tables, figures, remarks, and how they were made.

        Parameters
        ----------
        measured : Measurements
            What came of the paper.
        workbench : Workbench
            Where it was measured.
        command : str
            What was typed.
        """
        from treegauge.reports.pages import PaperResults, make_paper_page

        title, _, about = self.summary.partition("\n\n")
        title = title.partition(":")[0]
        checked = [remark["run"] for remark in self.remarks_dict(measured.frames)]
        verdicts = [one["verdict"] for one in checked if one]
        facts = []
        if verdicts:
            holds = f"{verdicts.count('holds')} of {len(verdicts)}"
            facts.append((holds, "claims of the paper hold here"))
        if measured.failures:
            facts.append((str(len(measured.failures)), "without result"))
        return make_paper_page(
            PaperResults(
                title.removesuffix("."),
                self.citation,
                self.lead or about,
                self.tables(measured),
                self.figures(measured),
                self.remark_table(measured.frames),
                facts,
                measured.settings.to_dict(),
                command,
                self.readme,
                measured.notes,
                measured.failures,
            )
        )

    def remark_table(self, frames: Frames | None = None) -> Table | None:
        """Return the paper's remarks, checked on its own numbers and on those of a run."""
        from treegauge.tables import Table

        if not self.remarks:
            return None
        rows = []
        for remark in self.remarks:
            theirs = remark.check(self.published())
            ours = None if frames is None else remark.check(frames)
            rows.append([remark.section, remark.text, *_shown(theirs), *_shown(ours)])
        columns = ["section", "remark", "published", "published figures", "this run", "its figures"]
        table = Table(columns, rows, title=f"Claims of the paper, checked: {self.citation}")
        return table if frames is not None else table.with_columns([0, 1, 2, 3])

    def to_dict(self, measured: Measurements[S]) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "schema": 2,
            "paper": self.name,
            "settings": measured.settings.to_dict(),
            "frames": {name: _rows(frame) for name, frame in measured.frames.items()},
            "published": {name: _rows(frame) for name, frame in self.published().items()},
            "remarks": self.remarks_dict(measured.frames),
            "notes": list(measured.notes),
            "failures": list(measured.failures),
        }

    def remarks_dict(self, frames: Frames | None = None) -> list[dict[str, Any]]:
        """Return the remarks as JSON has them."""
        remarks = []
        for remark in self.remarks:
            one: dict[str, Any] = {"section": remark.section, "text": remark.text}
            one["published"] = _as_dict(remark.check(self.published()))
            if frames is not None:
                one["run"] = _as_dict(remark.check(frames))
            remarks.append(one)
        return remarks

    @cached_property
    def folder(self) -> Any:
        """Where the paper's own files are."""
        return files(type(self).__module__.rpartition(".")[0])

    @property
    def readme(self) -> str:
        """The README of the paper's folder; nothing if it has none."""
        if "." not in type(self).__module__:  # a class outside any package, as in a notebook
            return ""
        file = self.folder / "README.md"
        return file.read_text("utf-8") if file.is_file() else ""

    def read_published(self, file: str = "published.tsv", **types: Any) -> pl.DataFrame:
        """Read a table of published numbers from the paper's folder; lines with # are remarks."""
        import polars as pl

        text = (self.folder / file).read_bytes()
        return pl.read_csv(text, separator="\t", comment_prefix="#", schema_overrides=types)


def require_systems(names: Iterable[str], task: str) -> None:
    """Refuse systems that there are not, and those that annotate something else."""
    from treegauge.systems import find_system

    for name in names:
        annotated = find_system(name).task
        if annotated not in (task, "?"):
            raise MisuseError(f"{name} annotates {annotated}, not {task}; see list systems")


CORRELATION: dict[str, type] = {"pearson": float, "pearson_low": float, "pearson_high": float}
CORRELATION |= {"pearson_p": float, "pearson_n": int, "spearman": float}
"""The columns of a correlation in frames, as tables read them."""


def correlation_columns(correlation: Correlation) -> dict[str, float | None]:
    """Return a correlation as frames have it."""
    about = {f"pearson_{key}": getattr(correlation, key) for key in ("low", "high", "p", "n")}
    return {"pearson": correlation.pearson, **about, "spearman": correlation.spearman}


_NEURAL_PARSER = "biaffine"


def with_neural_parser(parsers: tuple[str, ...], *, wanted: bool) -> tuple[str, ...]:
    """Return parsers by name, and the neural one after them if it is wanted."""
    return tuple(dict.fromkeys((*parsers, _NEURAL_PARSER))) if wanted else parsers


def require_neural_parser(*, wanted: bool) -> None:
    """Say what to install where the neural parser is wanted and cannot run."""
    if wanted:
        from treegauge.systems.pytorch import import_torch

        import_torch(_NEURAL_PARSER)


def epochs_of(system: str, epochs: int | None) -> dict[str, int]:
    """Return the setting of a number of epochs, if one is wanted and the system has it."""
    from treegauge.systems import make_system

    has_epochs = "epochs" in make_system(system).settings.to_dict()
    return {"epochs": epochs} if epochs and has_epochs else {}


def _rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame; JSON knows no NaN."""
    return frame.fill_nan(None).to_dicts()


def _shown(checked: Checked | None) -> list[str | None]:
    return [None, None] if checked is None else [checked.verdict, checked.evidence]


def _as_dict(checked: Checked | None) -> dict[str, str] | None:
    return None if checked is None else {"verdict": checked.verdict, "evidence": checked.evidence}
