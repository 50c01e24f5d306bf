"""The piece reader: what stands on a square seen upright, and what it was trained with."""
