"""The server of a challenge: accounts, uploads, jobs, pages. It needs the extra `server`.

Names are imported when they are first used: nothing of the extra is needed before.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
