"""What to type so that everything a verb or a system needs is compiled: the table of warm-up.

Kernels are compiled for the arrays that they are called with. So nothing here lists kernels: a
verb, or a system, has command lines that use all of it, on the small files of `write_material`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treegauge.errors import TreegaugeError
from treegauge.systems.registry import SystemEntry, systems
from treegauge.wording import unknown_name

_SCORED = "gold.conllu ours.conllu base.conllu --trials 20 --resamples 20"
_TRANSITION_SYSTEMS = (
    *("arc-eager", "arc-standard", "arc-hybrid", "swap-eager", "swap-lazy"),
    *("covington", "covington-projective"),
)
"""Kernels are compiled for each of them."""

VERB_LINES: dict[str, Sequence[str]] = {
    "evaluate": (
        f"evaluate {_SCORED}",
        f"evaluate {_SCORED} --preset pascal --test bootstrap --average sentence",
        f"evaluate {_SCORED} --preset conll2006 --reference other.conllu --agreement",
        f"evaluate {_SCORED} -m uas --styles all --perplexity --perplexity-train train.conllu",
        "evaluate whole.conllu split.conllu --align --resamples 20",
        "evaluate whole.conllu split.conllu --repair --resamples 20",
        f"evaluate {_SCORED} -m las,uas --train train.conllu --by relation --by known --by depth "
        "--by edge_length --by projectivity --by tag*direction --errors edge_length=10+",
        f"evaluate {_SCORED} --confusion relations --per-tag -o page.html",
        f"evaluate {_SCORED} --confusion tags",
        f"evaluate {_SCORED} -m many_to_one,one_to_one,v_measure,vi",
    ),
    "compare": (
        f"compare {_SCORED} --by relation",
        f"compare {_SCORED} --test bootstrap -o page.html",
    ),
    "draw": (
        "draw gold.conllu --system ours.conllu",
        "draw gold.conllu --system ours.conllu -o tree.svg",
        "draw gold.conllu -o tree.tex",
    ),
    "validate": (
        "validate gold.conllu",
        "validate --strict ours.conllu gold.conllx",
        "validate --level 2 gold.conllu",
        "validate ours.conllu --fix fixed.conllu",
    ),
    "export-prompt": ("export-prompt gold.conllu --train train.conllu -o prompts.jsonl",),
    "import-answers": (
        "export-prompt gold.conllu -o questions.jsonl",
        "import-answers questions.jsonl --answer-field prompt -o answered.conllu",
    ),
    "convert": (
        "convert gold.conllu out.conllx",
        "convert gold.conllu out.pascal --tags u12",
        "convert gold.conllu out.tagged",
        "convert out.tagged out.conllu",
        "convert gold.conllu parts.conllu --blind both --split 8:1:1 --seed 1",
        *(
            f"convert gold.conllu {style}.conllu --style {style}"
            for style in ("functional", "lexical", "prague", "conll")
        ),
        "convert functional.conllu back.conllu --style ud",
        "convert prague.conllu back.conllu --style ud",
        "convert gold.conllu out.conllu --style functional,coordination=first",
        *(f"convert town.mrg {rules}.conllu --heads {rules}" for rules in ("collins", "lth")),
    ),
    "describe": (
        "describe gold.conllu",
        "describe data/svo --perplexity --resamples 20",
        "describe data/svo --word-order --resamples 20",
        "describe data/svo --word-order --word-order-settings gm16 --resamples 20",
    ),
    "permute": (
        *(
            f"permute gold.conllu out.conllu --order {order}"
            for order in ("optdl", "left", "right", "random-projective", "random", "projectivise")
        ),
        "permute gold.conllu out.conllu --order consistent",
        "permute gold.conllu out.conllu --order nonprojective:0.3",
        "permute gold.conllu out.conllu --order mirror",
        "permute gold.conllu kept.conllu --order random --keep-all",
        "permute out.conllu back.conllu --undo",
    ),
    "derive": (
        "derive gold.conllu out.txt",
        *(
            f"derive gold.conllu out.conllu --projectivise --system {system}"
            for system in _TRANSITION_SYSTEMS
        ),
    ),
    "predict-accuracy": ("predict-accuracy train.conllu",),
    "dictionary": (
        "dictionary score svo.tsv ours.conllu base.conllu --gold gold.conllu --train train.conllu "
        "--worst 3 --resamples 20",
        "dictionary rank svo.tsv ours.conllu base.conllu --gold gold.conllu --trials 20 "
        "--resamples 20",
        *(
            f"dictionary curve svo.tsv ours.conllu base.conllu --kind {kind} --gold gold.conllu "
            "--draws 3"
            for kind in ("corruption", "held-out")
        ),
        "dictionary quality svo.tsv train.conllu",
        "dictionary from-treebank gold.conllu out.tsv",
    ),
    "data": ("data list --data data --fingerprints",),
    "challenge": (
        "challenge init demo --treebanks toy:svo --open-now dependencies",
        "challenge pack demo -o packs",
        "challenge check packs/demo-dependencies-test.zip packs/demo-dependencies-example.zip "
        "--zip mine.zip",
        "challenge check packs/demo-joint-test.zip packs/demo-joint-example.zip",
        "challenge score demo mine.zip packs/demo-joint-example.zip packs/demo-pos-example.zip",
        "challenge board demo -o site",
        "challenge archive demo -o kept",
    ),
    "run": ("run look.toml --workers 1 --folder look",),
    "report": (
        "run look.toml --workers 1 --folder look",
        "report look --trials 20",
        "report look --trials 20 -o page.html",
    ),
    "reproduce": (
        "reproduce pascal -t svo -t sov --data data --full --no-html --workers 1 --skip *(p) "
        "--skip *(c) --skip *(45) --skip viterbi-dmv --skip udp --skip universal* --skip ccg* "
        "--skip unamb*",
        "reproduce ned -t svo --data data --tags u --algorithms km04 --systems harmonic "
        "--set dmv.iterations=5 --workers 1",
        "reproduce perplexity -t svo -t sov --data data --workers 1 --set transition.epochs=1 "
        "--set graph.epochs=1",
        "reproduce word-order -t svo -t free --data data --workers 1 --set transition.epochs=1 "
        "--set graph.epochs=1",
    ),
    **dict.fromkeys(("demo", "induce", "train", "annotate", "init", "list", "warm-up"), ()),
}
"""The own command lines of every verb; the usual call comes first."""

_DEMO_VERBS: dict[str, Sequence[str]] = {
    "draw": ("draw gold.conllu",),
    "describe": ("describe data/svo --perplexity",),
    "validate": ("validate gold.conllu",),
    "convert": ("convert gold.conllu out.pascal", "draw out.pascal"),
    "evaluate": (f"evaluate {_SCORED} -m uas,las", f"evaluate {_SCORED} --preset pascal"),
    "dictionary": ("dictionary score svo.tsv ours.conllu base.conllu --resamples 20",),
    "report": VERB_LINES["report"],
}
_DEMO_SYSTEMS = (
    *("left-branching", "right-branching", "random", "harmonic", "dmv", "soegaard-rules"),
    *("universal-dmv", "content-chain"),
    *("brown", "mkcls", "predictive-exchange", "tags-then-trees", "unambiguity"),
    *("transition", "graph", "most-frequent-tag", "tnt", "perceptron"),
)
"""The verbs and systems of the tour, which shows their usual calls alone."""

_SETTINGS: dict[str, Sequence[str]] = {
    "dmv": ("iterations=3", "iterations=3 decode=minimum-risk rules=noji"),
    "evg": ("iterations=3",),
    "transfer-dmv": ("sources=toy:sov epochs=1 drawn=50 iterations=3",),
    "openclass-dmv": ("iterations=3", "iterations=3 tags=p groups=6"),
    "universal-dmv": ("iterations=3", "iterations=3 style=functional"),
    "hmm": ("iterations=5", "iterations=5 learner=gibbs decoding=viterbi"),
    "hmm-pr": ("iterations=5 plain_iterations=2",),
    "pyp-hmm": ("sweeps=10",),
    "bmmm": ("sweeps=10",),
    "lda-classes": ("sweeps=5",),
    "joint": ("sweeps=10 rounds=2",),
    "frequent-leaves": ("iterations=3 mixtures=1",),
    "transition": (
        *(f"epochs=1 system={system}" for system in _TRANSITION_SYSTEMS),
        "epochs=1 features=malt training=static",
    ),
    "graph": (
        "epochs=2",
        "epochs=1 decoder=cle learner=perceptron",
        "epochs=1 minimum_risk=true",
        "epochs=1 decoder=cle minimum_risk=true",
    ),
    "ensemble": (
        "parsers=transition?epochs=1,graph?epochs=1,transition?epochs=1&system=swap-lazy",
    ),
    "inducer-ensemble": ("systems=dmv?iterations=3,udp",),
    "tags-then-trees": ("tags_from=brown:5 inducer=dmv?iterations=3",),
    "projection": (
        "parallel=toy:sov::toy:svo sources=toy:sov sentences=50",
        "parallel=toy:sov::toy:svo sources=toy:sov sentences=50 aligner=hmm "
        "symmetrisation=grow-diag-final",
    ),
    "transfer": ("sources=toy:sov epochs=1 sentences=50",),
    "dictionary-hmm": ("dictionary=toy:svo iterations=3", "dictionary=toy:svo decoding=viterbi"),
    "external": (),
    "spacy": (),
    "stanza": (),
    "udpipe-model": (),
    "udpipe-server": (),
    "bilstm": ("epochs=1 word_size=8 character_size=8 character_hidden=8 hidden=8",),
    "biaffine": ("epochs=1 layers=1 hidden=8", "epochs=1 layers=1 hidden=8 decoder=eisner"),
    "mmi": ("epochs=1 word_size=8 character_size=8 character_hidden=8",),
    "neural-dmv": (
        "epochs=1 steps=1 start_steps=1",
        "epochs=1 steps=1 start_steps=1 order=sibling decode=viterbi",
    ),
    "udpipe": ("iterations=1",),
    "udpipe-tagger": ("iterations=1",),
}
"""Settings with which a system learns quickly; a second time where others need other kernels."""


@dataclass(frozen=True)
class Piece:
    """A piece of the work: what one process types, one line after the other."""

    name: str
    """A verb or a system."""
    lines: Sequence[str]


def pieces_for(names: Iterable[str] = ()) -> list[Piece]:
    """Return the pieces that verbs and systems of these names need; all, if no name is given.

    Raises
    ------
    TreegaugeError
        If there is neither a verb nor a system of a name.
    """
    lines = VERB_LINES | {name: _lines_of(name) for name in systems()}
    wanted: dict[str, Sequence[str]] = {}
    for name in names or lines:
        if name not in lines:
            advice = "`treegauge --help` shows all commands, `treegauge list systems` all systems"
            raise TreegaugeError(unknown_name("command or system", name, lines, advice=advice))
        if name == "demo":
            usual = {system: lines[system][:_LINES_A_CALL] for system in _DEMO_SYSTEMS}
            wanted = _DEMO_VERBS | usual | wanted
        wanted |= {one: lines[one] for one in (name, *_parts_of(name))}
    # Experiments come last: their systems, in processes of their own, are compiled by then.
    order = sorted(lines, key=lambda name: name in EXPERIMENTS)
    return [Piece(name, wanted[name]) for name in order if wanted.get(name)]


EXPERIMENTS = ("run", "report", "reproduce")
"""Verbs whose systems run in processes of their own."""


def _parts_of(verb: str) -> Iterable[str]:
    """Return the other verbs and the systems that a verb needs."""
    if verb == "induce":
        return [name for name, entry in systems().items() if _is_induced(entry)]
    return systems() if verb in ("train", "annotate", "run", "reproduce") else ()


def _is_induced(entry: SystemEntry) -> bool:
    return entry.supervision in ("unsupervised", "universal rules")


_LINES_A_CALL = 2
"""To learn, and to annotate."""


def _lines_of(system: str) -> list[str]:
    """Return what to type so that a system learns, and annotates what it has not seen."""
    lines = []
    for number, settings in enumerate(_SETTINGS.get(system, ("",)), start=1):
        chosen = " ".join(f"--set {one}" for one in settings.split())
        model = f"{system}-{number}.model"
        lines.append(f"train {system} train.conllu -o {model} {chosen}")
        lines.append(f"annotate {model} gold.conllu -o {system}.conllu")
    return lines


# ---------------------------------------------------------------------- material

_EXPERIMENT = """\
treebanks = ["data/svo"]
systems = ["left-branching", "random"]
resamples = 20
by = ["edge_length"]
"""

_BRACKETS = "( (S (NP-SBJ (PRP We)) (VP (VBP live) (PP-LOC (IN in) (NP (NN town)))) (. .)))\n"


_WHOLE = "# text = cannot\n1\tcannot\t_\tAUX\t_\t_\t0\troot\t_\t_\n\n"
_SPLIT = (
    "# text = cannot\n1\tcan\t_\tAUX\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
    "2\tnot\t_\tPART\t_\t_\t1\tadvmod\t_\t_\n\n"
)
"""One text, cut into words in two ways."""


def write_material(folder: Path) -> None:
    """Write the files that the command lines read: toy languages, small."""
    from treegauge.dictionaries import TagDictionary, write_dictionary
    from treegauge.formats import write, write_text
    from treegauge.toys import toy_dictionary, toy_parts, toy_treebank

    for language in ("svo", "sov", "free"):
        home = folder / "data" / language
        home.mkdir(parents=True)
        for part, treebank in toy_parts(f"toy:{language}", tokens=1500).items():
            write(treebank, home / f"{part}.conllu")
    gold = toy_treebank("toy:svo", tokens=500, part="test", nonprojective=0.1)
    # Every word hangs on the one before it: wrong, but trees, and other ones than gold.
    chains = np.arange(gold.n_words) - np.repeat(gold.offsets[:-1], gold.lengths)
    half = np.where(
        np.arange(gold.n_words) < gold.offsets[gold.n_sentences // 2], chains, gold.head
    )
    ours, base = gold.replace(head=half), gold.replace(head=chains)
    for name, treebank in {"gold": gold, "other": gold, "ours": ours, "base": base}.items():
        write(treebank, folder / f"{name}.conllu")
    write(gold, folder / "gold.conllx")
    write(toy_treebank("toy:svo", tokens=1500, nonprojective=0.1), folder / "train.conllu")
    write_dictionary(TagDictionary.from_mapping(toy_dictionary("toy:svo")), folder / "svo.tsv")
    texts = {"look.toml": _EXPERIMENT, "town.mrg": _BRACKETS}
    texts |= {"whole.conllu": _WHOLE, "split.conllu": _SPLIT}
    for name, text in texts.items():
        write_text(folder / name, text)
