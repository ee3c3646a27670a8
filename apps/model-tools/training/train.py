"""Trains `epi` from NanoDet-g: `python3 train.py --data FOLDER`, where FOLDER holds ppe-train. `cross.py` trains
`fogo`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch

from augment import Example, epi_example
from data import EPI, read_ppe, split
from export import load
from fit import Schedule, fit
from graph import NanoDet
from heldout import epi_truth, report


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
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
    data: Path, seed: int, out: Path
) -> tuple[Callable[[np.random.Generator], Example], list[Example], dict[str, list[Example]]]:
    """A source of training examples, the held-out ones that select the epoch, and further held-out sets by name."""
    ppe, ppe_held = split(read_ppe(data / "ppe-train"), load(80, seed), seed, out / f"split-{seed}.json")
    print(f"ppe parts: {len(ppe)} for training, {len(ppe_held)} held out", flush=True)
    people = [s for s in ppe if len(s.boxes)]
    people += [s for s in people if (s.labels == 1).any()]
    empty = [s for s in ppe if not len(s.boxes) and not len(s.people)]
    sets = epi_truth(ppe_held, seed)
    return lambda rng: epi_example(rng, people, empty), sets["people"], sets


def main() -> None:
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    make, truth, _ = source(args.data, args.seed, args.out)
    net = load(len(EPI), args.seed)
    if args.start:
        net.load_state_dict(torch.load(args.start)["net"])
    truth = [truth[i] for i in np.random.default_rng(args.seed).permutation(len(truth))[: args.judged]]
    best = -1.0

    def each(mean: NanoDet, step: int, line: str) -> None:
        nonlocal best
        score, lines = report(mean, truth, EPI)
        print(f"{line}; mean AP50 {score:.3f}", flush=True)
        print("\n".join("  " + row for row in lines), flush=True)
        state = {"net": {k: v.contiguous() for k, v in mean.state_dict().items()}, "step": step, "score": score}
        torch.save(state, args.out / "epi-last.pt")
        if score > best:
            best = score
            torch.save(state, args.out / "epi-best.pt")

    pictures = int(args.epochs * args.per_epoch)
    plan = Schedule(pictures, args.batch, args.per_epoch, args.rate, tuple(args.size))
    fit(net, lambda r: (make(r), ()), rng, plan, each)


if __name__ == "__main__":
    main()
