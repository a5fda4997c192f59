"""Blind copies: what an unsupervised system may see.

A blind copy is new memory from end to end. It holds no name, no file position, no comments,
no MISC, no enhanced dependencies, and no vocabulary in which a hidden value still stands;
nothing that can be reached from it leads back to the gold annotation.
"""

from __future__ import annotations

from treegauge.treebank.origin import Origin
from treegauge.treebank.punctuation import punctuation_mask
from treegauge.treebank.treebank import Treebank

_MORPHOLOGY = ("lemma", "upos", "xpos", "cpos", "feats")


def blind(treebank: Treebank, *, heads: bool = True, tags: bool = False) -> Treebank:
    """Return a copy without gold heads, gold tags or both.

    Relations are always hidden: they describe heads, and they reveal parts of speech (`det`,
    `nummod`).

    Parameters
    ----------
    treebank : Treebank
        The treebank to copy.
    heads : bool
        Hide heads.
    tags : bool
        Hide all tags, lemmas and features. The copy keeps a mask of what is punctuation.

    Returns
    -------
    Treebank
        The copy. Nothing that is hidden can be reached from it.

    Raises
    ------
    ValueError
        If neither heads nor tags are hidden.

    Examples
    --------
    >>> import treegauge as tg
    >>> blind(tg.toy_treebank(tokens=10), tags=True)
    <Treebank: 1 sentence, 14 words; no annotation>
    """
    if not (heads or tags):
        raise ValueError("a blind copy hides heads, tags or both")
    shown = ("form",) if tags else ("form", *_MORPHOLOGY)
    # A mask that is there already stays: the tags it was made from may be hidden by now.
    masked = tags or treebank.punctuation is not None
    origin = treebank.origin
    return Treebank(
        {name: treebank.columns[name].compact() for name in shown},
        None if heads else treebank.head.copy(),
        offsets=treebank.offsets.copy(),
        origin=None if origin is None else Origin(origin.length.copy(), origin.position.copy()),
        punctuation=punctuation_mask(treebank).copy() if masked else None,
    )
