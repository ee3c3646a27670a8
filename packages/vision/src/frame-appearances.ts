import type { Appearance } from '@vigia/ias/appearance'
import type { Detection } from '@vigia/ias/detection'
import { areaOf, type Box, intersection } from '@vigia/ias/geometry'

/** Confidence from which a detection hides what is behind it. */
const SOLID = 0.4
/** Share of a box under other boxes from which it shows the colours of others. */
const HIDDEN = 0.2

/**
 * Appearances of the people among the detections of one frame, each measured once and on demand; null: unknown, or
 * behind others. `measure` measures a box of the frame.
 */
export function createFrameAppearances(
  detections: readonly Detection[],
  measure: (box: Box) => Appearance | null,
): (found: Detection) => Appearance | null {
  const solid = detections.filter(({ rotulo, confianca }) => rotulo === 'person' && confianca >= SOLID)
  const measured = new Map<Detection, Appearance | null>()
  const isHidden = (found: Detection) =>
    solid.some((other) => other !== found && intersection(other, found) > HIDDEN * areaOf(found))
  return (found) => {
    let appearance = measured.get(found)
    if (appearance === undefined) {
      appearance = found.rotulo !== 'person' || isHidden(found) ? null : measure(found)
      measured.set(found, appearance)
    }
    return appearance
  }
}
