"""A Hub engine that tells what it was asked."""

import sys
from pathlib import Path

ENGINE = """
import sys
answers = {"hub": "id name=bare\\nwait", "init": "ready"}
answers["go"] = "info depth=4 score=0.3 pv=\\ndone move=x"
for line in sys.stdin:
    word = line.split()[0]
    with open(sys.argv[1], "a") as log:
        log.write(line)
    if word == "go" and "crashes" in sys.argv:
        sys.exit(1)
    if word in answers:
        print(answers[word], flush=True)
"""


class Engine:
    """A Hub engine that has an opinion at once and notes what it was asked."""

    def __init__(self, folder: Path, *how: str) -> None:
        folder.mkdir(exist_ok=True)
        self._log = folder / "asked"
        script = folder / "engine.py"
        script.write_text(ENGINE, encoding="utf-8")
        self.words = (sys.executable, str(script), str(self._log), *how)

    @property
    def asked(self) -> list[str]:
        """Return the positions, in the order in which it was asked about them."""
        told = self._log.read_text(encoding="utf-8") if self._log.exists() else ""
        return [line.partition("=")[2] for line in told.splitlines() if line.startswith("pos ")]
