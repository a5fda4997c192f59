"""Makes what the site has beside `docs/`: reference, notebooks, papers, results by track."""
