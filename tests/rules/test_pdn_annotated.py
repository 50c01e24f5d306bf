"""Games that were read are written with all that hangs on their moves, and read back alike."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from rules import (
    Move,
    PdnGame,
    PdnMove,
    decode_pdn,
    read_pdn,
    write_annotated_pdn,
)

TEXT = """[Event "Cup \\"A\\""]
[GameType "20"]
{Before} 1. 32-28! 19-23 $2 {good
one} (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 2. 28x19 14x23 + (13x24) a.l.
3. 33-28*? {x} /FEN "B:W31,32:B1,2"/ 1-6 2-0
"""

Tree = tuple[object, ...]


def only(text: str) -> PdnGame:
    [game] = read_pdn(text)
    return game


def tree(moves: Iterable[PdnMove]) -> Tree:
    """Return what writing must keep of moves: signs but the strengths may become comments."""
    return tuple(
        (
            move.move,
            "".join(sorted(sign for sign in move.signs if set(sign) <= set("!?"))[:1]),
            sorted({*move.nags}),
            [comment for comment in move.comments if comment not in move.signs],
            [tree(variation) for variation in move.variations],
        )
        for move in moves
    )


def test_all_that_hangs_on_moves_is_written() -> None:
    text = write_annotated_pdn(only(TEXT))
    assert text.endswith(
        '[GameType "20,W,10,10,N2,0"]\n\n'
        "{Before} 1. 32-28! 19-23 $2 {good one} (1... 18-23 2. 38-32 (2. 37-32? 23-29!\n"
        "{Black wins}) 2... 12-18) 2. 28x19 14x23 {+} {a.l.} (2... 13x24) 3. 33-28? $7\n"
        '{x} /FEN "B:W31,32:B1,2"/ 3... 1-6 *\n'
    )
    assert text.startswith('[Event "Cup \\"A\\""]\n')
    assert '[Result "2-0"]' in text


def test_it_is_read_back_alike() -> None:
    first = only(TEXT)
    again = only(write_annotated_pdn(first))
    assert again.faults == ()
    assert again.game == first.game
    assert tree(again.moves)[0] == tree(first.moves)[0]
    assert [move.text for move in again.moves] == [
        *("32-28", "19-23", "28x19", "14x23", "33-28", "1-6")
    ]
    assert write_annotated_pdn(again) == write_annotated_pdn(first)


def test_tags_can_be_given_and_moves_at_fault_are_left_out() -> None:
    game = only('[White "A"]\n1. 32-28 19-24 (18-22 32-27 12-18) 33-29')
    text = write_annotated_pdn(game, {"White": "B", "FEN": "nonsense"})
    assert '[White "B"]' in text
    assert "FEN" not in text
    assert text.endswith("\n1. 32-28 19-24 (1... 18-22) 2. 33-29 *\n")
    faulty = only("1. 32-28 32-28 19-23")
    assert write_annotated_pdn(faulty).endswith("\n1. 32-28 *\n")


def test_a_capture_is_written_in_full_only_where_it_must() -> None:
    game = only('[FEN "W:WK47:B14,19,29,31,42"]\n1. 47x24x36')
    assert "1. 47x38x24x13x36 *" in write_annotated_pdn(game)


def test_variations_nested_without_end_are_left_out() -> None:
    text = "1. 32-28 " + "(32-27 " * 5000 + ")" * 5000
    written = write_annotated_pdn(only(text))
    assert 10 < written.count("(") <= 50
    assert only(written).faults == ()


@pytest.mark.shared
def test_the_corpus_is_written_and_read_back(shared: Path) -> None:
    kept = variations = 0
    for path in sorted((shared / "pdn" / "wiegerw-pdn" / "games").glob("*/*.pdn"))[::4]:
        for game in read_pdn(decode_pdn(path.read_bytes())):
            if game.faults:
                continue
            again = only(write_annotated_pdn(game))
            assert again.faults == (), (path.name, game.line)
            assert again.game == game.game, (path.name, game.line)
            kept += sum(isinstance(step, Move) for step in game.game.steps)
            variations += sum(len(move.variations) for move in game.moves)
    assert kept > 10_000
    assert variations > 0
