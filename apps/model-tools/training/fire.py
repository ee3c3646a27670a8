"""Training pictures with fire and smoke: photographed, and pasted into other scenes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from augment import HEIGHT, WIDTH, Example, Rng, cut, darken, resized, shake_colour, worse_camera
from data import Sample
from negatives import SCENES, THINGS, add_light, clouds, glow

FIRE, SMOKE = 0, 1
GREY = 0.08
"""Share of the pictures without colour: infrared cameras."""
Flame = tuple[np.ndarray, np.ndarray]
"""A flame (uint8 BGR [h, w, 3]) with the opacity of each pixel (float32 [h, w] in 0…1)."""


def flames(samples: list[Sample]) -> list[Flame]:
    """Cuts flames out by their colour: bright, and more red than blue, or white inside."""
    found = []
    for sample in samples:
        for box, label in zip(sample.boxes.astype(int), sample.labels):
            x1, y1, x2, y2 = box.clip(0)
            part = sample.picture[y1:y2, x1:x2]
            if label != FIRE or min(part.shape[:2]) < 20:
                continue
            b, g, r = (part[..., i].astype(np.float32) for i in range(3))
            hot = np.clip((r - b - 45) / 40, 0, 1) * np.clip((r - 120) / 50, 0, 1) * (r >= g - 8)
            white = ((r > 235) & (g > 225)).astype(np.float32)
            near = cv2.dilate((hot > 0.5).astype(np.uint8), np.ones((5, 5), np.uint8))
            mask = cv2.GaussianBlur(np.maximum(hot, white * near).astype(np.float32), (0, 0), 0.8)
            count, parts, stats, _ = cv2.connectedComponentsWithStats((mask > 0.3).astype(np.uint8))
            if count < 2:
                continue
            biggest = 1 + int(stats[1:, 4].argmax())
            if stats[biggest, 4] < 0.12 * mask.size or (mask > 0.3).mean() > 0.9:
                continue
            mask = mask * cv2.dilate((parts == biggest).astype(np.uint8), np.ones((7, 7), np.uint8))
            x, y, w, h = stats[biggest, :4]
            found.append((part[y : y + h, x : x + w].copy(), mask[y : y + h, x : x + w].copy()))
    return found


def drawn(rng: Rng, high: int) -> Flame:
    """Draws a flame unlike the photographed ones, `high` pixels high: tongues of hot gas. Their colour follows from
    their heat and the exposure of the camera, from red at the edge to yellow or white inside."""
    wide = int(np.clip(high * np.exp(rng.uniform(np.log(0.4), np.log(2.5))), 8, WIDTH - 20))
    rows, columns = np.mgrid[0:high, 0:wide].astype(np.float32)
    up, across = 1 - rows / high, columns / wide
    lick = clouds(rng, high, wide, 2)
    # The amplitude of the tongues grows with the height.
    across = across + (lick - 0.5) * up * rng.uniform(0.2, 0.7)
    heat = np.zeros((high, wide), np.float32)
    for _ in range(rng.integers(1, 2 + max(1, 3 * wide // high))):
        middle, tall = rng.uniform(0.15, 0.85), rng.uniform(0.45, 1)
        thick = rng.uniform(0.1, 0.4) * min(1, 1.5 * high / wide)
        reach = np.clip(up / tall, 0, 1)
        # Narrow at the top and slightly narrower at the base.
        breadth = thick * (1 - reach) ** rng.uniform(0.5, 1) * np.clip(0.55 + 3 * reach, 0, 1) + 1e-3
        heat = np.maximum(heat, np.exp(-(((across - middle) / breadth) ** 2)) * (1 - reach**3))
    fine = cv2.resize(clouds(rng, high // 3 + 2, wide // 2 + 2, 5), (wide, high), interpolation=cv2.INTER_CUBIC)
    heat = np.clip(heat * (1.25 - rng.uniform(0.3, 0.9) * fine * (0.5 + up)), 0, 1)
    exposure = np.exp(rng.uniform(np.log(0.8), np.log(2.6)))
    hue = rng.uniform(0.8, 1.25)
    # With rising heat red appears first, then green, then blue.
    powers = (rng.uniform(2.6, 5), rng.uniform(1.3, 1.9), 0.55)
    levels = [np.clip(255 * exposure * heat ** (power * hue), 0, 255) for power in powers]
    mask = np.clip((heat - 0.12) / rng.uniform(0.1, 0.35), 0, 1)
    return np.dstack(levels).astype(np.float32), cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 1.6))


def hidden(rng: Rng, flame: Flame) -> Flame:
    """Covers the flame with bars, branches or beams."""
    colour, mask = flame[0], flame[1].copy()
    high, wide = mask.shape
    for _ in range(rng.integers(1, 6)):
        a, b = rng.uniform(0, 1, 2), rng.uniform(0, 1, 2)
        ends = [(int(x * wide), int(y * high)) for x, y in (a, b)]
        cv2.line(mask, ends[0], ends[1], 0.0, max(1, int(rng.uniform(0.02, 0.1) * min(wide, high))))
    return colour, mask


def turned(rng: Rng, flame: Flame, high: int) -> Flame:
    """Mirrors, tilts and scales the flame to `high` pixels."""
    picture, mask = flame
    if rng.random() < 0.5:
        picture, mask = picture[:, ::-1], mask[:, ::-1]
    wide = max(4, int(high * mask.shape[1] / mask.shape[0] * np.exp(rng.uniform(-0.4, 0.4))))
    wide = min(wide, WIDTH - 20)
    both = cv2.resize(np.dstack([picture.astype(np.float32), mask * 255]), (wide, high), interpolation=cv2.INTER_AREA)
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), rng.uniform(-25, 25), 0.9)
    both = cv2.warpAffine(both, turn, (wide, high))
    return both[..., :3], both[..., 3] / 255


def paste_fire(rng: Rng, picture: np.ndarray, stock: list[Flame]) -> tuple[np.ndarray, np.ndarray]:
    """Adds one fire of one to six flames, photographed or drawn. Returns the picture and the box [4]."""
    high = int(np.exp(rng.uniform(np.log(11), np.log(HEIGHT))))
    share_drawn = rng.choice([0, 1])
    total = np.zeros((HEIGHT, WIDTH), np.float32)
    x, base = rng.uniform(5, WIDTH - 40), rng.uniform(0.25, 1.0) * HEIGHT
    out = picture.astype(np.float32)
    strength = rng.uniform(0.75, 1)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4, 6])):
        size = max(8, int(high * rng.uniform(0.6, 1)))
        colour, mask = drawn(rng, size) if share_drawn else turned(rng, stock[rng.integers(len(stock))], size)
        if rng.random() < 0.25:
            colour, mask = hidden(rng, (colour, mask))
        h, w = mask.shape
        left, top = int(np.clip(x, 0, WIDTH - w)), int(np.clip(base - h, 0, max(HEIGHT - h, 0)))
        h = min(h, HEIGHT - top)
        colour, mask = colour[:h], mask[:h] * strength
        place = np.s_[top : top + h, left : left + w]
        mixed = out[place] * (1 - mask[..., None]) + colour * mask[..., None]
        lighter = 255 - (255 - out[place]) * (1 - colour * mask[..., None] / 255)
        share = 0.35 if rng.random() < 0.5 else 0.0
        out[place] = mixed * (1 - share) + lighter * share
        total[place] = np.maximum(total[place], mask)
        x += w * rng.uniform(0.4, 0.9)
    ys, xs = np.nonzero(total > 0.3)
    if not len(xs):
        return picture, np.zeros(4, np.float32)
    box = np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1], np.float32)
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        middle = (box[:2] + box[2:]) / 2
        light = glow(HEIGHT, WIDTH, *middle, (box[3] - box[1]) * rng.uniform(0.5, 1.2)) * rng.uniform(0.1, 0.5)
        out = add_light(out, light, np.array([40, 130, 255], np.float32))
    return out, box


def paste_smoke(rng: Rng, picture: np.ndarray, at: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Adds a drawn plume that rises from `at` (x, y) or from a random point. Returns the picture and the box [4]."""
    x, y = at if at is not None else (rng.uniform(20, WIDTH - 20), rng.uniform(0.35, 1) * HEIGHT)
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    radius, drift = rng.uniform(4, 16), rng.uniform(-0.9, 0.9)
    length = rng.uniform(40, 230)
    done = 0.0
    while done < length:
        cv2.circle(mask, (int(x), int(y)), int(radius), float(1 - 0.6 * done / length), -1)
        step = radius * 0.5
        x, y = x + step * drift + rng.normal(0, step * 0.4), y - step
        radius, done = radius * rng.uniform(1.0, 1.09), done + step
        radius = min(radius, 75)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(4, 11))
    mask = mask * np.clip(0.35 + 1.1 * clouds(rng, HEIGHT, WIDTH, int(rng.integers(4, 9))), 0, 1.2)
    mask = np.clip(mask * rng.uniform(0.45, 0.95), 0, 0.95)
    ys, xs = np.nonzero(mask > 0.14)
    if len(xs) < 60:
        return picture, np.zeros(4, np.float32)
    grey = rng.choice([rng.uniform(15, 80), rng.uniform(90, 170), rng.uniform(160, 235)])
    shade = grey * (0.65 + 0.5 * clouds(rng, HEIGHT, WIDTH, int(rng.integers(5, 10))))[..., None]
    colour = np.clip(shade * rng.uniform(0.93, 1.07, 3), 0, 255)
    out = picture * (1 - mask[..., None]) + colour * mask[..., None]
    return out.astype(np.uint8), np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1], np.float32)


def small_scene(rng: Rng, others: list[Sample]) -> np.ndarray:
    """Combines four to 25 photographs side by side: people and objects are as small and sharp as from a camera on a
    pole."""
    count = int(rng.integers(2, 6))
    wide, high = -(-WIDTH // count), -(-HEIGHT // count)
    rows = [
        np.hstack([resized(others[rng.integers(len(others))].picture, wide, high) for _ in range(count)])
        for _ in range(count)
    ]
    return np.ascontiguousarray(np.vstack(rows)[:HEIGHT, :WIDTH])


def scene(rng: Rng, others: list[Sample]) -> np.ndarray:
    """Makes a picture of the input's size without fire: photographed, of several photographs, or drawn."""
    kind = rng.random()
    if kind < 0.15:
        names = list(SCENES)
        return SCENES[names[rng.integers(len(names))]](rng)
    if kind < 0.55:
        return small_scene(rng, others)
    picture = others[rng.integers(len(others))].picture
    height, width = picture.shape[:2]
    share = rng.uniform(0.6, 1)
    x, y = int(rng.uniform(0, width * (1 - share))), int(rng.uniform(0, height * (1 - share)))
    return resized(picture[y : y + int(height * share), x : x + int(width * share)], WIDTH, HEIGHT)


def distracted(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Adds one or two of the drawn objects that are no fire."""
    names = list(THINGS)
    for _ in range(rng.integers(1, 3)):
        picture = THINGS[names[rng.integers(len(names))]](rng, picture)
    return picture


def photographed(rng: Rng, sample: Sample, others: list[Sample]) -> Example:
    """A photograph with its labels: whole as in the product, at a larger distance, or a part of it."""
    height, width = sample.picture.shape[:2]
    kind = rng.random()
    if kind < 0.35:
        return cut(rng, sample.picture, sample, (0, 0, width, height), None)
    if kind < 0.7:
        # Simulates a larger distance: another scene surrounds the picture.
        out = rng.uniform(1.1, 3.5)
        x, y = rng.uniform(0, width * (out - 1)), rng.uniform(0, height * (out - 1))
        window = -x, -y, width * out - x, height * out - y
        return cut(rng, sample.picture, sample, window, scene(rng, others))
    share = rng.uniform(0.55, 1)
    wide, high = width * share, height * share * rng.uniform(0.85, 1)
    x, y = rng.uniform(0, width - wide), rng.uniform(0, height - high)
    return cut(rng, sample.picture, sample, (x, y, x + wide, y + high), None)


def pasted(rng: Rng, stock: list[Flame], others: list[Sample]) -> Example:
    picture = scene(rng, others)
    if rng.random() < 0.3:
        picture = darken(rng, picture)
    if rng.random() < 0.3:
        picture = distracted(rng, picture)
    boxes, labels = [], []
    kind = rng.random()
    if kind < 0.65:
        picture, box = paste_fire(rng, picture, stock)
        boxes.append(box)
        labels.append(FIRE)
    if kind > 0.35:
        at = ((boxes[0][0] + boxes[0][2]) / 2, boxes[0][1]) if boxes else None
        picture, box = paste_smoke(rng, picture, at)
        boxes.append(box)
        labels.append(SMOKE)
    kept = np.array(boxes, np.float32).reshape(-1, 4)
    seen = (kept[:, 2:] - kept[:, :2]).min(1) >= 4
    return picture, kept[seen], np.array(labels, np.int64)[seen], kept[~seen]


def negative(rng: Rng, others: list[Sample]) -> Example:
    picture = scene(rng, others)
    if rng.random() < 0.25:
        picture = darken(rng, picture)
    if rng.random() < 0.6:
        picture = distracted(rng, picture)
    nothing = np.zeros((0, 4), np.float32)
    return picture, nothing, np.zeros(0, np.int64), nothing


@dataclass
class FireStock:
    """Pictures for the training: with fire or smoke by source, flames to paste, and pictures without either."""

    burning: dict[str, list[Sample]]
    flames: list[Flame]
    others: list[Sample]
    lookalikes: list[Sample]


SOURCE_POWER = 0.7
"""A source of n pictures is drawn with a weight of n to this power."""


def stock_of(samples: list[Sample]) -> FireStock:
    burning: dict[str, list[Sample]] = {}
    for sample in samples:
        if len(sample.boxes):
            burning.setdefault(sample.source, []).append(sample)
    empty = [s for s in samples if not len(s.boxes)]
    lookalikes = [s for s in empty if s.source.startswith("negatives")]
    every = [s for several in burning.values() for s in several]
    return FireStock(burning, flames(every), empty, lookalikes)


def fogo_example(rng: Rng, stock: FireStock) -> tuple[Example, tuple[bool, ...]]:
    """Makes a picture with fire, smoke, or neither, with the labels of `data.FOGO` and which of them are known."""
    known: tuple[bool, ...] = (True, True)
    kind = rng.random()
    if kind < 0.5:
        sources = list(stock.burning.values())
        weights = np.array([len(s) for s in sources], float) ** SOURCE_POWER
        samples = sources[rng.choice(len(sources), p=weights / weights.sum())]
        sample = samples[rng.integers(len(samples))]
        known = sample.known
        example = photographed(rng, sample, stock.others)
    elif kind < 0.65:
        example = pasted(rng, stock.flames, stock.others)
    elif kind < 0.85:
        sample = stock.lookalikes[rng.integers(len(stock.lookalikes))]
        example = photographed(rng, sample, stock.others)
    else:
        example = negative(rng, stock.others)
    picture, boxes, labels, unsure = example
    picture = shake_colour(rng, picture, 6)
    if rng.random() < GREY:
        picture = cv2.merge([cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)] * 3)
    return (worse_camera(rng, picture, 0.35), boxes, labels, unsure), known
