import type { ProblemaImagem } from '@vigia/contracts/ias'
import { createLightMeter, type Light } from './picture-health-light.ts'
import { createPictureMemory, type Usual } from './picture-health-memory.ts'
import { createStillness } from './picture-health-stillness.ts'
import { BLOCKS, createStructure, type Structure } from './picture-health-structure.ts'

export interface PictureHealth {
  /**
   * `gray`: one byte a pixel, packed rows, about 160 pixels wide, the whole frame; not kept. `timestampMs`: stream time.
   * 0–1 for each problem in this frame; 0.6 and more means it. How long it must last is for the caller to say.
   */
  update(gray: Uint8Array, width: number, height: number, timestampMs: number): Record<ProblemaImagem, number>
}

/** Pictures of the last second or so are averaged: noise, rain and passers-by fade. Sharp edges are gone after five times this. */
const AVERAGE_TAU_MS = 450
/** A pause longer than this, or another size: look at the average anew. What the camera showed before is kept. */
const STALE_MS = 10_000
/** A block has something to show when its gradient is above this, grey levels a pixel, in the picture it is known by. */
const TEXTURED = 2
/** A scene with fewer textured blocks (an empty wall) can not be told from a cover by what is missing. */
const LEAST_TEXTURED = 0.12 * BLOCKS
/** A block shows what it always shows when its edges run the same way: by chance about ±0.2 is reached. */
const SAME = 0.3
/** Mean difference between a picture and the average of the last second, grey levels, in which blur is no longer told. */
const SHAKEN = 6
/** Dark and empty where there always was an empty wall: the light may just be off. */
const UNSURE = 0.5
/** Another view must stay for so long: a lorry passes. */
const PASSES_MS = 5_000
const TURNED_MS = 8_000

/** 0 at `from`, 1 at `to` (which may be the smaller one), straight between. */
const ramp = (value: number, from: number, to: number) => Math.min(1, Math.max(0, (value - from) / (to - from)))

/**
 * Tells when a camera's picture is no longer worth watching, from the picture alone. Two kinds of signs: those that need no past (black, blinded,
 * dark and empty, not a pixel changes) and those against what this camera showed before (where its edges ran and how sharp they were),
 * which is learnt while the picture is good, over minutes, and after hours even when it is not. About 300 kB for a camera at 160x120.
 *
 * Not told: a bright even cover that was there from the beginning (an empty wall looks the same), and a slight loss of focus, which a picture of 160
 * pixels does not show.
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
      const against = usual ? judgeAgainst(light, seen, usual, likeness) : nothingKnown
      // What is still there, however dark, is neither covered nor black.
      const dark = 1 - ramp(against.same, 0.3, 0.6)
      // An average of a shaken picture is blurred, though none of its pictures is.
      const steady = ramp(restless / gray.length, SHAKEN, SHAKEN / 2)
      const elsewhere = against.lost * ramp(against.structured, 0.25, 0.5)
      scene.elsewhereSinceMs = elsewhere > 0.3 && !paused ? (scene.elsewhereSinceMs ?? timestampMs) : null
      const stays =
        scene.elsewhereSinceMs === null ? 0 : ramp(timestampMs - scene.elsewhereSinceMs, PASSES_MS, TURNED_MS)
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
      memory.learn(seen, light, worst, paused ? 0 : elapsed)
      return problems
    },
  }
}

const nothingKnown = { empty: false, same: 0, lost: 0, structured: 1, desfocada: 0, ofuscada: 0 }

/** What needs no past. */
function judgeAlone(light: Light, seen: Structure) {
  let textured = 0
  for (const detail of seen.detail) if (detail >= TEXTURED / 2) textured++
  const empty = ramp(textured / BLOCKS, 0.15, 0.03)
  // A room without light still has a lamp, a window, or noise that is not black.
  const preta = ramp(light.brightest, 36, 22) * ramp(light.high - light.low, 16, 8)
  // A hand or a bag on the lens is dark and shows nothing; a night without lamps may look so too, but not so empty.
  const coberta = 0.75 * empty * ramp(light.mean, 75, 45) * ramp(light.brightest, 150, 110)
  return { preta, coberta, ofuscada: ramp(light.saturated, 0.45, 0.75) * empty }
}

/** Against what this camera showed when all was well. */
function judgeAgainst(light: Light, seen: Structure, usual: Usual, likeness: Float32Array) {
  let [textured, same, detail, usualDetail] = [0, 0, 0, 0]
  for (let block = 0; block < BLOCKS; block++) {
    detail += seen.detail[block] as number
    usualDetail += usual.detail[block] as number
    if ((usual.detail[block] as number) < TEXTURED) continue
    textured++
    if ((likeness[block] as number) >= SAME) same++
  }
  if (textured < LEAST_TEXTURED) return { ...nothingKnown, empty: true }
  const lost = ramp(1 - same / textured, 0.6, 0.9)
  const sharpness = seen.fine / Math.max(0.05, seen.coarse) / (usual.fine / Math.max(0.05, usual.coarse))
  const fainter = detail / usualDetail
  // Washed out: most of the usual detail has drowned in light that was not there before.
  const glare = ramp(light.mean - usual.mean, 25, 60) * ramp(fainter, 0.6, 0.3) * (1 - lost)
  const flooded = ramp(light.saturated - usual.saturated, 0.15, 0.35) * ramp(fainter, 0.85, 0.6)
  return {
    empty: false,
    same: same / textured,
    lost,
    structured: fainter,
    desfocada: ramp(sharpness, 0.7, 0.4) * ramp(fainter, 0.95, 0.8),
    ofuscada: Math.max(glare, flooded),
  }
}
