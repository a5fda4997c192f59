"""What `challenges` gives to other rooms."""

from .archive import (
    write_archive as write_archive,
)
from .challenge import (
    Board as Board,
    Challenge as Challenge,
    ChallengeTreebank as ChallengeTreebank,
    Phase as Phase,
    Quota as Quota,
    Reference as Reference,
    Track as Track,
)
from .challenge_file import (
    CHALLENGE_FILE as CHALLENGE_FILE,
    make_challenge as make_challenge,
    read_challenge as read_challenge,
)
from .challenge_folder import (
    ChallengeFolder as ChallengeFolder,
    GoldPack as GoldPack,
)
from .errors import (
    ChallengeError as ChallengeError,
)
from .packing import (
    Packing as Packing,
    pack_challenge as pack_challenge,
)
from .packs import (
    Pack as Pack,
    read_pack as read_pack,
)
from .scored_submission import (
    ScoredSubmission as ScoredSubmission,
)
from .scoring import (
    Scoring as Scoring,
    score_submissions as score_submissions,
)
from .site import (
    make_board as make_board,
    write_site as write_site,
)
from .stand_off import (
    fill as fill,
)
from .submission import (
    Submission as Submission,
    read_submission as read_submission,
    track_of_submission as track_of_submission,
)
from .submission_findings import (
    SubmissionFindings as SubmissionFindings,
)
from .system_file import (
    SystemDescription as SystemDescription,
)
from .task import (
    Task as Task,
    task_of_pack as task_of_pack,
)
from .templates import (
    TEMPLATES as TEMPLATES,
    new_challenge as new_challenge,
)
from .verification import (
    Verification as Verification,
    verify_archive as verify_archive,
)
