"""External tools with models that were trained elsewhere, in the one shape of all systems."""
