"""Trains the model of the second opinion, a small head on the frozen MobileNetV2 trunk of the product's SSDLite:
`python3 second_look.py epi --data FOLDER`."""

from __future__ import annotations

import argparse
import hashlib
import subprocess
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from augment import HEIGHT, WIDTH, Example, Rng, resized
from data import EPI, FOGO
from export import MODELS
from measure import average_precision
from train import source

TRUNK = MODELS / "ssdlite-mobilenetv2-300.onnx"
MAPS = {"19": ["v403"], "10": ["v545"], "both": ["v403", "v545"]}
"""Feature maps of the trunk: 19 x 19 cells of 576 channels (expansion of block 13), 10 x 10 cells of 1280 (last)."""
SIDE = 300
FACTOR, LEAST = 2, 64
"""Region that the product cuts around the box of an alarm (`packages/vision/src/second-detector.ts`)."""
UNKNOWN = -1.0
CONFIRM, MISSED = 0.1, 0.05
"""CONFIRM: probability from which the product confirms fire and smoke (`packages/ias/src/fire-judge.ts`). The logits are
shifted so that the share MISSED of the held-out regions with fire (photographed or pasted) or smoke (photographed) is
below CONFIRM."""
RUN = """
import { readFileSync, writeFileSync } from 'node:fs'
import ort from 'onnxruntime-node'
const [model, from, to] = process.argv.slice(1)
const size = 300 * 300 * 3
const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 })
const pictures = readFileSync(from)
const rows = []
for (let at = 0; at < pictures.length; at += size) {
  const image = new ort.Tensor('uint8', pictures.subarray(at, at + size), [1, 300, 300, 3])
  const { features } = await session.run({ image })
  rows.push(Buffer.from(new Float32Array(features.data).buffer))
}
writeFileSync(to, Buffer.concat(rows))
"""
"""Converts raw pictures, uint8 [n, 300, 300, 3], to trunk features, raw float32 [n, width], on the product's onnxruntime."""


def trunk(maps: list[str]) -> onnx.ModelProto:
    """Builds the graph from uint8 `image` [1, 300, 300, 3] RGB to `features` [1, 2 x channels]: mean and maximum of
    each channel of the maps."""
    model = onnx.load(str(TRUNK))
    graph = model.graph
    needed = set(maps)
    nodes = []
    for node in reversed(graph.node):
        if needed & set(node.output):
            nodes.insert(0, node)
            needed |= set(node.input)
    # The maps are NHWC.
    for i, name in enumerate(maps):
        nodes.append(helper.make_node("ReduceMean", [name], [f"mean{i}"], axes=[1, 2], keepdims=0))
        nodes.append(helper.make_node("ReduceMax", [name], [f"max{i}"], axes=[1, 2], keepdims=0))
    pooled = [f"{kind}{i}" for i in range(len(maps)) for kind in ("mean", "max")]
    nodes.append(helper.make_node("Concat", pooled, ["features"], axis=1))
    kept = [tensor for tensor in graph.initializer if tensor.name in needed]
    output = helper.make_tensor_value_info("features", TensorProto.FLOAT, None)
    small = helper.make_graph(nodes, "second-look", list(graph.input), [output], kept)
    return helper.make_model(small, opset_imports=model.opset_import, ir_version=model.ir_version)


def square(rng: Rng | None, box: np.ndarray) -> tuple[int, int, int, int]:
    """Returns the square around a box, moved into the picture; with `rng`, around a randomly changed box."""
    x, y = (box[:2] + box[2:]) / 2
    longer = float(max(box[2] - box[0], box[3] - box[1]))
    if rng is not None:
        x, y = x + rng.normal(0, 0.12) * longer, y + rng.normal(0, 0.12) * longer
        longer *= np.exp(rng.normal(0, 0.2))
    side = max(longer * FACTOR, LEAST)
    wide, high = int(min(side, WIDTH)), int(min(side, HEIGHT))
    left, top = int(np.clip(x - wide / 2, 0, WIDTH - wide)), int(np.clip(y - high / 2, 0, HEIGHT - high))
    return left, top, left + wide, top + high


def epi_place(rng: Rng, example: Example, jitter: bool) -> tuple[tuple[int, int, int, int], np.ndarray]:
    """Makes a region and its labels; the items on the other half of the body are unknown."""
    _, boxes, labels, _ = example
    wanted = np.zeros(len(EPI), np.float32)
    if not len(boxes) or (jitter and rng.random() < 0.12):
        return empty_place(rng, example, wanted)
    k = rng.integers(len(boxes))
    half = labels[k] // 2
    wanted[:] = UNKNOWN
    wanted[2 * half : 2 * half + 2] = 0
    wanted[labels[k]] = 1
    return square(rng if jitter else None, boxes[k]), wanted


def empty_place(rng: Rng, example: Example, wanted: np.ndarray) -> tuple[tuple[int, int, int, int], np.ndarray]:
    """Makes a random region; labels within a tenth of its middle become unknown."""
    _, boxes, labels, unsure = example
    size = np.exp(rng.uniform(np.log(24), np.log(200)))
    middle = rng.uniform([0, 0], [WIDTH, HEIGHT])
    window = square(None, np.concatenate([middle - size / 2, middle + size / 2]))
    x1, y1, x2, y2 = window
    for box, label in zip(np.concatenate([boxes, unsure]), [*labels, *[UNKNOWN] * len(unsure)]):
        if box[0] < x2 and box[2] > x1 and box[1] < y2 and box[3] > y1:
            if label == UNKNOWN:
                wanted[:] = UNKNOWN
            else:
                wanted[int(label)] = UNKNOWN
    return window, wanted


def fogo_place(rng: Rng, example: Example, jitter: bool) -> tuple[tuple[int, int, int, int], np.ndarray]:
    """Makes a region and its labels. Fire or smoke is present if most of its box is inside, unknown if only a part is
    or the box is tiny."""
    _, boxes, labels, unsure = example
    if not len(boxes) or (jitter and rng.random() < 0.12):
        return empty_place(rng, example, np.zeros(len(FOGO), np.float32))
    k = rng.integers(len(boxes))
    window = square(rng if jitter else None, boxes[k])
    wanted = np.zeros(len(FOGO), np.float32)
    for box, label in zip(boxes, labels):
        cut = np.clip(box, [window[0], window[1]] * 2, [window[2], window[3]] * 2)
        left = (cut[2:] - cut[:2]).prod() / max((box[2:] - box[:2]).prod(), 1e-6)
        share = (cut[2:] - cut[:2]).max() / (window[2] - window[0])
        if left > 0.5 and share > 0.2:
            wanted[label] = 1
        elif left > 0.02 and wanted[label] == 0:
            wanted[label] = UNKNOWN
    wanted[labels[k]] = 1
    return window, wanted


def looks(model: str, rng: Rng, examples: list[Example], jitter: bool) -> tuple[np.ndarray, np.ndarray]:
    """Returns uint8 RGB [n, 300, 300, 3] and the labels of each [n, classes]: 1, 0 or UNKNOWN."""
    place = epi_place if model == "epi" else fogo_place
    pictures, wanted = [], []
    for example in examples:
        (x1, y1, x2, y2), truth = place(rng, example, jitter)
        pictures.append(cv2.cvtColor(resized(example[0][y1:y2, x1:x2], SIDE, SIDE), cv2.COLOR_BGR2RGB))
        wanted.append(truth)
    return np.stack(pictures), np.stack(wanted)


def features(network: onnx.ModelProto, pictures: np.ndarray, folder: Path) -> torch.Tensor:
    """Returns features [n, width] from onnxruntime-node, which the product uses too."""
    path, before, after = folder / "trunk.onnx", folder / "pictures.bin", folder / "features.bin"
    path.write_bytes(network.SerializeToString())
    pictures.tofile(before)
    command = ["node", "--input-type=module", "-e", RUN, str(path), str(before), str(after)]
    subprocess.run(command, check=True, cwd=Path(__file__).parent)
    return torch.from_numpy(np.fromfile(after, np.float32).reshape(len(pictures), -1))


def fit(x: torch.Tensor, y: torch.Tensor, hidden: int, seed: int) -> tuple[nn.Sequential, torch.Tensor, torch.Tensor]:
    """Trains the head on features with mean 0 and deviation 1; also returns that mean and deviation [width]."""
    torch.manual_seed(seed)
    mean, spread = x.mean(0), x.std(0) + 1e-3
    z = (x - mean) / spread
    head = nn.Sequential(nn.Dropout(0.4), nn.Linear(x.shape[1], hidden), nn.ReLU(), nn.Dropout(0.3), nn.Linear(hidden, y.shape[1]))
    optimizer = torch.optim.AdamW(head.parameters(), lr=1e-3, weight_decay=0.05)
    epochs, batch = 25, 128
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.5e-3, epochs * -(-len(z) // batch))
    for _ in range(epochs):
        for rows in torch.randperm(len(z)).split(batch):
            wanted = y[rows]
            known = (wanted != UNKNOWN).float()
            soft = wanted.clamp(0.02, 0.98)
            entropy = F.binary_cross_entropy_with_logits(head(z[rows]), soft, reduction="none")
            loss = (entropy * known).sum() / known.sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return head.eval(), mean, spread


def to_confirm(head: nn.Sequential, z: torch.Tensor, y: np.ndarray, which: np.ndarray) -> None:
    """Shifts the logits in place, so that the share MISSED of the regions with a class is below CONFIRM."""
    with torch.no_grad():
        logits = head(z).numpy()
        for k, sets in enumerate((("fire", "pasted fire"), ("fire",))):
            low = float(np.quantile(logits[(y[:, k] == 1) & np.isin(which, sets), k], MISSED))
            head[4].bias[k] += float(np.log(CONFIRM / (1 - CONFIRM))) - low


def figures(p: np.ndarray, y: np.ndarray, names: tuple[str, ...]) -> list[str]:
    """Returns the area under the ROC curve and precision/recall of each class at thresholds."""
    lines = []
    for k, name in enumerate(names):
        known = y[:, k] != UNKNOWN
        score, true = p[known, k], y[known, k] == 1
        area = (score[true][:, None] > score[~true][None]).mean() if true.any() and (~true).any() else float("nan")
        cells = []
        for threshold in (0.05, 0.1, 0.15, 0.3, 0.5, 0.6):
            over = score >= threshold
            hits = int((over & true).sum())
            cells.append(f"{threshold}: {hits / max(int(over.sum()), 1):.2f}/{hits / max(int(true.sum()), 1):.2f}")
        ap = average_precision(score, true, int(true.sum()))
        lines.append(f"{name:10} {int(true.sum())}+{int((~true).sum())}- ROC={area:.3f} AP={ap:.3f}  " + "  ".join(cells))
    return lines


def save(network: onnx.ModelProto, head: nn.Sequential, mean: torch.Tensor, spread: torch.Tensor, path: Path) -> str:
    """Writes the trunk with the head, 16-bit kernels. Returns the sha256 of the file."""
    first, second = head[1], head[4]
    kernel = (first.weight / spread).detach()
    values = {
        "head1": kernel.T.numpy(),
        "bias1": (first.bias - kernel @ mean).detach().numpy(),
        "head2": second.weight.detach().T.numpy(),
        "bias2": second.bias.detach().numpy(),
    }
    graph = network.graph
    for name, value in values.items():
        half = name == "head1"
        graph.initializer.append(numpy_helper.from_array(value.astype(np.float16 if half else np.float32), f"{name}16" if half else name))
    graph.node.extend(
        [
            helper.make_node("Cast", ["head116"], ["head1"], to=TensorProto.FLOAT),
            helper.make_node("Gemm", ["features", "head1", "bias1"], ["hidden"]),
            helper.make_node("Relu", ["hidden"], ["active"]),
            helper.make_node("Gemm", ["active", "head2", "bias2"], ["logits"]),
            helper.make_node("Sigmoid", ["logits"], ["probabilities"]),
        ]
    )
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, second.out_features]))
    onnx.checker.check_model(network)
    data = network.SerializeToString(deterministic=True)
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=["epi", "fogo"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("/tmp/train"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--looks", type=int, default=5000)
    parser.add_argument("--maps", choices=list(MAPS), default="19")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--write", action="store_true", help="write the file of the product")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    names = EPI if args.model == "epi" else FOGO
    args.out.mkdir(parents=True, exist_ok=True)
    make, _, sets = source(args.model, args.data, args.seed, args.out)
    network = trunk(MAPS[args.maps])
    stored = args.out / f"{args.model}-{args.maps}-looks.npz"
    if stored.exists():
        loaded = np.load(stored)
        x, y, hx, hy, which = (loaded[k] for k in ("x", "y", "hx", "hy", "which"))
    else:
        pictures, y = looks(args.model, rng, [make(rng) for _ in range(args.looks)], True)
        held = [(n, e) for n, examples in sets.items() if n != "whole" for e in examples for _ in range(1 + (len(e[1]) > 1))]
        hp, hy = looks(args.model, np.random.default_rng(args.seed + 2000), [e for _, e in held], False)
        x, hx = features(network, pictures, args.out).numpy(), features(network, hp, args.out).numpy()
        which = np.array([name for name, _ in held])
        np.savez(stored, x=x, y=y, hx=hx, hy=hy, which=which)
    head, mean, spread = fit(torch.from_numpy(x), torch.from_numpy(y), args.hidden, args.seed)
    if args.model == "fogo":
        to_confirm(head, (torch.from_numpy(hx) - mean) / spread, hy, which)
    with torch.no_grad():
        p = head((torch.from_numpy(hx) - mean) / spread).sigmoid().numpy()
    print("\n".join(figures(p, hy, names)))
    for name in dict.fromkeys(which.tolist()):
        mine = which == name
        parts = [f"{n}>=0.1 {(p[mine, k] >= 0.1).mean():.2f} >=0.5 {(p[mine, k] >= 0.5).mean():.2f}" for k, n in enumerate(names)]
        print(f"  {name} ({mine.sum()}): " + "; ".join(parts))
    path = MODELS if args.write else args.out
    print("sha256", save(network, head, mean, spread, path / f"{args.model}-mobilenetv2-300.onnx"))


if __name__ == "__main__":
    main()
