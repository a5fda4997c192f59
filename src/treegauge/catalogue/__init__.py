"""Where treebanks come from: folders, releases, named sets, generated toy languages."""

from treegauge.catalogue.catalogue import (
    DATA_VARIABLE,
    Catalogue,
    Selection,
    default_data_folder,
    load,
)
from treegauge.catalogue.checksums import Checksum
from treegauge.catalogue.downloading import Progress, download
from treegauge.catalogue.entry import ANNOTATIONS, CatalogueEntry, PartSize
from treegauge.catalogue.errors import CatalogueError
from treegauge.catalogue.getting import StageProgress, get_treebanks
from treegauge.catalogue.names import short_name, split_part
from treegauge.catalogue.releases import RELEASES, Release, find_release
from treegauge.catalogue.scanning import Scan, scan
from treegauge.catalogue.sets import BUILT_IN_SETS, SETTINGS_FILE, read_sets
from treegauge.catalogue.unpacking import unpack

__all__ = [
    "ANNOTATIONS",
    "BUILT_IN_SETS",
    "DATA_VARIABLE",
    "RELEASES",
    "SETTINGS_FILE",
    "Catalogue",
    "CatalogueEntry",
    "CatalogueError",
    "Checksum",
    "PartSize",
    "Progress",
    "Release",
    "Scan",
    "Selection",
    "StageProgress",
    "default_data_folder",
    "download",
    "find_release",
    "get_treebanks",
    "load",
    "read_sets",
    "scan",
    "short_name",
    "split_part",
    "unpack",
]
