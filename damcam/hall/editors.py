"""How an operator's edit gets into the journal of a recording on this machine."""

from collections.abc import Callable
from pathlib import Path

from ..export import JOURNAL_NAME
from ..journal.operator_events import OperatorEvent
from ..out_folder import FolderInUseError
from .folder_store import append_edit


class FolderEditor:
    """Writes into journals that nobody records into; others wait."""

    def make(self, path: Path, event: OperatorEvent) -> bool:
        """Write the edit; False while a recorder holds the journal."""
        try:
            append_edit(path, event)
        except FolderInUseError:
            return False
        return True


class RecorderEditor:
    """Hands edits to the recorder that this program is; older recordings are written directly."""

    def __init__(self, submit: Callable[[OperatorEvent], None]) -> None:
        self._submit = submit

    def make(self, path: Path, event: OperatorEvent) -> bool:
        """Hand the edit on."""
        if path.name == JOURNAL_NAME:
            self._submit(event)
        else:
            append_edit(path, event)
        return True
