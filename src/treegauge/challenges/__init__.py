"""Shared tasks on files: packs, checks, scores, boards, archives.

Names are imported when they are first used: who checks a submission needs none of the scoring.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
