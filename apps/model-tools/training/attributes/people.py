"""Reads the labelled heads and torsos of all PPE training folders."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from data import PPE_NAMES, Sample, inside, read_yolo, seam

WIDTH, HEIGHT = 112, 144
HARDHAT, BARE, VEST, NO_VEST = range(4)
LABELS = Path(__file__).resolve().parents[3] / "bench/labels"
MOSAICS = ("ppe-train", "ppe-more-train")
SINGLES = ("ppe-heads-train", "ppe-hats-train")
IGNORED = ("unclear", "motorcycle_helmet")
CAP = {"bare": 0, "cap_or_hat": 1}
"""Whether a cap or hat covers a head of this class."""
Covers = dict[str, list[tuple[np.ndarray, str]]]
"""By file: boxes (centre and size as shares of the picture) and what covers the head, as a person sees it."""


@dataclass
class Labelled:
    """A picture with boxes and their labels. `cap`: 1 cap or hat, 0 none, -1 unknown, for each box. `unsure`: boxes
    that are ignored. `torsos`: whether vests are labelled."""

    sample: Sample
    cap: np.ndarray
    unsure: np.ndarray
    torsos: bool


@dataclass
class Row:
    label: int
    box: np.ndarray
    cap: int


def as_boxes(rows: list) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 4)


def read_covers() -> Covers:
    found: Covers = defaultdict(list)
    for file, column, prefix in (
        ("ppe-hats-heads.csv", "class", "ppe-hats-train/images/"),
        ("ppe-heads-wrong.csv", "seen", ""),
    ):
        for row in csv.DictReader((LABELS / file).open()):
            box = np.array([float(row[side]) for side in "xywh"])
            found[prefix + row["file"]].append((box, row[column]))
    return found


def read_excluded() -> set[tuple[str, int]]:
    """Parts of mosaics that show a picture of the measuring folder."""
    rows = csv.DictReader((LABELS / "ppe-train-overlap-parts.csv").open())
    return {(row["file"], int(row["part"])) for row in rows}


def checked(
    key: str, rows: list[tuple[int, np.ndarray]], size: tuple[int, int], covers: Covers
) -> tuple[list[Row], list]:
    """Rows with the class that a person saw where one exists, and the boxes without a usable class. Labels of `rows`: 0
    to 3."""
    kept, unsure = [], []
    for label, box in rows:
        centre = np.concatenate([(box[:2] + box[2:]) / 2, box[2:] - box[:2]]) / [*size, *size]
        seen = next((c for b, c in covers.get(key, []) if label < 2 and np.abs(b - centre).max() < 2e-3), None)
        if seen in IGNORED:
            unsure.append(box)
        elif seen is None:
            kept.append(Row(label, box, -1))
        elif seen != "no_head":
            kept.append(Row(HARDHAT if seen == "hard_hat" else BARE, box, CAP.get(seen, -1)))
    return kept, unsure


def unlabelled(people: np.ndarray, boxes: np.ndarray, labels: np.ndarray) -> list:
    """Heads and torsos of people without a label."""
    found = []
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    for x1, y1, x2, y2 in people:
        within = (middle[:, 0] > x1) & (middle[:, 0] < x2) & (middle[:, 1] > y1 - 5) & (middle[:, 1] < y2)
        if not (within & (labels < 2)).any():
            found.append([x1, y1, x2, y1 + 0.45 * (y2 - y1)])
        if not (within & (labels >= 2)).any():
            found.append([x1, y1 + 0.1 * (y2 - y1), x2, y2])
    return found


def read_mosaics(folder: Path, covers: Covers, excluded: set[tuple[str, int]]) -> list[Labelled]:
    """Each part of a mosaic of four is a picture: one part corresponds to one camera."""
    names = (folder / "classes.txt").read_text().split("\n")
    found = []
    for path in sorted((folder / "images").iterdir()):
        key = f"{folder.name}/images/{path.name}"
        picture = cv2.imread(str(path))
        height, width = picture.shape[:2]
        boxes_of = read_yolo(folder / "labels" / f"{path.stem}.txt", width, height)
        all_rows = [(names[kind], box) for kind, box in boxes_of]
        ppe = [(PPE_NAMES[n], b) for n, b in all_rows if n in PPE_NAMES]
        rows, doubted = checked(key, ppe, (width, height), covers)
        people = as_boxes([b for n, b in all_rows if n == "Person"])
        cx, cy = seam(picture, 1), seam(picture, 0)
        quarters = [(0, 0, cx, cy), (cx, 0, width, cy), (0, cy, cx, height), (cx, cy, width, height)]
        for part, window in enumerate(quarters):
            if (key, part) in excluded:
                continue
            cut, left = inside(as_boxes([row.box for row in rows]), window)
            keep = [i for i in range(len(rows)) if left[i] > 0.5]
            boxes, labels = cut[keep], np.array([rows[i].label for i in keep], np.int64)
            shown, share = inside(people, window)
            shown = shown[share > 0.5]
            hidden, share = inside(as_boxes(doubted), window)
            x1, y1, x2, y2 = window
            sample = Sample(f"{folder.name}/{path.stem}.{part}", picture[y1:y2, x1:x2].copy(), boxes, labels, shown)
            unsure = as_boxes([*hidden[share > 0.05], *unlabelled(shown, boxes, labels)])
            found.append(Labelled(sample, np.array([rows[i].cap for i in keep], np.int64), unsure, True))
    return found


def read_singles(folder: Path, covers: Covers) -> list[Labelled]:
    """Pictures in which only heads are labelled."""
    names = [name.lower() for name in (folder / "classes.txt").read_text().split("\n")]
    found = []
    for path in sorted((folder / "images").iterdir()):
        picture = cv2.imread(str(path))
        height, width = picture.shape[:2]
        boxes_of = read_yolo(folder / "labels" / f"{path.stem}.txt", width, height)
        all_rows = [(names[kind], box) for kind, box in boxes_of]
        heads = [(HARDHAT if n == "hardhat" else BARE, b) for n, b in all_rows if n.endswith("hardhat")]
        rows, unsure = checked(f"{folder.name}/images/{path.name}", heads, (width, height), covers)
        boxes, labels = as_boxes([row.box for row in rows]), np.array([row.label for row in rows], np.int64)
        people = as_boxes([b for n, b in all_rows if n == "person"])
        sample = Sample(f"{folder.name}/{path.stem}", picture, boxes, labels, people)
        found.append(Labelled(sample, np.array([row.cap for row in rows], np.int64), as_boxes(unsure), False))
    return found


def read_all(data: Path) -> tuple[list[Labelled], list[Labelled]]:
    """Parts of mosaics, and single pictures."""
    covers, excluded = read_covers(), read_excluded()
    mosaics = [one for name in MOSAICS for one in read_mosaics(data / name, covers, excluded)]
    return mosaics, [one for name in SINGLES for one in read_singles(data / name, covers)]
