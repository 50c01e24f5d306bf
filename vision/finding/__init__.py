"""Where the board is: its crossings and the lattice through them, from frame to frame."""
