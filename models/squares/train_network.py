"""The network that reads squares, as torch sees it."""

import torch
from torch import Tensor, nn

from models.train_blocks import ConvBlock, Normalise, Residual

CLASSES = 6


class GlobalContext(nn.Module):
    """Tell every square what the whole board looks like: light or dark is a comparison."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inner = nn.Linear(2 * channels, channels)
        self.outer = nn.Linear(channels, 2 * channels)

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(dim=(2, 3))
        peak = x.amax(dim=(2, 3))
        scale, shift = self.outer(torch.relu(self.inner(torch.cat([mean, peak], 1)))).chunk(2, 1)
        return x * torch.sigmoid(scale)[..., None, None] + shift[..., None, None]


class Place(nn.Module):
    """Tell every square where in the view it lies: far squares look flatter."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.outer = nn.Conv2d(2, channels, 1)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)

    def forward(self, x: Tensor) -> Tensor:
        one = torch.ones_like(x[:, :1])
        down = one.cumsum(2) / one.sum(2, keepdim=True) - 0.5
        along = one.cumsum(3) / one.sum(3, keepdim=True) - 0.5
        return torch.relu(x + self.outer(torch.cat([down, along.abs()], 1)))


class SquareNorm(nn.Module):
    """Mean 0 and deviation 1 over the channels of each square."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(1, channels, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        centered = x - x.mean(dim=1, keepdim=True)
        spread = (centered**2).mean(dim=1, keepdim=True)
        return centered * (spread + 1e-5).rsqrt() * self.gain


class Agreement(nn.Module):
    """Let every square look at all others: men of one colour, kings beside men.

    Attention with a residual, then two layers with one. It starts as nothing at all.
    """

    def __init__(self, channels: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.before = SquareNorm(channels)
        self.ask = nn.Conv2d(channels, 3 * channels, 1)
        self.answer = nn.Conv2d(channels, channels, 1)
        self.middle = SquareNorm(channels)
        self.inner = nn.Conv2d(channels, 2 * channels, 1)
        self.outer = nn.Conv2d(2 * channels, channels, 1)
        for layer in (self.answer, self.outer):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = (
            part.flatten(2).unflatten(1, (self.heads, -1)).transpose(2, 3)
            for part in self.ask(self.before(x)).chunk(3, 1)
        )
        likeness = (query @ key.transpose(2, 3)) * float(query.shape[-1]) ** -0.5
        seen = (likeness.softmax(-1) @ value).transpose(2, 3).reshape(x.shape)
        x = x + self.answer(seen)
        return x + self.outer(torch.relu(self.inner(self.middle(x))))


class SquareReader(nn.Module):
    """(B, 24(N+2), 24(N+2), 3) pixels -> (B, N, N, 6) logits; one square's margin all round."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 48, 96)) -> None:
        super().__init__()
        first, second, third, last = widths
        self.normalise = Normalise()
        self.body = nn.Sequential(
            ConvBlock(3, first, stride=2),
            ConvBlock(first, second, stride=2),
            Residual(second),
            ConvBlock(second, third, stride=2),
            Residual(third),
            ConvBlock(third, last, stride=3),
            GlobalContext(last),
            Residual(last),
            GlobalContext(last),
            Residual(last),
            Place(last),
            Agreement(last),
            Residual(last),
            Agreement(last),
        )
        nn.init.zeros_(self.body[12].second[1].weight)
        self.head = nn.Conv2d(last, CLASSES, 1)

    def forward(self, pixels: Tensor) -> Tensor:
        cells = self.head(self.body(self.normalise(pixels)))
        return cells[:, :, 1:-1, 1:-1].permute(0, 2, 3, 1)
