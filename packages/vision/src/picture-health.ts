import type { ProblemaImagem } from '@vigia/contracts/ias'
import { createDirtMonitor } from './picture-health-dirt.ts'
import { createLightMeter, type Light } from './picture-health-light.ts'
import { createPictureMemory, type RecentLight, type Usual } from './picture-health-memory.ts'
import { createStillness } from './picture-health-stillness.ts'
import { BLOCKS, createStructure, type Structure } from './picture-health-structure.ts'

export interface PictureHealth {
  /**
   * `gray`: the whole frame in packed rows, one byte a pixel, about 160 pixels wide; not kept after the call.
   * `timestampMs`: stream time. Returns 0–1 for each problem in this frame; 0.6 and more is a problem. The caller
   * decides on the duration.
   */
  update(gray: Uint8Array, width: number, height: number, timestampMs: number): Record<ProblemaImagem, number>
}

/**
 * Time constant of the average over about a second, which removes noise, rain and passers-by. Sharp edges disappear
 * after five times this.
 */
const AVERAGE_TAU_MS = 450
/** After a longer pause, or another size, the average restarts. The usual picture is kept. */
const STALE_MS = 10_000
/** Minimum gradient of a textured block in the usual picture, grey levels per pixel. */
const TEXTURED = 2
/** With fewer textured blocks (an empty wall) missing texture does not distinguish a cover. */
const LEAST_TEXTURED = 0.12 * BLOCKS
/** Minimum likeness of an unchanged block; chance reaches about ±0.2. */
const SAME = 0.3
/** A block without its usual edges that is this much brighter than lately, grey levels, is washed out. */
const WASHED = 25
/** Mean grey level below which the light counts as night, and from which as day. */
const NIGHT = 108
const DAY = 120
/** Mean difference between a picture and the average, grey levels, above which blur is not reported. */
const SHAKEN = 6
/** Value for a dark, empty picture where an empty wall is usual: the light may be off. */
const UNSURE = 0.5
/** Durations of another view for the values 0 and 1: a lorry passes in less. */
const PASSES_MS = 5_000
const TURNED_MS = 8_000

/** Linear from 0 at `from` to 1 at `to`, which may be the smaller one; clamped. */
const ramp = (value: number, from: number, to: number) => Math.min(1, Math.max(0, (value - from) / (to - from)))

/**
 * Detects problems of a camera's picture from the picture itself. Some signs need no history: black, blinded, dark and
 * empty, no changed pixel. Others compare edges and sharpness with the usual picture. It is learnt over minutes while
 * the picture is good, and after hours also from a bad one. About 300 kB for a camera at 160x120.
 *
 * Not detected: a bright even cover from the beginning, which resembles an empty wall. A slight loss of focus is
 * invisible at 160 pixels. A day of fog counts as dirt; dirt from before a restart is usual.
 */
export function createPictureHealth(): PictureHealth {
  let scene: ReturnType<typeof createScene> | null = null

  function createScene(gray: Uint8Array, width: number, height: number, timestampMs: number) {
    return {
      width,
      height,
      average: Float32Array.from(gray),
      structure: createStructure(width, height),
      light: createLightMeter(),
      memory: createPictureMemory(),
      dirt: createDirtMonitor(),
      stillness: createStillness(gray, width, height, timestampMs),
      likeness: new Float32Array(BLOCKS),
      lastMs: timestampMs,
      elsewhereSinceMs: null as number | null,
    }
  }

  return {
    update(gray, width, height, timestampMs) {
      if (gray.length !== width * height) throw new RangeError(`${gray.length} bytes for ${width}x${height} pixels`)
      if (scene?.width !== width || scene.height !== height) scene = createScene(gray, width, height, timestampMs)
      const { average, structure, memory, likeness } = scene
      const elapsed = timestampMs - scene.lastMs
      const paused = elapsed < 0 || elapsed > STALE_MS
      scene.lastMs = timestampMs
      const follow = paused ? 1 : 1 - Math.exp(-elapsed / AVERAGE_TAU_MS)
      let restless = 0
      for (let at = 0; at < gray.length; at++) {
        const before = average[at] as number
        const apart = (gray[at] as number) - before
        restless += apart < 0 ? -apart : apart
        average[at] = before + apart * follow
      }

      const light = scene.light(gray)
      const seen = structure.measure(average)
      const alone = judgeAlone(light, seen)
      const usual = memory.recall((reference) => {
        structure.compare(seen.directions, reference, likeness)
        return likeness
      })
      const against = usual
        ? judgeAgainst(light, seen, usual, memory.recentLight() ?? { mean: usual.mean, bright: seen.bright }, likeness)
        : nothingKnown
      // A picture with the usual edges is neither covered nor black, however dark.
      const dark = 1 - ramp(against.same, 0.3, 0.6)
      // The average of a shaken camera is blurred even when each picture is sharp.
      const steady = ramp(restless / gray.length, SHAKEN, SHAKEN / 2)
      const elsewhere = against.lost * ramp(against.structured, 0.25, 0.5)
      scene.elsewhereSinceMs = elsewhere > 0.3 && !paused ? (scene.elsewhereSinceMs ?? timestampMs) : null
      const stays =
        scene.elsewhereSinceMs === null ? 0 : ramp(timestampMs - scene.elsewhereSinceMs, PASSES_MS, TURNED_MS)
      const dirty = scene.dirt.dirty(seen.detail.reduce((sum, one) => sum + one, 0) / BLOCKS, paused ? 0 : elapsed)
      const congelada = scene.stillness.frozen(gray, timestampMs) * (1 - alone.preta)

      const problems: Record<ProblemaImagem, number> = {
        preta: alone.preta * dark,
        coberta:
          (1 - alone.preta * dark) *
          Math.max(
            Math.min(alone.coberta * dark, against.empty ? UNSURE : 1),
            against.lost * ramp(against.structured, 0.5, 0.25) * (1 - against.ofuscada),
          ),
        ofuscada: Math.max(alone.ofuscada, against.ofuscada),
        desfocada: against.desfocada * (1 - against.lost) * steady,
        desviada: elsewhere * stays,
        congelada,
      }
      const worst = Math.max(problems.preta, problems.coberta, problems.ofuscada, problems.desfocada, against.lost)
      if (memory.learn(seen, light, worst, paused ? 0 : elapsed)) scene.dirt.restart()
      // Dirt has its own memory: the usual picture follows it.
      return { ...problems, desfocada: Math.max(problems.desfocada, dirty) }
    },
  }
}

const nothingKnown = { empty: false, same: 0, lost: 0, structured: 1, desfocada: 0, ofuscada: 0 }

/** Signs that need no history. */
function judgeAlone(light: Light, seen: Structure) {
  let textured = 0
  for (const detail of seen.detail) if (detail >= TEXTURED / 2) textured++
  const empty = ramp(textured / BLOCKS, 0.15, 0.03)
  // A dark interior still has a lamp, a window, or noise above black.
  const preta = ramp(light.brightest, 36, 22) * ramp(light.high - light.low, 16, 8)
  // A hand or a bag on the lens is dark and has no texture. A night without lamps is similar, but less empty.
  const coberta = 0.75 * empty * ramp(light.mean, 75, 45) * ramp(light.brightest, 150, 110)
  return { preta, coberta, ofuscada: ramp(light.saturated, 0.45, 0.75) * empty }
}

/** Signs from the comparison with the usual picture. */
function judgeAgainst(light: Light, seen: Structure, usual: Usual, recent: RecentLight, likeness: Float32Array) {
  let [textured, same, detail, usualDetail, washed, intact] = [0, 0, 0, 0, 0, 0]
  for (let block = 0; block < BLOCKS; block++) {
    detail += seen.detail[block] as number
    usualDetail += usual.detail[block] as number
    if ((usual.detail[block] as number) < TEXTURED) continue
    textured++
    if ((likeness[block] as number) >= SAME) same++
    const brighter = (seen.bright[block] as number) - (recent.bright[block] as number)
    if (brighter >= WASHED && (likeness[block] as number) < SAME) washed++
    else if (Math.abs(brighter) < WASHED && (likeness[block] as number) >= SAME) intact++
  }
  if (textured < LEAST_TEXTURED) return { ...nothingKnown, empty: true }
  const lost = ramp(1 - same / textured, 0.6, 0.9)
  const sharpness = seen.fine / Math.max(0.05, seen.coarse) / (usual.fine / Math.max(0.05, usual.coarse))
  const fainter = detail / usualDetail
  // Washed out: new light hides most of the usual detail. Light on the scene itself would raise it in proportion.
  const before = Math.min(usual.mean, recent.mean)
  const raised = fainter / Math.max(1, light.mean / Math.max(1, before))
  const glare = ramp(light.mean - before, 25, 60) * ramp(raised, 0.75, 0.55) * (1 - lost)
  // A spider web or a drop before the lens shines in the infrared light of the camera.
  const web =
    ramp(washed / textured, 0.25, 0.4) *
    ramp(intact / textured, 0.05, 0.12) *
    ramp(recent.mean, DAY, NIGHT) *
    (1 - lost)
  const flooded = ramp(light.saturated - usual.saturated, 0.15, 0.35) * ramp(fainter, 0.85, 0.6)
  return {
    empty: false,
    same: same / textured,
    lost,
    structured: fainter,
    desfocada: ramp(sharpness, 0.7, 0.4) * ramp(fainter, 0.95, 0.8),
    ofuscada: Math.max(glare, flooded, web),
  }
}
