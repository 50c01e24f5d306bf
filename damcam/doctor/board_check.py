"""The doctor's look at a board with sensors that stands in a camera's place."""

import threading
import time
from typing import Final

from device import DeviceSetup, SensedBoard, SensorBoard, open_board

from .finding import Finding

LOOK_S: Final = 0.1
START_MEN: Final = 40


def board_finding(url: str, patience_s: float) -> Finding:
    """Tell how many men a board feels; its clock is left as it is.

    Raises:
        DeviceError: The address is not understood.
    """
    setup = DeviceSetup(
        emit=lambda event: None,
        now_ms=lambda: time.monotonic_ns() // 1_000_000,
        adopts=True,
    )
    board = open_board(url, setup)
    try:
        sensed = _sensed(board, patience_s)
    finally:
        board.close()
    if sensed is None:
        return Finding(
            name="board",
            status="error",
            text=f"{url} feels no men",
            advice="set the men up: a draughts board shows itself by them; check port and cable",
        )
    count = len(sensed.pieces)
    return Finding(
        name="board",
        status="ok",
        text=f"{url} feels {count} men" + (", all of them" if count == START_MEN else ""),
        details={"source": url, "men": count},
    )


def _sensed(board: SensorBoard, patience_s: float) -> SensedBoard | None:
    """Wait until the board says what stands on it."""
    end_s = time.monotonic() + patience_s
    pause = threading.Event()
    while (sensed := board.sensed()) is None and time.monotonic() < end_s:
        pause.wait(LOOK_S)
    return sensed
