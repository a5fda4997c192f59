"""The public interface: where every name comes from."""

from .catalogue import (
    Catalogue as Catalogue,
)
from .catalogue import (
    CatalogueError as CatalogueError,
)
from .catalogue import (
    load as load,
)
from .errors import (
    TreegaugeError as TreegaugeError,
)
from .evaluation import (
    Evaluation as Evaluation,
)
from .evaluation import (
    evaluate as evaluate,
)
from .formats import (
    Finding as Finding,
)
from .formats import (
    Findings as Findings,
)
from .formats import (
    FormatError as FormatError,
)
from .formats import (
    FormatWarning as FormatWarning,
)
from .formats import (
    from_spacy as from_spacy,
)
from .formats import (
    parse as parse,
)
from .formats import (
    read as read,
)
from .formats import (
    to_text as to_text,
)
from .formats import (
    validate as validate,
)
from .formats import (
    write as write,
)
from .metrics import (
    Conventions as Conventions,
)
from .metrics import (
    MetricError as MetricError,
)
from .metrics import (
    preset as preset,
)
from .properties import (
    LanguageModel as LanguageModel,
)
from .properties import (
    PerplexitySettings as PerplexitySettings,
)
from .properties import (
    ScoredText as ScoredText,
)
from .properties import (
    Statistics as Statistics,
)
from .properties import (
    TreebankPerplexity as TreebankPerplexity,
)
from .properties import (
    WordOrder as WordOrder,
)
from .properties import (
    read_arpa as read_arpa,
)
from .properties import (
    statistics as statistics,
)
from .properties import (
    train_language_model as train_language_model,
)
from .properties import (
    treebank_perplexity as treebank_perplexity,
)
from .results import (
    Score as Score,
)
from .results import (
    Signature as Signature,
)
from .rewrite import (
    Style as Style,
)
from .rewrite import (
    permute as permute,
)
from .rewrite import (
    restore_order as restore_order,
)
from .rewrite import (
    to_style as to_style,
)
from .runs import (
    Experiment as Experiment,
)
from .runs import (
    ExperimentError as ExperimentError,
)
from .runs import (
    run as run,
)
from .systems import (
    System as System,
)
from .systems import (
    load_system as load_system,
)
from .systems import (
    make_system as make_system,
)
from .toys import (
    toy_treebank as toy_treebank,
)
from .treebank import (
    Column as Column,
)
from .treebank import (
    Sentence as Sentence,
)
from .treebank import (
    Treebank as Treebank,
)
from .treebank import (
    TreebankError as TreebankError,
)
from .treebank import (
    Vocabulary as Vocabulary,
)
from .treebank import (
    Word as Word,
)
from .treebank import (
    blind as blind,
)
from .treebank import (
    concatenate as concatenate,
)
from .treebank import (
    restore_words as restore_words,
)

__version__: str
