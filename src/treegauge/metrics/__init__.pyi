"""What `metrics` gives to other rooms."""

from .clustering import (
    Cells as Cells,
    induced_column as induced_column,
)
from .comparison import (
    Comparison as Comparison,
)
from .conventions import (
    PRESETS as PRESETS,
    Conventions as Conventions,
    preset as preset,
)
from .errors import (
    MetricError as MetricError,
)
from .metric import (
    Counts as Counts,
    MeanOfSentences as MeanOfSentences,
    Metric as Metric,
    Statistics as Statistics,
    total as total,
)
from .registry import (
    FAMILIES as FAMILIES,
    METRICS as METRICS,
    RATIOS as RATIOS,
    MetricSpec as MetricSpec,
    find_metric as find_metric,
    parse_specs as parse_specs,
)
from .tagging import (
    tag_counts as tag_counts,
)
