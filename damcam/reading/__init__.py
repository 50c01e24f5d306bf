"""What a picture of a board is told as: a report, its doubts, and how well it was read."""
