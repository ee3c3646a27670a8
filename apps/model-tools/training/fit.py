"""The training loop of both detectors."""

from __future__ import annotations

import contextlib
import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from augment import Example, narrowed
from data import to_input
from graph import NanoDet
from loss import Target, grid, loss
from measure import padded

RATES = ((28, 6e-4), (11, 2.5e-4), (0, 1e-4))
"""Learning rates from the given convolution on: heads, middle and upper trunk, lower trunk."""
SIXTEEN_BITS = int(torch.__version__.split(".")[0]) >= 2
"""bfloat16 with pixels in rows: a step costs a sixth of Debian's torch 1.13 on a processor with AMX, which has no such
kernels."""
Make = Callable[[np.random.Generator], tuple[Example, tuple[bool, ...]]]
"""Makes a training picture, and which classes it states completely (empty: all)."""


@dataclass
class Schedule:
    pictures: int
    batch: int = 12
    per_epoch: int = 1000
    rate: float = 1.0
    size: tuple[int, int] = (288, 216)


def target(example: Example, known: tuple[bool, ...]) -> Target:
    _, boxes, labels, unsure = example
    mask = torch.tensor(known).float() if known else None
    return Target(torch.from_numpy(boxes).float(), torch.from_numpy(labels), torch.from_numpy(unsure).float(), mask)


def optimizer_of(net: NanoDet, rate: float) -> torch.optim.AdamW:
    groups = []
    for k in range(5, len(net.kernels)):
        own = next(r for first, r in RATES if k >= first) * rate
        groups += [{"params": [net.kernels[k]], "lr": own, "weight_decay": 0.02}]
        groups += [{"params": [net.biases[k]], "lr": own, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups)


def follow(mean: NanoDet, net: NanoDet, decay: float) -> None:
    """Updates the moving average of the weights in place."""
    with torch.no_grad():
        for a, b in zip(mean.parameters(), net.parameters()):
            a.mul_(decay).add_(b, alpha=1 - decay)


def fit(
    net: NanoDet, make: Make, rng: np.random.Generator, plan: Schedule, each: Callable[[NanoDet, int, str], None]
) -> NanoDet:
    """Trains `net` in place and returns the moving average of its weights. Calls `each` with that average, the step and
    a line about the losses after every epoch."""
    net.frozen_stages = 1
    if SIXTEEN_BITS:
        net = net.to(memory_format=torch.channels_last)
    optimizer = optimizer_of(net, plan.rate)
    steps = plan.pictures // plan.batch
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / 40, 0.03 + 0.97 * (1 + math.cos(math.pi * min(s, steps) / steps)) / 2)
    )
    mean = copy.deepcopy(net)
    width, height = plan.size
    rows = -(-height // 32) * 32
    cells = grid(width, rows)
    begun, sums = time.time(), []
    every = max(1, plan.per_epoch // plan.batch)
    for step in range(1, steps + 1):
        made = [make(rng) for _ in range(plan.batch)]
        examples = [narrowed(rng, example, width, height) for example, _ in made]
        pictures = to_input([padded(e[0], rows) for e in examples])
        if SIXTEEN_BITS:
            pictures = pictures.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16) if SIXTEEN_BITS else contextlib.nullcontext():
            outputs = net(pictures)
        total, parts = loss(
            [(c.float(), d.float()) for c, d in outputs], [target(e, m[1]) for e, m in zip(examples, made)], cells
        )
        optimizer.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], 10)
        optimizer.step()
        schedule.step()
        sums.append(list(parts.values()))
        follow(mean, net, min(0.997, step / (step + 20)))
        if step % every == 0 or step == steps:
            shown = " ".join(f"{k} {v:.3f}" for k, v in zip(parts, np.mean(sums, 0)))
            each(mean, step, f"step {step}/{steps} {time.time() - begun:.0f} s: {shown}")
            sums = []
    return mean
