"""A stream in another annotation style, part by part."""

from __future__ import annotations

from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.styles.conversion import to_style
from treegauge.rewrite.styles.relations import ud_version
from treegauge.rewrite.styles.style import Style
from treegauge.treebank import Column, Treebank


class StyleOfParts:
    """Converts parts of a treebank one after the other, and says what it did to all of them.

    Attributes
    ----------
    changed_heads : int
        Words with another head than before.
    lost_graphs : bool
        Whether enhanced dependencies were left out.
    is_version_1 : bool
        Whether there are relations or tags of UD version 1.

    Examples
    --------
    >>> import treegauge as tg
    >>> conversion = StyleOfParts(Style.parse("functional"))
    >>> rome = tg.parse("1\\tin\\t_\\tADP\\t_\\t_\\t2\\tcase\\t_\\t_\\n"
    ...                 "2\\tRome\\t_\\tPROPN\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
    >>> conversion.part(rome).head.tolist(), conversion.changed_heads
    ([0, 1], 2)
    """

    def __init__(self, style: Style) -> None:
        self.style = style
        self.changed_heads = 0
        self.lost_graphs = False
        self.is_version_1 = False
        self._is_changed = False
        self._kept_graphs = False

    def part(self, part: Treebank) -> Treebank:
        """Return the next part in the style.

        Raises
        ------
        RewriteError
            If a part is not in UD, or enhanced dependencies were kept that the whole would lose.
        """
        turned = to_style(part, self.style)
        self.is_version_1 |= ud_version(part) == 1
        self.changed_heads += int((turned.head != part.head).sum())
        # The whole has no graphs once anything changes, wherever that is.
        self._is_changed |= turned is not part
        had_graphs = part.columns["deps"].is_annotated
        if self._is_changed and self._kept_graphs:
            raise RewriteError(
                "trees change only after sentences whose enhanced dependencies were kept\n"
                "  --no-stream looks at the whole treebank"
            )
        if self._is_changed and had_graphs:
            self.lost_graphs = True
            return turned.replace(columns={"deps": Column.constant("_", part.n_words)})
        self._kept_graphs |= had_graphs
        return turned
