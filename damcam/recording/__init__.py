"""The loop of a recording, and what one is put together from and goes on with."""
