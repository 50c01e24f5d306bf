"""Log lines for people, or as one JSON object a line for programs that collect them."""

import json
import logging
from datetime import UTC, datetime
from typing import Final, Literal

LogForm = Literal["text", "json"]
TEXT: Final = "%(levelname)s: %(message)s"


class JsonLines(logging.Formatter):
    """One JSON object a line: at (ISO 8601, UTC), level, logger, message, error if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        at = datetime.fromtimestamp(record.created, UTC)
        line = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logs(form: LogForm, *, level: int = logging.WARNING) -> None:
    """Send what the program logs to standard error; for the command line only."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else logging.Formatter(TEXT))
    logging.basicConfig(handlers=[handler], level=level)
