"""What was recorded: events in the past tense, and the file that keeps them; imports no game."""
