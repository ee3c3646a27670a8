"""Splits the pictures by scene into training and held-out ones."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from data import split
from export import COCO_CLASSES, load
from people import Labelled

SAME_SCENE = 0.86
"""Single pictures with a higher cosine of their grey thumbnails show one scene."""
HELD_OUT = 0.12
"""Share of the scenes of the single pictures that is held out."""


def split_of(
    mosaics: list[Labelled], singles: list[Labelled], seed: int, folder: Path
) -> tuple[list[Labelled], list[Labelled]]:
    """Parts of mosaics are split as for the detectors: mosaics repeat scenes with other colours and angles."""
    one, other = split([m.sample for m in mosaics], load(COCO_CLASSES, seed), seed, folder / "split.json")
    training, held = {s.name for s in one}, {s.name for s in other}
    away = apart(singles, seed)
    return (
        [m for m in mosaics if m.sample.name in training] + [s for s, out in zip(singles, away) if not out],
        [m for m in mosaics if m.sample.name in held] + [s for s, out in zip(singles, away) if out],
    )


def thumbnail(picture: np.ndarray) -> np.ndarray:
    grey = cv2.equalizeHist(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    return cv2.resize(grey, (24, 24), interpolation=cv2.INTER_AREA)


def apart(pictures: list[Labelled], seed: int) -> np.ndarray:
    """Which pictures are held out [n]. One scene are pictures that resemble each other, also mirrored."""
    rows = np.stack([thumbnail(p.sample.picture) for p in pictures]).astype(np.float32)
    mirrored = rows[:, :, ::-1]
    both = [r - r.mean(1, keepdims=True) for r in (rows.reshape(len(rows), -1), mirrored.reshape(len(rows), -1))]
    first, second = (r / (np.linalg.norm(r, axis=1, keepdims=True) + 1e-6) for r in both)
    like = np.maximum(first @ first.T, second @ first.T) > SAME_SCENE
    scene = np.arange(len(rows))
    for at in range(len(rows)):
        scene[np.isin(scene, scene[like[at]])] = scene[like[at]].min()
    names = np.random.default_rng(seed).permutation(np.unique(scene))
    return np.isin(scene, names[: int(len(names) * HELD_OUT)])
