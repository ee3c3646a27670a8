"""Training pictures: regions cut as in the product, with simulated worse cameras."""

from __future__ import annotations

import cv2
import numpy as np

from data import Sample, inside

WIDTH, HEIGHT = 416, 312
HEAD_SHARE, TORSO_SHARE = 0.16, 0.42
"""Height of a labelled head and torso as shares of the height of a person."""
Rng = np.random.Generator
Example = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Picture (uint8 BGR [312, 416, 3]), boxes [n, 4], labels [n], ignored boxes [m, 4]."""


def resized(picture: np.ndarray, width: int, height: int) -> np.ndarray:
    smaller = width < picture.shape[1]
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)


def soft_ellipse(height: int, width: int) -> np.ndarray:
    """Weights, float32 [height, width]: 1 in the middle, 0 at the border."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return np.clip((1.15 - np.sqrt(x**2 + y**2)) * 3, 0, 1).astype(np.float32)


def tint(picture: np.ndarray, box: np.ndarray, colour: np.ndarray, strength: float) -> None:
    """Dyes the content of the box in place and keeps its light and shade: a coloured cap, hood or shirt."""
    x1, y1, x2, y2 = box.astype(int)
    part = picture[y1:y2, x1:x2]
    if part.shape[0] < 4 or part.shape[1] < 4:
        return
    light = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32)
    light = np.clip(light / max(float(np.percentile(light, 90)), 1) * 0.8 + 0.2, 0, 1.1)[..., None]
    mask = soft_ellipse(*part.shape[:2])[..., None] * strength
    picture[y1:y2, x1:x2] = np.clip(part * (1 - mask) + colour * light * mask, 0, 255).astype(np.uint8)


def vivid(rng: Rng) -> np.ndarray:
    """Returns a strong colour, BGR float: mostly yellow, orange, red, lime, white or blue."""
    hue = rng.choice([12, 18, 25, 28, 30, 40, 60, 110, 170, 178])
    saturation = rng.choice([20, 160, 220, 250])
    return cv2.cvtColor(np.uint8([[[hue, saturation, rng.integers(150, 256)]]]), cv2.COLOR_HSV2BGR)[0, 0].astype(float)


def dye(rng: Rng, sample: Sample) -> np.ndarray:
    """Dyes some bare heads and ordinary shirts in the colours of helmets and vests; their labels stay."""
    picture = sample.picture.copy()
    for box, label in zip(sample.boxes, sample.labels):
        if label in (1, 3) and rng.random() < 0.25:
            tint(picture, box, vivid(rng), rng.uniform(0.5, 0.9))
    return picture


def shake_colour(rng: Rng, picture: np.ndarray, hue: float) -> np.ndarray:
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(-hue, hue)) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.4, 1.5), 0, 255)
    picture = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)
    table = np.clip((np.arange(256) / 255) ** rng.uniform(0.6, 1.6) * 255 * rng.uniform(0.7, 1.25), 0, 255)
    return cv2.LUT(picture, table.astype(np.uint8))


def darken(rng: Rng, picture: np.ndarray) -> np.ndarray:
    return np.clip(picture * rng.uniform(0.12, 0.5) + rng.uniform(0, 12), 0, 255).astype(np.uint8)


def worse_camera(rng: Rng, picture: np.ndarray, least: float) -> np.ndarray:
    """Reduces the pixels (down to the share `least`) and adds blur, noise and JPEG artefacts at the same size."""
    height, width = picture.shape[:2]
    if rng.random() < 0.5:
        scale = rng.uniform(least, 1)
        picture = resized(picture, max(16, int(width * scale)), max(12, int(height * scale)))
    if rng.random() < 0.2:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.3))
    if rng.random() < 0.35:
        noise = rng.normal(0, rng.uniform(2, 14), picture.shape)
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 91))])
        picture = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return resized(picture, width, height)


def bodies(sample: Sample) -> np.ndarray:
    """Returns boxes [n, 4] of whole people, with heights estimated from heads and torsos. In a portrait most of the
    body is outside the picture."""
    found = []
    for box, label in zip(sample.boxes, sample.labels):
        share = HEAD_SHARE if label < 2 else TORSO_SHARE
        tall = (box[3] - box[1]) / share
        top = box[1] - (0 if label < 2 else HEAD_SHARE * tall)
        middle = (box[0] + box[2]) / 2
        found.append([middle - tall / 5, top, middle + tall / 5, top + tall])
    return np.array(found, np.float32).reshape(-1, 4)


def region(rng: Rng, sample: Sample) -> tuple[float, float, float, float]:
    """Returns a window (x1, y1, x2, y2) around a person, or a random one; it may exceed the picture."""
    height, width = sample.picture.shape[:2]
    people = bodies(sample) if rng.random() < 0.7 else sample.people
    if len(people) and rng.random() < 0.8:
        x1, y1, x2, y2 = people[rng.integers(len(people))]
        tall = max(y2 - y1, 40.0)
        high = tall * np.exp(rng.uniform(np.log(0.8), np.log(2.2)))
        wide = high * 4 / 3 * rng.uniform(0.85, 1.15)
        cx = (x1 + x2) / 2 + rng.uniform(-0.2, 0.2) * wide
        # A window lower than the person contains the head, not the feet.
        cy = y1 + high / 2 - 0.08 * tall if high < tall else (y1 + y2) / 2 + rng.uniform(-0.3, 0.3) * (high - tall)
        return cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2
    share = rng.uniform(0.55, 1)
    wide, high = width * share, height * share * rng.uniform(0.8, 1)
    x, y = rng.uniform(0, width - wide), rng.uniform(0, height - high)
    return x, y, x + wide, y + high


def cut(
    rng: Rng, picture: np.ndarray, sample: Sample, window: tuple[float, float, float, float], fill: np.ndarray | None
) -> Example:
    """Scales the window of the picture to the input. Outside the picture it shows `fill`; without `fill` the window is
    cut at the border."""
    height, width = picture.shape[:2]
    x1, y1, x2, y2 = (int(round(v)) for v in window)
    inner = max(x1, 0), max(y1, 0), min(x2, width), min(y2, height)
    if inner[2] - inner[0] < 16 or inner[3] - inner[1] < 16:
        inner = 0, 0, width, height
    part = picture[inner[1] : inner[3], inner[0] : inner[2]]
    boxes, left = inside(sample.boxes, inner)
    if fill is not None and (x2 - x1) * (y2 - y1) > 1.05 * part.shape[0] * part.shape[1]:
        canvas = resized(fill, x2 - x1, y2 - y1)
        dx, dy = inner[0] - x1, inner[1] - y1
        if 0 <= dx and 0 <= dy and dx + part.shape[1] <= x2 - x1 and dy + part.shape[0] <= y2 - y1:
            canvas[dy : dy + part.shape[0], dx : dx + part.shape[1]] = part
            part, boxes = canvas, boxes + [dx, dy, dx, dy]
    scale = np.array([WIDTH / part.shape[1], HEIGHT / part.shape[0]] * 2)
    boxes = (boxes * scale).astype(np.float32)
    size = np.minimum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) if len(boxes) else np.zeros(0)
    keep = (left > 0.5) & (size >= 6)
    unsure = (left > 0.1) & ~keep
    part = resized(part, WIDTH, HEIGHT)
    if rng.random() < 0.5:
        part, boxes = mirror(part, boxes)
    return part, boxes[keep], sample.labels[keep], boxes[unsure]


def mirror(picture: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    width = picture.shape[1]
    turned = boxes.copy()
    turned[:, 0], turned[:, 2] = width - boxes[:, 2], width - boxes[:, 0]
    return np.ascontiguousarray(picture[:, ::-1]), turned


def epi_example(rng: Rng, with_people: list[Sample], without: list[Sample]) -> Example:
    """Makes a region around a person, or a scene, with the labels of `data.EPI`."""
    empty = without[rng.integers(len(without))]
    sample = with_people[rng.integers(len(with_people))] if rng.random() < 0.87 else empty
    fill = empty.picture if rng.random() < 0.8 else None
    picture, boxes, labels, unsure = cut(rng, dye(rng, sample), sample, region(rng, sample), fill)
    picture = shake_colour(rng, picture, 90 if rng.random() < 0.35 else 12)
    if rng.random() < 0.12:
        picture = cv2.merge([cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)] * 3)
    if rng.random() < 0.1:
        picture = darken(rng, picture)
    return worse_camera(rng, picture, 0.25), boxes, labels, unsure


def narrowed(rng: Rng, example: Example, width: int, height: int) -> Example:
    """Cuts a part of this size from the example, or scales it down: half the cost for the same training."""
    picture, boxes, labels, unsure = example
    if rng.random() < 0.3:
        scale = np.array([width / WIDTH, height / HEIGHT] * 2, np.float32)
        return resized(picture, width, height), boxes * scale, labels, unsure * scale
    x, y = rng.integers(0, WIDTH - width + 1), rng.integers(0, HEIGHT - height + 1)
    if len(boxes) and rng.random() < 0.8:
        middle = boxes[rng.integers(len(boxes))].reshape(2, 2).mean(0) + rng.uniform(-0.3, 0.3, 2) * [width, height]
        x = int(np.clip(middle[0] - width / 2, 0, WIDTH - width))
        y = int(np.clip(middle[1] - height / 2, 0, HEIGHT - height))
    window = x, y, x + width, y + height
    cut_boxes, left = inside(boxes, window)
    small = (cut_boxes[:, 2:] - cut_boxes[:, :2]).min(1) < 5 if len(boxes) else np.zeros(0, bool)
    keep = (left > 0.4) & ~small
    others = np.concatenate([cut_boxes[(left > 0.02) & ~keep], inside(unsure, window)[0]])
    return picture[y : y + height, x : x + width], cut_boxes[keep], labels[keep], others
