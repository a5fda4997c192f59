"""First-order hidden Markov models: kernels, parameters, and log-linear emissions."""
