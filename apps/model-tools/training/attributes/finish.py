"""Converts a checkpoint to the file of the product: figures on the held-out pictures, thresholds, and the ONNX file:
`python3 attributes/finish.py --data FOLDER --checkpoint /tmp/attributes/last.pt --write`."""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

import cv2
import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

from export import MODELS
from heldout import KINDS, Seen, inspect, pairs, table
from network import Attributes, Exported
from people import BARE, HARDHAT, HEIGHT, NO_VEST, VEST, WIDTH, read_all
from split import split_of

NAME = "epi-atributos-144"
SHARE_WRONG = {BARE: 0.015, NO_VEST: 0.03}
"""Largest share of the held-out worn items that is stated as missing at 0.5."""
LEAST_PX = {BARE: 16, NO_VEST: 24}
"""Minimum side of the labels that decide."""
WORN = {BARE: HARDHAT, NO_VEST: VEST}


def logit(p: float) -> float:
    return float(np.log(p / (1 - p)))


def threshold(seen: list[Seen], label: int) -> float:
    """The lowest score with at most the allowed share of wrong statements."""
    score, over, missing = pairs([s for s in seen if s.px >= LEAST_PX[label]], label)
    wrong = np.sort(np.where(over & ~missing, score, 0)[~missing])[::-1]
    allowed = int(SHARE_WRONG[label] * len(wrong))
    return float(np.clip(wrong[allowed] + 1e-4, 0.2, 0.9))


def halved(model: onnx.ModelProto) -> None:
    """Stores large kernels with 16 bits, in place."""
    casts = []
    for tensor in model.graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.dtype != np.float32 or value.size < 512:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(value.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    model.graph.ClearField("node")
    model.graph.node.extend(nodes)


def save(net: Attributes, shift: torch.Tensor, path: Path) -> str:
    """Returns the sha256 of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = Exported(net, shift).eval()
    example = torch.zeros(1, 3, HEIGHT, WIDTH)
    torch.onnx.export(
        whole, (example,), str(path), input_names=["input"], output_names=["output"], opset_version=13, **legacy()
    )
    model = onnx.load(str(path))
    halved(model)
    model.producer_version = ""
    onnx.checker.check_model(model)
    data = model.SerializeToString(deterministic=True)
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def legacy() -> dict[str, bool]:
    """Later versions of torch need another package for their new exporter."""
    return {} if torch.__version__.startswith("1.") else {"dynamo": False}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path("/tmp/attributes"))
    parser.add_argument("--write", action="store_true", help="write the file of the product")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = Attributes(args.seed)
    net.load_state_dict(torch.load(args.checkpoint, weights_only=True))
    training, held = split_of(*read_all(args.data), args.seed, args.out)
    sets = {kind: inspect(net, held, kind) for kind in KINDS}
    seen = [one for some in sets.values() for one in some]
    shift = torch.zeros(1, 5, 1)
    for label in (BARE, NO_VEST):
        at = threshold(seen, label)
        # Both sides of an item move together, so that the comparison of the two stays the same.
        shift[0, label] = shift[0, WORN[label]] = -logit(at)
        print(f"score that becomes 0.5, label {label}: {at:.3f}", flush=True)
    for kind, some in sets.items():
        for one in some:
            one.scores[:4] = shifted(one.scores[:4], shift[0, :4, 0].numpy())
        print(f"## {kind}\n" + "\n".join(table(some)), flush=True)
    print("sha256", save(net, shift, (MODELS / NAME if args.write else args.out) / f"{NAME}.onnx"))
    if args.write:
        names = {p.sample.name.rsplit(".", 1)[0] for p in training}
        (MODELS / NAME / "data.txt").write_text(data_list(args.data, names))


def shifted(p: np.ndarray, by: np.ndarray) -> np.ndarray:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return 1 / (1 + np.exp(-(np.log(p / (1 - p)) + by)))


def data_list(data: Path, names: set[str]) -> str:
    """Training pictures with their sha256. Only some parts of some mosaics were used."""
    lines = []
    for name in sorted(names):
        folder, stem = name.split("/", 1)
        [path] = [p for p in (data / folder / "images").glob(f"{stem}.*") if p.stem == stem]
        lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {folder}/images/{path.name}\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
