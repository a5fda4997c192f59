"""`python -m treegauge` is `treegauge`."""

from treegauge.cli.main import main

main()
