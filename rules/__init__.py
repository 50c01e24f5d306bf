"""What is legal: squares, positions, moves, games, notation. Imports nothing but the stdlib.

Nothing here reads a clock, a file or a picture.
"""
