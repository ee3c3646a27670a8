"""Drawn pictures and objects that resemble fire or smoke and are neither."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from augment import HEIGHT, WIDTH, Rng

Picture = np.ndarray


def glow(height: int, width: int, x: float, y: float, radius: float) -> np.ndarray:
    """Returns the light of a lamp, float32 [height, width]: 1 at the lamp, falling with the square of the distance."""
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    return 1 / (1 + ((xs - x) ** 2 + (ys - y) ** 2) / max(radius, 1) ** 2)


def add_light(picture: Picture, light: np.ndarray, colour: np.ndarray) -> Picture:
    lit = 255 - (255 - picture.astype(np.float32)) * (1 - np.clip(light, 0, 1)[..., None] * colour / 255)
    return np.clip(lit, 0, 255).astype(np.uint8)


def clouds(rng: Rng, height: int, width: int, coarse: int = 3) -> np.ndarray:
    """Returns noise of several scales, float32 [height, width] in 0…1."""
    total = np.zeros((height, width), np.float32)
    for octave in range(5):
        size = coarse * 2**octave
        part = rng.random((size, max(2, size * width // height))).astype(np.float32)
        total += cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC) / 2**octave
    low, high = total.min(), total.max()
    return (total - low) / (high - low + 1e-6)


def warm(rng: Rng) -> np.ndarray:
    """Returns a colour of light from white to orange to red, BGR float."""
    hue, saturation = rng.integers(0, 28), rng.choice([10, 60, 130, 200, 240])
    return cv2.cvtColor(np.uint8([[[hue, saturation, 255]]]), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def gradient(rng: Rng, top: np.ndarray, bottom: np.ndarray) -> Picture:
    share = np.linspace(0, 1, HEIGHT, dtype=np.float32)[:, None, None] ** rng.uniform(0.5, 2)
    return np.broadcast_to(top * (1 - share) + bottom * share, (HEIGHT, WIDTH, 3)).astype(np.uint8).copy()


def skyline(rng: Rng, picture: Picture) -> Picture:
    """Draws dark ground, buildings or trees along the bottom."""
    level = int(rng.uniform(0.6, 0.92) * HEIGHT)
    colour = tuple(int(v) for v in rng.integers(0, 60, 3))
    x = 0
    while x < WIDTH:
        wide = int(rng.integers(10, 90))
        cv2.rectangle(picture, (x, level - int(rng.integers(0, 70))), (x + wide, HEIGHT), colour, -1)
        x += wide
    return picture


def sunset(rng: Rng) -> Picture:
    top = rng.uniform([60, 20, 20], [170, 90, 140]).astype(np.float32)
    bottom = rng.uniform([10, 80, 200], [120, 190, 255]).astype(np.float32)
    picture = gradient(rng, top, bottom)
    veil = clouds(rng, HEIGHT, WIDTH, 2)[..., None] * rng.uniform(0, 0.7)
    picture = (picture * (1 - veil) + warm(rng) * veil * rng.uniform(0.4, 1)).astype(np.uint8)
    x, y = rng.uniform(0, WIDTH), rng.uniform(0.3, 0.85) * HEIGHT
    if rng.random() < 0.8:
        picture = add_light(picture, glow(HEIGHT, WIDTH, x, y, rng.uniform(10, 90)), warm(rng))
        disc = tuple(int(v) for v in rng.uniform([120, 200, 240], [255, 255, 255]))
        cv2.circle(picture, (int(x), int(y)), int(rng.uniform(4, 34)), disc, -1, cv2.LINE_AA)
    return skyline(rng, picture) if rng.random() < 0.8 else picture


def cloudy(rng: Rng) -> Picture:
    """Draws sky, fog or steam without a border."""
    top, bottom = rng.uniform(60, 230, 3).astype(np.float32), rng.uniform(120, 250, 3).astype(np.float32)
    picture = gradient(rng, top, bottom)
    veil = clouds(rng, HEIGHT, WIDTH, int(rng.integers(2, 5)))[..., None] * rng.uniform(0.3, 1)
    picture = (picture * (1 - veil) + rng.uniform(150, 255) * veil).astype(np.uint8)
    return skyline(rng, picture) if rng.random() < 0.6 else picture


def wall(rng: Rng) -> Picture:
    """Draws a white, red or orange wall with uneven light, an overexposed window, perhaps bricks."""
    colour = warm(rng) * rng.uniform(0.4, 1)
    picture = gradient(rng, colour, colour * rng.uniform(0.4, 1.0))
    if rng.random() < 0.4:
        step = int(rng.integers(8, 30))
        for y in range(0, HEIGHT, step):
            cv2.line(picture, (0, y), (WIDTH, y), tuple(int(v) for v in colour * 0.6), 1)
    for _ in range(rng.integers(0, 3)):
        x, y = rng.integers(0, WIDTH), rng.integers(0, HEIGHT)
        right, bottom = x + int(rng.integers(15, 120)), y + int(rng.integers(15, 120))
        cv2.rectangle(picture, (x, y), (right, bottom), (255, 255, 255), -1)
    return cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 2))


def night(rng: Rng) -> Picture:
    picture = gradient(rng, rng.uniform(0, 40, 3).astype(np.float32), rng.uniform(5, 70, 3).astype(np.float32))
    return skyline(rng, picture)


def lamps(rng: Rng, picture: Picture) -> Picture:
    """Draws lamps with halos."""
    for _ in range(rng.integers(1, 5)):
        x, y, size = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.uniform(1.5, 9)
        colour = warm(rng)
        picture = add_light(picture, glow(HEIGHT, WIDTH, x, y, size * rng.uniform(1, 4)), colour)
        core = tuple(int(v) for v in np.clip(colour * 0.4 + 155, 0, 255))
        axes = (int(size * rng.uniform(0.7, 2)), int(size))
        cv2.ellipse(picture, (int(x), int(y)), axes, 0, 0, 360, core, -1, cv2.LINE_AA)
    return picture


def car_lights(rng: Rng, picture: Picture) -> Picture:
    """Draws pairs of red or white car lights."""
    for _ in range(rng.integers(1, 4)):
        x, y, apart = rng.uniform(20, WIDTH - 60), rng.uniform(0.3, 0.95) * HEIGHT, rng.uniform(8, 70)
        red = rng.random() < 0.6
        colour = np.array([20, 20, 255] if red else [230, 245, 255], np.float32)
        size = apart * rng.uniform(0.06, 0.16) + 1
        for side in (x, x + apart):
            picture = add_light(picture, glow(HEIGHT, WIDTH, side, y, size * rng.uniform(1.2, 3)), colour)
            core = (90, 110, 255) if red else (255, 255, 255)
            axes = (int(size * 1.3) + 1, int(size) + 1)
            cv2.ellipse(picture, (int(side), int(y)), axes, 0, 0, 360, core, -1, cv2.LINE_AA)
    return picture


def welding(rng: Rng, picture: Picture) -> Picture:
    """Draws a small core, white to blue, with streaks of sparks."""
    x, y, size = rng.uniform(30, WIDTH - 30), rng.uniform(30, HEIGHT - 30), rng.uniform(1.5, 6)
    blue = np.array([255, 235, 200], np.float32)
    picture = add_light(picture, glow(HEIGHT, WIDTH, x, y, size * rng.uniform(2, 6)), blue)
    for _ in range(rng.integers(8, 45)):
        angle, far = rng.uniform(0, 2 * np.pi), rng.exponential(size * 8) + size
        near = far * rng.uniform(0.2, 0.8)
        ends = [(int(x + np.cos(angle) * d), int(y + np.sin(angle) * d + d * d * 0.004)) for d in (near, far)]
        cv2.line(picture, *ends, tuple(int(v) for v in rng.uniform([80, 170, 220], [220, 240, 255])), 1, cv2.LINE_AA)
    cv2.circle(picture, (int(x), int(y)), int(size), (255, 255, 255), -1, cv2.LINE_AA)
    return picture


def cloth(rng: Rng, picture: Picture) -> Picture:
    """Draws red, orange or yellow patches with folds: shirts, cloths, signs, cones."""
    for _ in range(rng.integers(1, 4)):
        wide, high = int(rng.uniform(10, 110)), int(rng.uniform(14, 130))
        x, y = int(rng.uniform(0, WIDTH - wide)), int(rng.uniform(0, HEIGHT - high))
        hue = int(rng.choice([0, 3, 7, 10, 14, 20, 26, 176]))
        hsv = np.uint8([[[hue, rng.integers(150, 256), rng.integers(120, 256)]]])
        colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
        folds = (0.55 + 0.45 * clouds(rng, high, wide, 2))[..., None]
        corners = rng.uniform(0, 0.25, (4, 2)) * [wide, high]
        inwards = [[1, 1], [-1, 1], [-1, -1], [1, -1]]
        outline = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) + corners * inwards
        mask = np.zeros((high, wide), np.float32)
        cv2.fillPoly(mask, [outline.astype(np.int32)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None]
        part = picture[y : y + high, x : x + wide]
        picture[y : y + high, x : x + wide] = (part * (1 - mask) + colour * folds * mask).astype(np.uint8)
    return picture


def haze(rng: Rng, picture: Picture) -> Picture:
    """Draws fog or a dirty lens over the whole picture."""
    veil = rng.uniform(0.25, 0.7) + 0.25 * (clouds(rng, HEIGHT, WIDTH, 2)[..., None] - 0.5)
    return np.clip(picture * (1 - veil) + rng.uniform(150, 245) * veil, 0, 255).astype(np.uint8)


def window_light(rng: Rng, picture: Picture) -> Picture:
    """Draws an overexposed window or screen with light around it."""
    wide, high = int(rng.uniform(20, 160)), int(rng.uniform(20, 160))
    x, y = int(rng.uniform(-20, WIDTH - 20)), int(rng.uniform(-20, HEIGHT - 20))
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.rectangle(mask, (x, y), (x + wide, y + high), 1.0, -1)
    colour = warm(rng) if rng.random() < 0.4 else np.array([255, 250, 245], np.float32)
    light = np.maximum(mask, cv2.GaussianBlur(mask, (0, 0), rng.uniform(5, 25)) * 0.8)
    return add_light(picture, light, colour)


SCENES: dict[str, Callable[[Rng], Picture]] = {"sunset": sunset, "clouds": cloudy, "wall": wall, "night": night}
THINGS: dict[str, Callable[[Rng, Picture], Picture]] = {
    "lamps": lamps,
    "car_lights": car_lights,
    "welding": welding,
    "cloth": cloth,
    "haze": haze,
    "window": window_light,
}
