from __future__ import annotations

import hashlib

import pytest

from treegauge.catalogue import RELEASES, CatalogueError, Checksum, find_release


def test_every_release_of_version_two() -> None:
    assert list(RELEASES) == [f"2.{minor}" for minor in range(19)]


def test_handles_and_checksums_are_all_different() -> None:
    releases = RELEASES.values()
    assert len({release.handle for release in releases}) == len(RELEASES)
    checksums = {release.sha256 for release in releases}
    assert len(checksums) == len(RELEASES)
    assert all(Checksum.parse(checksum or "").algorithm == "sha256" for checksum in checksums)
    # A pin that is the checksum of nothing would pass for an empty file.
    assert hashlib.sha256().hexdigest() not in checksums


def test_address() -> None:
    release = find_release("2.16")
    assert release.address == (
        "https://lindat.mff.cuni.cz/repository/server/api/core/bitstreams/handle/"
        "11234/1-5901/ud-treebanks-v2.16.tgz"
    )
    assert release.page == "https://hdl.handle.net/11234/1-5901"
    assert find_release("v2.16") == find_release("r2.16") == release


def test_unknown_release() -> None:
    with pytest.raises(CatalogueError, match=r"unknown release '3\.16'; did you mean 2\.16"):
        find_release("3.16")
