"""Film a simulated game: `python -m damcam.simulation --seed 3 --plies 20 --out film.mp4`.

Beside the film it writes `film.labels.jsonl` (what each frame shows) and `film.truth.json` (the
game that was played, with times, incidents and disturbances).
"""

import argparse
import json
import logging
import sys
from pathlib import Path
from typing import Final

import cv2

from rules import Variant, board_size, decode_pdn, read_pdn

from .acts import Resolution
from .camera import SimulatedCamera
from .disturbances import DISTURBANCES
from .games import random_game
from .incidents import BREACHES, eventful_script, incident_script
from .looks import random_look
from .pace import BLITZ, NORMAL
from .script import Script, script_of
from .truth import truth_json

LOG = logging.getLogger("damcam.simulation")
PACES: Final = {"normal": NORMAL, "blitz": BLITZ}


def main() -> None:
    """Write the film and its truth."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    arguments = _parser().parse_args()
    try:
        script = _script(arguments)
        camera = _camera(arguments, script)
        _write(camera, arguments.out, fps=arguments.fps)
    except (OSError, ValueError) as error:
        LOG.error("%s", error)
        sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m damcam.simulation", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the film, *.mp4")
    parser.add_argument("--seed", type=int, default=1, help="which game, table and light")
    parser.add_argument("--plies", type=int, default=20, help="length of a random game")
    parser.add_argument("--variant", choices=[it.value for it in Variant], default="international")
    parser.add_argument("--pdn", type=Path, help="film the first game of this file")
    parser.add_argument("--incident", choices=list(BREACHES), help="a short film of one incident")
    parser.add_argument("--accepted", action="store_true", help="the opponent plays on")
    parser.add_argument("--with-incident", choices=list(BREACHES), nargs="*", default=())
    parser.add_argument("--with-disturbance", choices=list(DISTURBANCES), nargs="*", default=())
    parser.add_argument("--clock", action="store_true", help="the players press a clock")
    parser.add_argument("--pace", choices=list(PACES), default="normal")
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--width", type=int, default=960)
    parser.add_argument("--height", type=int, default=540)
    return parser


def _script(arguments: argparse.Namespace) -> Script:
    variant, seed, plies = Variant(arguments.variant), arguments.seed, arguments.plies
    if arguments.pdn is not None:
        games = read_pdn(decode_pdn(arguments.pdn.read_bytes()))
        if not games:
            raise ValueError(f"{arguments.pdn} holds no game")
        return script_of(games[0].game, seed=seed, has_clock=arguments.clock)
    if arguments.incident is not None:
        how: Resolution = "accepted" if arguments.accepted else "rectified"
        return incident_script(arguments.incident, seed, how=how, variant=variant)
    if arguments.with_incident or arguments.with_disturbance:
        return eventful_script(
            seed,
            variant=variant,
            plies=plies,
            clauses=arguments.with_incident,
            disturbances=arguments.with_disturbance,
            has_clock=arguments.clock,
        )
    game = random_game(variant, seed, plies=plies)
    return script_of(game, seed=seed, has_clock=arguments.clock)


def _camera(arguments: argparse.Namespace, script: Script) -> SimulatedCamera:
    look = random_look(
        arguments.seed,
        board_size(script.variant),
        width=arguments.width,
        height=arguments.height,
    )
    pace = PACES[arguments.pace]
    return SimulatedCamera(script, seed=arguments.seed, fps=arguments.fps, look=look, pace=pace)


def _write(camera: SimulatedCamera, out: Path, *, fps: float) -> None:
    LOG.info("%s, %d frames", camera.description, camera.frame_count)
    out.parent.mkdir(parents=True, exist_ok=True)
    writer = _film(out, camera.picture_size, fps)
    with out.with_suffix(".labels.jsonl").open("w", encoding="utf-8") as labels:
        for frame in camera:
            writer.write(frame.bgr)
            labels.write(json.dumps(camera.label(frame.index).to_json()) + "\n")
    writer.release()
    truth = json.dumps(truth_json(camera.truth), indent=1)
    out.with_suffix(".truth.json").write_text(truth + "\n", encoding="utf-8")
    LOG.info("wrote %s with its labels and its truth", out)


def _film(out: Path, picture_size: tuple[int, int], fps: float) -> cv2.VideoWriter:
    code = cv2.VideoWriter.fourcc(*"mp4v")
    writer = cv2.VideoWriter(str(out), code, fps, picture_size)
    if not writer.isOpened():
        raise ValueError(f"cannot write {out}; a film must be a file *.mp4")
    return writer


if __name__ == "__main__":
    main()
