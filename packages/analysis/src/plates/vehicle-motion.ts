import { areaOf, type Box, type Linha, lineEnds } from '@vigia/ias/geometry'
import { createLineCrossing, type Direction } from '@vigia/ias/line-crossing'
import type { VehicleDetection } from './vehicle-detection.ts'

/** The path of one vehicle in front of the camera. */
export interface VehicleMotion {
  readonly direcao: Direction | null
  readonly moved: boolean
  readonly lastBox: Box
  /** Whether the vehicle has jumped against its movement since the last call of `read`: it may be another one. */
  readonly jumped: boolean
  see(detection: VehicleDetection, streamMs: number): void
  /** The plate is being read. */
  read(): void
  /** Takes over the movement of the same vehicle. */
  absorb(other: Pick<VehicleMotion, 'direcao' | 'moved'>): void
}

/** Movement that makes a passage: of the middle in widths of the vehicle, or of the area as a factor. */
const MOVED = { widths: 0.3, area: 1.3 } as const
/** The same of a plate, in its own widths. */
const PLATE_MOVED = 0.32
/** Jump of a track from one vehicle to another, in widths. */
const JUMP = 0.3

export function createVehicleMotion(linha: Linha, first: VehicleDetection): VehicleMotion {
  const ends = lineEnds(linha)
  /** Crossings of the vehicle, and of its plate: their boxes have different ground points. */
  const crossings = new Map([true, false].map((isVehicleBox) => [isVehicleBox, ends && createLineCrossing(ends)]))
  /** First boxes of the vehicle, and of its plate. */
  const firstBoxes = new Map<boolean, Box>()
  let lastBox = first.box
  /** Movement of the middle of the vehicle in the last frame, as a fraction of the frame. */
  let step = { x: 0, y: 0 }
  let direcao: Direction | null = null
  let moved = false
  let jumped = false

  return {
    get direcao() {
      return direcao
    },
    get moved() {
      return moved
    },
    get lastBox() {
      return lastBox
    },
    get jumped() {
      return jumped
    },
    see(detection, streamMs) {
      const next = between(lastBox, detection.box)
      jumped ||= next.x * step.x + next.y * step.y < 0 && Math.hypot(next.x, next.y) >= JUMP * detection.box.w
      step = next
      lastBox = detection.box
      const isVehicleBox = detection.rotulo !== null
      const shown = detection.plateBox ?? detection.box
      const firstBox = firstBoxes.get(isVehicleBox) ?? shown
      firstBoxes.set(isVehicleBox, firstBox)
      direcao = crossings.get(isVehicleBox)?.follow(shown, streamMs) ?? direcao
      moved ||= direcao !== null || hasMoved(firstBox, shown, isVehicleBox ? MOVED.widths : PLATE_MOVED)
    },
    read() {
      jumped = false
    },
    absorb(other) {
      moved ||= other.moved
      direcao ??= other.direcao
    },
  }
}

/** Movement of the middle of a box. */
const between = (a: Box, b: Box) => ({ x: b.x + b.w / 2 - a.x - a.w / 2, y: b.y + b.h / 2 - a.y - a.h / 2 })

function hasMoved(first: Box, now: Box, widths: number): boolean {
  const { x, y } = between(first, now)
  const factor = areaOf(now) / Math.max(1e-6, areaOf(first))
  return Math.hypot(x, y) > widths * first.w || factor > MOVED.area || factor < 1 / MOVED.area
}
