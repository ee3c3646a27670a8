"""Writes the 8-bit version of a NanoDet file: `python3 quantize.py FILE --data FOLDER --pictures LIST --out FILE`.

Weights have 7 bits in steps of their own for each channel: without VNNI, 8 by 8 bits would saturate. Activations have
8 bits between the least and the greatest value on the listed training pictures (minmax). The last convolution of each
head and what follows keep 32 bits."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import cv2
import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

MEAN, DEVIATION = np.float32([103.53, 116.28, 123.675]), np.float32([57.375, 57.12, 58.395])
GREY = 114
PICTURE = (416, 312)
"""Width and height to which the product stretches a frame; the rest of the input is grey."""


def network_input(path: Path, height: int) -> np.ndarray:
    """Returns the picture as the product gives it to the network: [1, 3, height, 416], BGR, normalised."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise SystemExit(f"{path} is not a picture")
    canvas = np.full((height, PICTURE[0], 3), GREY, np.uint8)
    canvas[: PICTURE[1]] = cv2.resize(picture, PICTURE, interpolation=cv2.INTER_AREA)
    return ((canvas - MEAN) / DEVIATION).astype(np.float32).transpose(2, 0, 1)[None]


class Pictures(CalibrationDataReader):
    """Inputs of the calibration, one after the other."""

    def __init__(self, paths: list[Path], height: int) -> None:
        self.inputs = (network_input(path, height) for path in paths)

    def get_next(self) -> dict[str, np.ndarray] | None:
        value = next(self.inputs, None)
        return None if value is None else {"image": value}


def listed(list_file: Path, data: Path) -> list[Path]:
    """Returns the files of a list (`sha256  path`) below `data`, after a check of each hash."""
    paths = []
    for line in list_file.read_text().splitlines():
        sha256, name = line.split(maxsplit=1)
        path = data / name
        if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
            raise SystemExit(f"{path} differs from {list_file}")
        paths.append(path)
    return paths


def full_precision(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns the model with its 16-bit weights as 32-bit constants, which the quantization needs."""
    graph = model.graph
    halves = {tensor.name: tensor for tensor in graph.initializer}
    for node in [node for node in graph.node if node.op_type == "Cast" and node.input[0] in halves]:
        values = numpy_helper.to_array(halves[node.input[0]]).astype(np.float32)
        graph.initializer.append(numpy_helper.from_array(values, node.output[0]))
        graph.initializer.remove(halves[node.input[0]])
        graph.node.remove(node)
    return model


def heads(graph: onnx.GraphProto) -> list[str]:
    """Returns the names of the nodes from the last convolution of each head on. With 8 bits their results would end at
    the greatest value of the calibration pictures, and no confidence could be higher."""
    tails = {"Split", "Sigmoid", "Reshape", "Transpose"}
    split = {node.input[0] for node in graph.node if node.op_type == "Split"}
    return [node.name for node in graph.node if node.op_type in tails or node.output[0] in split]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="clean NanoDet file")
    parser.add_argument("--data", type=Path, required=True, help="folder of the training folders")
    parser.add_argument("--pictures", type=Path, required=True, help="list of the calibration pictures")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    model = full_precision(onnx.load(str(args.model)))
    for index, node in enumerate(model.graph.node):
        node.name = f"{node.op_type}_{index}"
    height = model.graph.input[0].type.tensor_type.shape.dim[2].dim_value
    quantize_static(
        model,
        str(args.out),
        Pictures(listed(args.pictures, args.data), height),
        quant_format=QuantFormat.QDQ,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        nodes_to_exclude=heads(model.graph),
    )
    print(f"{args.out}: {args.out.stat().st_size} bytes, {hashlib.sha256(args.out.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
