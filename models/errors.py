"""What can be wrong with a model file."""


class ModelError(Exception):
    """A model's hash, classes or shape do not fit its manifest."""
