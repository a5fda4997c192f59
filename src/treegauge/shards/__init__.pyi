"""What `shards` gives to other rooms."""

from .errors import (
    ShardError as ShardError,
)
from .files import (
    shard_files as shard_files,
)
from .numbering import (
    NumberedShard as NumberedShard,
    NumberedText as NumberedText,
    numbered_text as numbered_text,
)
from .passes import (
    GivenUp as GivenUp,
    in_order as in_order,
    pass_executor as pass_executor,
    passes_on as passes_on,
    stop_if as stop_if,
)
from .windows import (
    CountedWindows as CountedWindows,
    counted_windows as counted_windows,
    sorted_places as sorted_places,
)
