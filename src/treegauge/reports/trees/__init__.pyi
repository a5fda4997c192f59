"""What `reports.trees` gives to others."""

from .derivations import (
    DerivationDrawing as DerivationDrawing,
    draw_derivation as draw_derivation,
)
from .drawing import (
    Arc as Arc,
    Drawing as Drawing,
    Form as Form,
    Tree as Tree,
    Verdict as Verdict,
    drawing_of as drawing_of,
    form_of as form_of,
)
from .layout import (
    laid_out as laid_out,
)
from .page import (
    scrollable as scrollable,
    sentence_html as sentence_html,
    tree_page as tree_page,
    treebank_html as treebank_html,
)
from .sentences import (
    draw as draw,
    find_sentence as find_sentence,
)
from .svg import (
    tree_svg as tree_svg,
)
from .text import (
    tree_text as tree_text,
)
from .tikz import (
    tree_tikz as tree_tikz,
)
from .tree_table import (
    TreeTable as TreeTable,
    contrast_tables as contrast_tables,
)
