"""The network that finds crossings, as torch sees it."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.train_blocks import ConvBlock, Normalise, Residual

MAPS = 3
STRIDE = 4


class CrossingFinder(nn.Module):
    """(B, H, W, 3) pixels -> (B, 3, H/4, W/4) logits: inner crossings, border points, area."""

    def __init__(self, widths: tuple[int, int, int, int, int] = (12, 24, 48, 64, 80)) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth, last = widths
        self.normalise = Normalise()
        self.to_quarter = nn.Sequential(
            ConvBlock(3, half, stride=2), ConvBlock(half, quarter, stride=2), Residual(quarter)
        )
        self.to_eighth = nn.Sequential(ConvBlock(quarter, eighth, stride=2), Residual(eighth))
        self.to_sixteenth = nn.Sequential(
            ConvBlock(eighth, sixteenth, stride=2), Residual(sixteenth)
        )
        self.to_last = nn.Sequential(
            ConvBlock(sixteenth, last, stride=2), Residual(last), Residual(last)
        )
        self.up_sixteenth = ConvBlock(last + sixteenth, sixteenth)
        self.up_eighth = ConvBlock(sixteenth + eighth, eighth)
        self.up_quarter = nn.Sequential(ConvBlock(eighth + quarter, quarter), Residual(quarter))
        self.head = nn.Conv2d(quarter, MAPS, 1)
        nn.init.constant_(self.head.bias, -3.0)

    def forward(self, pixels: Tensor) -> Tensor:
        quarter = self.to_quarter(self.normalise(pixels))
        eighth = self.to_eighth(quarter)
        sixteenth = self.to_sixteenth(eighth)
        last = self.to_last(sixteenth)
        up = self.up_sixteenth(torch.cat([_double(last), sixteenth], 1))
        up = self.up_eighth(torch.cat([_double(up), eighth], 1))
        up = self.up_quarter(torch.cat([_double(up), quarter], 1))
        return self.head(up)


def _double(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
