"""What `catalogue` gives to other rooms."""

from .catalogue import (
    DATA_VARIABLE as DATA_VARIABLE,
    Catalogue as Catalogue,
    default_data_folder as default_data_folder,
    load as load,
)
from .checksums import (
    Checksum as Checksum,
)
from .downloading import (
    download as download,
)
from .entry import (
    CatalogueEntry as CatalogueEntry,
    PartSize as PartSize,
)
from .errors import (
    CatalogueError as CatalogueError,
    CatalogueWarning as CatalogueWarning,
)
from .getting import (
    get_treebanks as get_treebanks,
)
from .releases import (
    RELEASES as RELEASES,
    find_release as find_release,
)
from .scanning import (
    scan as scan,
)
from .sets import (
    BUILT_IN_SETS as BUILT_IN_SETS,
    read_sets as read_sets,
)
from .unpacking import (
    unpack as unpack,
)
