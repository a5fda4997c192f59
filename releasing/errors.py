"""Why a release cannot be made."""


class ReleaseError(Exception):
    """A release that is refused, in one sentence."""
