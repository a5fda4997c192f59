"""Outputs as they come: tables that are read as far as they can be, every repair a finding."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
