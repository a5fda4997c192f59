"""What `formats.repair` gives to other rooms."""

from .fitting import (
    fit_to_gold as fit_to_gold,
    read_repaired as read_repaired,
)
from .fixing import (
    fix as fix,
    read_fixed as read_fixed,
)
from .loose_table import (
    LooseRow as LooseRow,
    LooseSentence as LooseSentence,
    LooseTable as LooseTable,
    loose_table as loose_table,
    read_loose_table as read_loose_table,
)
