import type { Box } from '@vigia/ias/geometry'
import type { Pixels } from '../stress/pixels.ts'

/** A car, cut out of its photograph as a rectangle. */
export interface CutCar extends Pixels {
  readonly name: string
}

/** Vehicles of a queue drive at this speed, in own widths a second, with this gap between them, in own widths. */
const SPEED = 0.6
const GAP = 0.25
/** Part of a side of the rectangle over which the car blends into the scene. */
const SOFT = 0.06

/** Boxes of the queue at `atS`: from left to right, bottom edges at `bottom` (fraction of the frame). */
export function queueAt(cars: readonly CutCar[], scene: Pixels, bottom: number, atS: number): Box[] {
  let x = 0.04
  return cars.map(({ width, height }) => {
    const [w, h] = [width / scene.width, height / scene.height]
    const box = { x: x + SPEED * w * atS, y: bottom - h, w, h }
    x += w * (1 + GAP)
    return box
  })
}

/** Draws the cars into a copy of the scene, with `gain` on their light. */
export function drawQueue(scene: Pixels, cars: readonly CutCar[], boxes: readonly Box[], gain: number): Pixels {
  const rgb = Buffer.from(scene.rgb)
  for (const [index, car] of cars.entries()) {
    const box = boxes[index]
    if (!box) continue
    const [left, top] = [Math.round(box.x * scene.width), Math.round(box.y * scene.height)]
    for (let y = 0; y < car.height; y++) {
      for (let x = 0; x < car.width; x++) {
        if (left + x < 0 || left + x >= scene.width || top + y < 0 || top + y >= scene.height) continue
        const opacity = softness((x + 0.5) / car.width) * softness((y + 0.5) / car.height)
        const [from, to] = [3 * (y * car.width + x), 3 * ((top + y) * scene.width + left + x)]
        for (let channel = 0; channel < 3; channel++)
          rgb[to + channel] =
            (rgb[to + channel] ?? 0) * (1 - opacity) + Math.min(255, (car.rgb[from + channel] ?? 0) * gain) * opacity
      }
    }
  }
  return { ...scene, rgb }
}

const softness = (place: number) => Math.min(1, Math.min(place, 1 - place) / SOFT)
