"""Makes the Penn sample as the challenge had it, for `studies/penn.toml`.

    python -m studies.penn_sample TAG_MAP

reads `en_wsj_sample` with its brackets, takes the heads of the converter's `standard` options and
universal tags from the map (`en-ptb.map`), and writes `runs/penn-sample`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from treegauge.catalogue import Catalogue
from treegauge.formats import read_tag_map
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.pascal.penn import PENN, penn_parts, penn_sample

FOLDER = Path("runs/penn-sample")


def main() -> None:
    """Write the sample."""
    sample = penn_sample(Catalogue.from_environment())
    if sample is None:
        sys.exit(f"{PENN} with its brackets is not here; TREEGAUGE_DATA names its folder")
    parts = penn_parts(sample, read_tag_map(sys.argv[1]))
    write_treebanks(FOLDER, {PENN: parts}, format="pascal")


if __name__ == "__main__":
    main()
