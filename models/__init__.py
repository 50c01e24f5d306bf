"""What was learned: networks with their manifests, and the scenes they learn from."""
