"""The one list of golden cases: a command line each, run once for every format.

They run in a folder with the files of `material.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

FORMATS = ("table", "markdown", "latex", "tsv", "json")


@dataclass(frozen=True)
class Case:
    """A command line whose outputs are frozen."""

    name: str
    """The verb's folder and a name within it."""
    arguments: tuple[str, ...]
    formats: tuple[str, ...] = FORMATS
    """Empty for verbs that have no --format: they run once."""
    slow: bool = False
    before: tuple[tuple[str, ...], ...] = ()
    """Command lines that have to be run first."""
    written: tuple[str, ...] = ()
    """Files that the command writes and that are kept too; of a page, its visible text."""
    needs: str = ""
    """A package that not every machine has."""


def _case(
    name: str,
    line: str,
    formats: tuple[str, ...] = FORMATS,
    *,
    slow: bool = False,
    before: tuple[str, ...] = (),
    written: tuple[str, ...] = (),
    needs: str = "",
) -> Case:
    """Return a case from a command line with blanks between its arguments."""
    lines = tuple(tuple(one.split()) for one in before)
    return Case(name, tuple(line.split()), formats, slow, lines, written, needs)


_SCORED = "gold.conllu ours.conllu"
_BOTH = "gold.conllu ours.conllu base.conllu"
_FEW = "--trials 50 --resamples 20"

_EVALUATE = [
    _case("evaluate/plain", f"evaluate {_SCORED} --resamples 20"),
    _case("evaluate/tests", f"evaluate {_BOTH} -m las,uas,ned,uas@10 {_FEW}"),
    _case("evaluate/bootstrap", f"evaluate {_BOTH} -m las --test bootstrap {_FEW}"),
    _case("evaluate/strata", f"evaluate {_BOTH} -m uas,las --by relation --by edge_length {_FEW}"),
    _case(
        "evaluate/crossed-strata",
        f"evaluate {_SCORED} -m uas --by tag*direction --resamples 20",
        ("table", "json"),
    ),
    _case(
        "evaluate/training-strata",
        f"evaluate {_SCORED} -m uas --by known --by frequency --train train.conllu --resamples 20",
    ),
    _case("evaluate/confusion", f"evaluate {_SCORED} --confusion relations --resamples 20"),
    _case("evaluate/confusion-of-tags", f"evaluate {_SCORED} --confusion tags --resamples 20"),
    _case("evaluate/per-tag", f"evaluate {_SCORED} --per-tag --resamples 20"),
    _case("evaluate/reference", f"evaluate {_BOTH} -m uas --reference other.conllu {_FEW}"),
    _case("evaluate/styles", f"evaluate {_BOTH} -m uas,las --styles all {_FEW}"),
    _case("evaluate/agreement", f"evaluate {_BOTH} other.conllu --agreement {_FEW}"),
    _case(
        "evaluate/perplexity",
        f"evaluate {_BOTH} -m uas --perplexity-train train.conllu {_FEW}",
    ),
    _case("evaluate/errors", f"evaluate {_SCORED} --errors nsubj:obj --resamples 20"),
    _case("evaluate/errors-of-stratum", f"evaluate {_SCORED} --errors edge_length=10+"),
    _case(
        "evaluate/pascal",
        f"evaluate {_BOTH} --preset pascal {_FEW}",
    ),
    _case(
        "evaluate/induced-tags",
        "evaluate gold.conllu classes.conllu --preset pascal -m many_to_one,v_measure,vi "
        "--resamples 20",
        before=("induce brown gold.conllu --set classes=5 -o classes.conllu",),
    ),
    _case("evaluate/bare", f"evaluate {_SCORED} -m las -b", ()),
    _case(
        "evaluate/page",
        f"evaluate {_BOTH} -m las,uas -o page.html {_FEW}",
        (),
        written=("page.html",),
    ),
]

_OTHERS = [
    _case("compare/plain", f"compare {_BOTH} {_FEW}"),
    _case("compare/strata", f"compare {_BOTH} -m las --by relation {_FEW}", ("table", "json")),
    _case(
        "compare/page",
        f"compare {_BOTH} -m las -o page.html {_FEW}",
        (),
        written=("page.html",),
    ),
    _case("validate/cycle", "validate cycle.conllu"),
    _case("validate/several", "validate gold.conllu cycle.conllu columns.conllu"),
    _case("validate/level", "validate --level 2 gold.conllu cycle.conllu"),
    _case("validate/strict", "validate --strict cycle.conllu", ("table", "json")),
    _case("describe/plain", "describe svo sov --data data"),
    _case("describe/toy", "describe toy:svo:test toy:sov:test", ("table",)),
    _case("describe/perplexity", "describe svo --data data --perplexity --resamples 20"),
    _case("describe/one-file", "describe gold.conllu --perplexity --resamples 20", ("table",)),
    _case("describe/word-order", "describe svo:test free:test --data data --word-order"),
    _case(
        "describe/gm16",
        "describe svo:test --data data --word-order --word-order-settings gm16 --resamples 20",
        ("table", "json"),
    ),
    _case("describe/reducibility", "describe svo:test free:test --data data --reducibility"),
    _case("convert/pascal", "convert few.conllu out.pascal", written=("out.pascal",)),
    _case(
        "convert/style",
        "convert few.conllu out.conllu --style functional,coordination=first",
        written=("out.conllu",),
    ),
    _case("convert/heads", "convert town.mrg - --to conllu --heads lth", ()),
    _case("convert/tagged", "convert few.conllu - --to slashed --tags u12", ()),
    _case("permute/optdl", "permute few.conllu out.conllu --order optdl", written=("out.conllu",)),
    _case("permute/random", "permute few.conllu out.conllu --order random --keep-all --seed 3", ()),
    _case(
        "permute/undo",
        "permute out.conllu back.conllu --undo",
        before=("permute few.conllu out.conllu --order mirror",),
    ),
    _case("derive/text", "derive few.conllu out.txt", written=("out.txt",)),
    _case("derive/treebank", "derive few.conllu - --to conllu --system swap-eager", ()),
    *(
        _case(f"list/{topic}", f"list {topic}")
        for topic in (
            "formats",
            "findings",
            "ud-rules",
            "metrics",
            "strata",
            "systems",
            "sets",
            "toys",
        )
    ),
    _case("list/settings", "list systems dmv"),
    _case("data/list", "data list --data data"),
    _case("data/fingerprints", "data list --data data --fingerprints"),
    _case("data/nothing", "data list", ("table", "json")),
    _case(
        "induce/trees",
        "induce dmv few.conllu -o out.conllu --set iterations=5",
        written=("out.conllu",),
    ),
    _case(
        "induce/tags",
        "induce brown gold.conllu -o out.tagged --set classes=5 --paths out.paths",
        ("table", "json"),
        written=("out.tagged", "out.paths"),
    ),
    _case(
        "induce/grammar",
        "induce dmv gold.conllu -o out.conllu --set iterations=5 --show-grammar --top 3",
        (),
    ),
    _case("train/parser", "train transition train.conllu -o parser.model --set epochs=2"),
    _case("train/tagger", "train tnt train.conllu -o tagger.model", ("table", "json")),
    _case(
        "annotate/parser",
        "annotate parser.model few.conllu -o out.conllu",
        before=("train transition train.conllu -o parser.model --set epochs=2",),
        written=("out.conllu",),
    ),
    _case(
        "annotate/tagger",
        "annotate tagger.model few.conllu --to slashed",
        (),
        before=("train tnt train.conllu -o tagger.model",),
    ),
    _case("predict-accuracy/plain", "predict-accuracy svo --data data", ("table", "json")),
    _case(
        "predict-accuracy/one-parser",
        "predict-accuracy svo --data data --parser graph",
        ("markdown", "latex", "tsv"),
    ),
    _case("draw/text", "draw gold.conllu -s 1 --system ours.conllu --system base.conllu", ()),
    _case("draw/svg", "draw gold.conllu -s 2 --system ours.conllu --to svg", ()),
    _case("draw/tikz", "draw gold.conllu -s 2 --system ours.conllu --to tikz", ()),
    _case("draw/page", "draw gold.conllu -s 2 -o tree.html", (), written=("tree.html",)),
]

_TAGGERS = "ours=ours.conllu base=base.conllu"
_RECORDS = tuple(
    f"dictionary score {name}.tsv ours={name}-ours.conllu base={name}-base.conllu "
    f"--gold {name}-gold.conllu --resamples 20 --language {name} -o {name}.json"
    for name in ("sov", "vso")
)

_DICTIONARY = [
    _case(
        "dictionary/score",
        f"dictionary score svo.tsv {_TAGGERS} --gold gold.conllu --train train.conllu "
        "--worst 3 --resamples 20",
    ),
    _case("dictionary/score-without-gold", "dictionary score toy:svo ours.conllu", ("table",)),
    _case(
        "dictionary/rank",
        f"dictionary rank svo.tsv {_TAGGERS} --gold gold.conllu {_FEW}",
    ),
    _case(
        "dictionary/rank-of-records",
        "dictionary rank --records sov.json --records vso.json --trials 50",
        before=_RECORDS,
    ),
    _case(
        "dictionary/rank-calibrated",
        f"dictionary rank svo.tsv {_TAGGERS} --calibrate sov.json --calibrate vso.json {_FEW}",
        before=_RECORDS,
    ),
    *(
        _case(
            f"dictionary/curve-{kind}",
            f"dictionary curve svo.tsv ours.conllu base.conllu --kind {kind} --gold gold.conllu "
            "--draws 5" + (" --sizes 50,100 --frequencies train.conllu" if kind == "size" else ""),
        )
        for kind in ("size", "corruption", "held-out")
    ),
    _case("dictionary/quality", "dictionary quality svo.tsv train.conllu"),
    _case(
        "dictionary/translate",
        "dictionary translate svo.tsv pairs.tsv out.tsv",
        written=("out.tsv",),
    ),
    _case(
        "dictionary/from-treebank",
        "dictionary from-treebank gold.conllu out.tsv",
        written=("out.tsv",),
    ),
    _case(
        "dictionary/import",
        "dictionary import danish.um out.tsv --kind unimorph",
        written=("out.tsv",),
    ),
]

_LOOK = ("run look.toml --workers 1",)

_RUN = [
    _case("run/plain", "run look.toml --workers 1"),
    _case("run/dry", "run look.toml --workers 1 --dry-run"),
    _case("run/score-only", "run look.toml --workers 1 --score-only", ("table",), before=_LOOK),
    _case("report/plain", "report runs/look", before=_LOOK),
    _case(
        "report/strata",
        "report runs/look -m uas --by edge_length",
        before=_LOOK,
    ),
    _case(
        "report/chosen",
        "report runs/look -m uas,ned --track dependencies --intervals --no-published",
        before=_LOOK,
    ),
    _case(
        "report/page",
        "report runs/look --by edge_length --trials 50 -o page.html",
        (),
        before=_LOOK,
        written=("page.html",),
    ),
]

# The quick papers learn little from treebanks of a thousand words. The slow ones are what
# --small does.
_OWN_DICTIONARIES = " ".join(f"--dictionary {name}={name}.tsv" for name in ("sov", "vso", "free"))

_PAPERS = [
    _case("reproduce/pascal-published", "reproduce pascal --published"),
    _case(
        "reproduce/pascal-quick",
        "reproduce pascal -t svo -t sov --data data --show svo --full --no-html --workers 1 "
        "--skip *(p) --skip *(c) --skip *(45) --skip viterbi-dmv --skip udp --skip ccg* "
        "--skip universal* --skip frequent* "
        "--skip unamb*",
    ),
    _case(
        "reproduce/pascal-penn",
        "reproduce pascal -t svo --data data --data penn --tag-map penn.map --show en_wsj_sample "
        "--full --no-html --workers 1 --skip brown* --skip mkcls* --skip predictive* --skip *over* "
        "--skip viterbi* --skip udp --skip universal* --skip openclass* --skip unamb* "
        "--skip soegaard-p* "
        "--skip content* --skip frequent*",
        ("table", "tsv", "json"),
        slow=True,
    ),
    _case(
        "reproduce/ned-quick",
        "reproduce ned -t svo --data data --tags u --algorithms km04 --systems harmonic "
        "--set klein-manning-dmv.iterations=5 --workers 1",
    ),
    _case(
        "reproduce/word-order-quick",
        "reproduce word-order -t svo -t free --data data --transfer --workers 1 "
        "--set transition.epochs=1 --set transition.optimise=false --set graph.epochs=1",
        slow=True,
        written=("runs/word-order/accuracies.tsv",),
    ),
    _case(
        "reproduce/perplexity-quick",
        "reproduce perplexity -t svo -t sov -t vso --data data --workers 1 "
        "--set transition.epochs=1 --set graph.epochs=1",
        ("table", "latex", "json"),
        slow=True,
    ),
    _case(
        "reproduce/tagger-evaluation-quick",
        f"reproduce tagger-evaluation -t sov -t vso -t free --data data {_OWN_DICTIONARIES} "
        "--bilingual sov=pairs.tsv --english svo.tsv --english-treebank svo "
        "--taggers tnt,most-frequent-tag --workers 1",
        slow=True,
    ),
    _case(
        "reproduce/pascal-small",
        "reproduce pascal --small --full --workers 1",
        ("table", "json"),
        slow=True,
        written=("runs/pascal-small/report.html",),
    ),
    _case(
        "reproduce/pascal-intervals",
        "reproduce pascal --small --intervals --seeds 2 --no-html --workers 1",
        ("table",),
        slow=True,
    ),
    _case(
        "reproduce/pascal-extrinsic",
        "reproduce pascal-extrinsic --small --workers 1",
        slow=True,
        needs="pycrfsuite",
    ),
    _case("reproduce/pascal-scaling", "reproduce pascal-scaling --small --workers 1"),
    _case("reproduce/ned-small", "reproduce ned --small --workers 1", ("table", "json"), slow=True),
    _case(
        "reproduce/word-order-small",
        "reproduce word-order --small --transfer --workers 1",
        ("table", "json"),
        slow=True,
    ),
    _case(
        "reproduce/perplexity-small",
        "reproduce perplexity --small --workers 1",
        ("table", "markdown", "tsv"),
        slow=True,
    ),
    _case(
        "reproduce/tagger-evaluation-small",
        "reproduce tagger-evaluation --small --workers 1",
        ("table", "json"),
        slow=True,
    ),
]

_MADE = (
    "challenge init demo --treebanks svo --data data --open-now dependencies",
    "challenge pack demo --data data -o packs",
)
_SENT = (
    *_MADE,
    "challenge check packs/demo-dependencies-test.zip packs/demo-dependencies-example.zip "
    "--zip mine.zip",
)

_CHALLENGE = [
    _case("challenge/init", _MADE[0], ("json",)),
    _case("challenge/pack", _MADE[1], ("json",), before=_MADE[:1]),
    _case("challenge/check", _SENT[2], ("json",), before=_MADE),
    _case(
        "challenge/check-flawed",
        "challenge check packs/demo-dependencies-test.zip packs/demo-pos-example.zip",
        ("json",),
        before=_MADE,
    ),
    _case(
        "challenge/fill",
        "challenge fill packs/small-dependencies-test.zip --source licensed",
        ("json",),
        before=("challenge pack licensed -o packs",),
    ),
    _case("challenge/score", "challenge score demo mine.zip", ("json",), before=_SENT),
    _case("challenge/board", "challenge board demo -o site", ("json",), before=_MADE),
    _case("challenge/archive", "challenge archive demo -o kept --private", ("json",), before=_MADE),
    *(
        _case(
            f"challenge/{name}",
            line,
            ("json",),
            before=(*_MADE, *before),
            needs="sqlalchemy",
        )
        for name, line, before in (
            ("organiser-add", "challenge organiser add anna --folder demo", ()),
            ("team-add", "challenge team add blue --folder demo", ()),
            (
                "team-invite",
                "challenge team invite blue --folder demo",
                ("challenge team add blue --folder demo",),
            ),
            ("doctor", "challenge doctor demo", ("challenge team add blue --folder demo",)),
            (
                "backup",
                "challenge backup demo -o demo.tar",
                ("challenge team add blue --folder demo",),
            ),
            (
                "restore",
                "challenge restore demo.tar copy",
                (
                    "challenge team add blue --folder demo",
                    "challenge backup demo -o demo.tar",
                ),
            ),
        )
    ),
]

_SUMMARIES = [
    _case("init/plain", "init first.toml --treebanks toy:svo --systems dmv,random", ("json",)),
    _case("export-prompt/plain", "export-prompt few.conllu -o prompts.jsonl --json", ()),
    _case(
        "import-answers/plain",
        "import-answers answers.jsonl -o out.conllu",
        ("json",),
        written=("out.conllu",),
    ),
    _case("demo/plain", "demo --into tour", ("json",), slow=True),
]

CASES = [
    *(*_EVALUATE, *_OTHERS, *_DICTIONARY, *_RUN, *_PAPERS, *_SUMMARIES, *_CHALLENGE),
    Case("misuse", ()),
]

MISUSES = [
    tuple(line.split())
    for line in (
        "evaluat gold.conllu ours.conllu",
        "evaluate gold.conllu",
        "evaluate gold.conllu missing.conllu",
        "evaluate gold.conllu empty-file.conllu",
        "evaluate gold.conllu columns.conllu",
        "evaluate gold.conllu train.conllu",
        "evaluate gold.conllu ours.conllu -m laz",
        "evaluate gold.conllu ours.conllu --preset conll2019",
        "evaluate gold.conllu ours.conllu --by relatoin",
        "evaluate gold.conllu ours.conllu --by known",
        "evaluate gold.conllu ours.conllu --format xml",
        "evaluate gold.conllu ours.conllu --styles pargue",
        "evaluate gold.conllu ours.conllu --figures figures",
        "compare gold.conllu ours.conllu",
        "convert gold.conllu out.conlu",
        "convert gold.conllu out.conllu --style ud,coordination=middle",
        "describe toy:svp",
        "describe svo",
        "describe gold.conllu --perplexity srilm,order=many",
        "draw gold.conllu -s 1000",
        "permute gold.conllu out.conllu --order optld",
        "permute gold.conllu out.conllu",
        "derive gold.conllu out.txt --system arc-lazy",
        "list metricz",
        "induce dvm gold.conllu",
        "induce dmv gold.conllu --set itrations=5",
        "induce dmv gold.conllu --set iterations=many",
        "induce dmv gold.conllu --set iterations",
        "induce tnt gold.conllu",
        "annotate gold.conllu gold.conllu",
        "dictionary rank svo.tsv ours.conllu",
        "dictionary score gold.conllu ours.conllu",
        "predict-accuracy svo --data data --parser malt",
        "run missing.toml",
        "run no-toml.toml",
        "run unknown-key.toml",
        "run unknown-system.toml",
        "run unknown-treebank.toml",
        "run wrong-setting.toml",
        "run look.toml --timeout soon",
        "report nowhere",
        "report data",
        "reproduce pascl",
        "reproduce pascal --small -t toy:svo",
        "reproduce pascal --small --skip nobody",
        "reproduce pascal --set brown",
        "reproduce pascal --systems quick",
        "reproduce pascal -t svo --data data --tag-map penn.map",
        "reproduce pascal -t svo --data data --show en_wsj_sample",
        "reproduce pascal --small --tag-map penn.map",
        "reproduce ned --small -t toy:svo",
        "reproduce ned -t gold.conllu",
        "reproduce ned --small --set iterations=5",
        "reproduce ned --small --systems dvm",
        "reproduce word-order --small --parsers tnt",
        "reproduce word-order --small --orders optld",
        "reproduce word-order -t toy:svo:train",
        "reproduce perplexity --small --others tnt",
        "reproduce perplexity --small --perplexity srlim",
        "reproduce perplexity --small --set dmv.epochs=3",
        "reproduce tagger-evaluation",
        "reproduce tagger-evaluation --small --taggers graph",
        "reproduce tagger-evaluation --dictionary svo",
    )
]
