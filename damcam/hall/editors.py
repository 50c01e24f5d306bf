"""How an operator's edit gets into the journal of a recording on this machine."""

from collections.abc import Callable
from pathlib import Path

from ..export import JOURNAL_NAME
from ..journal.operator_events import OperatorEvent
from ..recording.edit_box import append_edit, make_edit, make_waiting


class FolderEditor:
    """Writes into journals that nobody records into; leaves edits of others to their recorders."""

    def make(self, path: Path, event: OperatorEvent) -> None:
        """Write the edit, or leave it."""
        make_edit(path, event)

    def make_waiting(self, path: Path) -> None:
        """Write what a recorder left when it ended."""
        make_waiting(path)


class RecorderEditor:
    """Hands edits to the recorder that this program is; older recordings are written directly."""

    def __init__(self, submit: Callable[[OperatorEvent], None]) -> None:
        self._submit = submit

    def make(self, path: Path, event: OperatorEvent) -> None:
        """Hand the edit on."""
        if path.name == JOURNAL_NAME:
            self._submit(event)
        else:
            append_edit(path, event)

    def make_waiting(self, path: Path) -> None:
        """Do nothing: the recorder takes them itself."""
