"""What evaluation gives to other rooms."""

from .breakdown import (
    Confusion as Confusion,
)
from .breakdown import (
    Mistake as Mistake,
)
from .breakdown import (
    StratumScore as StratumScore,
)
from .breakdown import (
    break_down as break_down,
)
from .breakdown import (
    confusion as confusion,
)
from .breakdown import (
    mistakes as mistakes,
)
from .evaluation import (
    Evaluated as Evaluated,
)
from .evaluation import (
    Evaluation as Evaluation,
)
from .evaluation import (
    SystemPair as SystemPair,
)
from .evaluation import (
    evaluate as evaluate,
)
