"""Cuts training regions: the upper part of a person, with simulated worse cameras."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from augment import Rng, darken, resized, shake_colour, tint, vivid
from people import HEIGHT, VEST, WIDTH, Labelled

LEAST = 7
"""Minimum side of a box in pixels of the region; smaller ones are ignored."""
UPPER, UPPER_WIDTHS, MARGIN, LEAST_WIDTH = 0.62, 1.5, 0.15, 40
"""As in `people-regions.ts`."""


@dataclass
class Region:
    """A picture of 112 x 144, its boxes in pixels, labels, caps, ignored boxes, and whether vests are labelled."""

    picture: np.ndarray
    boxes: np.ndarray
    labels: np.ndarray
    cap: np.ndarray
    unsure: np.ndarray
    torsos: bool


def dyed(rng: Rng, labelled: Labelled, window: tuple[int, int, int, int], share: float) -> np.ndarray:
    """The window of the picture. Some helmets, bare heads and shirts have another colour; their labels stay."""
    x1, y1, x2, y2 = window
    picture = labelled.sample.picture[y1:y2, x1:x2].copy()
    for box, label in zip(labelled.sample.boxes, labelled.sample.labels):
        if label != VEST and rng.random() < share:
            part = np.clip(box - [x1, y1, x1, y1], 0, [x2 - x1, y2 - y1] * 2)
            if label < 2:
                part[3] = part[1] + (part[3] - part[1]) * rng.uniform(0.4, 0.7)
            tint(picture, part, vivid(rng), rng.uniform(0.5, 0.9))
    return picture


def product_window(person: np.ndarray, picture: np.ndarray) -> tuple[float, float, float, float]:
    """The region that `people-regions.ts` cuts for one person."""
    height, width = picture.shape[:2]
    x1, y1, x2, y2 = person
    upper = min(y2 - y1, max(UPPER * (y2 - y1), UPPER_WIDTHS * (x2 - x1)))
    left, right = max(0, x1 - MARGIN * (x2 - x1)), min(width, x2 + MARGIN * (x2 - x1))
    top, bottom = max(0, y1 - MARGIN * upper), min(height, y1 + (1 + MARGIN) * upper)
    wide = min(max(right - left, (bottom - top) * WIDTH / HEIGHT, LEAST_WIDTH), width, height * WIDTH / HEIGHT)
    high = wide * HEIGHT / WIDTH
    x = np.clip((left + right - wide) / 2, 0, width - wide)
    y = np.clip((top + bottom - high) / 2, 0, height - high)
    return x, min(y, max(0, y1)), x + wide, min(y, max(0, y1)) + high


def window_about(rng: Rng, box: np.ndarray, is_head: bool, tallest: float) -> tuple[float, float, float, float]:
    """A window about the upper part of a person, from a head or a torso. It is at most `tallest` high."""
    tall = box[3] - box[1]
    if is_head:
        high = tall * HEIGHT / np.exp(rng.uniform(np.log(13), np.log(52)))
        cx, cy = rng.normal(0.5, 0.13), rng.uniform(0.1, 0.42)
    else:
        high = tall * rng.uniform(1.2, 2.4)
        cx, cy = rng.normal(0.5, 0.12), rng.uniform(0.4, 0.72)
    high = min(high, max(tallest, 1.1 * tall))
    wide = high * WIDTH / HEIGHT * rng.uniform(0.85, 1.15)
    x = (box[0] + box[2]) / 2 - wide * np.clip(cx, 0.15, 0.85)
    y = (box[1] + box[3]) / 2 - high * cy
    return x, y, x + wide, y + high


def cut(picture_of, labelled: Labelled, window: tuple[float, float, float, float]) -> Region:
    """The window, moved into the picture; grey where it is larger than the picture."""
    height, width = labelled.sample.picture.shape[:2]
    x1, y1, x2, y2 = window
    wide, high = int(max(8, round(x2 - x1))), int(max(8, round(y2 - y1)))
    left = int(np.clip(round(x1), 0, max(0, width - wide)))
    top = int(np.clip(round(y1), 0, max(0, height - high)))
    inner = left, top, min(width, left + wide), min(height, top + high)
    part = picture_of(inner)
    scale = min(WIDTH / wide, HEIGHT / high) if part.shape[1] < wide or part.shape[0] < high else 0
    sx, sy = (scale, scale) if scale else (WIDTH / wide, HEIGHT / high)
    new_w, new_h = min(WIDTH, max(1, round(part.shape[1] * sx))), min(HEIGHT, max(1, round(part.shape[0] * sy)))
    small = resized(part, new_w, new_h)
    dx, dy = (WIDTH - new_w) // 2, (HEIGHT - new_h) // 2
    canvas = np.full((HEIGHT, WIDTH, 3), 114, np.uint8)
    canvas[dy : dy + new_h, dx : dx + new_w] = small

    def placed(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moved = (boxes - [left, top, left, top]) * [sx, sy, sx, sy]
        area = np.maximum((moved[:, 2:] - moved[:, :2]).prod(1), 1e-6)
        clipped = np.clip(moved, 0, [new_w, new_h] * 2)
        share = (clipped[:, 2:] - clipped[:, :2]).prod(1) / area
        return (clipped + [dx, dy, dx, dy]).astype(np.float32), share

    boxes, share = placed(labelled.sample.boxes)
    unsure, far = placed(labelled.unsure)
    side = (boxes[:, 2:] - boxes[:, :2]).min(1) if len(boxes) else np.zeros(0)
    keep = (share > 0.5) & (side >= LEAST)
    ignored = np.concatenate([boxes[(share > 0.03) & ~keep], unsure[far > 0.02]])
    labels = labelled.sample.labels
    return Region(canvas, boxes[keep], labels[keep], labelled.cap[keep], ignored, labelled.torsos)


def spoilt(rng: Rng, region: Region) -> Region:
    """Mirrors, recolours and damages the picture like worse cameras."""
    picture, boxes, unsure = region.picture, region.boxes, region.unsure
    if rng.random() < 0.5:
        picture = np.ascontiguousarray(picture[:, ::-1])
        boxes, unsure = turned(boxes), turned(unsure)
    if rng.random() < 0.7:
        picture = shake_colour(rng, picture, 90 if rng.random() < 0.15 else 10)
    if rng.random() < 0.1:
        picture = cv2.merge([cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)] * 3)
    if rng.random() < 0.08:
        picture = darken(rng, picture)
    if rng.random() < 0.5:
        scale = np.exp(rng.uniform(np.log(0.3), 0))
        picture = resized(picture, int(WIDTH * scale), int(HEIGHT * scale))
    if rng.random() < 0.2:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.2))
    if rng.random() < 0.3:
        noise = rng.standard_normal(picture.shape, np.float32) * rng.uniform(2, 12)
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 91))])
        picture = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return Region(resized(picture, WIDTH, HEIGHT), boxes, region.labels, region.cap, unsure, region.torsos)


def turned(boxes: np.ndarray) -> np.ndarray:
    return boxes[:, [2, 1, 0, 3]] * [-1, 1, -1, 1] + [WIDTH, 0, WIDTH, 0]


class Source:
    """Draws training regions: each kind of head and torso with its own share."""

    SHARES = {"hardhat": 0.28, "bare": 0.28, "cap": 0.12, "vest": 0.1, "no_vest": 0.12, "none": 0.1}

    def __init__(self, pictures: list[Labelled]) -> None:
        self.pictures = pictures
        self.kinds: dict[str, list[tuple[int, int]]] = {kind: [] for kind in self.SHARES}
        for at, one in enumerate(pictures):
            for box, (label, cap) in enumerate(zip(one.sample.labels, one.cap)):
                size = one.sample.boxes[box]
                if min(size[2] - size[0], size[3] - size[1]) < 9:
                    continue
                kind = "cap" if cap == 1 else ("hardhat", "bare", "vest", "no_vest")[label]
                self.kinds[kind].append((at, box))
            self.kinds["none"].append((at, -1))

    def draw(self, rng: Rng) -> Region:
        kind = rng.choice(list(self.SHARES), p=list(self.SHARES.values()))
        at, box = self.kinds[kind][rng.integers(len(self.kinds[kind]))]
        one = self.pictures[at]
        height, width = one.sample.picture.shape[:2]
        if box >= 0:
            is_head = kind in ("hardhat", "bare", "cap")
            window = window_about(rng, one.sample.boxes[box], is_head, 1.2 * min(height, width))
        else:
            high = height * rng.uniform(0.2, 0.9)
            wide = high * WIDTH / HEIGHT
            x, y = rng.uniform(0, max(1, width - wide)), rng.uniform(0, height - high)
            window = x, y, x + wide, y + high
        share = 0.25 if rng.random() < 0.6 else 0.0
        region = cut(lambda inner: dyed(rng, one, inner, share), one, window)
        if share > 0:
            # A dyed bare head resembles a cap.
            region.cap[region.cap == 0] = -1
        return spoilt(rng, region)
