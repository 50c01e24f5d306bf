"""Corrections by programs: a token instead of a session, the same forms."""

import http.client
import json
import urllib.parse

from tests.damcam.desks import TOKEN, hall


def test_programs_correct_the_game_with_a_token() -> None:
    with hall() as it:
        wanted = urllib.parse.urlencode({"action": "takeback", "count": "2", "why": "sheet"})

        def ask(token: str, body: str = wanted) -> tuple[int, dict[str, object]]:
            connection = http.client.HTTPConnection("127.0.0.1", it.server.address.port)
            connection.request("POST", "/api/edit", body, {"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            data = json.loads(answer.read())
            connection.close()
            return answer.status, data

        before = len(it.record.moves)
        assert ask("wrong")[0] == 401
        status, told = ask(TOKEN)
        assert (status, told["recorded"], told["fen"]) == (200, True, it.record.fen)
        assert len(it.record.moves) == before - 2
        assert it.record.edits[-1].event.by == "program"
        assert ask(TOKEN, "action=takeback&count=500")[0] == 409
        assert ask(TOKEN, "action=dance")[0] == 409
