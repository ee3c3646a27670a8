"""Prints shares of pictures found and falsely found from the scores of `cross.py`: `python3 curves.py FILE...`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

FALSE_PICTURES = {"fire": 0.03, "smoke": 0.02}
"""Largest share of the pictures without fire and smoke in which a class reaches the threshold."""
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def interval(hits: int, total: int) -> str:
    """Returns the share in per cent with the 95 % interval of Wilson."""
    if not total:
        return "-"
    p, z = hits / total, 1.96
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    reach = z * np.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{100 * p:.1f} ({100 * (middle - reach):.0f}-{100 * (middle + reach):.0f}) of {total}"


def split(rows: list[dict], name: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns the scores on labelled boxes of the pictures with the class, and the highest scores of the pictures with
    neither class."""
    none = [r for r in rows if not r["fire"]["true"] and not r["smoke"]["true"] and all(r["known"])]
    return np.array([r[name]["on"] for r in rows if r[name]["true"]]), np.array([r[name]["highest"] for r in none])


def threshold(none: np.ndarray, share: float) -> float:
    """Returns the lowest score that at most this share of the pictures exceeds."""
    return float(np.sort(none)[::-1][int(share * len(none))]) + 1e-6 if len(none) else 0.5


def halves(rows: list[dict], name: str) -> list[str]:
    """Chooses the threshold on one half of the pictures and measures on the other, both ways."""
    halves = [[r for at, r in enumerate(rows) if at % 2 == half] for half in (0, 1)]
    hits = total = wrong = empty = 0
    chosen = []
    for here, other in (halves, halves[::-1]):
        at = threshold(split(here, name)[1], FALSE_PICTURES[name])
        true, none = split(other, name)
        chosen.append(round(at, 3))
        hits, total = hits + int((true >= at).sum()), total + len(true)
        wrong, empty = wrong + int((none >= at).sum()), empty + len(none)
    return [f"{name}: thresholds {chosen}: found {interval(hits, total)}, false {interval(wrong, empty)}"]


def table(rows: list[dict]) -> list[str]:
    lines = []
    for name, share in FALSE_PICTURES.items():
        lines += halves(rows, name)
        true, none = split(rows, name)
        at = threshold(none, share)
        lines.append(f"  at {at:.3f}, the threshold of all: found {interval(int((true >= at).sum()), len(true))}")
        for source in sorted({r["source"] for r in rows}):
            own, empty = split([r for r in rows if r["source"] == source], name)
            found = interval(int((own >= at).sum()), len(own))
            lines.append(f"    {source:24} found {found:22} false {interval(int((empty >= at).sum()), len(empty))}")
        curve = [f"{t}: {(true >= t).mean():.3f}/{(none >= t).mean():.3f}" for t in THRESHOLDS]
        lines.append("  found/false from a score on  " + "  ".join(curve))
    return lines


def main() -> None:
    rows = [row for path in sys.argv[1:] for row in json.loads(Path(path).read_text())]
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
