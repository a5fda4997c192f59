"""Networks and how they learn: what needs PyTorch and NumPy, and nothing else.

Modules in this folder import PyTorch, NumPy and each other (by relative imports), no other part
of treegauge. So the folder also runs by itself on a machine with a GPU and little else: copy
it there, and `python -m neural` trains from codes that treegauge wrote. Systems
(`parsers/biaffine.py` and so on) import from here when they learn or annotate.
"""
