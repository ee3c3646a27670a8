"""NanoDet-g as a torch module; `export.py` converts its weights from and to an ONNX file."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

STRIDES = (8, 16, 32)
SIDES, BINS = 4, 11
DISTANCES = SIDES * BINS


class NanoDet(nn.Module):
    """The 34 convolutions of NanoDet-g in the order in which the ONNX graph runs them.

    ``forward``: pictures [N, 3, H, W] normalised -> per stride (class logits [N, C, h, w], distance logits
    [N, 44, h, w]).
    """

    def __init__(self, weights: list[tuple[np.ndarray, np.ndarray]]) -> None:
        super().__init__()
        self.kernels = nn.ParameterList([nn.Parameter(torch.tensor(k, dtype=torch.float32)) for k, _ in weights])
        self.biases = nn.ParameterList([nn.Parameter(torch.tensor(b, dtype=torch.float32)) for _, b in weights])
        self.frozen_stages = 0

    @property
    def classes(self) -> int:
        return self.biases[-1].shape[0] - DISTANCES

    def conv(self, index: int, x: Tensor, stride: int = 1, active: bool = True) -> Tensor:
        kernel = self.kernels[index]
        y = F.conv2d(x, kernel, self.biases[index], stride, kernel.shape[-1] // 2)
        return F.leaky_relu(y, 0.1) if active else y

    def block(self, index: int, x: Tensor) -> Tensor:
        half = self.conv(index, x)
        return torch.cat([self.conv(index + 1, half), half], 1)

    def stage(self, index: int, x: Tensor, stride: int, blocks: int) -> Tensor:
        entry = self.conv(index, x, stride)
        y = entry
        for i in range(blocks):
            y = self.block(index + 1 + 2 * i, y)
        return torch.cat([self.conv(index + 1 + 2 * blocks, y), entry], 1)

    def trunk(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns feature maps at strides 8, 16 and 32, with 128, 256 and 512 channels."""
        with torch.set_grad_enabled(self.frozen_stages < 1 and torch.is_grad_enabled()):
            x = F.max_pool2d(self.conv(0, x, 2), 3, 2, 1)
            x = self.stage(1, x, 1, 1)
        with torch.set_grad_enabled(self.frozen_stages < 2 and torch.is_grad_enabled()):
            c3 = self.stage(5, x, 2, 2)
        c4 = self.stage(12, c3, 2, 2)
        return c3, c4, self.stage(19, c4, 2, 3)

    def forward(self, x: Tensor) -> list[tuple[Tensor, Tensor]]:
        c3, c4, c5 = self.trunk(x)
        l3, l4, l5 = self.conv(11, c3, 1, False), self.conv(18, c4, 1, False), self.conv(27, c5, 1, False)
        p4 = l4 + resize(l5, l4)
        p3 = l3 + resize(p4, l3)
        d4 = p4 + resize(p3, p4)
        d5 = l5 + resize(d4, l5)
        out = []
        for level, feature in enumerate((p3, d4, d5)):
            both = self.conv(29 + 2 * level, self.conv(28 + 2 * level, feature), 1, False)
            out.append((both[:, : self.classes], both[:, self.classes :]))
        return out


def resize(x: Tensor, like: Tensor) -> Tensor:
    return F.interpolate(x, like.shape[-2:], mode="bilinear", align_corners=False)
