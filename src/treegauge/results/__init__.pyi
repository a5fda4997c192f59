"""What `results` gives to other rooms."""

from .averages import (
    Average as Average,
    TreebankScore as TreebankScore,
    average as average,
    common_treebanks as common_treebanks,
    treebank_score as treebank_score,
)
from .long_table import (
    ResultsError as ResultsError,
)
from .score import (
    Score as Score,
)
from .signature import (
    Signature as Signature,
)
