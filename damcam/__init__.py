"""The program: wiring, command line, journal, outputs."""
