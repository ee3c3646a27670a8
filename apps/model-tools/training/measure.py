"""Figures of a network on held-out pictures, decoded as in the product."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from augment import Example
from data import to_input
from graph import NanoDet
from loss import boxes_of, flatten, grid, iou_matrix

MAX_OVERLAP = 0.6
"""The less confident of two boxes of one class with a larger overlap is dropped (`decoders/nanodet.ts`)."""
ROWS = 320
"""The 312 rows of the picture, padded with grey to a multiple of the largest stride."""


@dataclass
class Found:
    """Returns boxes [n, 4] in pixels of the 416 x 312 picture, labels [n] and scores [n], best first."""

    boxes: np.ndarray
    labels: np.ndarray
    scores: np.ndarray


def padded(picture: np.ndarray, rows: int = ROWS) -> np.ndarray:
    return np.pad(picture, ((0, rows - picture.shape[0]), (0, 0), (0, 0)), constant_values=114)


def detect(net: NanoDet, pictures: list[np.ndarray], least: float = 0.05) -> list[Found]:
    cells = grid(pictures[0].shape[1], ROWS)
    found = []
    with torch.no_grad():
        for start in range(0, len(pictures), 16):
            logits, distances = flatten(net(to_input([padded(p) for p in pictures[start : start + 16]])))
            for score, boxes in zip(logits.sigmoid(), boxes_of(distances, cells)):
                found.append(suppressed(score, boxes, least))
    return found


def suppressed(score: torch.Tensor, boxes: torch.Tensor, least: float) -> Found:
    best, label = score.max(1)
    order = best.argsort(descending=True)
    order = order[best[order] >= least][:300]
    overlap = iou_matrix(boxes[order], boxes[order]).numpy()
    kinds = label[order].numpy()
    keep: list[int] = []
    for i in range(len(order)):
        if all(kinds[i] != kinds[k] or overlap[i, k] <= MAX_OVERLAP for k in keep):
            keep.append(i)
    chosen = order[keep]
    return Found(boxes[chosen].numpy(), kinds[keep], best[chosen].numpy())


def judged(found: list[Found], truth: list[Example], label: int, overlap: float) -> tuple[np.ndarray, np.ndarray, int]:
    """Returns the scores of the detections of a class, whether each is right [n], and the number of true boxes.
    Detections in an ignored box do not count."""
    scores, right, total = [], [], 0
    for one, (_, boxes, labels, unsure) in zip(found, truth):
        mine = boxes[labels == label]
        total += len(mine)
        taken = np.zeros(len(mine), bool)
        for box, score in zip(one.boxes[one.labels == label], one.scores[one.labels == label]):
            if len(mine):
                ious = iou_matrix(torch.tensor(box[None]), torch.tensor(mine))[0].numpy() * ~taken
                best = int(ious.argmax())
                if ious[best] >= overlap:
                    taken[best] = True
                    scores.append(score)
                    right.append(True)
                    continue
            middle = (box[:2] + box[2:]) / 2
            if len(unsure) and ((middle > unsure[:, :2]) & (middle < unsure[:, 2:])).all(1).any():
                continue
            scores.append(score)
            right.append(False)
    return np.array(scores), np.array(right, bool), total


def average_precision(scores: np.ndarray, right: np.ndarray, total: int) -> float:
    """Returns the area under precision over recall, with monotonic precision."""
    if not total or not len(scores):
        return float("nan") if not total else 0.0
    hits = np.cumsum(right[np.argsort(-scores)])
    precision = hits / np.arange(1, len(hits) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return float((np.diff(np.concatenate([[0], hits])) / total * precision).sum())


def table(found: list[Found], truth: list[Example], names: tuple[str, ...], overlap: float) -> list[str]:
    """Returns one line per class: AP50, then precision/recall at each threshold with boxes that overlap at least
    `overlap`."""
    lines = []
    for label, name in enumerate(names):
        ap = average_precision(*judged(found, truth, label, 0.5))
        scores, right, total = judged(found, truth, label, overlap)
        cells = []
        for threshold in (0.3, 0.4, 0.5, 0.6, 0.7):
            over = scores >= threshold
            hits = int((right & over).sum())
            cells.append(f"{threshold}: {hits / max(int(over.sum()), 1):.2f}/{hits / max(total, 1):.2f}")
        lines.append(f"{name:10} n={total:4} AP50={ap:.3f}  " + "  ".join(cells))
    return lines
