"""What things are called on NATS: the stream of an event, its subjects, the ids of messages.

`damcam.EVENT.game.NODE.CAMERA.RECORDING` holds the journal of one recording, a line a message;
`damcam.EVENT.edit.NODE.CAMERA.RECORDING` what operators ask of whoever writes that journal;
`damcam.EVENT.still.NODE.CAMERA.RECORDING.NUMBER` the picture of an irregularity, in a stream of
its own; `damcam.EVENT.hall` rounds, pairings and bindings. `damcam.EVENT.alive.NODE` is never
stored.
"""

import re
from dataclasses import dataclass
from typing import Final, Self

SEQ: Final = re.compile(r"[1-9][0-9]{0,8}")
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""One token of a subject: no dot, no wildcard, no space."""


BY_HAND: Final = "hand"
"""In place of a node for games without a camera: hubs write those journals themselves."""


class HallNameError(ValueError):
    """A node, a camera or an event has a name that no subject can carry."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class RecordingName:
    """One recording among all of an event; `recording` is when it began, `20261129T190000`."""

    recording: str
    node: str
    camera: str

    @property
    def place(self) -> str:
        """Return the camera among all of the event, `NODE.CAMERA`."""
        return f"{self.node}.{self.camera}"

    @property
    def created_utc(self) -> str:
        """Return the beginning as ISO 8601 for comparison with other times."""
        day, _, time = self.recording.partition("T")
        return f"{day[:4]}-{day[4:6]}-{day[6:8]}T{time[:2]}:{time[2:4]}:{time[4:6]}"

    @classmethod
    def of(cls, node: str, camera: str, created_utc: str) -> Self:
        """Return the name of the recording that began at `created_utc`, ISO 8601 in seconds."""
        mark = created_utc.replace("-", "").replace(":", "")
        return cls(
            node=checked_name(node, "a node"),
            camera=checked_name(camera, "a camera"),
            recording=checked_name(mark, "a recording"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Subjects:
    """The names of one event, such as `nk2027`."""

    event: str

    def __post_init__(self) -> None:
        checked_name(self.event, "an event")

    @property
    def stream(self) -> str:
        """Return the name of the stream that keeps everything."""
        return f"damcam_{self.event}"

    @property
    def stills(self) -> str:
        """Return the name of the stream that keeps the pictures of irregularities."""
        return f"damcam_{self.event}_stills"

    @property
    def all_stills(self) -> str:
        """Return the subjects of all pictures."""
        return f"damcam.{self.event}.still.>"

    @property
    def hall(self) -> str:
        """Return where rounds, pairings and bindings are told."""
        return f"damcam.{self.event}.hall"

    @property
    def stored(self) -> tuple[str, ...]:
        """Return the subjects of the stream."""
        return (f"damcam.{self.event}.game.>", f"damcam.{self.event}.edit.>", self.hall)

    def game(self, name: RecordingName) -> str:
        """Return where the lines of a journal go."""
        return f"damcam.{self.event}.game.{name.place}.{name.recording}"

    def edit(self, name: RecordingName) -> str:
        """Return where edits of a game go."""
        return f"damcam.{self.event}.edit.{name.place}.{name.recording}"

    def still(self, name: RecordingName, seq: int) -> str:
        """Return where the picture of the irregularity `seq` of a game goes."""
        return f"damcam.{self.event}.still.{name.place}.{name.recording}.{seq}"

    def still_of(self, subject: str) -> tuple[RecordingName, int] | None:
        """Return the recording and the irregularity that the subject of a picture names."""
        words = subject.split(".")
        if len(words) != 7 or words[:3] != ["damcam", self.event, "still"]:
            return None
        if not all(NAME.fullmatch(word) for word in words[3:6]) or not SEQ.fullmatch(words[6]):
            return None
        name = RecordingName(node=words[3], camera=words[4], recording=words[5])
        return name, int(words[6])

    def edits_of(self, node: str) -> str:
        """Return the subjects of all edits that one node has to make."""
        return f"damcam.{self.event}.edit.{node}.>"

    def alive(self, node: str) -> str:
        """Return where a node says that it lives; `*` for all nodes."""
        return f"damcam.{self.event}.alive.{node}"

    def recording_of(self, subject: str) -> RecordingName | None:
        """Return the recording that a subject names, None if it names none."""
        words = subject.split(".")
        if len(words) != 6 or words[:2] != ["damcam", self.event]:
            return None
        if words[2] not in ("game", "edit") or not all(NAME.fullmatch(word) for word in words[3:]):
            return None
        return RecordingName(node=words[3], camera=words[4], recording=words[5])


def checked_name(text: str, what: str) -> str:
    """Return the name.

    Raises:
        HallNameError: It has other signs than letters, digits, `-` and `_`, or too many.
    """
    if NAME.fullmatch(text) is None:
        raise HallNameError(f"the name of {what} is 1-32 of A-Z a-z 0-9 _ -, got {text!r}")
    return text
