"""Prepares the held-out pictures and measures networks on them."""

from __future__ import annotations

import numpy as np

from augment import HEIGHT, WIDTH, Example, Rng, bodies, cut, resized, tint, vivid
from data import Sample
from graph import NanoDet
from measure import average_precision, detect, judged, table

GROWN = 1.2
"""The product runs on the box of a person enlarged by a fifth, with the aspect 4:3."""


def whole(sample: Sample) -> Example:
    height, width = sample.picture.shape[:2]
    scale = np.array([WIDTH / width, HEIGHT / height] * 2)
    boxes = (sample.boxes * scale).astype(np.float32)
    small = (boxes[:, 2:] - boxes[:, :2]).min(1) < 6 if len(boxes) else np.zeros(0, bool)
    return resized(sample.picture, WIDTH, HEIGHT), boxes[~small], sample.labels[~small], boxes[small]


def around(rng: Rng, sample: Sample, person: np.ndarray, fill: np.ndarray) -> Example:
    """Returns the region around a person as the product cuts it; another picture fills the area outside."""
    wide, high = (person[2:] - person[:2]) * GROWN
    wide, high = max(wide, high * 4 / 3), max(high, wide * 3 / 4)
    x, y = (person[:2] + person[2:]) / 2 - [wide / 2, high / 2]
    return cut(rng, sample.picture, sample, (x, y, x + wide, y + high), fill)


def epi_truth(held: list[Sample], seed: int) -> dict[str, list[Example]]:
    """Returns regions around people, the same with dyed bare heads and shirts, and whole pictures."""
    rng = np.random.default_rng(seed + 1000)
    empty = [s.picture for s in held if not len(s.boxes) and not len(s.people)]
    people = [(s, p, empty[rng.integers(len(empty))]) for s in held for p in bodies(s) if p[3] - p[1] >= 60]
    dyed = []
    for sample, person, fill in people:
        if not np.isin(sample.labels, (1, 3)).any():
            continue
        picture = sample.picture.copy()
        for box, label in zip(sample.boxes, sample.labels):
            if label in (1, 3):
                tint(picture, box, vivid(rng), 0.8)
        dyed.append(around(rng, Sample(sample.name, picture, sample.boxes, sample.labels), person, fill))
    return {
        "people": [around(rng, *one) for one in people],
        "dyed": dyed,
        "whole": [whole(s) for s in held],
    }


def report(net: NanoDet, truth: list[Example], names: tuple[str, ...]) -> tuple[float, list[str]]:
    """Returns the mean AP50 over the classes, and the table of each class (a detection is right from an overlap of 0.4
    on)."""
    found = detect(net, [example[0] for example in truth])
    precisions = [average_precision(*judged(found, truth, label, 0.5)) for label in range(len(names))]
    return float(np.nanmean(precisions)), table(found, truth, names, 0.4)
