"""What runs give to other rooms."""

from .cluster import (
    ClusterExecutor as ClusterExecutor,
)
from .cluster import (
    cluster_executor as cluster_executor,
)
from .errors import (
    ExperimentError as ExperimentError,
)
from .experiment import (
    Experiment as Experiment,
)
from .experiment import (
    Scoring as Scoring,
)
from .experiment import (
    SystemChoice as SystemChoice,
)
from .experiment import (
    Tuning as Tuning,
)
from .planning import (
    Plan as Plan,
)
from .run_folder import (
    RunFolder as RunFolder,
)
from .runner import (
    Failure as Failure,
)
from .runner import (
    Outlook as Outlook,
)
from .runner import (
    Run as Run,
)
from .runner import (
    Standing as Standing,
)
from .runner import (
    look_ahead as look_ahead,
)
from .runner import (
    run as run,
)
