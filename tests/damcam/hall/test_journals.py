"""Many journals, few of them open: each line is read once, also of one that is set aside."""

from pathlib import Path

from damcam.hall.journals import CALM_LOOKS, FollowedJournal, Journals
from damcam.journal.database import Journal
from damcam.out_folder import OutFolder
from tests.damcam.hall.boards import ended, game, journal

MOST = 4


def test_few_of_many_are_open_and_every_line_is_read(tmp_path: Path) -> None:
    journals = Journals(MOST)
    written = [journal(tmp_path, board, game(board)) for board in range(1, 13)]
    followed = [
        FollowedJournal(journals, tmp_path / f"cam{board}" / "journal.sqlite")
        for board in range(1, 13)
    ]
    assert [len(list(one.lines(0))) for one in followed] == [9] * 12
    assert journals.count == MOST
    for one in written:
        one.append(ended())
    assert all(one.has_news() for one in followed)
    assert [len(list(one.lines(9))) for one in followed] == [1] * 12
    assert journals.count == MOST
    for one in written:
        one.close()


def test_a_journal_at_rest_is_read_again_only_when_it_changes(tmp_path: Path) -> None:
    written = journal(tmp_path, 1, game(1))
    followed = FollowedJournal(Journals(), tmp_path / "cam1" / "journal.sqlite")
    looks = [followed.has_news() for _ in range(CALM_LOOKS + 5)]
    assert looks == [True] * CALM_LOOKS + [False] * 5
    written.append(ended())
    assert followed.has_news()
    assert len(list(followed.lines(9))) == 1
    written.close()


def test_a_journal_is_followed_to_where_it_is_set_aside(tmp_path: Path) -> None:
    journals = Journals()
    journal(tmp_path, 1, game(1)).close()
    path = tmp_path / "cam1" / "journal.sqlite"
    old = FollowedJournal(journals, path)
    with OutFolder(path.parent) as folder:
        aside = folder.set_aside()
    assert aside is not None
    journal(tmp_path / "other", 1, game(2, 4)).close()
    (tmp_path / "other" / "cam1" / "journal.sqlite").rename(path)
    new = FollowedJournal(journals, path)
    old.path = aside
    assert old.has_news()
    with_end = Journal.open(aside, writes=True)
    with_end.append(ended())
    with_end.close()
    assert [len(list(one.lines(0))) for one in (old, new)] == [10, 5]
