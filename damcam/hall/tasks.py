"""Tasks that work side by side and surely end.

The client of NATS swallows a cancellation that meets it while it writes; asked once, such a task
would go on for ever.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

PATIENCE_S: Final = 0.2


async def together(*works: Coroutine[Any, Any, None]) -> None:
    """Run all of them until one fails or this is cancelled; none is left running."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        await ended(*tasks)
    for task in done:
        task.result()


async def ended(*tasks: "asyncio.Task[Any]") -> None:
    """Cancel tasks, again and again, until all of them are gone, even if this is cancelled."""
    left, is_cancelled = {task for task in tasks if not task.done()}, False
    while left:
        for task in left:
            task.cancel()
        try:
            _, left = await asyncio.wait(left, timeout=PATIENCE_S)
        except asyncio.CancelledError:
            is_cancelled, left = True, {task for task in left if not task.done()}
    if is_cancelled:
        raise asyncio.CancelledError
