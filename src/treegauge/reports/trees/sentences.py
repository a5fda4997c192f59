"""Drawing by name: a sentence of a treebank, and what systems make of it."""

from __future__ import annotations

from collections.abc import Sequence

from treegauge.reports.trees.drawing import MAX_WORDS, Drawing, drawing_of
from treegauge.treebank import Sentence, Treebank, TreebankError
from treegauge.wording import did_you_mean


def draw(
    gold: Sentence | Treebank,
    *systems: Sentence | Treebank,
    sentence: str | int = 1,
    names: Sequence[str] = (),
    max_words: int = MAX_WORDS,
) -> Drawing:
    """Draw the tree of a sentence, alone or together with the trees of systems.

    Parameters
    ----------
    gold : Sentence or Treebank
        What is drawn. A sentence that is drawn alone need not be gold.
    *systems : Sentence or Treebank
        Outputs of systems for the same words. Their arcs are marked as right, flipped (NED
        accepts them) or wrong.
    sentence : str or int
        Which sentence of a treebank: its `sent_id`, or its number from 1.
    names : sequence of str
        The names of the systems. Default: the names of their treebanks.
    max_words : int
        The longest sentence that is drawn, in words.

    Returns
    -------
    Drawing
        It prints as text, and a notebook shows it as a picture. It has `to_svg`, `to_text`,
        `to_tikz`, `to_html` and `save`.

    Raises
    ------
    TreebankError
        If there is no such sentence.
    AlignmentError
        If a system has other words.
    FigureError
        If the sentence is too long.

    Examples
    --------
    >>> from treegauge.formats import parse
    >>> lines = ["1 birds _ NOUN _ _ 2 nsubj _ _", "2 sing _ VERB _ _ 0 root _ _", "", ""]
    >>> print(draw(parse("\\n".join(lines).replace(" ", "\\t"))), end="")
      ┌──  birds  NOUN  nsubj
    ──┴──  sing   VERB  root
    """
    chosen = find_sentence(gold, str(sentence)) if isinstance(gold, Treebank) else gold
    outputs = [
        _same_sentence(chosen, system) if isinstance(system, Treebank) else system
        for system in systems
    ]
    return drawing_of(chosen, *outputs, names=names, max_words=max_words)


def find_sentence(treebank: Treebank, which: str) -> Sentence:
    """Return a sentence by its `sent_id`, or by its number from 1."""
    if which and which in treebank.sentence_ids:
        return treebank[treebank.sentence_ids.index(which)]
    if which.isdecimal() and 1 <= int(which) <= len(treebank):
        return treebank[int(which) - 1]
    if not len(treebank):
        raise TreebankError(f"{treebank.name or 'the treebank'}: there are no sentences to draw")
    hint = did_you_mean(which, filter(None, treebank.sentence_ids))
    name = f"{treebank.name}: " if treebank.name else ""
    raise TreebankError(
        f"{name}there is no sentence {which!r}{hint or f'; numbers go to {len(treebank):,}'}"
    )


def _same_sentence(gold: Sentence, system: Treebank) -> Sentence:
    """Return a system's sentence with the id of gold's, or in its place if there is none."""
    if gold.id and gold.id in system.sentence_ids:
        return system[system.sentence_ids.index(gold.id)]
    if gold.index >= len(system):
        raise TreebankError(
            f"{system.name}: there is no sentence {gold.index + 1}; numbers go to {len(system):,}"
        )
    return system[gold.index]
