"""The network that reads squares as they stand, as torch sees it."""

import torch
from torch import Tensor, nn

from models.train_blocks import ConvBlock, Residual

VIEWS = 2
"""Numbers that come with a crop: sine of the elevation, sharpness."""
CODE = 96
"""Numbers that a square is known by."""
DROPPED = 0.1
"""Part of a code that is left out in training."""
KINDS = 4
"""Empty, White's, Black's, hidden."""


class Compare(nn.Module):
    """Let every piece look at all others of its board: twice as tall, or darker, than what?"""

    def __init__(self, channels: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.middle = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.ask = nn.Linear(channels, 3 * channels)
        self.answer = nn.Linear(channels, channels)
        self.inner = nn.Linear(channels, 2 * channels)
        self.outer = nn.Linear(2 * channels, channels)
        for layer in (self.answer, self.outer):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, codes: Tensor, boards: int) -> Tensor:
        query, key, value = (
            part.unflatten(0, (boards, -1)).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for part in self.ask(self.before(codes)).chunk(3, 1)
        )
        likeness = (query @ key.transpose(2, 3)) * float(query.shape[-1]) ** -0.5
        seen = (likeness.softmax(-1) @ value).transpose(1, 2).flatten(0, 1).flatten(1)
        codes = codes + self.answer(seen)
        return codes + self.outer(torch.relu(self.inner(self.middle(codes))))


class PieceReader(nn.Module):
    """Squares of one board, seen upright -> what stands on them.

    (P, 64, 64, 3) pixels, (P, 2) views and (Q, 96) codes of other squares of the board ->
    (P + Q, 5) logits, those of the given codes last: four kinds that exclude each other, then a
    king rather than a man; and the (P, 96) codes of the new squares.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 64, 80)) -> None:
        super().__init__()
        first, second, third, last = widths
        self.body = nn.Sequential(
            ConvBlock(3, first, stride=2),
            ConvBlock(first, second, stride=2),
            Residual(second),
            ConvBlock(second, third, stride=2),
            Residual(third),
            ConvBlock(third, last, stride=2),
            Residual(last),
        )
        self.gather = nn.Linear(16 * last, CODE)
        self.place = nn.Linear(VIEWS + 2, CODE)
        self.first, self.second = Compare(CODE), Compare(CODE)
        self.drop = nn.Dropout(DROPPED)
        self.norm, self.head = nn.LayerNorm(CODE), nn.Linear(CODE, KINDS + 1)
        nn.init.zeros_(self.place.weight)

    def forward(self, pixels: Tensor, views: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:
        codes = self.codes(pixels, views)
        return self.compared(torch.cat([codes, known]), 1), codes

    def codes(self, pixels: Tensor, views: Tensor) -> Tensor:
        """Return (P, 96): what is known of each square by itself, its brightness too."""
        x = pixels.permute(0, 3, 1, 2).float()
        mean = x.mean(dim=(1, 2, 3), keepdim=True)
        spread = ((x - mean) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
        cells = self.body((x - mean) / (spread + 4.0))
        light = torch.cat([views, mean.flatten(1) / 64 - 2, spread.flatten(1) / 32 - 1], 1)
        return torch.relu(self.gather(cells.flatten(1)) + self.place(light))

    def compared(self, codes: Tensor, boards: int) -> Tensor:
        """Return (B P, 5) logits of the squares of some boards, P of each."""
        compared = self.second(self.first(self.drop(codes), boards), boards)
        return self.head(self.norm(compared))

    def of_boards(self, pixels: Tensor, views: Tensor) -> Tensor:
        """Return (B, P, 5) logits of (B, P, ...) squares."""
        codes = self.codes(pixels.flatten(0, 1), views.flatten(0, 1))
        return self.compared(codes, len(pixels)).unflatten(0, (len(pixels), -1))
