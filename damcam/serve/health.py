"""Health over HTTP: `/healthz` for people, `/readyz` for machines, `/metrics` for Prometheus.

A server that shows somebody else's recording has no vitals of its own and says so much only.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..recording.vitals import Vitals
from .live import LiveGame

NOW: Final = {"Cache-Control": "no-store"}
UNAVAILABLE: Final = 503
AskVitals = Callable[[], Vitals | None]


class HealthSite:
    """The answers to those who ask how the recording does."""

    def __init__(self, live: LiveGame, vitals: AskVitals | None = None) -> None:
        """Prepare.

        Args:
            live: The game as spectators see it.
            vitals: Tells how the recording does; None where another program records, or none.
        """
        self._live = live
        self._vitals: AskVitals = vitals or (lambda: None)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/healthz", self.health),
            Route("/readyz", self.ready),
            Route("/metrics", self.metrics),
        ]

    async def health(self, request: Request) -> Response:
        """Answer that the program lives, and what is wrong; 503 when its loop hangs."""
        record = self._live.record
        data: dict[str, Any] = {"status": "ok", "seq": record.seq, "board": record.board}
        vitals = self._vitals()
        if vitals is None:
            return JSONResponse(data, headers=NOW)
        if not vitals.is_alive:
            data["status"] = "hangs"
        data |= {
            "ready": vitals.is_ready,
            "troubles": list(vitals.troubles),
            "read_per_s": round(vitals.read_per_s, 1),
            "latency_ms": vitals.latency_ms,
        }
        return JSONResponse(data, 200 if vitals.is_alive else UNAVAILABLE, headers=NOW)

    async def ready(self, request: Request) -> Response:
        """Answer whether moves that are played now are recorded; 503 while they are not."""
        vitals = self._vitals()
        if vitals is None:
            return JSONResponse({"ready": True, "troubles": []}, headers=NOW)
        data = {"ready": vitals.is_ready, "troubles": list(vitals.troubles)}
        return JSONResponse(data, 200 if vitals.is_ready else UNAVAILABLE, headers=NOW)

    async def metrics(self, request: Request) -> Response:
        """Answer in the text form of Prometheus."""
        registry = CollectorRegistry()
        registry.register(_Collector(self._live, self._vitals))
        body = generate_latest(registry)
        return Response(body, headers=NOW | {"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


class _Collector:
    """Makes the metrics anew for each scrape."""

    def __init__(self, live: LiveGame, ask: AskVitals) -> None:
        self._live, self._ask = live, ask

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        record = self._live.record
        corrections = sum(bool(move.replaced) for move in record.moves)
        yield _gauge("damcam_moves", "Settled moves of the game.", len(record.moves))
        yield _gauge("damcam_corrections", "Moves that were corrected later.", corrections)
        yield _gauge("damcam_open_irregularities", "Not yet resolved.", len(record.open_flags))
        vitals = self._ask()
        if vitals is not None:
            yield from _vital_metrics(vitals)


def _vital_metrics(vitals: Vitals) -> Iterator[Metric]:
    yield _gauge("damcam_ready", "1 while moves that are played are recorded.", vitals.is_ready)
    yield _gauge("damcam_loop_age_seconds", "Since the loop turned last.", vitals.beat_age_s)
    yield CounterMetricFamily("damcam_frames_read", "Pictures read.", value=vitals.frames)
    yield _gauge("damcam_frames_read_per_second", "Pictures read.", vitals.read_per_s)
    yield _gauge("damcam_frames_given_per_second", "Pictures given.", vitals.given_per_s)
    yield _gauge(
        "damcam_latency_seconds", "From a picture to its reading.", vitals.latency_ms / 1000
    )
    yield _gauge("damcam_journal_in_memory", "1 when the disk fails.", vitals.is_degraded)
    yield _gauge("damcam_disk_free_bytes", "Room for the recording.", vitals.free_bytes)
    yield _gauge("damcam_clock_step_seconds", "Wall clock set since start.", vitals.clock_step_s)
    lost = GaugeMetricFamily(
        "damcam_device_lost", "1 for a device that is away.", labels=["device"]
    )
    for device in vitals.lost_devices:
        lost.add_metric([device], 1)
    yield lost


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=float(value))
