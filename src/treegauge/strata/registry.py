"""The one table of strata: what users type after `--by`, and what each needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from treegauge.strata import (
    challenge_relations,
    edges,
    labels,
    sentence_lengths,
    training_counts,
    tree_shapes,
)
from treegauge.strata.errors import StrataError
from treegauge.strata.strata import Strata
from treegauge.treebank import Treebank
from treegauge.wording import nearest

TRAINING = "training"
"""What strata need that count forms of the training text."""


@dataclass(frozen=True)
class Stratum:
    """A way to divide the words of a treebank by its gold annotation."""

    name: str
    summary: str
    divide: Callable[..., Strata]
    """Takes gold, and training where that is needed."""
    needs: tuple[str, ...] = ()
    """`head`, `deprel`, a tag column by its short name (`u`, `p`), or `training`."""
    by_frequency: bool = False
    """Whether the names stand in order of frequency; otherwise all of them are always there."""
    is_local: bool = True
    """Whether a part of a treebank is divided as it is in the whole."""


STRATA: Mapping[str, Stratum] = MappingProxyType(
    {
        stratum.name: stratum
        for stratum in (
            Stratum(
                "relation",
                "relation without subtype",
                labels.relation,
                ("deprel",),
                by_frequency=True,
            ),
            Stratum(
                "relation_full",
                "relation with subtype",
                labels.relation_full,
                ("deprel",),
                by_frequency=True,
            ),
            Stratum(
                "table6",
                "the challenge's seven relations",
                challenge_relations.challenge_relations,
                ("deprel",),
                is_local=False,  # all relations say which inventory they are of
            ),
            Stratum("tag", "universal tag", labels.tag, ("u",), by_frequency=True),
            Stratum(
                "fine_tag", "fine tag", labels.fine_tag, ("p",), by_frequency=True, is_local=False
            ),
            Stratum("edge_length", "distance to the head", edges.edge_length, ("head",)),
            Stratum(
                "signed_edge_length",
                "distance to the head, and its side",
                edges.signed_edge_length,
                ("head",),
            ),
            Stratum("direction", "side of the head", edges.direction, ("head",)),
            Stratum(
                "sentence_length",
                "words of the sentence, punctuation included",
                sentence_lengths.sentence_length,
            ),
            Stratum(
                "depth",
                "number of arcs up to the artificial root; 1 = root",
                tree_shapes.depth,
                ("head",),
            ),
            Stratum(
                "root_distance",
                "distance in words to the root; 0 = root",
                tree_shapes.root_distance,
                ("head",),
            ),
            Stratum(
                "projectivity",
                "projectivity of the arc to the head",
                tree_shapes.projectivity,
                ("head",),
            ),
            Stratum("branching", "number of dependents", tree_shapes.branching, ("head",)),
            Stratum("known", "form known from training or not", training_counts.known, (TRAINING,)),
            Stratum(
                "frequency",
                "how often the form occurs in training",
                training_counts.frequency,
                (TRAINING,),
            ),
        )
    }
)
"""Every stratum by the name users type, in the order in which they are listed."""

_COLUMNS = {
    "head": ("head",),
    "deprel": ("deprel",),
    "u": ("upos",),
    "p": ("xpos", "cpos", "upos"),  # the fallbacks of `tag_column`
}
"""Gold columns of which one must be annotated, for every need."""

_OTHER_NAMES = {"deprel": "relation", "upos": "tag", "pos": "tag", "xpos": "fine_tag"}
"""Words of file formats for a stratum, which no likeness of spelling leads to."""


def find_stratum(name: str) -> Stratum:
    """Return a stratum by name, or say which names are near."""
    if name not in STRATA:
        raise StrataError(
            f"unknown stratum {name!r}{_did_you_mean(name)}\n  there are {', '.join(STRATA)}"
        )
    return STRATA[name]


def stratify(name: str, gold: Treebank, *, training: Treebank | None = None) -> Strata:
    """Divide the words of a treebank by its gold annotation.

    An empty treebank has empty strata, whatever they need.

    Parameters
    ----------
    name : str
        One of `STRATA`.
    gold : Treebank
        As it is scored; lengths of edges count the words that are in it.
    training : Treebank, optional
        Where forms are counted, for the strata that do.

    Raises
    ------
    StrataError
        If there is no such stratum, or gold lacks what it needs.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.parse("1\\tbirds\\t_\\tNOUN\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n"
    ...                 "2\\tsing\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
    >>> strata = stratify("direction", gold)
    >>> strata.names, strata.codes.tolist()
    (('left', 'right', 'root'), [1, 2])
    """
    stratum = find_stratum(name)
    if TRAINING not in stratum.needs:
        _require_columns(stratum, gold)
        return stratum.divide(gold)
    if training is None:
        raise StrataError(
            f"stratum {name!r} needs training data to count forms\n"
            "  give it with --train FILE (training=... in Python)"
        )
    return stratum.divide(gold, training)


def _require_columns(stratum: Stratum, gold: Treebank) -> None:
    for need in stratum.needs if gold.n_words else ():
        columns = _COLUMNS[need]
        if not any(
            gold.has_heads if column == "head" else gold.columns[column].is_annotated
            for column in columns
        ):
            wanted = " or ".join(column.upper() for column in columns)
            verb = "is" if len(columns) == 1 else "are"
            raise StrataError(
                f"stratum {stratum.name!r} needs {wanted}, which {verb} empty in "
                f"{gold.name or 'gold'}\n"
                "  fill the column, or use a stratum that does not need it"
            )


def _did_you_mean(name: str) -> str:
    names = {known: known for known in STRATA} | _OTHER_NAMES
    near = dict.fromkeys(names[word] for word in nearest(name, names))
    return f"; did you mean {', '.join(near)}?" if near else ""
