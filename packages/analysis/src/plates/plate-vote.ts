import type { PlateReading } from './plate-syntax.ts'

export interface VotedPlate extends PlateReading {
  /** Frames with a reading. */
  readonly frames: number
  /** The other texts, best first. */
  readonly candidates: readonly PlateReading[]
}

/** Combines the readings of one vehicle over its frames. */
export interface PlateVote {
  /**
   * Adds the readings of one frame: the best one and its candidates. A frame without readings says nothing.
   * @param heightPx height of the text: larger text is read more reliably
   */
  add(readings: readonly PlateReading[], heightPx: number): void
  /** Null before the first reading. */
  result(): VotedPlate | null
}

/** Chance of a text in a frame that does not name it. */
const ABSENT = 0.02
/** Chance, in each frame, that the plate reads as none of the texts seen. */
const NONE = 0.02
/** Weight of a frame between texts of different shape. */
const SHAPE_WEIGHT = 4
/** The same between texts that differ in round letters only. */
const ROUND_WEIGHT = 0.2
/**
 * Letters that blur makes alike. The reader takes one for another in most frames of a passage, so that further frames
 * add little. Blur removes the tail of a Q first: a frame that sees it counts more.
 */
const ROUND: Readonly<Record<string, number>> = { O: 1, Q: 2, D: 0.7 }
const CANDIDATES_MAX = 4

/** Texts of one form that are equal but for round letters. */
interface Shape {
  /** Sum of weighted logarithms, less that of a shape that no frame names. */
  gain: number
  readonly texts: Map<string, Text>
}

interface Text {
  readonly reading: PlateReading
  /** Sum of weighted logarithms of its share in its shape, as above. */
  gain: number
}

interface Frame {
  readonly readings: readonly PlateReading[]
  readonly heightPx: number
}

export function createPlateVote(): PlateVote {
  const frames: Frame[] = []
  return {
    add(readings, heightPx) {
      if (readings.length > 0) frames.push({ readings, heightPx })
    },
    result() {
      const largestPx = Math.max(...frames.map(({ heightPx }) => heightPx))
      const shapes = new Map<string, Shape>()
      let weights = 0
      for (const { readings, heightPx } of frames) {
        const weight = (heightPx / largestPx) ** 2
        weights += weight
        addFrame(shapes, readings, weight)
      }
      const none = SHAPE_WEIGHT * weights * Math.log(NONE / ABSENT)
      const ofShape = shareOf(
        [...shapes.values()].map(({ gain }) => SHAPE_WEIGHT * gain),
        none,
      )
      const voted = [...shapes.values()]
        .flatMap(({ texts }, at) => {
          const all = [...texts.values()]
          const ofText = shareOf(all.map(({ gain }) => ROUND_WEIGHT * gain))
          return all.map(({ reading }, index) => ({
            ...reading,
            chance: (ofShape[at] ?? 0) * (ofText[index] ?? 0),
          }))
        })
        .sort((a, b) => b.chance - a.chance)
      const [first, ...candidates] = voted
      return first ? { ...first, frames: frames.length, candidates: candidates.slice(0, CANDIDATES_MAX) } : null
    },
  }
}

function addFrame(shapes: Map<string, Shape>, readings: readonly PlateReading[], weight: number): void {
  for (const [key, texts] of Map.groupBy(bestOfEachText(readings), shapeOf)) {
    const sum = texts.reduce((all, { chance }) => all + chance, 0)
    const shape = shapes.get(key) ?? { gain: 0, texts: new Map<string, Text>() }
    shapes.set(key, shape)
    shape.gain += weight * Math.log(Math.max(ABSENT, sum) / ABSENT)
    for (const reading of texts) {
      const text = shape.texts.get(reading.placa) ?? { reading, gain: 0 }
      shape.texts.set(reading.placa, text)
      const share = (reading.chance * roundWeight(reading.placa)) / sum
      text.gain += weight * Math.log((share + ABSENT) / ABSENT)
    }
  }
}

/** Softmax; `other`: one more value, whose share is left out. */
function shareOf(logs: readonly number[], other = Number.NEGATIVE_INFINITY): number[] {
  const largest = Math.max(other, ...logs)
  const total = logs.reduce((sum, log) => sum + Math.exp(log - largest), Math.exp(other - largest))
  return logs.map((log) => Math.exp(log - largest) / total)
}

const shapeOf = ({ placa, syntax }: PlateReading): string =>
  `${syntax.pais} ${syntax.forma} ${[...placa].map((symbol) => (symbol in ROUND ? 'O' : symbol)).join('')}`

const roundWeight = (placa: string): number => [...placa].reduce((all, symbol) => all * (ROUND[symbol] ?? 1), 1)

function bestOfEachText(readings: readonly PlateReading[]): PlateReading[] {
  const best = new Map<string, PlateReading>()
  for (const reading of readings) {
    const key = `${reading.syntax.pais} ${reading.syntax.forma} ${reading.placa}`
    if (reading.chance > (best.get(key)?.chance ?? 0)) best.set(key, reading)
  }
  return [...best.values()]
}
