"""The hall as a fold of the stream: order, doubles, late nodes, rebinding, lies."""

import json
import random

import pytest

from damcam.hall.hall_events import CameraBound, GameBound, ResultDeclared, RoundOpened
from damcam.hall.names import RecordingName
from damcam.hall.projection import Hall
from damcam.hall.screening import MOST_LINE
from damcam.hall.tiles import tile_of
from damcam.journal.events import ClockRead
from damcam.journal.operator_events import TagsSet
from rules import Color
from tests.damcam.hall.boards import (
    SUBJECTS,
    WHO,
    Stream,
    ended,
    flagged,
    game,
    hall_of,
    in_loop,
    lines,
    mutated,
    name,
    round_of,
    sheet,
)
from vision import BoardLost, DisturbanceNoticed


def pdns(hall: Hall) -> list[bytes]:
    return [one.live.pdn.body for one in hall.games()]


def test_boards_are_there_from_the_first_second_in_their_order() -> None:
    def check() -> None:
        stream = Stream()
        stream.tell(sheet(3))
        hall = hall_of(stream.messages)
        assert hall.boards() == (1, 2, 3)
        feed = b"\n".join(pdns(hall)).decode()
        assert [line for line in feed.splitlines() if line.startswith("[White")] == [
            f'[White "White {board}"]' for board in (1, 2, 3)
        ]
        assert '[Round "1.3"]' in feed
        assert feed.count("*") == 6

    in_loop(check)


def test_doubles_and_another_order_of_nodes_change_nothing() -> None:
    def check() -> None:
        stream = round_of(4)
        straight = pdns(hall_of(stream.messages))
        assert all(pdn.count(b"\n") > 7 for pdn in straight)
        chance = random.Random(1)
        doubled = [one for one in stream.messages for _ in range(chance.randint(1, 3))]
        assert pdns(hall_of(doubled)) == straight
        head, rest = stream.messages[:6], stream.messages[6:]
        by_board = [
            [one for one in rest if f".cam{board}." in one.subject] for board in range(1, 5)
        ]
        late = [one for board in (3, 1, 4, 2) for one in by_board[board - 1]]
        assert pdns(hall_of([*late, *head])) == straight

    in_loop(check)


def test_recordings_belong_to_the_round_in_which_they_began() -> None:
    def check() -> None:
        stream = round_of(2)
        later = {**WHO, "at_utc": "2027-01-02T14:00:00"}
        second = [*sheet(2, number=2)[1:2], RoundOpened(round=2, tags=(), **later)]
        stream.tell(reversed(second))
        again = name(1, created_utc="2027-01-02T14:05:00")
        stream.open(again)
        stream.record(again, lines(game(9)))
        late = name(2, created_utc="2027-01-02T11:00:00")
        stream.open(late)
        hall = hall_of(stream.messages)
        assert hall.round == 2
        shown = [one.recording.name if one.recording else None for one in hall.games()]
        assert shown == [again, None]
        assert [one.recording and one.recording.name for one in hall.games(1)] == [name(1), name(2)]

    in_loop(check)


def test_cameras_and_games_are_bound_anew() -> None:
    def check() -> None:
        stream = round_of(2)
        one, two = pdns(hall_of(stream.messages))
        stream.tell([CameraBound(camera=f"node.cam{k}", board=3 - k, **WHO) for k in (1, 2)])
        swapped = hall_of(stream.messages)
        moves = [pdn.decode().rpartition("]\n")[2] for pdn in (one, two)]
        assert [pdn.decode().rpartition("]\n")[2] for pdn in pdns(swapped)] == moves[::-1]
        assert b'[White "White 1"]' in pdns(swapped)[0]
        bound = GameBound(round=1, board=1, camera="node.cam1", recording=name(1).recording, **WHO)
        stream.tell([bound])
        hall = hall_of(stream.messages)
        assert [game and game.name for game in (one.recording for one in hall.games())] == [
            name(1),
            None,
        ]

    in_loop(check)


def test_a_finished_game_stays_when_its_recorder_starts_again() -> None:
    def check() -> None:
        stream = round_of(1)
        stream.record(name(1), lines([ended()], first=10))
        again = name(1, created_utc="2027-01-02T12:00:00")
        stream.open(again)
        stream.record(again, lines(game(5)))
        (one,) = hall_of(stream.messages).games()
        assert one.recording is not None
        assert one.recording.name == name(1)
        assert b'[Result "2-0"]' in one.live.pdn.body

    in_loop(check)


def test_a_declared_result_beats_everything_and_is_taken_back() -> None:
    def check() -> None:
        stream = round_of(2)
        stream.record(name(1), lines([ended()], first=10))
        declared = ResultDeclared(round=1, board=1, result="0-2", **{**WHO, "why": "appeal"})
        stream.tell([declared, ResultDeclared(round=1, board=2, result="1-1", **WHO)])
        first, second = pdns(hall_of(stream.messages))
        assert b'[Result "0-2"]' in first
        assert b'[Result "1-1"]' in second
        stream.tell([ResultDeclared(round=1, board=1, result="*", **WHO)])
        assert b'[Result "2-0"]' in pdns(hall_of(stream.messages))[0]

    in_loop(check)


def test_without_a_sheet_cameras_are_boards_as_they_come() -> None:
    def check() -> None:
        stream = Stream()
        for camera in (7, 2):
            stream.open(name(camera))
            stream.record(name(camera), lines(game(camera)))
        hall = hall_of(stream.messages)
        assert hall.boards() == (1, 2)
        assert [one.recording and one.recording.name for one in hall.games()] == [name(7), name(2)]

    in_loop(check)


def test_without_a_sheet_a_camera_shows_its_newest_game() -> None:
    def check() -> None:
        stream = Stream()
        for hour, end in ((10, [ended()]), (11, [])):
            one = name(1, created_utc=f"2027-01-02T{hour}:00:00")
            stream.open(one)
            stream.record(one, lines([*game(hour), *end]))
        hall = hall_of(stream.messages)
        (shown,) = hall.games()
        assert shown.recording is hall.recordings[one]
        assert [known.is_away for known in hall.recordings.values()] == [True, False]

    in_loop(check)


def two_rounds() -> Stream:
    """Return two rounds of two boards; the games of the first have ended."""
    stream = round_of(2)
    for board in (1, 2):
        stream.record(name(board), lines([ended()], first=10))
    stream.tell([RoundOpened(round=2, tags=(), **{**WHO, "at_utc": "2027-01-03T10:00:00"})])
    return stream


def feeds_of(hall: Hall, number: int) -> list[bytes]:
    return [one.live.pdn.body for one in hall.games(number)]


def test_games_of_a_round_that_is_over_are_put_away_and_told_the_same() -> None:
    def check() -> None:
        stream = two_rounds()
        straight = pdns(hall_of(stream.messages[:-1]))
        hall = hall_of(stream.messages)
        assert all(one.is_away for one in hall.recordings.values())
        assert feeds_of(hall, 1) == straight
        again = RoundOpened(round=1, tags=(("Event", "Test"),), **WHO)
        stream.tell([again])
        hall = hall_of(stream.messages)
        assert not any(one.is_away for one in hall.recordings.values())
        assert pdns(hall) == straight
        assert [len(one.live.record.moves) for one in hall.games()] == [8, 8]

    in_loop(check)


def test_what_is_told_late_of_a_game_that_was_put_away_is_in_its_feed() -> None:
    def check() -> None:
        stream = two_rounds()
        named = TagsSet(
            at_ms=0, seen_ms=0, by="A", at_utc="", why="", tags=(("Annotator", "Anna"),)
        )
        stream.record(name(1), lines([named], first=11))
        stream.tell([ResultDeclared(round=1, board=2, result="1-1", **WHO)])
        hall = hall_of(stream.messages)
        first, second = feeds_of(hall, 1)
        assert b'[Annotator "Anna"]' in first
        assert b'[Result "1-1"]' in second
        assert all(one.is_away for one in hall.recordings.values())
        assert [one.record.seq for one in hall.recordings.values()] == [11, 10]

    in_loop(check)


def test_a_full_disk_leaves_games_in_memory_and_they_are_told_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    def check() -> None:
        stream = two_rounds()
        straight = pdns(hall_of(stream.messages[:-1]))
        monkeypatch.setattr("tempfile.TemporaryFile", full)
        hall = hall_of(stream.messages)
        assert not any(one.is_away for one in hall.recordings.values())
        assert feeds_of(hall, 1) == straight

    in_loop(check)


def test_what_is_told_late_again_and_again_takes_no_more_room() -> None:
    def check() -> None:
        stream = two_rounds()
        hall = hall_of(stream.messages)
        sizes = set()
        for seq in range(11, 61):
            named = TagsSet(
                at_ms=0, seen_ms=0, by="A", at_utc="", why="", tags=(("Annotator", str(seq)),)
            )
            stream.record(name(1), lines([named], first=seq))
            hall.take(stream.messages[-1])
            sizes.add(hall.shelf.end)
        assert b'[Annotator "60"]' in feeds_of(hall, 1)[0]
        assert hall.recordings[name(1)].is_away
        assert len(sizes) < 8

    in_loop(check)


def test_clocks_of_a_tile_run_on_from_when_they_were_read() -> None:
    def check() -> None:
        read = ClockRead(
            at_ms=8_000, seen_ms=8_000, ply=8, white_ms=60_000, black_ms=50_000, running=Color.BLACK
        )
        stream = round_of(1)
        stream.record(name(1), lines([read], first=10))
        hall = Hall(SUBJECTS)
        for stored in stream.messages:
            hall.take(stored, late_s=20.0)
        (shown,) = hall.games()
        clocks = tile_of(shown, None).clocks
        assert clocks is not None
        assert clocks.white_ms == 60_000
        assert 25_000 < clocks.black_ms <= 30_000

    in_loop(check)


def test_tiles_tell_who_needs_help() -> None:
    def check() -> None:
        stream = round_of(6)
        for board, event in ((1, BoardLost(at_ms=9, seen_ms=9)), (2, flagged()), (3, ended())):
            stream.record(name(board), lines([event], first=10))
        noticed = DisturbanceNoticed(at_ms=9, seen_ms=9, squares=())
        stream.record(name(4), lines([noticed], first=10))
        stream.record(name(6), lines([ended()], first=12))
        hall = hall_of(stream.messages)
        states = {one.board: tile_of(one, None).state for one in hall.games()}
        assert states == {
            1: "camera lost",
            2: "unsure",
            3: "finished",
            4: "desync",
            5: "ok",
            6: "desync",
        }
        fifth = hall.game(5)
        assert fifth is not None
        assert tile_of(fifth, 20.0).state == "camera lost"

    in_loop(check)


LIES: list[bytes] = [
    b"",
    b"\xff\xfe",
    b"[" * 4000,
    b"null",
    b'{"seq":10}',
    b'{"seq":1e999}',
    b'{"v":1,"seq":10,"type":"MoveSettled"}',
    b"x" * (MOST_LINE + 1),
    b'{"v":1,"seq":' + b"9" * 4000 + b"}",
]


@pytest.mark.parametrize("lie", LIES, ids=range(len(LIES)))
def test_a_lie_is_refused_and_the_board_goes_on(lie: bytes) -> None:
    def check() -> None:
        stream = round_of(2)
        before = pdns(hall_of(stream.messages))
        for subject in (SUBJECTS.game(name(1)), SUBJECTS.hall, "damcam.test.game.x", "other"):
            stream.keep(subject, lie)
        hall = hall_of(stream.messages)
        assert pdns(hall) == before
        assert hall.refused + hall.recordings[name(1)].refused >= 1

    in_loop(check)


def shown(hall: Hall) -> None:
    """Make everything that a hub serves of a hall."""
    for one in hall.games():
        assert one.live.pdn.body.decode()
        assert b"\n\n" not in one.live.pdn.body
        tile_of(one, None)
        json.dumps([list(move.path) for move in one.live.record.moves], allow_nan=False)


@pytest.mark.parametrize("seed", range(40))
def test_any_field_may_lie(seed: int) -> None:
    def check() -> None:
        chance = random.Random(seed)
        stream = Stream()
        stream.tell(sheet(1))
        stream.open(name(1))
        events = [*game(1, 12), flagged(), ended()]
        for line in lines(events):
            is_lie = chance.random() < 0.4
            stream.record(name(1), [mutated(line, chance) if is_lie else line])
        hall = hall_of(stream.messages)
        shown(hall)
        assert hall.recordings[name(1)].record.seq == len(events)

    in_loop(check)


def test_only_so_many_recordings_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damcam.hall.projection.MOST_RECORDINGS", 5)

    def check() -> None:
        stream = Stream()
        for camera in range(9):
            stream.open(RecordingName.of("node", f"cam{camera}", "2027-01-02T10:00:00"))
        hall = hall_of(stream.messages)
        assert (len(hall.recordings), hall.refused) == (5, 4)

    in_loop(check)
