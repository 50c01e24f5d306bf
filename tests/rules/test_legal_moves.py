"""Which moves are legal, by the sentences of the rules."""

import random

import pytest

from rules import Position, Variant, legal_moves, move_text, parse_fen, perft
from rules.moves import generate_moves


def texts(fen: str, variant: Variant = Variant.INTERNATIONAL) -> set[str]:
    position = parse_fen(fen, variant)
    return {
        ("x" if move.captured else "-").join(str(square) for square in move.path)
        + ("=K" if move.crowns else "")
        for move in legal_moves(position)
    }


def test_a_man_moves_one_step_forward() -> None:
    assert texts("W:W28:B") == {"28-22", "28-23"}
    assert texts("B:W:B28") == {"28-32", "28-33"}
    assert texts("W:W16:B") == {"16-11"}


def test_a_man_that_stops_on_the_far_row_becomes_a_king() -> None:
    assert texts("W:W10:B40") == {"10-4=K", "10-5=K"}


def test_a_king_flies_until_something_stands_in_its_way() -> None:
    assert texts("W:WK46,28:B") == {"46-41", "46-37", "46-32", "28-22", "28-23"}


def test_a_king_lands_on_any_free_square_behind_its_capture() -> None:
    assert texts("W:WK46:B28,10,5") == {"46x23", "46x19", "46x14"}


def test_capturing_is_obligatory() -> None:
    assert texts("W:W28,40:B23") == {"28x19"}


def test_a_man_captures_backward_too() -> None:
    assert texts("W:W28:B32,33") == {"28x37", "28x39"}


def test_most_pieces_must_be_captured_whoever_they_are() -> None:
    assert texts("W:W32,47:B28,K41,K42,19") == {"32x23x14"}


def test_a_king_counts_as_one_piece() -> None:
    assert texts("W:W28:B22,K23") == {"28x17", "28x19"}


def test_captured_pieces_stay_until_the_end_and_block() -> None:
    # Without 19 in its way the king could go on over 10 from 5.
    assert texts("W:WK41,49:B9,10,12,19,38") == {"41x14x3x21x43"}


def test_a_piece_may_not_be_jumped_twice() -> None:
    moves = legal_moves(parse_fen("B:W27,28,38,39,42:BK25"))
    assert [(move.end, sorted(move.captured)) for move in moves] == [(33, [27, 28, 39, 42])]


def test_a_capture_may_cross_and_end_on_its_start_square() -> None:
    moves = legal_moves(parse_fen("W:W28:B12,13,22,23"))
    assert [(move.start, move.end, len(move.captured)) for move in moves] == [(28, 28, 4)]


def test_two_routes_to_the_same_result_are_one_move() -> None:
    moves = legal_moves(parse_fen("W:WK38:B18,19,32,33"))
    assert len(moves) == len(set(moves)) == 5


def test_a_man_that_passes_the_far_row_stays_a_man() -> None:
    assert texts("W:W15:B9,10") == {"15x4x13"}


def test_own_pieces_are_never_jumped() -> None:
    assert texts("W:W28,23:B13") == {"28-22", "23-18", "23-19"}


def test_a_blocked_side_has_no_move() -> None:
    assert texts("W:W6:B1") == set()
    assert texts("B:W31:B") == set()


def test_english_men_go_and_capture_forward_only() -> None:
    assert texts("B:W18,9:B14", Variant.ENGLISH) == {"14x23"}
    assert texts("B:W9:B14", Variant.ENGLISH) == {"14-17", "14-18"}


def test_english_kings_go_one_step_every_way() -> None:
    assert texts("W:WK18:B", Variant.ENGLISH) == {"18-14", "18-15", "18-22", "18-23"}
    assert texts("W:WK18:B14,7", Variant.ENGLISH) == {"18x9"}


def test_english_players_choose_any_capture_but_finish_it() -> None:
    assert texts("W:W22,23:B18,10,19", Variant.ENGLISH) == {"22x15x6", "23x14x7", "23x16"}


def test_english_crowning_ends_the_turn() -> None:
    assert texts("B:W25,26,17:B21", Variant.ENGLISH) == {"21x30=K"}


def test_russian_men_go_on_as_kings() -> None:
    assert texts("W:W11:B7,5", Variant.RUSSIAN) == texts("W:W11:B7", Variant.RUSSIAN)
    moves = legal_moves(parse_fen("W:Wf6:Be7,c7", Variant.RUSSIAN))
    assert all(move.crowns and len(move.captured) == 2 for move in moves)


def test_russian_kings_must_land_where_they_can_go_on() -> None:
    moves = legal_moves(parse_fen("W:WKa1:Bd4,g5", Variant.RUSSIAN))
    assert {len(move.captured) for move in moves} == {2}


def test_czech_kings_go_before_men() -> None:
    fen = "W:WKa1,g3:Bb2,f4"
    moves = legal_moves(parse_fen(fen, Variant.CZECH))
    assert {move.start for move in moves} == {29}
    assert len({move.start for move in legal_moves(parse_fen(fen, Variant.RUSSIAN))}) == 2


def test_italian_men_take_no_kings_and_kings_go_one_step() -> None:
    assert texts("W:W30:BK26", Variant.ITALIAN) == {"30-27"}
    assert texts("W:WK30:BK26", Variant.ITALIAN) == {"30x21"}
    assert texts("W:WK18:B", Variant.ITALIAN) == {"18-13", "18-14", "18-21", "18-22"}


def test_italian_captures_go_by_number_then_king_then_kings_then_the_first_of_them() -> None:
    assert texts("W:WK21,31:B10,18,27", Variant.ITALIAN) == {"31x22x13x6"}
    assert texts("W:WK23,31:B19,26,27", Variant.ITALIAN) == {"23x30x21"}
    assert texts("W:WK23:B19,K28", Variant.ITALIAN) == {"23x32"}
    assert texts("W:WK30:B10,12,18,K20,K26,27", Variant.ITALIAN) == {"30x21x14x5"}
    assert len(texts("W:WK31:B18,20,K27,K28", Variant.ITALIAN)) == 2


def test_italian_routes_that_meet_the_king_sooner_or_later_are_one_move() -> None:
    moves = legal_moves(parse_fen("W:WK30:BK26,18,19,27", Variant.ITALIAN))
    assert [(move.path[1], sorted(move.captured)) for move in moves] == [(21, [18, 19, 26, 27])]


def test_frisian_men_capture_along_rows_and_columns() -> None:
    assert texts("W:W28:B18", Variant.FRISIAN) == {"28x8"}
    assert texts("W:W28:B29", Variant.FRISIAN) == {"28x30"}


def test_frisian_captures_go_by_value() -> None:
    assert texts("W:W28:BK22,23,14", Variant.FRISIAN) == {"28x19x10"}
    assert texts("W:W28:BK22,23", Variant.FRISIAN) == {"28x17"}


def test_thousands_of_routes_are_found_quickly_and_once() -> None:
    fen = "W:WK50:B7,8,9,10,17,18,19,20,27,28,29,30,37,38,39,40,44"
    moves = legal_moves(parse_fen(fen))
    assert len(moves) == len(set(moves)) > 0


@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
@pytest.mark.parametrize("seed", range(6))
def test_moves_of_random_games_keep_the_position_sound(variant: Variant, seed: int) -> None:
    chance = random.Random(seed)
    position = Position.start(variant)
    for _ in range(80):
        moves = legal_moves(position)
        assert moves == generate_moves(position)
        assert len(moves) == len(set(moves)) == perft(position, 1)
        if not moves:
            break
        for move in moves:
            after = position.after(move)
            assert after.side_to_move is position.side_to_move.other
            assert not after.white & after.black
            assert not after.kings & ~(after.white | after.black)
            own, enemy = position.side_to_move, position.side_to_move.other
            assert after.count(own) == position.count(own)
            assert after.count(enemy) == position.count(enemy) - len(move.captured)
            gained = after.count(own, kings=True) - position.count(own, kings=True)
            assert gained == move.crowns
            assert move_text(move, position)
        position = position.after(chance.choice(moves))


@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_position_has_mirrored_moves(variant: Variant, seed: int) -> None:
    chance = random.Random(seed)
    position = Position.start(variant)
    last = len(position.geometry.squares) + 1
    for _ in range(60):
        moves = legal_moves(position)
        if not moves:
            break
        pieces = {
            position.geometry.squares[last - 1 - square]: type(piece).of(
                piece.color.other, is_king=piece.is_king
            )
            for square, piece in position.pieces.items()
        }
        mirrored = Position.from_pieces(variant, position.side_to_move.other, pieces)
        expected = {
            (last - move.start, last - move.end, frozenset(last - one for one in move.captured))
            for move in moves
        }
        assert {(m.start, m.end, m.captured) for m in legal_moves(mirrored)} == expected
        position = position.after(chance.choice(moves))
