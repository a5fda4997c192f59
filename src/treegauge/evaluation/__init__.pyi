"""What evaluation gives to other rooms."""

from .breakdown import (
    Breakdown as Breakdown,
    Confusion as Confusion,
    Mistake as Mistake,
    StratumScore as StratumScore,
    break_down as break_down,
    confusion as confusion,
    mistakes as mistakes,
)
from .comparison import (
    compare as compare,
)
from .comparison_result import (
    ComparisonOfTwo as ComparisonOfTwo,
)
from .description import (
    Descriptions as Descriptions,
    TreebankPart as TreebankPart,
    describe as describe,
    describe_parts as describe_parts,
    describe_stream as describe_stream,
)
from .errors import (
    EvaluationError as EvaluationError,
    EvaluationWarning as EvaluationWarning,
)
from .evaluation import (
    WordsOfSystems as WordsOfSystems,
    evaluate as evaluate,
)
from .evaluation_result import (
    Evaluation as Evaluation,
    metric_head as metric_head,
)
from .resampling import (
    Resampling as Resampling,
)
from .scoring import (
    Evaluated as Evaluated,
    SystemPair as SystemPair,
)
from .streamed_evaluation import (
    evaluate_streams as evaluate_streams,
)
