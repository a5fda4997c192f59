"""Which file system a folder lies on: SQLite's locks do not hold on those of a network."""

from __future__ import annotations

import re
from pathlib import Path

_NETWORK = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "beegfs", "gpfs"),
    *("glusterfs", "ocfs2", "gfs2", "9p", "ncpfs", "coda", "davfs", "pvfs2", "orangefs"),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone", "fuse.davfs", "fuse.ceph"),
}
_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPE = re.compile(r"\\([0-7]{3})")


def network_file_system(path: Path, mounts: str | None = None) -> str:
    """Return the kind of network file system that a path lies on; empty if it is a local one.

    Parameters
    ----------
    path : Path
        A file or folder, which need not be there yet.
    mounts : str, optional
        What Linux says of its mounts; read if missing. Elsewhere nothing is known, and nothing
        is refused.

    Examples
    --------
    >>> mounts = "1 0 8:1 / / rw - ext4 /dev/a rw\\n2 1 0:9 / /home rw - nfs4 host:/home rw\\n"
    >>> network_file_system(Path("/home/anna/demo"), mounts)
    'nfs4'
    >>> network_file_system(Path("/homes"), mounts)
    ''
    """
    if mounts is None:
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""
    place = path.resolve()
    longest, kind = -1, ""
    for line in mounts.splitlines():
        before, _, behind = line.partition(" - ")
        point = Path(_ESCAPE.sub(lambda match: chr(int(match[1], 8)), before.split(" ")[4]))
        # Of two mounts on one point, the later one hides the other.
        if place.is_relative_to(point) and len(point.parts) >= longest:
            longest, kind = len(point.parts), behind.split(" ")[0]
    return kind if kind in _NETWORK else ""
