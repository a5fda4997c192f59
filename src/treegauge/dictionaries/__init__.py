"""Dictionaries of words and tags, and what they say of taggers where there is no gold.

`read_dictionary`, `import_dictionary`, `from_treebank` and `translate` make a `TagDictionary`;
an `Assessment` scores and ranks taggers of one text by it. Below that, `Text` holds the words of a
text against a dictionary, `evaluate_taggers` gives records, and `rank`, `verdict` and `Calibrator`
say which tagger to take and how good it is.
"""

from treegauge.dictionaries.assessment import (
    Assessment,
    TaggerCurve,
    TaggerRanking,
    TaggerScores,
)
from treegauge.dictionaries.calibration import (
    ESTIMATORS,
    Calibrator,
    Estimate,
    Estimator,
    Validation,
    validate,
)
from treegauge.dictionaries.corruption import (
    CorruptionCurve,
    confusion_rows,
    corrupted,
    corrupted_treebank,
    corruption_curve,
)
from treegauge.dictionaries.derived import Translation, from_treebank, translate
from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.files import (
    WordPair,
    joined,
    read_dictionary,
    read_word_list,
    write_dictionary,
)
from treegauge.dictionaries.held_out import HeldOutPoint, held_out_curve, required_sentences
from treegauge.dictionaries.imports import KINDS, Imported, import_dictionary
from treegauge.dictionaries.language_rankings import (
    RankingOfLanguages,
    rank_languages,
    read_records,
)
from treegauge.dictionaries.matching import Matching
from treegauge.dictionaries.quality import (
    DictionaryComparison,
    Quality,
    compare_dictionaries,
    quality,
)
from treegauge.dictionaries.ranking import (
    Groups,
    Ranking,
    few_taggers_note,
    indistinguishable,
    mcnemar,
    pooled_test,
    precision_at_1,
    rank,
    regret,
)
from treegauge.dictionaries.records import Record, evaluate_taggers, require_comparable
from treegauge.dictionaries.soft_accuracy import GoldBlock, SoftAccuracy, soft_accuracy
from treegauge.dictionaries.sub_dictionaries import (
    CurvePoint,
    curve_sizes,
    form_frequencies,
    sub_dictionary_curve,
)
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.texts import Tagged, Text, tag_codes, tagged_texts
from treegauge.dictionaries.training_use import refuse_training_dictionary
from treegauge.dictionaries.verdict import Verdict, verdict

__all__ = [
    "ESTIMATORS",
    "KINDS",
    "Assessment",
    "Calibrator",
    "CorruptionCurve",
    "CurvePoint",
    "DictionaryComparison",
    "DictionaryError",
    "Estimate",
    "Estimator",
    "GoldBlock",
    "Groups",
    "HeldOutPoint",
    "Imported",
    "Matching",
    "Quality",
    "Ranking",
    "RankingOfLanguages",
    "Record",
    "SoftAccuracy",
    "TagDictionary",
    "Tagged",
    "TaggerCurve",
    "TaggerRanking",
    "TaggerScores",
    "Text",
    "Translation",
    "Validation",
    "Verdict",
    "WordPair",
    "compare_dictionaries",
    "confusion_rows",
    "corrupted",
    "corrupted_treebank",
    "corruption_curve",
    "curve_sizes",
    "evaluate_taggers",
    "few_taggers_note",
    "form_frequencies",
    "from_treebank",
    "held_out_curve",
    "import_dictionary",
    "indistinguishable",
    "joined",
    "mcnemar",
    "pooled_test",
    "precision_at_1",
    "quality",
    "rank",
    "rank_languages",
    "read_dictionary",
    "read_records",
    "read_word_list",
    "refuse_training_dictionary",
    "regret",
    "require_comparable",
    "required_sentences",
    "soft_accuracy",
    "sub_dictionary_curve",
    "tag_codes",
    "tagged_texts",
    "translate",
    "validate",
    "verdict",
    "write_dictionary",
]
