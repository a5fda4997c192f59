"""The catalogue on the real treebanks that lie beside the repository during development."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from treegauge.catalogue import BUILT_IN_SETS, Catalogue, CatalogueError, PartSize
from treegauge.formats import FormatWarning

SHARED = Path(__file__).parents[4] / "shared"

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(
        not (SHARED / "treebanks" / "manifest.json").is_file(),
        reason=f"no real treebanks in {SHARED}",
    ),
]


@pytest.mark.parametrize("folder", ["treebanks", "treebanks_ud1"])
def test_every_treebank_of_the_manifest_is_found_with_its_sizes(folder: str) -> None:
    manifest = json.loads((SHARED / folder / "manifest.json").read_text())["treebanks"]
    catalogue = Catalogue([SHARED / folder])
    assert [entry.name for entry in catalogue.entries] == sorted(t["name"] for t in manifest)
    assert catalogue.remarks == ()
    for record in manifest:
        (entry,) = catalogue.resolve(record["name"])
        assert (entry.language, entry.licence) == (record["language"], record["licence"])
        assert set(entry.parts) == set(record["splits"])
        for part, counts in record["splits"].items():
            expected = PartSize(counts["sentences"], counts["tokens"])
            assert entry.sizes[part] == expected
            with warnings.catch_warnings():
                # Some sentences have several roots; the manifest counts them too.
                warnings.simplefilter("ignore", FormatWarning)
                treebank = entry.read(part)
            assert PartSize(treebank.n_sentences, treebank.n_words) == expected
            assert treebank.name == record["name"]


def test_pascal10() -> None:
    entries = Catalogue([SHARED / "treebanks"]).resolve("pascal10")
    assert tuple(entry.name for entry in entries) == BUILT_IN_SETS["pascal10"]
    annotation = {entry.name: entry.annotation for entry in entries}
    assert annotation["nl_alpino"] == annotation["pt_bosque"] == "p"
    assert annotation["da_ddt"] == "d"


def test_the_raw_files_are_a_second_treebank_of_the_name() -> None:
    catalogue = Catalogue([SHARED / "treebanks", SHARED / "treebanks_raw"])
    with pytest.raises(CatalogueError, match=r"which fi_tdt\? there are 2"):
        catalogue.resolve("fi_tdt")
