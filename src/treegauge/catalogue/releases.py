"""Releases of Universal Dependencies, and where their archives are.

Every release is an item of the LINDAT/CLARIAH-CZ repository with a handle of its own; the
handles are those of https://universaldependencies.org/download.html. The repository moved to
new software in 2025: the addresses that older scripts use (`.../xmlui/bitstream/...`) answer
with a web page since, and the one below is what its own instructions for `curl` give.

LINDAT publishes no SHA-256. The ones below were recorded by others who downloaded the
archives: all of them stand in the tests of pyconll (tests/int), that of 2.18 also in the
licence audit of Glotscope. We have not downloaded the archives to check them: a mismatch may
be the table's fault, and whoever trusts an archive can say so with a checksum of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from treegauge.catalogue.errors import CatalogueError
from treegauge.wording import did_you_mean

_REPOSITORY = "https://lindat.mff.cuni.cz/repository/server/api/core/bitstreams/handle"


@dataclass(frozen=True)
class Release:
    """A release: its version, the handle of its item, the SHA-256 of its archive."""

    version: str
    handle: str
    sha256: str | None
    notes: str = ""

    @property
    def folder(self) -> str:
        """The folder inside the archive, and the one it is unpacked to."""
        return f"ud-treebanks-v{self.version}"

    @property
    def archive(self) -> str:
        """The file name of the archive."""
        return f"{self.folder}.tgz"

    @property
    def address(self) -> str:
        """Where the archive is downloaded from."""
        return f"{_REPOSITORY}/{self.handle}/{self.archive}"

    @property
    def page(self) -> str:
        """The page that describes the release, to cite and to read the licence terms."""
        return f"https://hdl.handle.net/{self.handle}"


RELEASES = {
    release.version: release
    for release in (
        Release(
            "2.0",
            "11234/1-1983",
            "c6c6428f709102e64f608e9f251be59d35e4add1dd842d8dc5a417d01415eb29",
            notes="train and dev only; the test files are https://hdl.handle.net/11234/1-2184",
        ),
        Release(
            "2.1",
            "11234/1-2515",
            "446cc70f2194d0141fb079fb22c05b310cae9213920e3036b763899f349fee9b",
        ),
        Release(
            "2.2",
            "11234/1-2837",
            "a9580ac2d3a6d70d6a9589d3aeb948fbfba76dca813ef7ca7668eb7be2eb4322",
        ),
        Release(
            "2.3",
            "11234/1-2895",
            "122e93ad09684b971fd32b4eb4deeebd9740cd96df5542abc79925d74976efff",
        ),
        Release(
            "2.4",
            "11234/1-2988",
            "252a937038d88587842f652669cdf922b07d0f1ed98b926f738def662791eb62",
        ),
        Release(
            "2.5",
            "11234/1-3105",
            "5ff973e44345a5f69b94cc1427158e14e851c967d58773cc2ac5a1d3adaca409",
        ),
        Release(
            "2.6",
            "11234/1-3226",
            "a462a91606c6b2534a767bbe8e3f154b678ef3cc81b64eedfc9efe9d60ceeb9e",
        ),
        Release(
            "2.7",
            "11234/1-3424",
            "ee61f186ac5701440f9d2889ca26da35f18d433255b5a188b0df30bc1525502b",
        ),
        Release(
            "2.8",
            "11234/1-3687",
            "95d2f4370dc5fe93653eb36e7268f4ec0c1bd012e51e943d55430f1e9d0d7e05",
        ),
        Release(
            "2.9",
            "11234/1-4611",
            "ca0162be47151a55a5c6c5de24db821c76d67f322fcdfa3fe1436891e9bf2232",
        ),
        Release(
            "2.10",
            "11234/1-4758",
            "f6deca6ab803abdfa8dca911600f6bc5f214267e348acbd59fd4c4b88db14ea6",
        ),
        Release(
            "2.11",
            "11234/1-4923",
            "d75f7df726761836f797fe6c001c7a1ecce93d93129414ef57cf2262d15707e8",
        ),
        Release(
            "2.12",
            "11234/1-5150",
            "24f876d5ad9dbdc639a33a73f02d12ddfe582e8d4e7f5d08978c8a86680d088c",
        ),
        Release(
            "2.13",
            "11234/1-5287",
            "d6538ed4c05508be3bb7d9c3448de1062f6f9958c833b93558df300e4b1d3781",
        ),
        Release(
            "2.14",
            "11234/1-5502",
            "a710e09f977fc1ca4aeaf200806a75fbbc46d2c0717c70933a94ad78129ee1af",
        ),
        Release(
            "2.15",
            "11234/1-5787",
            "24ddd9a7e6a291f3882c13febb4d97accfbc6f51633a867963c19e6004d7df97",
        ),
        Release(
            "2.16",
            "11234/1-5901",
            "87710204b6441736a8a9fed779585aa88b6eeafe231fa2ed9282c0cd9e30960b",
        ),
        Release(
            "2.17",
            "11234/1-6036",
            "bf30726e238f9c4379ffb0d6f8c3eaf4ecad9f72ab42104b0130b61603915872",
        ),
        Release(
            "2.18",
            "11234/1-6149",
            "a93fe8520bc4c5ff34670d9a93a5a7689c018c1e59643fa27e03036717841b8a",
        ),
    )
}
"""Every release of version 2 that we know, oldest first."""


def find_release(version: str) -> Release:
    """Return a release by its version, or say which versions are near.

    >>> find_release("2.16").archive
    'ud-treebanks-v2.16.tgz'
    """
    bare = version.removeprefix("r").removeprefix("v")
    if bare in RELEASES:
        return RELEASES[bare]
    first, *_, last = RELEASES
    raise CatalogueError(
        f"unknown release {version!r}{did_you_mean(bare, RELEASES)}\n"
        f"  known are {first} to {last}; for any other, give the address of its archive"
    )
