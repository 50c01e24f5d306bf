"""Health over HTTP: alive, ready, and the metrics of Prometheus."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from damcam.game.record import GameRecord
from damcam.journal.events import Entry
from damcam.recording.vitals import Vitals
from damcam.serve import Address, PageServer
from tests.damcam.fakes import random_moves, told

WELL = Vitals(
    beat_age_s=0.1,
    frames=1234,
    read_per_s=9.96,
    given_per_s=30.0,
    latency_ms=45,
    board="found",
    moves=3,
    open_flags=0,
    lost_devices=(),
    is_degraded=False,
    free_bytes=10**9,
    clock_step_s=0.0,
    troubles=(),
)


class Patient:
    """A recording whose vitals are set by hand."""

    def __init__(self) -> None:
        self.vitals = WELL
        address = Address(host="127.0.0.1", port=0)
        self.server = PageServer(address, {}, vitals=lambda: self.vitals)
        self.server.start()

    def ask(self, path: str) -> tuple[int, str]:
        try:
            with urlopen(f"{self.server.address.url}{path}", timeout=20) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()


@pytest.fixture
def patient() -> Iterator[Patient]:
    patient = Patient()
    yield patient
    patient.server.close()


def test_recording_that_does_well_is_alive_and_ready(patient: Patient) -> None:
    status, body = patient.ask("healthz")
    data = json.loads(body)
    assert (status, data["status"], data["seq"], data["board"]) == (200, "ok", 0, "unseen")
    assert (data["read_per_s"], data["latency_ms"], data["troubles"]) == (10.0, 45, [])
    assert patient.ask("readyz") == (200, '{"ready":true,"troubles":[]}')


def test_recording_without_a_board_is_alive_but_not_ready(patient: Patient) -> None:
    patient.vitals = replace(WELL, board="lost", troubles=("the board is not in sight",))
    assert patient.ask("healthz")[0] == 200
    status, body = patient.ask("readyz")
    assert (status, json.loads(body)["troubles"]) == (503, ["the board is not in sight"])


def test_loop_that_hangs_is_reported_as_such(patient: Patient) -> None:
    patient.vitals = replace(WELL, beat_age_s=31.0)
    status, body = patient.ask("healthz")
    assert (status, json.loads(body)["status"]) == (503, "hangs")


def metrics_of(text: str) -> dict[str, float]:
    """Return the samples of a scrape by their name with labels."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r'[a-z_]+(\{device="[a-z ]+"\})? -?[0-9.e+-]+', it) for it in lines)
    assert sum(len(one.samples) for one in text_string_to_metric_families(text)) == len(lines)
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_metrics_are_those_of_prometheus(patient: Patient) -> None:
    record = GameRecord()
    for seq, event in enumerate(told(random_moves(3, seed=1)), start=1):
        record = record.after(Entry(seq=seq, event=event))
        patient.server.show(Entry(seq=seq, event=event), record)
    patient.vitals = replace(WELL, lost_devices=("clock",), is_degraded=True)
    status, text = patient.ask("metrics")
    samples = metrics_of(text)
    assert status == 200
    assert samples["damcam_moves"] == 3
    assert samples["damcam_ready"] == 0
    assert samples["damcam_frames_read_total"] == 1234
    assert samples['damcam_device_lost{device="clock"}'] == 1
    assert samples["damcam_latency_seconds"] == 0.045
    assert text.count("# TYPE damcam_") == text.count("# HELP damcam_") == 13


def test_server_of_another_programs_recording_says_what_it_knows() -> None:
    server = PageServer(Address(host="127.0.0.1", port=0), {})
    server.start()
    with urlopen(f"{server.address.url}metrics", timeout=20) as answer:
        assert set(metrics_of(answer.read().decode())) == {
            *("damcam_moves", "damcam_corrections", "damcam_open_irregularities")
        }
    with urlopen(f"{server.address.url}healthz", timeout=20) as answer:
        assert set(json.loads(answer.read())) == {"status", "seq", "board"}
    server.close()
