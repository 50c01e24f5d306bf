"""Where events go: files, lights, clock, terminal. Each output returns at once."""

from .pdn_file import PdnFile

__all__ = ["PdnFile"]
