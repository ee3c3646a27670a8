"""Converts weights from the product's ONNX file to torch, and back to an ONNX file with other classes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from graph import DISTANCES, NanoDet

MODELS = Path(__file__).resolve().parents[3] / "packages/models"
BASE = MODELS / "nanodet-g-416/nanodet-g-416.onnx"
COCO_CLASSES = 80
PRIOR_LOGIT = -4.6
"""Starting bias of a class: sigmoid(-4.6) = 0.01, as almost every cell is background."""


def weight_names(graph: onnx.GraphProto) -> list[tuple[str, str]]:
    """Returns the names of the initializers (kernel, bias) of each convolution, in the order of the graph."""
    cast = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast"}
    return [(cast[node.input[1]], cast[node.input[2]]) for node in graph.node if node.op_type == "Conv"]


def load(classes: int, seed: int, path: Path = BASE) -> NanoDet:
    """Returns NanoDet-g with its COCO weights. `classes` new classes, initialised with small noise, replace the 80."""
    graph = onnx.load(str(path)).graph
    values = {i.name: numpy_helper.to_array(i).astype(np.float32) for i in graph.initializer}
    pairs = [(values[k], values[b]) for k, b in weight_names(graph)]
    if classes != COCO_CLASSES:
        noise = np.random.default_rng(seed)
        pairs = [renew(k, b, classes, noise) if len(b) == COCO_CLASSES + DISTANCES else (k, b) for k, b in pairs]
    return NanoDet(pairs)


def renew(
    kernel: np.ndarray, bias: np.ndarray, classes: int, noise: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    fresh = noise.normal(0, 0.01, (classes, *kernel.shape[1:])).astype(np.float32)
    prior = np.full(classes, PRIOR_LOGIT, np.float32)
    return np.concatenate([fresh, kernel[COCO_CLASSES:]]), np.concatenate([prior, bias[COCO_CLASSES:]])


def save(net: NanoDet, path: Path) -> str:
    """Writes the graph of the product with the weights of `net` (16 bits, as in the original). Returns the sha256 of
    the file."""
    model = onnx.load(str(BASE))
    graph = model.graph
    tensors = {i.name: i for i in graph.initializer}
    for (kernel, bias), k, b in zip(weight_names(graph), net.kernels, net.biases):
        for name, value in ((kernel, k), (bias, b)):
            half = value.detach().numpy().astype(np.float16)
            tensors[name].CopyFrom(numpy_helper.from_array(half, name))
    for tensor in graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.dtype == np.int64 and COCO_CLASSES in value.tolist() and value.size in (2, 3):
            tensor.CopyFrom(numpy_helper.from_array(np.where(value == COCO_CLASSES, net.classes, value), tensor.name))
    for output in graph.output:
        dim = output.type.tensor_type.shape.dim[2]
        if dim.dim_value == COCO_CLASSES:
            dim.dim_value = net.classes
    for old in ("value_info",):
        graph.ClearField(old)
    onnx.checker.check_model(model)
    data = model.SerializeToString(deterministic=True)
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def from_checkpoint(path: Path) -> NanoDet:
    """Returns the network of a checkpoint written by `train.py`."""
    state = torch.load(path)["net"]
    count = len(state) // 2
    return NanoDet([(state[f"kernels.{i}"].numpy(), state[f"biases.{i}"].numpy()) for i in range(count)])
