"""The versions of the program and of the libraries that decide what is recorded."""

import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from typing import Final

DECIDING_PACKAGES: Final = ("damcam", "numpy", "opencv-python", "onnxruntime")


def package_version(name: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def installed_versions() -> tuple[tuple[str, str], ...]:
    """Return (name, version) pairs, sorted by name."""
    versions = [("python", platform.python_version()), ("sqlite", sqlite3.sqlite_version)]
    versions += [(name, package_version(name)) for name in DECIDING_PACKAGES]
    return tuple(sorted(versions))
