"""Trains the network for heads and torsos: `python3 attributes/train.py --data FOLDER`, where FOLDER holds the sets."""

from __future__ import annotations

import argparse
import copy
import math
import os
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

import cv2
import numpy as np
import torch

from data import to_input
from network import Attributes, cells, loss, targets
from people import read_all
from regions import Source
from split import split_of

POOL = 1024
"""Number of drawn regions that are used again."""


class Batches:
    """Half of each batch is drawn, the other half was drawn before: drawing costs as much as learning."""

    def __init__(self, source: Source, rng: np.random.Generator, size: int, centres: np.ndarray) -> None:
        self.source, self.rng, self.size, self.centres = source, rng, size, centres
        self.pool: list[tuple] = []

    def next(self):
        count = self.size if len(self.pool) < POOL else self.size // 2
        reused = self.rng.integers(len(self.pool), size=self.size - count) if count < self.size else []
        old = [self.pool[i] for i in reused]
        regions = [self.source.draw(self.rng) for _ in range(count)]
        new = [(region.picture, *targets(region, self.centres)) for region in regions]
        self.pool = [*self.pool, *new][-POOL:]
        pictures, *truth = zip(*new, *old)
        return to_input(list(pictures)), [torch.from_numpy(np.stack(part)) for part in truth]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("/tmp/attributes"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--minutes", type=float, default=math.inf, help="ends earlier, with the same schedule of rates")
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    training, held = split_of(*read_all(args.data), args.seed, args.out)
    source = Source(training)
    kinds = {k: len(v) for k, v in source.kinds.items()}
    print(len(training), "for training", len(held), "held out", kinds, flush=True)
    rng = np.random.default_rng(args.seed)
    net, centres = Attributes(args.seed), cells()
    spots = torch.from_numpy(centres)
    new = [p for name, p in net.named_parameters() if not name.startswith(("kernels", "biases"))]
    old = [p for k, b in zip(list(net.kernels)[5:], list(net.biases)[5:]) for p in (k, b)]
    optimizer = torch.optim.AdamW([{"params": new, "lr": 2e-3}, {"params": old, "lr": 7e-4}], weight_decay=0.02)
    mean = copy.deepcopy(net)
    batches = Batches(source, rng, args.batch, centres)
    rates = [group["lr"] for group in optimizer.param_groups]
    begun, sums, step, done = time.time(), [], 0, 0.0
    while done < 1:
        done = max(step / args.steps, (time.time() - begun) / 60 / args.minutes)
        share = min((step + 1) / 100, 0.02 + 0.98 * (1 + math.cos(math.pi * min(1, done))) / 2)
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = share * rate
        step += 1
        x, truth = batches.next()
        # 16 bits are three times as fast on processors with AMX, and do not change the figures.
        with torch.autocast("cpu", torch.bfloat16):
            logits, sides = net(x)
        total = loss(logits, sides, *truth, spots)
        optimizer.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimizer.step()
        sums.append(total.item())
        decay = min(0.998, step / (step + 20))
        with torch.no_grad():
            for a, b in zip(mean.parameters(), net.parameters()):
                a.mul_(decay).add_(b, alpha=1 - decay)
        if step % 100 == 0 or done >= 1:
            print(f"step {step}/{args.steps} {time.time() - begun:.0f} s: loss {np.mean(sums):.4f}", flush=True)
            sums = []
            torch.save(mean.state_dict(), args.out / "last.tmp")
            os.replace(args.out / "last.tmp", args.out / "last.pt")


if __name__ == "__main__":
    main()
