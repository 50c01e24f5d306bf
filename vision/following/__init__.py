"""Which game is played: hypotheses weighed by what the squares say, judged by the rules."""
