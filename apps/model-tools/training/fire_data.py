"""Reads the training folders of the fire model and splits them into folds by scene and source."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from data import Sample, descriptors, read_fire, read_ppe
from graph import NanoDet

FOLDS = 5
SAME_SCENE = 0.8
"""Pictures with a higher cosine of their features show one scene."""
LEAST_LETTERS = 4
"""Letters that a name needs, apart from its number, before it names a video."""
COMMON = {"cloudy", "flare", "image", "rain", "shine", "sunrise", "youtube"}
"""Names that many photographs share."""
BOTH, FIRE_ONLY = (True, True), (True, False)
"""Labels that a folder states completely: fire, smoke."""
FOLDERS = {
    "fire-train/train": BOTH,
    "fire-train/valid": BOTH,
    "fire-more-train": BOTH,
    "fire-only-train": FIRE_ONLY,
    "negatives-train": BOTH,
    "person-cctv-train": BOTH,
}


def origins(folder: Path) -> dict[str, str]:
    """Returns the name of each file at its origin, without the suffix of the distributor."""
    path = folder / "index.csv"
    if not path.exists():
        return {}
    with path.open() as lines:
        return {row["file"]: row["source"].split("/")[-1] for row in csv.DictReader(lines)}


def scene_name(name: str, file: str) -> str:
    """Returns the name of the video or photograph: the name at the origin without frame numbers."""
    plain = re.sub(r"(_(jpe?g|png))?\.(jpe?g|png)$", "", re.sub(r"\.rf\.[0-9a-f]+", "", name))
    short = re.sub(r"[-_]+$", "", re.sub(r"(_mp4)?[-_]?(frames?_)?\d+([-_]+(png|jpg|\d+-?))*$", "", plain))
    telling = len(re.sub(r"[^A-Za-z]", "", short)) >= LEAST_LETTERS and short.lower() not in COMMON
    return short if telling else f"{file.split('_')[0]} {plain}"


def read_all(data: Path) -> list[Sample]:
    """Returns every picture of the training folders. The parts of the `ppe-train` mosaics are pictures without fire."""
    samples = []
    for folder, known in FOLDERS.items():
        named = origins(data / folder)
        labelled = folder.startswith("fire-")
        for sample in read_fire(data / folder, labelled):
            file = f"{sample.name}.jpg"
            source = f"{folder.split('/')[0]} {sample.name.split('_')[0]}"
            scene = scene_name(named.get(file, file), file)
            samples.append(replace(sample, source=source, scene=scene, known=known))
    nothing = {"boxes": np.zeros((0, 4), np.float32), "labels": np.zeros(0, np.int64)}
    parts = read_ppe(data / "ppe-train")
    return samples + [replace(s, **nothing, source="ppe-train", scene=s.name, known=BOTH) for s in parts]


def folds(samples: list[Sample], net: NanoDet, memory: Path) -> np.ndarray:
    """Returns the fold of each picture [n]. A fold holds whole scenes and the same share of each source. One scene are
    the frames of a video, versions of a photograph, and pictures with similar features, also across the sources."""
    if memory.exists():
        stored = json.loads(memory.read_text())
        return np.array([stored[s.source + " " + s.name] for s in samples])
    parents = list(range(len(samples)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    first: dict[str, int] = {}
    for at, sample in enumerate(samples):
        parents[root(at)] = root(first.setdefault(sample.scene, at))
    vectors = descriptors(samples, net)
    for at, row in enumerate(vectors):
        for other in np.nonzero(vectors[at + 1 :] @ row > SAME_SCENE)[0]:
            parents[root(at + 1 + int(other))] = root(at)
    scenes: dict[int, list[int]] = {}
    for at in range(len(samples)):
        scenes.setdefault(root(at), []).append(at)
    sizes: dict[str, list[int]] = {s.source: [0] * FOLDS for s in samples}
    fold = np.zeros(len(samples), np.int64)
    for members in sorted(scenes.values(), key=len, reverse=True):
        per_fold = [sum(sizes[samples[i].source][k] for i in members) for k in range(FOLDS)]
        fold[members] = chosen = int(np.argmin(per_fold))
        for i in members:
            sizes[samples[i].source][chosen] += 1
    memory.write_text(json.dumps({s.source + " " + s.name: int(k) for s, k in zip(samples, fold)}))
    return fold
