"""What `reports` gives to other rooms."""

from .errors import (
    FigureError as FigureError,
)
from .figures import (
    figure_format as figure_format,
    save_figure as save_figure,
)
from .run_facts import (
    RunFacts as RunFacts,
)
from .run_published import (
    sources_table as sources_table,
)
from .run_report import (
    RunReport as RunReport,
    report as report,
)
from .run_strata import (
    StratumTable as StratumTable,
    stratum_tables as stratum_tables,
)
from .run_tables import (
    RunTable as RunTable,
    tables_without_values as tables_without_values,
)
from .stratum_figures import (
    edge_length_figure as edge_length_figure,
)
from .trees import (
    Drawing as Drawing,
    draw as draw,
    drawing_of as drawing_of,
    scrollable as scrollable,
    sentence_html as sentence_html,
    tree_page as tree_page,
    tree_svg as tree_svg,
    tree_text as tree_text,
    tree_tikz as tree_tikz,
    treebank_html as treebank_html,
)
