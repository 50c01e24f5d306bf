"""The game as the journal tells it: a record folded from events, an operator's edits, its PDN."""
