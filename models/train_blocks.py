"""Building blocks that both networks share."""

import torch
from torch import Tensor, nn


class Normalise(nn.Module):
    """(B, H, W, 3) pixels 0-255 -> (B, 3, H, W), mean 0 and deviation 1 over each picture."""

    def forward(self, pixels: Tensor) -> Tensor:
        x = pixels.permute(0, 3, 1, 2).float()
        mean = x.mean(dim=(1, 2, 3), keepdim=True)
        spread = ((x - mean) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
        return (x - mean) / (spread + 4.0)


class ConvBlock(nn.Sequential):
    """Convolution, normalisation, rectifier."""

    def __init__(self, inputs: int, outputs: int, *, stride: int = 1, kernel: int = 3) -> None:
        super().__init__(
            nn.Conv2d(inputs, outputs, kernel, stride, (kernel - 1) // 2, bias=False)
            if stride != 3
            else nn.Conv2d(inputs, outputs, 3, 3, 0, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        )


class Residual(nn.Module):
    """Two convolutions added to their input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = ConvBlock(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))
