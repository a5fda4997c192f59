"""A whole shared task on toy languages: five systems as teams, from `init` to the archive."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.in_process import run_in_process
from tests.unit.challenges.conftest import read_in_process

pytestmark = pytest.mark.long

TEAMS = {
    "left-branching": "unsupervised",
    "right-branching": "unsupervised",
    "harmonic": "unsupervised",
    "soegaard-rules": "universal rules",
    "dmv --set iterations=2": "unsupervised",
}

TREEBANKS = "svo,sov"
A_YEAR = timedelta(days=365)


def typed(command: str, folder: Path, code: int = 0) -> str:
    """Type a command; return what was printed, results first."""
    result = run_in_process(shlex.split(command), folder=folder)
    assert result.returncode == code, result.stderr
    return result.stdout + result.stderr


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """A challenge on two small treebanks, with its packs."""
    import treegauge as tg

    home = tmp_path_factory.mktemp("story")
    for name in ("svo", "sov"):
        (home / name).mkdir()
        for part, tokens in (("train", 600), ("dev", 200), ("test", 400)):
            own = tg.toy_treebank(f"toy:{name}", tokens=tokens, part=part)
            tg.write(own, home / name / f"{name}-{part}.conllu")
    options = f"--template pascal --treebanks {TREEBANKS} --open-now dependencies"
    typed(f"challenge init demo {options}", home)
    typed("challenge pack demo -o packs", home)
    return home


def send(home: Path, team: str, supervision: str) -> Path:
    """Annotate the blind pack with one of our systems, check it, and return the zip."""
    name = team.partition(" ")[0]
    place = home / "teams" / name
    place.mkdir(parents=True)
    with zipfile.ZipFile(home / "packs/demo-dependencies-test.zip") as pack:
        for member in pack.namelist():
            if member.startswith("test/"):
                (place / f"blind-{Path(member).name}").write_bytes(pack.read(member))
    for blind in sorted(place.glob("blind-*")):
        target = blind.name.removeprefix("blind-")
        typed(f"induce {team} {blind.name} -o {target} --quiet", place)
        blind.unlink()
    facts = {"system": name, "team": f"Team {name}", "track": "dependencies"}
    facts["supervision"] = supervision
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in facts.items())
    (place / "system.toml").write_text("".join(lines), encoding="utf-8")
    typed(f"challenge check packs/demo-dependencies-test.zip teams/{name} --zip {name}.zip", home)
    return home / f"{name}.zip"


def test_a_whole_challenge_from_init_to_archive_and_back(home):
    zips = [send(home, team, supervision).name for team, supervision in TEAMS.items()]
    with read_in_process():
        came = datetime.now(UTC) - A_YEAR + timedelta(days=1)
        received = f"--received '{came:%Y-%m-%d %H:%M} UTC'"
        said = typed(f"challenge score demo {' '.join(zips)} {received}", home)
        assert all(team.partition(" ")[0] in said for team in TEAMS)
        # The phase is blind: the board says what came, and nothing of what it is worth.
        said = typed("challenge board demo -o blind", home)
        assert "scores of 5 submissions are not shown yet" in said
        assert not (home / "blind/submissions").exists()
        put_back(home)
        # Other times, the same gold and settings: what was scored is still good.
        typed("challenge board demo -o site", home)
        page = (home / "site/track-dependencies.html").read_text("utf-8")
        assert len(list((home / "site/submissions").glob("*.html"))) == len(TEAMS)
        assert "UAS, unsupervised" in page
        assert "UAS, universal rules" in page
        assert page.index("UAS, unsupervised") < page.index("UAS, universal rules")
        typed("challenge archive demo -o kept", home)
        said = typed("challenge score --verify kept", home)
        assert "of 5 submissions, all the same" in said


def put_back(home: Path) -> None:
    """Let all phases have been a year ago."""
    path = home / "demo/challenge.toml"

    def earlier(match: re.Match[str]) -> str:
        moment = datetime.fromisoformat(f"{match[2]}+00:00") - A_YEAR
        return f'{match[1]}"{moment:%Y-%m-%d %H:%M} UTC"'

    text = path.read_text("utf-8")
    changed = re.sub(r'(?m)^((?:opens|closes) = )"(.+?) UTC"', earlier, text)
    assert changed != text
    path.write_text(changed, encoding="utf-8")


def test_the_commands_that_the_documentation_begins_with(tmp_path):
    """As they are shown, with a reader in a process of its own."""
    for command in (
        "init demo --template pascal --treebanks toy:svo,toy:sov --open-now dependencies",
        "pack demo -o packs",
        "check packs/demo-dependencies-test.zip packs/demo-dependencies-example.zip --zip mine.zip",
        "score demo mine.zip",
        "board demo -o site",
        "archive demo -o kept",
        "score --verify kept",
    ):
        typed(f"challenge {command}", tmp_path)
    assert (tmp_path / "site/index.html").exists()
    assert (tmp_path / "kept/pages/index.html").exists()
