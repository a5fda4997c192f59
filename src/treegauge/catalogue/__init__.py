"""Where treebanks come from: folders, releases, named sets, generated toy languages."""

from treegauge.catalogue.catalogue import (
    DATA_VARIABLE,
    Catalogue,
    default_data_folder,
    load,
)
from treegauge.catalogue.checksums import Checksum
from treegauge.catalogue.downloading import download
from treegauge.catalogue.entry import CatalogueEntry, PartSize
from treegauge.catalogue.errors import CatalogueError, CatalogueWarning
from treegauge.catalogue.getting import get_treebanks
from treegauge.catalogue.releases import RELEASES, find_release
from treegauge.catalogue.scanning import scan
from treegauge.catalogue.sets import BUILT_IN_SETS, read_sets
from treegauge.catalogue.unpacking import unpack

__all__ = [
    "BUILT_IN_SETS",
    "DATA_VARIABLE",
    "RELEASES",
    "Catalogue",
    "CatalogueEntry",
    "CatalogueError",
    "CatalogueWarning",
    "Checksum",
    "PartSize",
    "default_data_folder",
    "download",
    "find_release",
    "get_treebanks",
    "load",
    "read_sets",
    "scan",
    "unpack",
]
