"""`damcam share`: one camera for the recordings of several boards."""

import argparse
import signal
import threading

from .errors import CommandError, telling

LOOK_S = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", metavar="SOURCE", help="camera (0, /dev/video0, camera:NAME)")
    parser.add_argument(
        "--at", metavar="HOST:PORT", default="127.0.0.1:8090", help="where its pictures are"
    )
    parser.add_argument(
        "--lock-camera", action="store_true", help="keep exposure, white balance and focus"
    )


def run(args: argparse.Namespace) -> int:
    """Share the camera until told to end."""
    from device import CameraSettings, DeviceError, FrameServer, SensorSource, open_source

    from ..serve import AddressError, parse_address

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with telling(DeviceError, AddressError):
        address = parse_address(args.at)
        source = open_source(
            args.source, realtime=True, camera=CameraSettings(is_locked=args.lock_camera)
        )
        if isinstance(source, SensorSource):
            raise CommandError("a board with sensors has no pictures to share")
        server = FrameServer(source, address.host, address.port).start()
    print(f"record each board from {server.url} with its --region", flush=True)
    while not ended.wait(LOOK_S) and not server.is_ended:
        pass
    server.close()
    return 0
