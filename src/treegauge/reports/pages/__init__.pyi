"""What `reports.pages` gives to others."""

from .annotations import (
    Annotations as Annotations,
)
from .commands import (
    options_of as options_of,
)
from .comparison_page import (
    make_comparison_page as make_comparison_page,
)
from .evaluation_page import (
    Provenance as Provenance,
    make_evaluation_page as make_evaluation_page,
)
from .page import (
    Command as Command,
    Page as Page,
    Part as Part,
    Source as Source,
)
from .paper_page import (
    PaperResults as PaperResults,
    make_paper_page as make_paper_page,
    remarks_part as remarks_part,
)
from .run_annotations import (
    RunAnnotations as RunAnnotations,
)
from .run_page import (
    make_run_page as make_run_page,
)
from .writing import (
    write_figures as write_figures,
    write_page as write_page,
)
