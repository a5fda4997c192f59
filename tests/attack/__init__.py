"""Attacks the program with mutated files, hostile archives and models, and kills.

    python -m tests.attack --cases 20000 --seed 1

Every case has a number and a seed, so that it can be done again alone; what is found is printed
with the command that does so, and the files of the case are kept. Modules whose names begin with
`attack_` hold the kinds of attack; the others what they share.
"""
