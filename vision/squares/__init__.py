"""What stands on the squares of a board that was found, and from which side White plays."""
