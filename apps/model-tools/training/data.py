"""Reads labelled pictures, cuts mosaics into their parts, and splits them into training and held-out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import torch

from export import load
from graph import NanoDet

EPI = ("hardhat", "no_hardhat", "vest", "no_vest")
FOGO = ("fire", "smoke")
PPE_NAMES = {"Hardhat": 0, "NO-Hardhat": 1, "Safety Vest": 2, "NO-Safety Vest": 3}
MEAN = np.array([103.53, 116.28, 123.675], np.float32)
STD = np.array([57.375, 57.12, 58.395], np.float32)
HELD_OUT = 0.15
CLUSTERS = 150
TWIN = 0.72


@dataclass
class Sample:
    """A picture (uint8 BGR [H, W, 3]) with boxes (float32 [n, 4], x1 y1 x2 y2 in pixels) and their labels (int64
    [n])."""

    name: str
    picture: np.ndarray
    boxes: np.ndarray
    labels: np.ndarray
    people: np.ndarray = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    source: str = ""
    scene: str = ""
    known: tuple[bool, ...] = ()
    """Labels that the source states completely, by number; empty: all of them."""


def read_yolo(path: Path, width: int, height: int) -> list[tuple[int, np.ndarray]]:
    """Returns class and box in pixels of each line; a polygon is reduced to its bounding box."""
    rows = []
    for line in path.read_text().splitlines():
        numbers = [float(part) for part in line.split()]
        if len(numbers) == 5:
            x, y, w, h = numbers[1:]
            box = np.array([x - w / 2, y - h / 2, x + w / 2, y + h / 2])
        elif len(numbers) > 6:
            xs, ys = numbers[1::2], numbers[2::2]
            box = np.array([min(xs), min(ys), max(xs), max(ys)])
        else:
            continue
        rows.append((int(numbers[0]), (box * [width, height, width, height]).astype(np.float32)))
    return rows


def seam(picture: np.ndarray, axis: int) -> int:
    """Finds the border between the parts of a 2 x 2 mosaic. Its neighbours differ most, compared with the lines beside
    it."""
    step = np.abs(np.diff(picture.astype(np.float32), axis=axis)).mean(2)
    profile = np.minimum(step, 40).mean(1 - axis)
    beside = sum(np.roll(profile, k) for k in (-2, -1, 1, 2)) / 4
    rise = profile - beside
    return 64 + int(rise[64:-64].argmax()) + 1


def inside(boxes: np.ndarray, window: tuple[int, int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the boxes clipped to the window and relative to its corner [n, 4], and the remaining share of each
    [n]."""
    x1, y1, x2, y2 = window
    cut = np.clip(boxes, [x1, y1, x1, y1], [x2, y2, x2, y2]) - [x1, y1, x1, y1]
    area = np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1e-6)
    return cut.astype(np.float32), (cut[:, 2] - cut[:, 0]) * (cut[:, 3] - cut[:, 1]) / area


def read_ppe(folder: Path) -> list[Sample]:
    """Cuts mosaics of four: each part becomes a sample, because one part corresponds to one camera."""
    names = (folder / "classes.txt").read_text().split("\n")
    samples = []
    for path in sorted((folder / "images").iterdir()):
        picture = cv2.imread(str(path))
        height, width = picture.shape[:2]
        rows = read_yolo(folder / "labels" / f"{path.stem}.txt", width, height)
        kinds = [names[kind] for kind, _ in rows]
        boxes = np.array([box for _, box in rows], np.float32).reshape(-1, 4)
        cx, cy = seam(picture, 1), seam(picture, 0)
        quarters = [(0, 0, cx, cy), (cx, 0, width, cy), (0, cy, cx, height), (cx, cy, width, height)]
        for part, window in enumerate(quarters):
            cut, left = inside(boxes, window)
            keep = [i for i, kind in enumerate(kinds) if kind in PPE_NAMES and left[i] > 0.5]
            people = [i for i, kind in enumerate(kinds) if kind == "Person" and left[i] > 0.5]
            x1, y1, x2, y2 = window
            samples.append(
                Sample(
                    f"{path.stem}.{part}",
                    picture[y1:y2, x1:x2].copy(),
                    cut[keep],
                    np.array([PPE_NAMES[kinds[i]] for i in keep], np.int64),
                    cut[people],
                )
            )
    return samples


def read_fire(folder: Path, labelled: bool = True) -> list[Sample]:
    samples = []
    for path in sorted((folder / "images").iterdir()):
        picture = cv2.imread(str(path))
        labels = folder / "labels" / f"{path.stem}.txt"
        rows = read_yolo(labels, picture.shape[1], picture.shape[0]) if labelled else []
        boxes = np.array([box for _, box in rows], np.float32).reshape(-1, 4)
        samples.append(Sample(path.stem, picture, boxes, np.array([kind for kind, _ in rows], np.int64)))
    return samples


def to_input(pictures: list[np.ndarray]) -> torch.Tensor:
    """Converts uint8 BGR pictures of one size to float32 [N, 3, H, W], normalised as in the product."""
    stack = (np.stack(pictures).astype(np.float32) - MEAN) / STD
    return torch.from_numpy(np.ascontiguousarray(stack.transpose(0, 3, 1, 2)))


def descriptors(samples: list[Sample], net: NanoDet) -> np.ndarray:
    """Returns unit vectors [n, 1024] that are similar for pictures of one scene: mean features of the COCO trunk. The
    picture is equalized, without colour, and its features are added to those of its mirror image."""
    rows = []
    with torch.no_grad():
        for sample in samples:
            grey = cv2.equalizeHist(cv2.cvtColor(cv2.resize(sample.picture, (192, 192)), cv2.COLOR_BGR2GRAY))
            both = to_input([cv2.merge([side] * 3) for side in (grey, grey[:, ::-1])])
            _, c4, c5 = net.trunk(both)
            rows.append(torch.cat([c4.mean((0, 2, 3)), c5.mean((0, 2, 3))]).numpy())
    matrix = np.array(rows)
    matrix = (matrix - matrix.mean(0)) / (matrix.std(0) + 1e-6)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def clusters(vectors: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Returns the number of the cluster of each row [n]: k-means on the sphere."""
    rng = np.random.default_rng(seed)
    centres = vectors[rng.choice(len(vectors), count, replace=False)]
    nearest = np.zeros(len(vectors), np.int64)
    for _ in range(25):
        nearest = (vectors @ centres.T).argmax(1)
        sums = np.stack([vectors[nearest == k].sum(0) for k in range(count)])
        length = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(length > 0, sums / np.maximum(length, 1e-6), centres)
    return nearest


def split(samples: list[Sample], net: NanoDet, seed: int, memory: Path) -> tuple[list[Sample], list[Sample]]:
    """Splits into training and held-out samples. Whole clusters of similar scenes are held out. Remaining pictures that
    resemble a held-out one (cosine above TWIN) are excluded from the training. `memory`: file that caches the
    result."""
    if memory.exists():
        stored = json.loads(memory.read_text())
        training, held_out = stored["training"], stored["held_out"]
        return [s for s in samples if s.name in training], [s for s in samples if s.name in held_out]
    vectors = descriptors(samples, net)
    nearest = clusters(vectors, CLUSTERS, seed)
    order = np.random.default_rng(seed).permutation(CLUSTERS)
    sizes = np.bincount(nearest, minlength=CLUSTERS)[order]
    chosen = order[: int(np.searchsorted(np.cumsum(sizes), HELD_OUT * len(samples))) + 1]
    held = np.isin(nearest, chosen)
    twin = (vectors @ vectors[held].T).max(1) > TWIN
    training = [s for s, out, like in zip(samples, held, twin) if not out and not like]
    held_out = [s for s, out in zip(samples, held) if out]
    memory.write_text(json.dumps({"training": [s.name for s in training], "held_out": [s.name for s in held_out]}))
    return training, held_out
