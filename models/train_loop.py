"""One training loop for both networks: bfloat16 where the CPU has it, resumable, cosine rate."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from models.train_warm import start_from_onnx


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long and how fast to learn."""

    steps: int
    rate: float = 3e-3
    warm_up: int = 200
    weight_decay: float = 0.02
    report_every: int = 50
    save_every: int = 250

    def rate_at(self, step: int) -> float:
        """Return the learning rate of a step."""
        if step < self.warm_up:
            return self.rate * (step + 1) / self.warm_up
        done = (step - self.warm_up) / max(1, self.steps - self.warm_up)
        return self.rate * (0.5 * (1 + math.cos(math.pi * min(1.0, done))) + 0.002)


def start_from(
    network: nn.Module, earlier: Path | None, batches: Iterable[Tensor | tuple[Tensor, ...]]
) -> None:
    """Give the network the weights of an earlier training, a checkpoint or an exported file."""
    if earlier is None:
        return
    if earlier.suffix == ".onnx":
        start_from_onnx(network, earlier, batches)
    else:
        network.load_state_dict(torch.load(earlier, weights_only=True)["network"])


def fit(
    network: nn.Module,
    batches: Iterator[tuple[Tensor, ...]],
    loss_of: Callable[[Tensor, tuple[Tensor, ...]], Tensor],
    schedule: Schedule,
    checkpoint: Path,
    report: Callable[[int, float], None],
    *,
    call: Callable[[Tensor], Tensor] | None = None,
) -> None:
    """Train until the schedule's end; go on from the checkpoint when there is one.

    `call` says how the network is called when not with what the batches give, as it is.
    """
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=schedule.rate, weight_decay=schedule.weight_decay
    )
    first = _resumed(network, optimizer, checkpoint, schedule.steps)
    network.train()
    running, started = 0.0, time.monotonic()
    is_half = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    for step in range(first, schedule.steps):
        pixels, *truth = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = schedule.rate_at(step)
        with torch.autocast("cpu", torch.bfloat16, enabled=is_half):
            output = (call or network)(pixels)
        loss = loss_of(output.float(), tuple(truth))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        running += float(loss.detach())
        done = step + 1
        if done % schedule.report_every == 0:
            pace = (time.monotonic() - started) / (done - first)
            mean = running / schedule.report_every
            print(f"step {done}/{schedule.steps} loss {mean:.5f} {pace:.2f} s/step", flush=True)
            running = 0.0
        if done % schedule.save_every == 0 or done == schedule.steps:
            _save(network, optimizer, checkpoint, done)
            report(done, loss.item())
            network.train()


def _resumed(
    network: nn.Module, optimizer: torch.optim.Optimizer, checkpoint: Path, steps: int
) -> int:
    """Take over the state of a checkpoint, if there is one; return the steps that were done."""
    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    network.load_state_dict(state["network"])
    if state["step"] < steps:
        optimizer.load_state_dict(state["optimizer"])
    return int(state["step"])


def _save(
    network: nn.Module, optimizer: torch.optim.Optimizer, checkpoint: Path, done: int
) -> None:
    state = {"network": network.state_dict(), "step": done, "optimizer": optimizer.state_dict()}
    partial = checkpoint.with_suffix(".part")
    torch.save(state, partial)
    partial.replace(checkpoint)
