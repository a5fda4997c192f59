"""Documents of the real Stanza; it needs PyTorch, so `make test-neural` runs this.

Documents are made from CoNLL-U: models cannot be trained without a download, so that pipelines
are tested behind a stand-in (`test_stanza_pipeline.py`).
"""

from __future__ import annotations

import pytest

import treegauge as tg

pytestmark = pytest.mark.neural

TEXT = """\
1\tElle\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tvient\tvenir\tVERB\t_\tTense=Pres\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tparc\tparc\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


def test_documents_of_stanza_come_back_as_they_went_in() -> None:
    conll = pytest.importorskip("stanza.utils.conll", reason="needs Stanza: make test-neural")
    document = conll.CoNLL.conll2doc(input_str=TEXT)
    treebank, expected = tg.from_stanza(document), tg.parse(TEXT)
    assert treebank.head.tolist() == expected.head.tolist()
    for column in ("form", "lemma", "upos", "feats", "deprel"):
        assert list(treebank.columns[column]) == list(expected.columns[column])
    assert "3-4\tdu" in tg.to_text(treebank)
