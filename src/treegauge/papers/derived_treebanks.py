"""Treebanks made from treebanks, in a folder of their own, so that the runner can take them.

Permuted versions, a source's train part with a target's test part: whatever a paper's experiment
trains and tests on becomes an ordinary treebank, and everything else is an ordinary run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from treegauge.catalogue import Catalogue
from treegauge.errors import reason_of
from treegauge.formats import write
from treegauge.runs.errors import ExperimentError
from treegauge.temporaries import temporary_folder
from treegauge.treebank import Treebank

Parts = Mapping[str, Treebank]
"""A treebank's parts by name: train and test, perhaps dev."""


def write_treebanks(
    folder: str | os.PathLike[str], treebanks: Mapping[str, Parts], *, format: str = "conllu"
) -> Catalogue:
    """Write treebanks into a folder, each in a folder of its name, and return their catalogue.

    Each is written beside its place and renamed: it is there as a whole or not at all. CoNLL-U
    has no place for coarse tags beside universal ones; `pascal` has one for either.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, parts in treebanks.items():
            place = folder / name
            with temporary_folder(folder) as temporary:
                (temporary / name).mkdir(parents=True)
                for part, treebank in parts.items():
                    write(treebank, temporary / name / f"{part}.{format}")
                shutil.rmtree(place, ignore_errors=True)
                (temporary / name).replace(place)
    except OSError as error:
        raise ExperimentError(f"{folder}: cannot be written: {reason_of(error)}") from error
    return Catalogue([folder / name for name in treebanks])
