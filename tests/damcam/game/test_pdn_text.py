"""The PDN of a record: readable by others, complete at every moment."""

import re
from dataclasses import replace

import pytest

from damcam.game.pdn_text import clock_comment, hms, record_pdn, tag_value
from damcam.game.record import GameRecord, fold
from damcam.journal.events import ClockRead, Entry, Event, WitnessesDiffered
from rules import Color, Position, Variant, move_text, read_pdn, to_fen, write_pdn
from tests.damcam.fakes import flag_of, played, random_moves, started, told
from vision import GameEnded, GameStarted, IrregularityResolved, MoveSettled

START = Position.start(Variant.INTERNATIONAL)
TAGS = {"White": "Wiersma", "Black": "Sijbrands", "Event": "Club", "Annotator": "me"}


def record_of(*events: Event) -> GameRecord:
    return fold(Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1))


def move_words(pdn: str) -> list[str]:
    """Return the moves, results and numbers of the move text, without comments and line breaks."""
    body = pdn.split("\n\n", 1)[1]
    return re.sub(r"\{[^}]*\}", "", body).split()


@pytest.mark.parametrize("seed", range(10))
def test_moves_are_written_as_the_writer_of_the_rules_does(seed: int) -> None:
    moves = random_moves(60, seed=seed)
    mine = record_pdn(record_of(*told(moves)), TAGS)
    theirs = write_pdn(played(moves), TAGS)
    assert move_words(mine) == move_words(theirs)


def test_mandatory_tags_come_first_and_unknown_is_a_question_mark() -> None:
    lines = record_pdn(record_of(*told(random_moves(2, seed=1))), TAGS).splitlines()
    names = [line[1:].split()[0] for line in lines if line.startswith("[")]
    assert names[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert names[7:] == ["GameType", "Annotator"]
    assert '[Site "?"]' in lines
    assert '[Result "*"]' in lines
    assert '[GameType "20,W,10,10,N2,0"]' in lines


def test_a_game_that_did_not_start_yet_is_valid_too() -> None:
    assert record_pdn(GameRecord(), {}).endswith('[Result "*"]\n\n*\n')


def test_feed_has_no_blank_line() -> None:
    text = record_pdn(record_of(*told(random_moves(80, seed=1))), TAGS, spacious=False)
    assert "\n\n" not in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_result_and_clock_are_written() -> None:
    moves = random_moves(2, seed=1)
    read = ClockRead(
        at_ms=2000, seen_ms=2400, ply=2, white_ms=4_790_900, black_ms=59_999, running=Color.WHITE
    )
    ended = GameEnded(at_ms=0, seen_ms=0, result="0-2", reason="resignation", clause="7.2.1")
    record = record_of(*told(moves), read, ended)
    text = record_pdn(record, {})
    assert '[Result "0-2"]' in text
    assert text.endswith("{[%clock w1:19:50 b0:00:59]} *\n")
    assert record_pdn(record, {}, spacious=False).endswith(" b0:00:59]} 0-2\n")
    running = record_pdn(record_of(*told(moves), read), {}, spacious=False)
    assert running.endswith("{[%clock W1:19:50 b0:00:59]} *\n")


def test_where_lever_and_camera_differed_is_a_comment_behind_the_move() -> None:
    moves = random_moves(2, seed=1)
    first, second = told(moves)[1:]
    forgot = WitnessesDiffered(
        at_ms=3000,
        seen_ms=3000,
        kind="move without a press",
        color=Color.WHITE,
        ply=1,
        text="White moved, but did not press the clock",
    )
    lone = replace(forgot, kind="press without a move", ply=None, text="Black {pressed}")
    record = record_of(started(START), first, second, forgot, lone)
    pdn = record_pdn(record, {})
    names = [move.move for move in record.moves]
    assert f"1. {names[0]} {{White moved, but did not press the clock}}" in pdn
    assert f"{names[1]} {{Black (pressed)}}" in pdn
    (game,) = read_pdn(pdn)
    assert not game.faults


def test_game_from_another_position_names_it() -> None:
    start = played(random_moves(7, seed=1)).position
    text = record_pdn(record_of(*told(random_moves(3, seed=1, start=start), start)), {})
    assert f'[FEN "{to_fen(start)}"]' in text
    assert text.split("\n\n")[1].startswith("1... ")


def test_accepted_irregularity_becomes_a_comment_and_a_setup() -> None:
    moves = random_moves(3, seed=1)
    position = played(moves).position
    after = to_fen(position.with_side_to_move(Color.WHITE))
    flag = flag_of(
        after, clause="5.4.1", color=Color.BLACK, move="1-6", text="Black {again}\nmoved"
    )
    accepted = IrregularityResolved(at_ms=0, seen_ms=0, flag=5, how="accepted", fen=after)
    text = record_pdn(record_of(*told(moves), flag, accepted), {})
    last = move_text(moves[-1], played(moves[:-1]).position)
    assert f'2. {last} {{5.4.1: Black (again) moved (accepted)}} /FEN "{after}"/ *' in " ".join(
        text.split()
    )


def test_feed_lists_every_square_and_ends_no_game_with_what_relays_do_not_read() -> None:
    set_up = GameStarted(at_ms=0, seen_ms=0, variant="international", fen="B:W31-33,K50:B1-2")
    lost = GameEnded(at_ms=0, seen_ms=0, result="0-0", reason="both lost", clause="7.1")
    start = GameStarted(at_ms=0, seen_ms=0, variant="international", fen="W:W48-49:B3-4")
    record = record_of(start, set_up, lost)
    text = record_pdn(record, {}, spacious=False)
    assert '/FEN "B:W31,32,33,K50:B1,2"/ *' in text
    assert '[FEN "W:W48,49:B3,4"]' in text
    assert '[Result "0-0"]' in text
    assert '[FEN "W:W48-49:B3-4"]' in record_pdn(record, {})


def test_english_games_begin_with_black() -> None:
    start = Position.start(Variant.ENGLISH)
    text = record_pdn(record_of(*told(random_moves(2, seed=1, start=start), start)), {})
    assert '[GameType "21,B,8,8,N1,0"]' in text
    assert re.search(r"\n1\. \S+ \S+ \*\n", text)
    assert "FEN" not in text


def test_every_prefix_of_a_recording_is_a_whole_game() -> None:
    events = told(random_moves(30, seed=5))
    for count in range(len(events) + 1):
        text = record_pdn(record_of(*events[:count]), TAGS)
        moves = sum(isinstance(event, MoveSettled) for event in events[:count])
        words = [word for word in move_words(text) if not word.endswith(".")]
        assert len(words) == moves + 1
        assert words[-1] == "*"


@pytest.mark.parametrize(
    ("ms", "text"), [(0, "0:00:00"), (-5, "0:00:00"), (999, "0:00:00"), (36_610_000, "10:10:10")]
)
def test_times(ms: int, text: str) -> None:
    assert hms(ms) == text


def test_tag_values_break_nothing() -> None:
    assert tag_value(' a "b"\n[c] \\ d ') == "a 'b' (c) / d"


def test_clock_that_stands_has_small_letters() -> None:
    record = record_of(
        started(START),
        ClockRead(at_ms=0, seen_ms=0, ply=1, white_ms=1000, black_ms=2000, running=None),
    )
    assert record.clocks is not None
    assert clock_comment(record.clocks) == "{[%clock w0:00:01 b0:00:02]}"


def test_start_that_is_repeated_changes_nothing() -> None:
    started_at = GameStarted(at_ms=0, seen_ms=0, variant="international", fen=to_fen(START))
    assert record_pdn(record_of(started_at, started_at), {}) == record_pdn(
        record_of(started_at), {}
    )
