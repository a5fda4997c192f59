"""What runs give to other rooms."""

from .cluster import (
    ClusterExecutor as ClusterExecutor,
    cluster_executor as cluster_executor,
)
from .errors import (
    ExperimentError as ExperimentError,
)
from .experiment import (
    Experiment as Experiment,
    Scoring as Scoring,
    SystemChoice as SystemChoice,
    Tuning as Tuning,
)
from .outlook import (
    Outlook as Outlook,
)
from .planning import (
    Plan as Plan,
)
from .recipes import (
    kubernetes_manifest as kubernetes_manifest,
    slurm_options as slurm_options,
)
from .rows import (
    Failure as Failure,
)
from .run_folder import (
    RunFolder as RunFolder,
)
from .runner import (
    Run as Run,
    Standing as Standing,
    look_ahead as look_ahead,
    run as run,
)
