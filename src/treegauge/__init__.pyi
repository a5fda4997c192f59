"""The public interface: where every name comes from."""

from .catalogue import (
    Catalogue as Catalogue,
    CatalogueError as CatalogueError,
    load as load,
)
from .errors import (
    TreegaugeError as TreegaugeError,
)
from .evaluation import (
    ComparisonOfTwo as ComparisonOfTwo,
    Descriptions as Descriptions,
    Evaluation as Evaluation,
    compare as compare,
    describe as describe,
    evaluate as evaluate,
)
from .formats import (
    Finding as Finding,
    Findings as Findings,
    FormatError as FormatError,
    FormatWarning as FormatWarning,
    Validation as Validation,
    from_spacy as from_spacy,
    from_stanza as from_stanza,
    parse as parse,
    read as read,
    to_spacy as to_spacy,
    to_text as to_text,
    validate as validate,
    write as write,
)
from .metrics import (
    Conventions as Conventions,
    MetricError as MetricError,
    preset as preset,
)
from .properties import (
    LanguageModel as LanguageModel,
    PerplexitySettings as PerplexitySettings,
    PropertyError as PropertyError,
    ScoredText as ScoredText,
    TreebankPerplexity as TreebankPerplexity,
    TreebankStatistics as TreebankStatistics,
    WordOrder as WordOrder,
    read_arpa as read_arpa,
    statistics as statistics,
    train_language_model as train_language_model,
    treebank_perplexity as treebank_perplexity,
)
from .reports import (
    Drawing as Drawing,
    FigureError as FigureError,
    RunReport as RunReport,
    draw as draw,
    report as report,
)
from .results import (
    ResultsError as ResultsError,
    Score as Score,
    Signature as Signature,
)
from .rewrite import (
    RewriteError as RewriteError,
    Style as Style,
    permute as permute,
    restore_order as restore_order,
    to_style as to_style,
)
from .runs import (
    Experiment as Experiment,
    ExperimentError as ExperimentError,
    Run as Run,
    run as run,
)
from .systems import (
    Induction as Induction,
    System as System,
    SystemsError as SystemsError,
    induce as induce,
    load_system as load_system,
    make_system as make_system,
)
from .tables import (
    Table as Table,
)
from .toys import (
    ToyError as ToyError,
    toy_treebank as toy_treebank,
)
from .transitions import (
    TransitionError as TransitionError,
)
from .treebank import (
    AlignmentError as AlignmentError,
    Column as Column,
    Sentence as Sentence,
    Treebank as Treebank,
    TreebankError as TreebankError,
    Vocabulary as Vocabulary,
    Word as Word,
    blind as blind,
    concatenate as concatenate,
    restore_words as restore_words,
)

__version__: str
