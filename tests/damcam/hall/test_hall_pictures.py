"""Pictures of irregularities on the pages of a hub: with the same rules as what they show."""

from pathlib import Path

from damcam.out_folder import STILLS_NAME, still_path
from damcam.outputs.stills import MOST_STILLS
from tests.damcam.hall.boards import flagged, game, journal, jpeg_of, lines, name, round_of
from tests.damcam.hall.hubs import ListStore, folder_store, hub, until


def test_pictures_are_shown_with_their_irregularity_and_no_sooner(tmp_path: Path) -> None:
    jpeg = jpeg_of(480)
    for board in (1, 2):
        journal(tmp_path, board, [*game(board), flagged()]).close()
        still = still_path(tmp_path / f"cam{board}" / STILLS_NAME, 10)
        still.parent.mkdir()
        still.write_bytes(jpeg)
    still.with_name("9.jpg").write_bytes(jpeg)
    with hub(folder_store(tmp_path)) as client:
        until(lambda: '<img src="/board/2/stills/10.jpg"' in client.ask("/board/2/")[1])
        assert client.bytes("/board/2/stills/10.jpg") == (200, jpeg)
        assert [client.bytes(f"/board/2/stills/{seq}.jpg")[0] for seq in (9, 11)] == [404, 404]
        assert client.bytes("/board/2/operator/stills/10.jpg")[0] == 403
        still.unlink()
        assert client.bytes("/board/2/stills/10.jpg") == (200, jpeg)
    with hub(folder_store(tmp_path), delay_s=1e9) as client:
        client.enter("operator")
        until(lambda: "/board/1/operator/stills/10.jpg" in client.ask("/board/1/operator")[1])
        assert client.bytes("/board/1/operator/stills/10.jpg") == (200, jpeg)
        assert client.bytes("/board/2/operator/stills/10.jpg")[0] == 403
        assert client.bytes("/board/1/stills/10.jpg")[0] == 404
        assert client.bytes("/board/1/static/operator.js")[0] == 200
        assert [client.ask(f"/board/1/{path}")[0] for path in ("", "api/game")] == [404, 404]


def test_what_is_no_picture_is_not_shown() -> None:
    stream = round_of(1)
    stream.record(name(1), lines([flagged()], first=10))
    stills = {(name(1), seq): b"<svg onload='x'/>" for seq in range(1, 2 * MOST_STILLS)}
    with hub(lambda: ListStore(stream.messages, stills), here=False) as client:
        until(lambda: '<img src="/board/1/stills/10.jpg"' in client.ask("/board/1/")[1])
        assert client.bytes("/board/1/stills/10.jpg")[0] == 404
