"""The commands. One module a command; heavy imports wait until a command runs."""
