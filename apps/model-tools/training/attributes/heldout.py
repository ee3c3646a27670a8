"""Statements of the network about held-out people, in the regions of the product."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch

from augment import Rng, darken, resized
from data import to_input
from network import STRIDE, Attributes, cells, look
from people import BARE, HARDHAT, NO_VEST, VEST, Labelled
from regions import cut, product_window

HEAD_SHARE, TORSO_SHARE = 0.15, 0.4
"""Height of a labelled head and torso as shares of the height of a person."""
LEAST_HEAD, LEAST_TORSO = 10, 24
"""Minimum side in pixels of the picture."""
KINDS = ("as it is", "grey", "dark", "jpeg")
"""Pictures as they are, and spoilt."""
REACH = 0.35
"""A detection belongs to a label if their middles are nearer than this share of the label."""


@dataclass
class Seen:
    """Scores [5] of one labelled head or torso."""

    name: str
    label: int
    cap: int
    px: float
    scores: np.ndarray


def body(one: Labelled, at: int) -> np.ndarray:
    """The labelled person of a head or torso, else an estimate."""
    box, is_head = one.sample.boxes[at], one.sample.labels[at] < 2
    x, y = (box[:2] + box[2:]) / 2
    reach = 0.4 if is_head else 0.85
    fits = [p for p in one.sample.people if p[0] < x < p[2] and p[1] - 5 < y < p[1] + reach * (p[3] - p[1])]
    if fits:
        return min(fits, key=lambda p: abs((p[0] + p[2]) / 2 - x))
    tall = (box[3] - box[1]) / (HEAD_SHARE if is_head else TORSO_SHARE)
    top = box[1] - (0 if is_head else HEAD_SHARE * tall)
    height, width = one.sample.picture.shape[:2]
    wide = max(box[2] - box[0], tall * 0.36)
    return np.clip([x - wide / 2, top, x + wide / 2, top + tall], 0, [width, height, width, height])


def worse(rng: Rng, picture: np.ndarray, kind: str) -> np.ndarray:
    if kind == "grey":
        return cv2.merge([cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)] * 3)
    if kind == "dark":
        return np.clip(darken(rng, picture) + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    if kind == "jpeg":
        half = resized(resized(picture, 56, 72), 112, 144)
        return cv2.imdecode(cv2.imencode(".jpg", half, [cv2.IMWRITE_JPEG_QUALITY, 35])[1], cv2.IMREAD_COLOR)
    return picture


def inspect(net: Attributes, pictures: list[Labelled], kind: str = KINDS[0]) -> list[Seen]:
    rng, regions, about = np.random.default_rng(1), [], []
    for one in pictures:
        for at, (box, label) in enumerate(zip(one.sample.boxes, one.sample.labels)):
            side = float(min(box[2:] - box[:2]))
            if side < (LEAST_HEAD if label < 2 else LEAST_TORSO):
                continue
            window = product_window(body(one, at), one.sample.picture)
            region = cut(lambda w: one.sample.picture[w[1] : w[3], w[0] : w[2]], one, window)
            size = np.array([window[2] - window[0], window[3] - window[1]])
            target = (box - [window[0], window[1]] * 2) * np.tile([112, 144] / size, 2)
            regions.append(worse(rng, region.picture, kind))
            about.append((one, int(label), int(one.cap[at]), side, target))
    return [
        Seen(one.sample.name, label, cap, side, scores_at(raw, target, label))
        for (one, label, cap, side, target), raw in zip(about, outputs(net, regions))
    ]


def outputs(net: Attributes, regions: list[np.ndarray]):
    """For each region: probabilities [5, cells] and boxes [cells, 4]."""
    centres = cells()
    with torch.no_grad():
        for at in range(0, len(regions), 64):
            logits, sides = look(net, to_input(regions[at : at + 64]))
            p, reach = logits.flatten(2).sigmoid().numpy(), sides.flatten(2).numpy().transpose(0, 2, 1) * STRIDE
            boxes = np.concatenate([centres - reach[..., :2], centres + reach[..., 2:]], 2)
            yield from zip(p, boxes)


def scores_at(raw: tuple[np.ndarray, np.ndarray], target: np.ndarray, label: int) -> np.ndarray:
    """Highest score of each class among the detections that belong to the label."""
    p, boxes = raw
    apart = np.abs((boxes[:, :2] + boxes[:, 2:]) / 2 - (target[:2] + target[2:]) / 2)
    near = (apart < REACH * (target[2:] - target[:2])).all(1)
    best = np.where(near, p, 0)
    best[4] = np.where(near, p[1] * p[4], 0)
    return best.max(1)


def pairs(seen: list[Seen], label: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For `BARE` or `NO_VEST`: score of the missing item, whether it outweighs the worn one, whether it is missing."""
    worn = HARDHAT if label == BARE else VEST
    some = [s for s in seen if s.label in (label, worn)]
    missing = np.array([s.scores[label] for s in some])
    outweighs = np.array(missing > np.array([s.scores[worn] for s in some]), bool)
    return missing, outweighs, np.array([s.label == label for s in some], bool)


def rates(seen: list[Seen], label: int, threshold: float) -> tuple[int, int, int, int]:
    """Found of the missing ones, and wrongly stated of the worn ones."""
    score, over, missing = pairs(seen, label)
    stated = (score >= threshold) & over
    return int((stated & missing).sum()), int(missing.sum()), int((stated & ~missing).sum()), int((~missing).sum())


def table(seen: list[Seen]) -> list[str]:
    lines = []
    sources = sorted({s.name.split("/")[0] for s in seen})
    sizes = [(10, 16), (16, 24), (24, 40), (40, 80), (80, 999)]
    groups = [("all", lambda s: True), *((name, lambda s, n=name: s.name.startswith(n)) for name in sources)]
    groups += [(f"{a} to {b} px", lambda s, a=a, b=b: a <= s.px < b) for a, b in sizes]
    groups += [("caps", lambda s: s.cap == 1)]
    for label, what in ((BARE, "no_hardhat"), (NO_VEST, "no_vest")):
        for name, want in groups:
            some = [s for s in seen if want(s)]
            cells_ = []
            for threshold in (0.3, 0.4, 0.5, 0.6, 0.7):
                hit, total, wrong, worn = rates(some, label, threshold)
                cells_.append(f"{threshold}: {hit / max(1, total):.2f}/{wrong / max(1, worn):.3f}")
            hit, total, wrong, worn = rates(some, label, 0.5)
            lines.append(f"{what:10} {name:16} {total:5} missing {worn:5} worn  " + "  ".join(cells_))
    return lines
