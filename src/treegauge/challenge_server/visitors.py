"""Who asks: nobody known, a member of a team, or an organiser."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

Role = Literal["public", "member", "organiser"]


@dataclass(frozen=True)
class Visitor:
    """Who a request comes from.

    Attributes
    ----------
    account, name, team, session : str
        Ids, and the name of the account; empty where there is none.
    form_secret : str
        What every form of this browser carries.
    """

    role: Role = "public"
    account: str = ""
    name: str = ""
    team: str = ""
    session: str = ""
    form_secret: str = ""

    @property
    def is_known(self) -> bool:
        """Whether somebody is logged in."""
        return self.role != "public"


PUBLIC = Visitor()


def form_secret_of(cookie: str) -> str:
    """Return the secret of the forms of a browser, which only pages for it can show.

    It follows from the cookie, and the cookie cannot be found out from it.
    """
    return hashlib.sha256(f"form:{cookie}".encode()).hexdigest() if cookie else ""
