"""Tree-substitution grammars over the split-head grammar of the DMV.

restaurants   who sits where: Pitman-Yor processes over fragments, rules and dependents
fragments     elementary trees as numbered nodes, each written once
sampler       a chain: Metropolis-Hastings, a sentence at a time
frozen        a kept sample as a grammar, and the posteriors of arcs under it
drawing       fragments as little trees
"""
