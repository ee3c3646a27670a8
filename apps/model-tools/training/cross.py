"""Trains `fogo` by cross-validation over the training folders, chooses its thresholds on the held-out folds, and writes
the ONNX file: `python3 cross.py --data FOLDER --publish all --write`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import torch

from augment import HEIGHT, WIDTH, resized
from data import FOGO, Sample
from curves import FALSE_PICTURES, split, table, threshold
from export import BASE, MODELS, from_checkpoint, load
from export import save as save_onnx
from finish import shift
from fire import fogo_example, stock_of
from fire_data import FOLDS, folds, read_all
from fit import Schedule, fit
from graph import NanoDet
from measure import detect

LEAST = 0.02
"""Lowest score that is kept: the curves begin there."""
DEFAULTS = {"fire": 0.5, "smoke": 0.6}
"""Default `conf` of the IA of each class (packages/ias)."""


def train(net: NanoDet, samples: list[Sample], out: Path, seed: int, pictures: int) -> NanoDet:
    stock = stock_of(samples)
    print(f"{out.name}: {len(samples)} pictures, {len(stock.flames)} flames to paste", flush=True)
    rng = np.random.default_rng(seed)

    def each(_: NanoDet, _step: int, line: str) -> None:
        print(f"  {line}", flush=True)

    mean = fit(net, lambda r: fogo_example(r, stock), rng, Schedule(pictures, rate=1.5), each)
    torch.save({"net": {k: v.contiguous() for k, v in mean.state_dict().items()}}, out)
    return from_checkpoint(out)


def scores(net: NanoDet, samples: list[Sample]) -> list[dict]:
    """Returns the findings of the network in a picture, squeezed to the input as in the product. They are the highest
    score of a class anywhere, and on a labelled box of the class (either contains the centre of the other)."""
    net.to(memory_format=torch.channels_last)
    rows = []
    for start in range(0, len(samples), 16):
        batch = samples[start : start + 16]
        found = detect(net, [resized(s.picture, WIDTH, HEIGHT) for s in batch], LEAST)
        for sample, one in zip(batch, found):
            shape = [WIDTH / sample.picture.shape[1], HEIGHT / sample.picture.shape[0]] * 2
            row: dict = {"source": sample.source, "name": sample.name, "known": list(sample.known)}
            for label, name in enumerate(FOGO):
                mine = one.labels == label
                true = sample.boxes[sample.labels == label] * shape
                on = [float(s) for b, s in zip(one.boxes[mine], one.scores[mine]) if any(meets(b, t) for t in true)]
                row[name] = {
                    "true": len(true),
                    "highest": float(one.scores[mine].max(initial=0)),
                    "on": max(on, default=0.0),
                }
            rows.append(row)
    return rows


def meets(a: np.ndarray, b: np.ndarray) -> bool:
    def holds(box: np.ndarray, of: np.ndarray) -> bool:
        x, y = (of[0] + of[2]) / 2, (of[1] + of[3]) / 2
        return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])

    return holds(a, b) or holds(b, a)


def opened(args: argparse.Namespace) -> tuple[list[Sample], np.ndarray]:
    """Returns the training pictures with the fold of each."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    samples = read_all(args.data)
    return samples, folds(samples, load(80, args.seed), args.out / "folds.json")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("/tmp/train"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pictures", type=int, default=10_000, help="of each training")
    steps = ["0", "1", "2", "3", "4", "all"]
    parser.add_argument("--steps", nargs="+", default=steps, help="folds to hold out, or all")
    parser.add_argument("--start", type=Path, default=BASE, help="ONNX file with the starting weights")
    parser.add_argument("--publish", help="the step whose weights become the ONNX file")
    parser.add_argument("--write", action="store_true", help="write the file of the product")
    args = parser.parse_args()
    samples, fold = opened(args)
    for name in sorted({s.source for s in samples}):
        counts = np.bincount(fold[[s.source == name for s in samples]], minlength=FOLDS)
        print(f"{name:28} {counts.tolist()}", flush=True)
    for step in args.steps:
        torch.manual_seed(args.seed)
        held = fold == int(step) if step != "all" else np.zeros(len(samples), bool)
        net, kept = load(len(FOGO), args.seed, args.start), [s for s, out in zip(samples, held) if not out]
        out = [s for s, out in zip(samples, held) if out]
        if held.any() and args.start != BASE:
            keep(args.out / f"start-{step}.json", scores(net, out))
        net = train(net, kept, args.out / f"fogo-{step}.pt", args.seed, args.pictures)
        if held.any():
            keep(args.out / f"fold-{step}.json", scores(net, out))
    if args.publish:
        publish(args.out, args.publish, args.write)


def publish(out: Path, step: str, write: bool) -> None:
    """Writes the weights of a step as ONNX, with the thresholds of all held-out folds moved to the defaults."""
    rows = [row for path in sorted(out.glob("fold-*.json")) for row in json.loads(path.read_text())]
    thresholds = [threshold(split(rows, name)[1], FALSE_PICTURES[name]) for name in FOGO]
    print("\n".join(table(rows)))
    net = from_checkpoint(out / f"fogo-{step}.pt")
    shift(net, [moved(at, DEFAULTS[name]) for name, at in zip(FOGO, thresholds)])
    name = "fogo-nanodet-g-416"
    path = (MODELS / name if write else out) / f"{name}.onnx"
    defaults = dict(zip(FOGO, np.round(thresholds, 3)))
    print("scores that become the defaults:", defaults, "sha256", save_onnx(net, path), path)


def moved(threshold: float, default: float) -> float:
    """Returns the score whose move to 0.5 moves the threshold to the default."""
    odds = threshold / (1 - threshold) * (1 - default) / default
    return odds / (1 + odds)


def keep(path: Path, rows: list[dict]) -> None:
    path.write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
