"""Pictures of boards with known truth: what the networks learn from and the simulated camera films.

Imports nothing of the other packages. Board units: one unit is one square, origin at the far-left
corner of the playing area as White sees it, x to White's right, y towards White, z up.
"""
