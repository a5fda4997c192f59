"""What `dictionaries` gives to other rooms."""

from .assessment import (
    Assessment as Assessment,
    TaggerCurve as TaggerCurve,
    TaggerRanking as TaggerRanking,
    TaggerScores as TaggerScores,
)
from .calibration import (
    ESTIMATORS as ESTIMATORS,
    Calibrator as Calibrator,
    Estimate as Estimate,
    Estimator as Estimator,
    Validation as Validation,
    validate as validate,
)
from .corruption import (
    CorruptionCurve as CorruptionCurve,
    confusion_rows as confusion_rows,
    corrupted as corrupted,
    corrupted_treebank as corrupted_treebank,
    corruption_curve as corruption_curve,
)
from .derived import (
    Translation as Translation,
    from_shards as from_shards,
    from_treebank as from_treebank,
    translate as translate,
)
from .errors import (
    DictionaryError as DictionaryError,
)
from .files import (
    WordPair as WordPair,
    joined as joined,
    read_dictionary as read_dictionary,
    read_word_list as read_word_list,
    write_dictionary as write_dictionary,
)
from .held_out import (
    HeldOutPoint as HeldOutPoint,
    held_out_curve as held_out_curve,
    required_sentences as required_sentences,
)
from .imports import (
    KINDS as KINDS,
    Imported as Imported,
    import_dictionary as import_dictionary,
)
from .language_rankings import (
    RankingOfLanguages as RankingOfLanguages,
    rank_languages as rank_languages,
    read_records as read_records,
)
from .matching import (
    Matching as Matching,
)
from .quality import (
    DictionaryComparison as DictionaryComparison,
    Quality as Quality,
    compare_dictionaries as compare_dictionaries,
    quality as quality,
)
from .ranking import (
    Groups as Groups,
    Ranking as Ranking,
    few_taggers_note as few_taggers_note,
    indistinguishable as indistinguishable,
    mcnemar as mcnemar,
    pooled_test as pooled_test,
    precision_at_1 as precision_at_1,
    rank as rank,
    regret as regret,
)
from .records import (
    Record as Record,
    evaluate_taggers as evaluate_taggers,
    require_comparable as require_comparable,
)
from .soft_accuracy import (
    GoldBlock as GoldBlock,
    SoftAccuracy as SoftAccuracy,
    soft_accuracy as soft_accuracy,
)
from .sub_dictionaries import (
    CurvePoint as CurvePoint,
    curve_sizes as curve_sizes,
    form_frequencies as form_frequencies,
    sub_dictionary_curve as sub_dictionary_curve,
)
from .tag_dictionary import (
    TagDictionary as TagDictionary,
)
from .texts import (
    Tagged as Tagged,
    Text as Text,
    tag_codes as tag_codes,
    tagged_texts as tagged_texts,
)
from .training_use import (
    refuse_training_dictionary as refuse_training_dictionary,
)
from .verdict import (
    Verdict as Verdict,
    verdict as verdict,
)
