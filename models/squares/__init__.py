"""The square reader: what stands on each square of the board seen from above."""
