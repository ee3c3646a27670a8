"""Proposals of the published fire detector, and the features of their crops, for `second.py`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from augment import HEIGHT, WIDTH, resized, worse_camera
from cross import meets
from data import FOGO, Sample
from export import MODELS, load
from measure import detect

TRUNK = MODELS / "ssdlite-mobilenetv2-300/ssdlite-mobilenetv2-300.onnx"
SIDE = 300
MAPS = {"v287": 384, "v403": 576}
"""Maps of 19 x 19 cells and their channels, as in `trials/train-heads/trunk.ts`."""
FEATURES = 5 * sum(MAPS.values())
LEAST = (0.15, 0.2)
"""Lowest score of a proposal of each class."""
MOST = 2
"""Proposals of a class in one picture."""
FACTOR, MIN_SIDE = 2, 64
"""Side of the crop as a multiple of the box's longer side, and its least side in pixels (`second-classifier.ts`)."""
SPOILT = 0.25
"""Share of the crops that are added a second time, from a simulated worse camera."""


@dataclass
class Proposals:
    """Proposals [n] of all pictures. Number of the picture, class, whether a labelled box of the class meets it,
    whether the labels decide that. Logit of the detector, logarithm of the box's share of the picture, features of
    the crop [n, FEATURES]. `spoilt`: a crop from a simulated worse camera."""

    picture: np.ndarray
    label: np.ndarray
    real: np.ndarray
    sure: np.ndarray
    logit: np.ndarray
    area: np.ndarray
    spoilt: np.ndarray
    features: np.ndarray


def trunk() -> onnx.ModelProto:
    """Returns the frozen part of the SSDLite file with pooled features [1, FEATURES]. Each map gives the mean of all
    cells, the greatest values of the box, and the means of three rows of the box."""
    model = onnx.load(str(TRUNK))
    for name in MAPS:
        model.graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    part = onnx.utils.Extractor(model).extract_model(["image"], list(MAPS))
    graph, pooled = part.graph, []

    def constant(values: list[int]) -> str:
        name = f"h{len(graph.initializer)}"
        graph.initializer.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def node(kind: str, inputs: list[str], **attributes: object) -> str:
        name = f"n{len(graph.node)}"
        graph.node.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    for name in MAPS:
        def cells(top: int, bottom: int) -> str:
            return node("Slice", [name, constant([top, 5]), constant([bottom, 14]), constant([1, 2])])

        pooled.append(node("ReduceMean", [name], axes=[1, 2], keepdims=0))
        pooled.append(node("ReduceMax", [cells(5, 14)], axes=[1, 2], keepdims=0))
        pooled += [node("ReduceMean", [cells(top, top + 3)], axes=[1, 2], keepdims=0) for top in (5, 8, 11)]
    graph.node.append(helper.make_node("Concat", pooled, ["features"], axis=1))
    graph.ClearField("output")
    graph.ClearField("value_info")
    graph.output.append(helper.make_tensor_value_info("features", TensorProto.FLOAT, [1, FEATURES]))
    return part


def surroundings(picture: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Returns the square around a box in pixels, moved into the picture and stretched to the input, as the product."""
    height, width = picture.shape[:2]
    side = round(max(FACTOR * max(box[2] - box[0], box[3] - box[1]), MIN_SIDE))
    w, h = min(side, width), min(side, height)
    left = min(width - w, max(0, round((box[0] + box[2] - w) / 2)))
    top = min(height - h, max(0, round((box[1] + box[3] - h) / 2)))
    return resized(picture[top : top + h, left : left + w], SIDE, SIDE)


def proposals(samples: list[Sample], seed: int, memory: Path) -> Proposals:
    """Returns the proposals of all pictures. `memory`: file that caches them."""
    if memory.exists():
        return Proposals(**np.load(memory))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(trunk().SerializeToString(), options)
    net = load(len(FOGO), seed, MODELS / "fogo-nanodet-g-416/fogo-nanodet-g-416.onnx")
    rows: list[tuple] = []

    def features(crop: np.ndarray) -> np.ndarray:
        rgb = cv2.cvtColor(crop, cv2.COLOR_BGR2RGB)[None]
        return session.run(["features"], {"image": rgb})[0][0].astype(np.float16)

    for at, sample in enumerate(samples):
        found = detect(net, [resized(sample.picture, WIDTH, HEIGHT)], min(LEAST))[0]
        scale = np.array([sample.picture.shape[1] / WIDTH, sample.picture.shape[0] / HEIGHT] * 2)
        for label, least in enumerate(LEAST):
            mine = np.nonzero((found.labels == label) & (found.scores >= least))[0][:MOST]
            for box, score in zip(found.boxes[mine] * scale, found.scores[mine]):
                real = any(meets(box, true) for true in sample.boxes[sample.labels == label])
                # Smoke without a label of its own may hang above a labelled fire.
                hidden = label == 1 and any(meets(box, true) for true in sample.boxes[sample.labels == 0])
                share = (box[2] - box[0]) * (box[3] - box[1]) / sample.picture[..., 0].size
                fixed = (at, label, real, real or (sample.known[label] and not hidden))
                numbers = (np.log(score / (1 - score)), np.log(max(share, 1e-5)))
                crop = surroundings(sample.picture, box)
                rows.append((*fixed, *numbers, False, features(crop)))
                rng = np.random.default_rng([seed, at, label, int(1000 * score)])
                if rng.random() < SPOILT:
                    rows.append((*fixed, *numbers, True, features(worse_camera(rng, crop, 0.25))))
        if at % 500 == 0:
            print(f"{at} of {len(samples)} pictures, {len(rows)} crops", flush=True)
    kinds = (np.int64, np.int64, bool, bool, np.float32, np.float32, bool, np.float16)
    found = Proposals(*(np.array(column, kind) for column, kind in zip(zip(*rows), kinds)))
    np.savez(memory, **vars(found))
    return found
