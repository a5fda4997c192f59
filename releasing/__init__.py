"""Makes a release: `make release VERSION=x.y.z`."""
