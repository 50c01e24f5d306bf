"""A fault bundle: the last minute of a recording kept, written, and followed again."""
