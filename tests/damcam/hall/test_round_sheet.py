"""Pairings as people paste them, accounts and settings as they write them."""

from pathlib import Path

import pytest

from damcam.hall.accounts import add_account, load_accounts
from damcam.hall.config import HallConfig
from damcam.hall.errors import HallConfigError
from damcam.hall.link import LinkAddress
from damcam.hall.names import HallNameError, RecordingName
from damcam.hall.round_sheet import PairingsError, read_pairings
from damcam.serve import token_digest

TWO = ((1, "A. Vos", "B. Smit"), (2, "Ton", "Harm"))


@pytest.mark.parametrize(
    "text",
    [
        "1,A. Vos,B. Smit\n2,Ton,Harm\n",
        "\ufeffBoard;White;Black\n2;Ton;Harm\n1;A. Vos;B. Smit",
        "Bord\tWit\tZwart\n1\tA. Vos\tB. Smit\n\n2\tTon\tHarm",
        "A. Vos - B. Smit\nTon – Harm",
        "1. , A. Vos,  B.  Smit\n2., Ton, Harm",
        "Blancs,Noirs,Damier\nA. Vos,B. Smit,1\nTon,Harm,2",
    ],
)
def test_pairings_are_read_as_they_come(text: str) -> None:
    assert read_pairings(text).boards == TWO


def test_further_columns_become_tags() -> None:
    text = "Board,White,Black,White Title,BlackElo\n7,Ton,Harm,GMI,2400\n8,A,B,,\n"
    read = read_pairings(text)
    assert read.boards == ((7, "Ton", "Harm"), (8, "A", "B"))
    assert read.tags == ((7, "WhiteTitle", "GMI"), (7, "BlackElo", "2400"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "There are no pairings"),
        ("1,A. Vos", "Line 1 names no two players"),
        ("1,A,B\n1,C,D", "Line 2: board 1 comes twice"),
        ("Board,White,Black\n999,A,B", "Line 2: a board is 1-256, not 999"),
        ("x" * 200_000, "letters at most"),
    ],
)
def test_what_is_no_pairing_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(PairingsError, match=told):
        read_pairings(text)


def test_an_account_is_kept_without_its_token(tmp_path: Path) -> None:
    path = tmp_path / "accounts.toml"
    token = add_account(path, "Anna", "operator", "1-3,7")
    add_account(path, "Bob", "arbiter", "")
    anna, bob = load_accounts(path)
    assert token not in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o077 == 0
    assert anna.digest == token_digest(token)
    assert (anna.name, anna.role, anna.boards) == ("Anna", "operator", frozenset({1, 2, 3, 7}))
    assert [anna.may("operator", board) for board in (2, 4)] == [True, False]
    assert not anna.may("arbiter")
    assert bob.may("operator", 4)
    assert not bob.may("admin")
    with pytest.raises(HallConfigError, match="account of Anna already"):
        add_account(path, "Anna", "admin", "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[account]]\nname = 'A'\nrole = 'king'\ntoken_sha256 = '00'",
        f"[[account]]\nname = 'A'\nrole = 'admin'\ntoken_sha256 = '{'z' * 64}'",
        f"[[account]]\nname='A'\nrole='operator'\nboards='1-x'\ntoken_sha256='{'0' * 64}'",
        "account = 3",
        "[[",
    ],
)
def test_accounts_that_cannot_be_used_are_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "accounts.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(HallConfigError, match=r"accounts\.toml"):
        load_accounts(path)


def test_hall_toml_is_read_beside_its_files(tmp_path: Path) -> None:
    path = tmp_path / "hall.toml"
    path.write_text(
        'event = "nk"\nservers = ["nats://a:1"]\nname = "t-1"\nseed = "t.seed"\n', encoding="utf-8"
    )
    config = HallConfig.load(path)
    assert (config.event, config.servers, config.name) == ("nk", ("nats://a:1",), "t-1")
    assert config.seed == tmp_path / "t.seed"
    assert config.subjects.stream == "damcam_nk"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('event = "a b"\nservers = ["nats://a"]\nname = "n"', "1-32 of"),
        ('event = "e"\nname = "n"', "servers must be a list"),
        ('event = "e"\nservers = ["nats://a"]\nname = "n"\npassword = "x"', "unknown key"),
        ('event = "e"\nservers = []\nname = "n"', "one server is a must"),
    ],
)
def test_hall_toml_that_cannot_be_used_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "hall.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(HallConfigError, match=told):
        HallConfig.load(path)


@pytest.mark.parametrize("server", ["nats://u:p@host", "http://host", "nats://"])
def test_an_address_holds_no_password(server: str) -> None:
    with pytest.raises(HallConfigError) as caught:
        LinkAddress(servers=(server,))
    assert ":p@" not in str(caught.value)


@pytest.mark.parametrize("camera", ["", "a.b", "a*", "a>", "ü", "x" * 40, "a b"])
def test_names_cannot_leave_their_place_in_a_subject(camera: str) -> None:
    with pytest.raises(HallNameError):
        RecordingName.of("node", camera, "2027-01-02T10:00:00")
