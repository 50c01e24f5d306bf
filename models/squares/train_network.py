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
        )
        self.head = nn.Conv2d(last, CLASSES, 1)

    def forward(self, pixels: Tensor) -> Tensor:
        cells = self.head(self.body(self.normalise(pixels)))
        return cells[:, :, 1:-1, 1:-1].permute(0, 2, 3, 1)
