"""What was learned: networks with their manifests, and the scenes they learn from."""

from .errors import ModelError
from .manifest import Manifest, Model, load

__all__ = ["Manifest", "Model", "ModelError", "load"]
