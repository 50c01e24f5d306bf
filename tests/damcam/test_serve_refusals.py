"""What a server refuses: forms in the language of their page, requests that never come whole."""

import socket

import pytest

from damcam.serve.language import LANGUAGES, language_named
from tests.damcam.desks import hall

POST_WITHOUT_BODY = b"POST /operator/login HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_form_that_is_refused_is_told_in_the_language_of_its_page(code: str) -> None:
    language = language_named(code)
    with hall() as it:
        it.enter()
        page = it.ask("GET", f"/operator?lang={code}")[2]
        assert f'action="/operator/edit?lang={code}"' in page
        wrong = {"csrf": it.csrf, "action": "replace", "ply": "1", "move": "1-50"}
        status, _, page = it.ask("POST", f"/operator/edit?lang={code}", wrong)
        told = language.text("{move} is not legal here; legal: {moves}.")
        assert status == 422
        assert told.partition(" {moves}")[0].format(move="1-50") + " 31-26, 31-27" in page
        wrong = {"csrf": it.csrf, "action": "position", "fen": "W:Wx"}
        page = it.ask("POST", "/operator/edit", wrong, Accept_Language=code)[2]
        assert f'{language.text("This is no position.")} <small lang="en">expected a' in page
        form = {"csrf": it.csrf, "action": "takeback", "count": "1"}
        _, headers, _ = it.ask("POST", f"/operator/edit?lang={code}", form)
        assert headers["location"] == f"/operator?lang={code}"


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n", POST_WITHOUT_BODY])
def test_request_that_never_comes_whole_is_hung_up_on(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damcam.serve.protocol.REQUEST_S", 0.2)
    with hall() as it:
        address = ("127.0.0.1", it.server.address.port)
        with socket.create_connection(address, timeout=60) as link:
            link.sendall(sent)
            assert link.recv(1) == b""
        assert it.ask("GET", "/healthz")[0] == 200
