"""Trains `epi` or `fogo` from NanoDet-g: `python3 train.py epi --data FOLDER`, where FOLDER holds ppe-train and fire-train."""

from __future__ import annotations

import argparse
import copy
import math
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch

from augment import Example, epi_example, narrowed
from data import EPI, FOGO, Sample, read_fire, read_ppe, split, to_input
from export import load
from fire import flames, fogo_example
from graph import NanoDet
from heldout import epi_truth, fogo_truth, report
from loss import Target, grid, loss
from measure import padded

RATES = ((28, 6e-4), (11, 2.5e-4), (0, 1e-4))
"""Learning rates from the given convolution on: heads, middle and upper trunk, lower trunk."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=["epi", "fogo"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("/tmp/train"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--epochs", type=float, default=12)
    parser.add_argument("--per-epoch", type=int, default=1000, help="pictures of an epoch")
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--start", type=Path, help="checkpoint to go on from")
    parser.add_argument("--size", type=int, nargs=2, default=(288, 216), help="of the training pictures")
    parser.add_argument("--judged", type=int, default=150, help="held-out pictures that choose the epoch")
    parser.add_argument("--rate", type=float, default=1.0, help="factor of the learning rates")
    return parser.parse_args()


def source(
    model: str, data: Path, seed: int, out: Path
) -> tuple[Callable[[np.random.Generator], Example], list[Example], dict[str, list[Example]]]:
    """A source of training examples, the held-out ones that select the epoch, and further held-out sets by name."""
    ppe, ppe_held = split(read_ppe(data / "ppe-train"), load(80, seed), seed, out / f"split-{seed}.json")
    print(f"ppe parts: {len(ppe)} for training, {len(ppe_held)} held out", flush=True)
    if model == "epi":
        people = [s for s in ppe if len(s.boxes)]
        bare = [s for s in people if (s.labels == 1).any()]
        people += bare
        empty = [s for s in ppe if not len(s.boxes) and not len(s.people)]
        sets = epi_truth(ppe_held, seed)
        return lambda rng: epi_example(rng, people, empty), sets["people"], sets
    fire, fire_held = read_fire(data / "fire-train" / "train"), read_fire(data / "fire-train" / "valid")
    stock = flames(fire)
    print(f"fire pictures: {len(fire)} and {len(stock)} flames, {len(fire_held)} held out", flush=True)
    sets = fogo_truth(fire_held, ppe_held, seed)
    return lambda rng: fogo_example(rng, fire, stock, ppe), sets["fire"] + sets["photographs"] + sets["small scenes"], sets


def target(example: Example) -> Target:
    _, boxes, labels, unsure = example
    return Target(torch.from_numpy(boxes).float(), torch.from_numpy(labels), torch.from_numpy(unsure).float())


def main() -> None:
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    names = EPI if args.model == "epi" else FOGO
    args.out.mkdir(parents=True, exist_ok=True)
    make, truth, _ = source(args.model, args.data, args.seed, args.out)
    net = load(len(names), args.seed)
    if args.start:
        net.load_state_dict(torch.load(args.start)["net"])
    net.frozen_stages = 1
    groups = []
    for k in range(5, len(net.kernels)):
        rate = next(r for first, r in RATES if k >= first) * args.rate
        groups += [{"params": [net.kernels[k]], "lr": rate, "weight_decay": 0.02}]
        groups += [{"params": [net.biases[k]], "lr": rate, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups)
    steps = int(args.epochs * args.per_epoch / args.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / 40, 0.03 + 0.97 * (1 + math.cos(math.pi * s / steps)) / 2)
    )
    mean = copy.deepcopy(net)
    width, height = args.size
    rows = -(-height // 32) * 32
    cells = grid(width, rows)
    truth = [truth[i] for i in np.random.default_rng(args.seed).permutation(len(truth))[: args.judged]]
    best, begun, sums = -1.0, time.time(), []
    every = max(1, args.per_epoch // args.batch)
    for step in range(1, steps + 1):
        examples = [narrowed(rng, make(rng), width, height) for _ in range(args.batch)]
        outputs = net(to_input([padded(e[0], rows) for e in examples]))
        total, parts = loss(outputs, [target(e) for e in examples], cells)
        optimizer.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_([p for g in groups for p in g["params"]], 10)
        optimizer.step()
        schedule.step()
        sums.append(list(parts.values()))
        follow(mean, net, min(0.997, step / (step + 20)))
        if step % every == 0 or step == steps:
            shown = " ".join(f"{k} {v:.3f}" for k, v in zip(parts, np.mean(sums, 0)))
            score, lines = report(mean, truth, names)
            print(f"epoch {step / every:.0f} step {step}/{steps} {time.time() - begun:.0f} s: {shown}; mean AP50 {score:.3f}", flush=True)
            print("\n".join("  " + line for line in lines), flush=True)
            sums = []
            torch.save({"net": mean.state_dict(), "step": step, "score": score}, args.out / f"{args.model}-last.pt")
            if score > best:
                best = score
                torch.save({"net": mean.state_dict(), "step": step, "score": score}, args.out / f"{args.model}-best.pt")


def follow(mean: NanoDet, net: NanoDet, decay: float) -> None:
    """Updates the moving average of the weights in place."""
    with torch.no_grad():
        for a, b in zip(mean.parameters(), net.parameters()):
            a.mul_(decay).add_(b, alpha=1 - decay)


if __name__ == "__main__":
    main()
