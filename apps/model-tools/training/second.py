"""Trains the second stage of `fogo`, which rates the crops of the detector's proposals. Prints the figures of five
folds by scene, and of each source left out of the training.

`python3 second.py --data FOLDER --write`"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from cross import DEFAULTS, opened
from curves import FALSE_PICTURES, interval, split, table, threshold
from data import FOGO, Sample
from export import MODELS
from fire_data import FOLDS
from second_data import LEAST, Proposals, proposals, trunk

NAME = "fogo-propostas-300"
DECAY = 0.3
"""Weight of the squared coefficients of the standardized features."""
GEOMETRY = 8.0
"""Scale of the detector's logit and of the size: their coefficients are barely restricted."""
HIGHEST = 4.0
"""Standardized features are clipped to this distance from the mean."""
STEPS = 60


class Inputs:
    """Standardized inputs of the logistic function: detector's logit, logarithm of the size, features of the crop."""

    def __init__(self, found: Proposals) -> None:
        self.mean, self.spread = found.features.mean(0, np.float32), found.features.std(0, dtype=np.float32) + 1e-3
        raw = np.stack([found.logit, found.area], 1)
        self.raw_mean, self.raw_spread = raw.mean(0), raw.std(0) / GEOMETRY
        features = np.clip((found.features - self.mean) / self.spread, -HIGHEST, HIGHEST)
        self.values = np.concatenate([(raw - self.raw_mean) / self.raw_spread, features], 1).astype(np.float32)


def fit(values: np.ndarray, real: np.ndarray) -> tuple[np.ndarray, float]:
    """Returns coefficients and constant. Real and other proposals weigh the same in total."""
    x, y = torch.from_numpy(values), torch.from_numpy(real.astype(np.float32))
    weights = torch.where(y > 0, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    slopes, constant = torch.zeros(x.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([slopes, constant], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        each = torch.nn.functional.binary_cross_entropy_with_logits(x @ slopes + constant, y, weights)
        total = each + DECAY * slopes.square().sum() / 2
        total.backward()
        return total

    optimizer.step(loss)
    return slopes.detach().numpy(), constant.item()


def held_out(inputs: Inputs, found: Proposals, label: int, groups: np.ndarray, without: np.ndarray) -> np.ndarray:
    """Returns the logit of each proposal [n] from a fit without its group and without the proposals of `without`; 0 for
    other classes."""
    logits = np.zeros(len(found.label), np.float32)
    for group in np.unique(groups):
        mine = (found.label == label) & (groups == group)
        train = (found.label == label) & (groups != group) & found.sure & ~without
        slopes, constant = fit(inputs.values[train], found.real[train])
        logits[mine] = inputs.values[mine] @ slopes + constant
    return logits


def pictures(samples: list[Sample], found: Proposals, logits: np.ndarray) -> list[dict]:
    """Returns the scores of each picture, as `cross.py` does. `logits` [classes, n]."""
    rows = [
        {
            "source": s.source,
            "known": list(s.known),
            **{name: {"true": int((s.labels == at).sum()), "highest": 0.0, "on": 0.0} for at, name in enumerate(FOGO)},
        }
        for s in samples
    ]
    for at in np.nonzero(~found.spoilt)[0]:
        label = found.label[at]
        row = rows[found.picture[at]][FOGO[label]]
        score = float(1 / (1 + np.exp(-logits[label, at])))
        row["highest"] = max(row["highest"], score)
        row["on"] = max(row["on"], score if found.real[at] else 0.0)
    return rows


def left_out(samples: list[Sample], found: Proposals, inputs: Inputs, fold: np.ndarray) -> list[str]:
    """Returns one line per source and class: figures of a fit without that source. The threshold comes from the other
    sources."""
    lines = []
    source = np.array([s.source for s in samples])
    for name in sorted(set(source)):
        own = source[found.picture] == name
        logits = np.stack([held_out(inputs, found, k, fold[found.picture] % 2, own) for k in range(len(FOGO))])
        rows = pictures(samples, found, logits)
        here, other = [r for r in rows if r["source"] == name], [r for r in rows if r["source"] != name]
        for label in FOGO:
            at = threshold(split(other, label)[1], FALSE_PICTURES[label])
            true, none = split([r for r in here if r["known"][FOGO.index(label)]], label)
            figures = [interval(int((scores >= at).sum()), len(scores)) for scores in (true, none)]
            lines.append(f"  {name:24} {label:6} found {figures[0]:22} false {figures[1]}")
    return lines


def publish(found: Proposals, inputs: Inputs, thresholds: list[float], path: Path) -> None:
    """Writes the classifier, fitted to all proposals. Prints its hash, and the weights that combine both confidences so
    that the thresholds become the default `conf`."""
    kernels, constants = [], []
    for label, name in enumerate(FOGO):
        train = (found.label == label) & found.sure
        slopes, constant = fit(inputs.values[train], found.real[train])
        kernels.append(slopes[2:])
        constants.append(constant)
        raw = slopes[:2] / inputs.raw_spread
        default, at = DEFAULTS[name], thresholds[label]
        moved = np.log(default / (1 - default)) - np.log(at / (1 - at))
        weights = {"detector": raw[0], "area": raw[1], "constante": moved - float(raw @ inputs.raw_mean)}
        print(name, {"minimo": LEAST[label], **{key: round(float(value), 4) for key, value in weights.items()}})
    model = trunk()
    graph = model.graph

    def constant(name: str, value: np.ndarray) -> str:
        graph.initializer.append(numpy_helper.from_array(value.astype(np.float32), name))
        return name

    def node(kind: str, inputs: list[str], output: str) -> str:
        graph.node.append(helper.make_node(kind, inputs, [output]))
        return output

    centred = node("Sub", ["features", constant("mean", inputs.mean)], "centred")
    scaled = node("Div", [centred, constant("spread", inputs.spread)], "scaled")
    limits = [constant("lowest", np.array(-HIGHEST)), constant("highest", np.array(HIGHEST))]
    clipped = node("Clip", [scaled, *limits], "clipped")
    product = node("MatMul", [clipped, constant("kernel", np.stack(kernels, 1))], "product")
    node("Sigmoid", [node("Add", [product, constant("bias", np.array([constants]))], "sum")], "probabilities")
    graph.ClearField("output")
    graph.output.append(helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, len(FOGO)]))
    onnx.checker.check_model(model)
    data = model.SerializeToString(deterministic=True)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    print(f"{path}: sha256 {hashlib.sha256(data).hexdigest()}")


def data_list(data: Path) -> str:
    """Returns the training pictures as lines of hash and path."""
    folders = ("fire-train", "fire-more-train", "fire-only-train", "negatives-train", "person-cctv-train", "ppe-train")
    files = sorted(path for folder in folders for path in (data / folder).rglob("images/*"))
    return "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(data)}\n" for p in files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("/tmp/train"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--sources", action="store_true", help="also leave out each source (minutes)")
    parser.add_argument("--write", action="store_true", help="write the file of the product")
    args = parser.parse_args()
    samples, fold = opened(args)
    found = proposals(samples, args.seed, args.out / "proposals.npz")
    inputs = Inputs(found)
    print(f"{len(found.label)} crops, {int(found.spoilt.sum())} of them spoilt, {FOLDS} folds", flush=True)
    nobody = np.zeros(len(found.label), bool)
    logits = np.stack([held_out(inputs, found, k, fold[found.picture], nobody) for k in range(len(FOGO))])
    rows = pictures(samples, found, logits)
    (args.out / "second.json").write_text(json.dumps(rows))
    print("\n".join(table(rows)), flush=True)
    thresholds = [threshold(split(rows, name)[1], FALSE_PICTURES[name]) for name in FOGO]
    folder = MODELS / NAME if args.write else args.out
    publish(found, inputs, thresholds, folder / f"{NAME}.onnx")
    if args.write:
        (folder / "data.txt").write_text(data_list(args.data))
    if args.sources:
        print("without the source:\n" + "\n".join(left_out(samples, found, inputs, fold)))


if __name__ == "__main__":
    main()
