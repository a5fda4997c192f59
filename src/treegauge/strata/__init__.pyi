"""What `strata` gives to other rooms."""

from .challenge_relations import (
    TABLE6_ORDER as TABLE6_ORDER,
    table6_headings as table6_headings,
)
from .crossing import (
    CROSS as CROSS,
    cross as cross,
)
from .errors import (
    StrataError as StrataError,
)
from .registry import (
    STRATA as STRATA,
    Stratum as Stratum,
    find_stratum as find_stratum,
    stratify as stratify,
)
from .strata import (
    Strata as Strata,
)
