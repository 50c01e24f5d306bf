"""Everything that blocks: cameras, serial ports, clocks, lights. Imports rules for names only."""
