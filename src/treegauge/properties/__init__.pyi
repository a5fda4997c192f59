"""What `properties` gives to other rooms."""

from .dependency_length import (
    arc_lengths as arc_lengths,
    dependency_lengths as dependency_lengths,
    mean_dependency_length as mean_dependency_length,
)
from .derivation_perplexity import (
    DerivationModel as DerivationModel,
    PerplexitySettings as PerplexitySettings,
    TreebankPerplexity as TreebankPerplexity,
    cross_validated_perplexity as cross_validated_perplexity,
    mean_increase as mean_increase,
    treebank_perplexity as treebank_perplexity,
)
from .direction_entropy import (
    DirectionCounts as DirectionCounts,
    direction_counts as direction_counts,
    head_finality as head_finality,
)
from .errors import (
    PropertyError as PropertyError,
)
from .expected_length import (
    expected_lengths as expected_lengths,
    omega_scores as omega_scores,
)
from .language_model import (
    LanguageModel as LanguageModel,
    ScoredText as ScoredText,
    read_arpa as read_arpa,
    train_language_model as train_language_model,
)
from .optimal_orders import (
    branching_lengths as branching_lengths,
    optimal_lengths as optimal_lengths,
)
from .projectivity import (
    nonprojective_arcs as nonprojective_arcs,
    nonprojective_words as nonprojective_words,
)
from .reducibility import (
    Reducibility as Reducibility,
    ReducibilityCounter as ReducibilityCounter,
    measure_reducibility as measure_reducibility,
)
from .sentence_selection import (
    select_sentences as select_sentences,
)
from .sibling_entropy import (
    sibling_order_entropy as sibling_order_entropy,
)
from .streamed_statistics import (
    StreamedStatistics as StreamedStatistics,
)
from .tree_geometry import (
    tree_geometry as tree_geometry,
)
from .treebank_statistics import (
    TreebankStatistics as TreebankStatistics,
    statistics as statistics,
)
from .word_order import (
    PRESETS as PRESETS,
    WordOrder as WordOrder,
    WordOrderSettings as WordOrderSettings,
)
