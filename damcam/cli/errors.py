"""What a command tells its user when it cannot do what was asked."""

from collections.abc import Iterator
from contextlib import contextmanager

UNREADABLE = 2
NO_BOARD = 3


class CommandError(Exception):
    """One sentence for standard error, and the exit code."""

    def __init__(self, message: str, code: int = UNREADABLE) -> None:
        super().__init__(message)
        self.code = code


@contextmanager
def telling(*kinds: type[Exception], code: int = UNREADABLE) -> Iterator[None]:
    """Turn errors of these kinds into one sentence; a reader who has gone is told nothing."""
    try:
        yield
    except BrokenPipeError:
        raise
    except kinds as error:
        raise CommandError(sentence(error), code) from error


def sentence(error: Exception) -> str:
    """Return the message of an error in one line."""
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror.lower()}"
    return " ".join(str(error).split()) or type(error).__name__
