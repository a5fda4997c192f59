"""What `significance` gives to other rooms."""

from .agreement import (
    agreement as agreement,
    kendall_tau_b as kendall_tau_b,
)
from .corrections import (
    holm as holm,
)
from .correlation import (
    correlation as correlation,
    partial_correlation as partial_correlation,
)
from .errors import (
    SignificanceError as SignificanceError,
)
from .intervals import (
    Interval as Interval,
    interval as interval,
)
from .labelled_tables import (
    BesideNothing as BesideNothing,
    LabelledTable as LabelledTable,
)
from .letters import (
    Letters as Letters,
    significance_letters as significance_letters,
)
from .paired_tests import (
    PairedTest as PairedTest,
    paired_bootstrap as paired_bootstrap,
    paired_permutation as paired_permutation,
)
from .resampling import (
    Resampler as Resampler,
)
from .small_samples import (
    bca_interval as bca_interval,
    moments as moments,
    studentised_interval as studentised_interval,
)
from .spilled_tables import (
    ChunkedTable as ChunkedTable,
    SpilledTable as SpilledTable,
    beside as beside,
)
