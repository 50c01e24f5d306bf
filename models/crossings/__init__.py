"""The crossing finder: where four squares meet."""
