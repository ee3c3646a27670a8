"""Training targets of each cell of the network, and the loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from graph import BINS, SIDES, STRIDES

CANDIDATES = 9
"""Candidate cells per stride for a box (ATSS, arXiv 1912.02424)."""
ANCHOR = 5
"""Side of the square around a cell, in strides, whose overlap with the box counts; the value of NanoDet."""


@dataclass
class Grid:
    """Returns centres (x, y) [cells, 2] and strides [cells] of all cells, finest stride first."""

    centres: Tensor
    strides: Tensor


def grid(width: int, height: int) -> Grid:
    centres, strides = [], []
    for stride in STRIDES:
        ys, xs = np.mgrid[0 : -(-height // stride), 0 : -(-width // stride)]
        centres.append((np.stack([xs, ys], -1).reshape(-1, 2) + 0.5) * stride)
        strides.append(np.full(xs.size, stride))
    return Grid(torch.tensor(np.concatenate(centres)).float(), torch.tensor(np.concatenate(strides)).float())


def flatten(outputs: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Returns class logits [N, cells, C] and distance logits [N, cells, 4, 11]."""
    classes = torch.cat([c.flatten(2) for c, _ in outputs], 2).transpose(1, 2)
    distances = torch.cat([d.flatten(2) for _, d in outputs], 2).transpose(1, 2)
    return classes, distances.reshape(*distances.shape[:2], SIDES, BINS)


def boxes_of(distances: Tensor, cells: Grid) -> Tensor:
    """Returns boxes [..., cells, 4] in pixels from distance logits [..., cells, 4, 11]."""
    reach = (distances.softmax(-1) @ torch.arange(BINS).float()) * cells.strides[:, None]
    return torch.cat([cells.centres - reach[..., :2], cells.centres + reach[..., 2:]], -1)


def iou_matrix(a: Tensor, b: Tensor) -> Tensor:
    """[n, 4] and [m, 4] -> [n, m]."""
    low, high = torch.maximum(a[:, None, :2], b[None, :, :2]), torch.minimum(a[:, None, 2:], b[None, :, 2:])
    common = (high - low).clamp(min=0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(-1), (b[:, 2:] - b[:, :2]).prod(-1)
    return common / (area_a[:, None] + area_b[None] - common + 1e-9)


def assign(boxes: Tensor, cells: Grid) -> Tensor:
    """Assigns cells to boxes [n, cells], bool: near the centre of the box, inside it, and of a suitable size (ATSS)."""
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    far = torch.cdist(middle, cells.centres)
    half = cells.strides[:, None] * ANCHOR / 2
    overlap = iou_matrix(boxes, torch.cat([cells.centres - half, cells.centres + half], 1))
    near = torch.zeros_like(far, dtype=torch.bool)
    for stride in STRIDES:
        of_stride = (cells.strides == stride).nonzero()[:, 0]
        best = far[:, of_stride].topk(min(CANDIDATES, len(of_stride)), largest=False).indices
        near.scatter_(1, of_stride[best], True)
    count = near.sum(1, keepdim=True)
    mean = (overlap * near).sum(1, keepdim=True) / count
    spread = ((((overlap - mean) ** 2) * near).sum(1, keepdim=True) / (count - 1)).sqrt()
    x, y = cells.centres[None, :, 0], cells.centres[None, :, 1]
    within = (x > boxes[:, :1]) & (y > boxes[:, 1:2]) & (x < boxes[:, 2:3]) & (y < boxes[:, 3:4])
    chosen = near & within & (overlap >= mean + spread)
    closest = F.one_hot(far.argmin(1), far.shape[1]).bool()
    return torch.where(chosen.any(1, keepdim=True), chosen, closest)


def inside_any(boxes: Tensor, cells: Grid) -> Tensor:
    """Returns [cells], bool: the centre is inside one of the boxes."""
    x, y = cells.centres[:, None, 0], cells.centres[:, None, 1]
    return ((x > boxes[:, 0]) & (y > boxes[:, 1]) & (x < boxes[:, 2]) & (y < boxes[:, 3])).any(1)


@dataclass
class Target:
    """Boxes [n, 4] and labels [n] of a picture, and the ignored boxes [m, 4]. `known`: 1 for each class whose boxes are
    all labelled, else 0 [classes]."""

    boxes: Tensor
    labels: Tensor
    unknown: Tensor
    known: Tensor | None = None


def loss(outputs: list[tuple[Tensor, Tensor]], targets: list[Target], cells: Grid) -> tuple[Tensor, dict[str, float]]:
    """Quality focal loss for the classes, GIoU and distribution focal loss for the boxes (arXiv 2006.04388). The target
    of a class is the square root of the overlap with the true box. A small box that is a pixel off thus counts."""
    logits, distances = flatten(outputs)
    predicted = boxes_of(distances, cells)
    wanted = torch.zeros_like(logits)
    weight = torch.ones_like(logits)
    place, truth, at = [], [], []
    for n, target in enumerate(targets):
        if target.known is not None:
            weight[n] = target.known
        if len(target.unknown):
            weight[n, inside_any(target.unknown, cells)] = 0
        if not len(target.boxes):
            continue
        mine = assign(target.boxes, cells)
        overlap = iou_matrix(target.boxes, predicted[n].detach()).clamp(0, 1).sqrt() * mine
        for k, label in enumerate(target.labels.tolist()):
            wanted[n, :, label] = torch.maximum(wanted[n, :, label], overlap[k])
            weight[n, mine[k], label] = 1
        # A cell in several boxes belongs to the smallest of them.
        area = (target.boxes[:, 2:] - target.boxes[:, :2]).prod(-1)
        owner = torch.where(mine, area[:, None], torch.inf).argmin(0)
        chosen = mine.any(0).nonzero()[:, 0]
        place.append(torch.full_like(chosen, n) * logits.shape[1] + chosen)
        truth.append(target.boxes[owner[chosen]])
        at.append(chosen)
    score = logits.sigmoid()
    focus = (wanted - score).abs().pow(2).clamp(max=0.6)
    classes = (F.binary_cross_entropy_with_logits(logits, wanted, reduction="none") * focus * weight).sum()
    if not place:
        total = classes / 20
        return total, {"classes": float(total), "boxes": 0.0, "bins": 0.0}
    index, true, cell = torch.cat(place), torch.cat(truth), torch.cat(at)
    importance = wanted.amax(-1).flatten()[index].clamp(min=0.1)
    norm = importance.sum().clamp(min=4)
    found = predicted.flatten(0, 1)[index]
    boxes = ((1 - giou(found, true)) * importance).sum() / norm
    bins = (bin_loss(distances.flatten(0, 1)[index], true, cells, cell) * importance).sum() / norm
    total = classes / norm + 2 * boxes + 0.25 * bins
    return total, {"classes": float(classes / norm), "boxes": float(boxes), "bins": float(bins)}


def giou(a: Tensor, b: Tensor) -> Tensor:
    """Returns the generalized overlap of pairs, [n, 4] -> [n] in -1…1."""
    low, high = torch.maximum(a[:, :2], b[:, :2]), torch.minimum(a[:, 2:], b[:, 2:])
    common = (high - low).clamp(min=0).prod(-1)
    union = (a[:, 2:] - a[:, :2]).prod(-1) + (b[:, 2:] - b[:, :2]).prod(-1) - common + 1e-9
    around = (torch.maximum(a[:, 2:], b[:, 2:]) - torch.minimum(a[:, :2], b[:, :2])).prod(-1) + 1e-9
    return common / union - (around - union) / around


def bin_loss(distances: Tensor, boxes: Tensor, cells: Grid, cell: Tensor) -> Tensor:
    """Distribution focal loss [n]: the two bins beside the true distance share the probability."""
    centre, stride = cells.centres[cell], cells.strides[cell][:, None]
    reach = torch.cat([centre - boxes[:, :2], boxes[:, 2:] - centre], 1) / stride
    reach = reach.clamp(0, BINS - 1 - 0.01)
    below = reach.floor().long()
    part = reach - below
    logs = distances.log_softmax(-1)
    at_below = logs.gather(-1, below[..., None])[..., 0]
    at_above = logs.gather(-1, below[..., None] + 1)[..., 0]
    return -(at_below * (1 - part) + at_above * part).mean(-1)
