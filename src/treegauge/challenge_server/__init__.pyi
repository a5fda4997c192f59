"""What `challenge_server` gives to other rooms."""

from .database import (
    Database as Database,
)
from .errors import (
    ServerError as ServerError,
)
