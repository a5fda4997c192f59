"""What permuted word orders say about parsing."""
