"""The set-up over HTTP: one page and a small API that only who has the key may use.

The key stands behind the `#` of the address: browsers send it to nobody, the page puts it into a
header that other sites cannot set.
"""

import hmac
import json
import threading
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from importlib.resources import files
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device import PRESETS, DeviceError

from ..serve.app import SecurityHeaders
from ..serve.limits import Limits
from ..settings import Settings, SettingsError
from ..variants import RECORDED_VARIANTS
from .camera_desk import Look
from .look_json import look_json
from .qr import qr_svg, shared_url
from .wizard import Wizard

STATIC: Final = {
    "setup.css": ("damcam.setup", "text/css"),
    "setup.js": ("damcam.setup", "text/javascript"),
    "icon.svg": ("damcam.serve", "image/svg+xml"),
}
"""Name, the package it lies in, media type."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
LOOK_WAIT_S: Final = 2.0
KEPT_LOOKS: Final = 8

Answer = Callable[[Request], Awaitable[Response]]


class SetupSite:
    """The answers to each address of the set-up."""

    def __init__(self, wizard: Wizard, key: str) -> None:
        """Prepare; `key` is what a request must carry."""
        self._wizard = wizard
        self._key = key
        self.finished = threading.Event()
        """Set when the settings were written and the game may begin."""
        self.serve = ""
        """HOST:PORT where this site, and then the game, is shown."""
        self._looks: dict[int, Look] = {}

    def app(self, now_s: Callable[[], float]) -> Starlette:
        """Return the application; `now_s` is a clock that only goes on."""
        app = Starlette(
            routes=[
                Route("/", self.page),
                Route("/static/{name}", self.static),
                Route("/api/state", self._with_key(self.state)),
                Route("/api/look", self._with_key(self.look)),
                Route("/api/picture", self._with_key(self.picture)),
                Route("/api/preview", self._with_key(self.preview)),
                Route("/api/settings", self._with_key(self.change), methods=["POST"]),
                Route("/api/devices", self._with_key(self.devices), methods=["POST"]),
                Route("/api/show", self._with_key(self.show), methods=["POST"]),
                Route("/api/go", self._with_key(self.go), methods=["POST"]),
            ]
        )
        app.add_middleware(Limits, now_s=now_s)
        app.add_middleware(SecurityHeaders)
        return app

    async def page(self, request: Request) -> Response:
        """Answer with the page; it holds no secret."""
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
        return Response(_static("setup.html"), media_type="text/html", headers=headers)

    async def static(self, request: Request) -> Response:
        """Answer with the style sheet or the script."""
        name = request.path_params["name"]
        if name not in STATIC:
            return _refused("no such file", 404)
        package, media_type = STATIC[name]
        headers = {"Cache-Control": "no-store"}
        return Response(_static(name, package), media_type=media_type, headers=headers)

    async def state(self, request: Request) -> Response:
        """Answer with the settings and what can be chosen."""
        found = await run_in_threadpool(self._wizard.found_cameras)
        cameras = [{"address": camera.address, "name": camera.name} for camera in found]
        return JSONResponse(
            {
                "v": 1,
                "settings": settings_json(self._wizard.settings),
                "cameras": cameras,
                "variants": [variant.value for variant in RECORDED_VARIANTS],
                "controls": list(PRESETS),
                "file": str(self._wizard.path),
            }
        )

    async def look(self, request: Request) -> Response:
        """Answer with what the newest picture shows, waiting for one after `after`."""
        after = _number(request, "after")
        look = await run_in_threadpool(self._wizard.cameras.look, after, LOOK_WAIT_S)
        if look is None:
            return JSONResponse({"v": 1, "frame": None, "problem": self._wizard.cameras.problem})
        self._looks[look.frame] = look
        for old in sorted(self._looks)[:-KEPT_LOOKS]:
            del self._looks[old]
        data = await run_in_threadpool(
            look_json, look.frame, look.bgr, look.reading, self._wizard.settings
        )
        return JSONResponse(data)

    async def picture(self, request: Request) -> Response:
        """Answer with the picture of a look."""
        look = self._looks.get(_number(request, "frame"))
        if look is None:
            return _refused("that picture is gone", 404)
        jpeg = await run_in_threadpool(lambda: look.jpeg)
        return Response(jpeg, media_type="image/jpeg")

    async def preview(self, request: Request) -> Response:
        """Answer with a small picture of another local camera."""
        address = request.query_params.get("camera", "")
        found = await run_in_threadpool(self._wizard.found_cameras)
        if address not in {camera.address for camera in found}:
            return _refused("there is no such camera", 404)
        jpeg = await run_in_threadpool(self._wizard.cameras.preview, address)
        if jpeg is None:
            return _refused("the camera shows nothing", 404)
        return Response(jpeg, media_type="image/jpeg")

    async def change(self, request: Request) -> Response:
        """Change settings and answer with all of them."""
        settings = await run_in_threadpool(self._wizard.change, await _object(request))
        return JSONResponse({"v": 1, "settings": settings_json(settings)})

    async def devices(self, request: Request) -> Response:
        """Look for clock and lights on the serial ports."""
        found = await run_in_threadpool(self._wizard.devices.find)
        return JSONResponse({"v": 1, "devices": [asdict(device) for device in found]})

    async def show(self, request: Request) -> Response:
        """Have the chosen clock or the chosen lights show themselves."""
        part = (await _object(request)).get("part")
        settings = self._wizard.settings
        if part == "clock":
            text = await run_in_threadpool(self._wizard.devices.show, "clock", settings.clock)
        elif part == "lights":
            text = await run_in_threadpool(self._wizard.devices.show, "lights", settings.leds)
        else:
            raise SettingsError(f"part must be clock or lights, got {part!r}")
        return JSONResponse({"v": 1, "text": text})

    async def go(self, request: Request) -> Response:
        """Write the settings and let the game begin; tell where others find it."""
        await run_in_threadpool(self._wizard.finish, self.serve)
        self.finished.set()
        url = shared_url(self.serve)
        code = "" if url is None else qr_svg(url)
        return JSONResponse({"v": 1, "file": str(self._wizard.path), "url": url, "code": code})

    def _with_key(self, answer: Answer) -> Answer:
        """Return the answer for who has the key; what a person did wrong becomes a sentence."""

        async def guarded(request: Request) -> Response:
            given = request.headers.get("setup-key", "")
            if not hmac.compare_digest(given.encode(), self._key.encode()):
                return _refused("open the address that was printed, with its key", 403)
            try:
                response = await answer(request)
            except (SettingsError, DeviceError) as error:
                return _refused(str(error), 422)
            except OSError as error:
                return _refused(f"{error.filename or ''}: {error.strerror}", 500)
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        return guarded


def settings_json(settings: Settings) -> dict[str, Any]:
    """Return the settings as the page knows them."""
    return asdict(settings) | {
        "tags": dict(settings.tags),
        "corners": [list(point) for point in settings.corners],
    }


async def _object(request: Request) -> dict[str, object]:
    """Return the JSON object of a request.

    Raises:
        SettingsError: It is none, or did not come whole.
    """
    try:
        data = json.loads(await request.body())
    except (ClientDisconnect, ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise SettingsError("a JSON object is needed")
    return data


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _refused(text: str, status: int) -> JSONResponse:
    return JSONResponse({"error": text}, status_code=status)


def _static(name: str, package: str = "damcam.setup") -> str:
    return (files(package) / "static" / name).read_text(encoding="utf-8")
