"""Converts a checkpoint of `epi` to the file of the product. It measures on the held-out pictures, calibrates the
scores for a threshold of 0.5, and writes the ONNX file.

`python3 finish.py --data FOLDER --checkpoint /tmp/train/epi-best.pt --write`"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from augment import Example
from data import EPI
from export import MODELS, from_checkpoint, save
from graph import NanoDet
from measure import Found, detect, judged, table
from train import source

PRECISION = {"no_hardhat": 0.88, "hardhat": 0.8, "vest": 0.8, "no_vest": 0.8}
"""Required precision at a score of 0.5 on the held-out pictures; among higher scores the best F1 decides."""
LARGEST_SHIFT = 1.5


def logit(p: float) -> float:
    return float(np.log(p / (1 - p)))


def highest(found: list[Found], label: int) -> np.ndarray:
    """Returns the highest score of a class in each picture [n]."""
    return np.array([one.scores[one.labels == label].max(initial=0) for one in found])


def threshold_by_boxes(found: list[Found], truth: list[Example], label: int, precision: float) -> float:
    """Returns the score with the best F1 among those of at least this precision."""
    scores, right, total = judged(found, truth, label, 0.4)
    best, at = -1.0, 0.5
    for threshold in np.arange(0.15, 0.85, 0.01):
        over = scores >= threshold
        hits = int((right & over).sum())
        if over.sum() < 5 or hits / over.sum() < precision:
            continue
        f1 = 2 * hits / (int(over.sum()) + total)
        if f1 > best + 1e-9:
            best, at = f1, float(threshold)
    return at


def shift(net: NanoDet, thresholds: list[float]) -> None:
    """Shifts the class logits in place, so that each threshold becomes 0.5."""
    with torch.no_grad():
        for last in (29, 31, 33):
            for label, threshold in enumerate(thresholds):
                net.biases[last][label] -= float(np.clip(logit(threshold), -LARGEST_SHIFT, LARGEST_SHIFT))


def calibrate(net: NanoDet, sets: dict[str, list[Example]]) -> list[float]:
    # All of them: bare heads are few, and a threshold based on ten detections is meaningless.
    truth = [example for examples in sets.values() for example in examples]
    found = detect(net, [e[0] for e in truth])
    return [threshold_by_boxes(found, truth, k, PRECISION[name]) for k, name in enumerate(EPI)]


def figures(net: NanoDet, sets: dict[str, list[Example]], names: tuple[str, ...]) -> list[str]:
    lines = []
    for name, truth in sets.items():
        found = detect(net, [e[0] for e in truth])
        lines.append(f"## {name}: {len(truth)} pictures")
        if any(len(e[1]) for e in truth):
            lines += table(found, truth, names, 0.4)
        for label, what in enumerate(names):
            best = highest(found, label)
            cells = "  ".join(f"{t}: {(best >= t).mean():.3f}" for t in (0.3, 0.4, 0.5, 0.6, 0.7))
            lines.append(f"pictures with {what:10} {cells}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path("/tmp/train"))
    parser.add_argument("--write", action="store_true", help="write the file of the product")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    _, _, sets = source(args.data, args.seed, args.out)
    net = from_checkpoint(args.checkpoint)
    thresholds = calibrate(net, sets)
    print("score that becomes 0.5:", dict(zip(EPI, np.round(thresholds, 2))), flush=True)
    shift(net, thresholds)
    name = "epi-nanodet-g-416"
    path = (MODELS / name if args.write else args.out) / f"{name}.onnx"
    print("sha256", save(net, path), path, flush=True)
    print("\n".join(figures(net, sets, EPI)))


if __name__ == "__main__":
    main()
