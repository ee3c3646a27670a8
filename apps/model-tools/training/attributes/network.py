"""The network for heads and torsos: the first stages of NanoDet-g, and a head at stride 8."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from export import load
from people import HEIGHT, WIDTH
from regions import Region

STRIDE = 8
SCORES = 5
"""hardhat, no_hardhat, vest, no_vest, and cap given no_hardhat."""
HEADS = [0, 1, 4]


class Attributes(nn.Module):
    """pictures [N, 3, 144, 112] normalised -> logits [N, 5, 18, 14] and box distances in strides [N, 4, 18, 14]."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        base = load(80, seed)
        self.kernels = nn.ParameterList(list(base.kernels)[:18])
        self.biases = nn.ParameterList(list(base.biases)[:18])
        self.fine, self.coarse = nn.Conv2d(128, 64, 1), nn.Conv2d(256, 64, 1)
        self.mix = nn.Conv2d(64, 64, 3, padding=1)
        self.scores, self.sides = nn.Conv2d(64, SCORES, 1), nn.Conv2d(64, 4, 1)
        nn.init.constant_(self.scores.bias, -3.0)
        nn.init.constant_(self.sides.bias, 0.5)

    def conv(self, index: int, x: Tensor, stride: int = 1) -> Tensor:
        kernel = self.kernels[index]
        padding = 1 if kernel.shape[-1] == 3 else 0
        return F.leaky_relu(F.conv2d(x, kernel, self.biases[index], stride, padding), 0.1)

    def stage(self, index: int, x: Tensor, stride: int, blocks: int) -> Tensor:
        entry = y = self.conv(index, x, stride)
        for i in range(blocks):
            half = self.conv(index + 1 + 2 * i, y)
            y = torch.cat([self.conv(index + 2 + 2 * i, half), half], 1)
        return torch.cat([self.conv(index + 1 + 2 * blocks, y), entry], 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            x = F.max_pool2d(self.conv(0, x, 2), 3, 2, 1)
            x = self.stage(1, x, 1, 1)
        c3 = self.stage(5, x, 2, 2)
        c4 = self.stage(12, c3, 2, 2)
        up = F.interpolate(self.coarse(c4), scale_factor=2.0, mode="nearest")
        both = F.leaky_relu(self.fine(c3) + up, 0.1)
        both = F.leaky_relu(self.mix(both), 0.1)
        return self.scores(both), F.softplus(self.sides(both)) * 2


def look(net: Attributes, x: Tensor) -> tuple[Tensor, Tensor]:
    """Logits and distances as of `net`. Those of a head are the mean over the picture and its mirror image. That finds
    4 of 100 held-out bare heads more at the same share of wrong ones. Torsos gain nothing."""
    logits, sides = net(x)
    mirrored = net(x.flip(3))[0].flip(3)
    heads = torch.zeros(1, SCORES, 1, 1)
    heads[0, HEADS] = 0.5
    return logits + heads * (mirrored - logits), sides


class Exported(nn.Module):
    """The output of the decoder `yolov8`: [1, 4 + 5, 2 x cells]. The second half of the cells holds the caps."""

    def __init__(self, net: Attributes, shift: Tensor) -> None:
        super().__init__()
        self.net, self.shift = net, shift
        self.centres = torch.from_numpy(cells().T[None].copy())

    def forward(self, x: Tensor) -> Tensor:
        logits, sides = look(self.net, x)
        p = (logits.flatten(2) + self.shift).sigmoid()
        reach = sides.flatten(2) * STRIDE
        middle = self.centres + (reach[:, 2:] - reach[:, :2]) / 2
        boxes = torch.cat([middle, reach[:, 2:] + reach[:, :2]], 1)
        cap = p[:, 1:2] * p[:, 4:5]
        none = torch.zeros_like(cap)
        first = torch.cat([boxes, p[:, :4], none], 1)
        second = torch.cat([boxes, none, none, none, none, cap], 1)
        return torch.cat([first, second], 2)


def cells() -> np.ndarray:
    """Centres [cells, 2] in pixels."""
    ys, xs = np.mgrid[: HEIGHT // STRIDE, : WIDTH // STRIDE]
    return (np.stack([xs, ys], -1).reshape(-1, 2).astype(np.float32) + 0.5) * STRIDE


def targets(region: Region, centres: np.ndarray) -> tuple[np.ndarray, ...]:
    """Wanted scores [cells, 5], weights [cells, 5], true box of each cell [cells, 4] and whether it has one."""
    wanted = np.zeros((len(centres), SCORES), np.float32)
    weight = np.ones((len(centres), SCORES), np.float32)
    true, has = np.zeros((len(centres), 4), np.float32), np.zeros(len(centres), bool)
    weight[:, 4] = 0
    if not region.torsos:
        weight[:, 2:4] = 0
    x, y = centres[:, 0], centres[:, 1]
    for box in region.unsure:
        weight[(x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3])] = 0
    areas = (region.boxes[:, 2:] - region.boxes[:, :2]).prod(1)
    # Smaller boxes last: a cell in several boxes belongs to the smallest.
    for i in np.argsort(-areas):
        box, label, cap = region.boxes[i], int(region.labels[i]), int(region.cap[i])
        group = slice(0, 2) if label < 2 else slice(2, 4)
        inside = (x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3])
        half = np.maximum((box[2:] - box[:2]) * 0.28, STRIDE * 0.51)
        near = (np.abs(centres - (box[:2] + box[2:]) / 2) <= half).all(1)
        # The border of a box is neither background nor object.
        weight[inside & ~near, group] = 0
        weight[near, group] = 1
        wanted[near, group] = 0
        wanted[near, label] = 1
        weight[near, 4] = label == 1 and cap >= 0
        wanted[near, 4] = max(cap, 0)
        true[near], has[near] = box, True
    return wanted, weight, true, has


def loss(
    logits: Tensor, sides: Tensor, wanted: Tensor, weight: Tensor, true: Tensor, has: Tensor, centres: Tensor
) -> Tensor:
    logits, sides = logits.float().flatten(2).transpose(1, 2), sides.float().flatten(2).transpose(1, 2) * STRIDE
    p = logits.sigmoid().detach()
    focus = torch.where(wanted > 0.5, 1 - p, p**1.5).clamp(min=0.02)
    # A confusion of worn and missing weighs more than one with the background.
    confused = torch.where(has[..., None] & (wanted < 0.5), 2.0, 1.0)
    entropy = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
    classes = (entropy * focus * weight * confused).sum() / (wanted * weight).sum().clamp(min=4)
    if not has.any():
        return classes
    spot, reach, box = centres.expand(len(logits), -1, -1)[has], sides[has], true[has]
    found = torch.cat([spot - reach[:, :2], spot + reach[:, 2:]], 1)
    common = (torch.minimum(found[:, 2:], box[:, 2:]) - torch.maximum(found[:, :2], box[:, :2])).clamp(min=0).prod(1)
    union = (found[:, 2:] - found[:, :2]).prod(1) + (box[:, 2:] - box[:, :2]).prod(1) - common + 1e-6
    return classes + 0.7 * (1 - common / union).mean()
