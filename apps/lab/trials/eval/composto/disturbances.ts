import type { Box } from '@vigia/ias/geometry'
import { xorshift } from '@vigia/testing/random'
import type { Pixels } from '../stress/pixels.ts'
import type { Change } from './compose.ts'
import type { DetectedPeople } from './plan.ts'

/** Changes of a scene in which nothing is left behind. */
export const disturbanceNames = ['nada', 'luz_dura', 'luz_geral', 'porta', 'carro', 'sentada'] as const
export type DisturbanceName = (typeof disturbanceNames)[number]

/** Time of the change, in s of the clip, and the picture from which a real car is cut. */
export interface Setting {
  readonly atS: number
  readonly detected: readonly DetectedPeople[]
  readonly seed: number
  readonly car: Pixels
}

/** Where a person was at about that time: each disturbance happens next to one. */
function personAt({ detected, atS }: Setting): Box | null {
  const near = detected.filter((one) => Math.abs(one.atS - atS) < 2 && one.people.length > 0)
  return near.flatMap(({ people }) => people).toSorted((a, b) => b.h - a.h)[0] ?? null
}

export function disturbance(name: DisturbanceName, setting: Setting): Change {
  const random = xorshift(setting.seed)
  const gain = 0.6
  for (let i = 0; i < 4; i++) random()
  const person = personAt(setting) ?? { x: 0.4, y: 0.4, w: 0.1, h: 0.3 }
  const from =
    (change: Change): Change =>
    (picture, atS) =>
      atS >= setting.atS ? change(picture, atS) : undefined
  switch (name) {
    case 'nada':
      return () => {}
    case 'luz_geral':
      return from((picture) => scaleIn(picture, { x: 0, y: 0, w: 1, h: 1 }, gain))
    case 'luz_dura':
      // The light of a window, with a sharp outline, on the floor beside the person.
      return from((picture) =>
        scaleIn(picture, { x: person.x, y: person.y + person.h * 0.8, w: person.w * 1.5, h: person.h * 0.3 }, 1.4, 0.5),
      )
    case 'porta':
      return from((picture) => fillIn(picture, { ...person, y: person.y - person.h * 0.15, h: person.h * 1.2 }, 70))
    case 'carro': {
      const h = person.h * 0.9
      return from((picture) => paste(picture, setting.car, { x: person.x, y: person.y + person.h - h, w: h * 1.1, h }))
    }
    case 'sentada':
      return frozenPerson(setting, person)
  }
}

/** Multiplies the light in a box; `slant` shears it as a low sun does. */
function scaleIn({ rgb, width, height }: Pixels, box: Box, gain: number, slant = 0): void {
  for (let y = Math.max(0, Math.round(box.y * height)); y < Math.min(height, (box.y + box.h) * height); y++) {
    const shift = slant * (y - box.y * height)
    const right = Math.min(width, (box.x + box.w) * width + shift)
    for (let x = Math.max(0, Math.round(box.x * width + shift)); x < right; x++)
      for (let c = 0; c < 3; c++) {
        const at = (y * width + x) * 3 + c
        rgb[at] = Math.min(255, (rgb[at] ?? 0) * gain)
      }
  }
}

function fillIn(picture: Pixels, box: Box, level: number): void {
  const { rgb, width, height } = picture
  for (let y = Math.max(0, Math.round(box.y * height)); y < Math.min(height, (box.y + box.h) * height); y++)
    for (let x = Math.max(0, Math.round(box.x * width)); x < Math.min(width, (box.x + box.w) * width); x++) {
      const panel = Math.abs(((x / width - box.x) / box.w) * 2 - 1) < 0.7 ? 0 : 25
      rgb.fill(level + panel, (y * width + x) * 3, (y * width + x) * 3 + 3)
    }
}

/** Copies a picture, enlarged or reduced, into a box. */
function paste(picture: Pixels, from: Pixels, box: Box): void {
  const { rgb, width, height } = picture
  for (let y = Math.max(0, Math.round(box.y * height)); y < Math.min(height, (box.y + box.h) * height); y++)
    for (let x = Math.max(0, Math.round(box.x * width)); x < Math.min(width, (box.x + box.w) * width); x++) {
      const sx = Math.min(from.width - 1, Math.floor(((x / width - box.x) / box.w) * from.width))
      const sy = Math.min(from.height - 1, Math.floor(((y / height - box.y) / box.h) * from.height))
      const source = (Math.max(0, sy) * from.width + Math.max(0, sx)) * 3
      from.rgb.copy(rgb, (y * width + x) * 3, source, source + 3)
    }
}

/** A real person, cut from the clip at that time, stays in the picture without moving. */
function frozenPerson({ atS }: Setting, person: Box): Change {
  let cut: { readonly left: number; readonly top: number; readonly width: number; readonly rows: Buffer[] } | null =
    null
  return (picture, now) => {
    if (now < atS) return
    const { rgb, width, height } = picture
    if (!cut) {
      const left = Math.max(0, Math.round(person.x * width))
      const top = Math.max(0, Math.round(person.y * height))
      const across = Math.min(width - left, Math.round(person.w * width))
      const rows = Array.from({ length: Math.min(height - top, Math.round(person.h * height)) }, (_, y) => {
        const start = ((top + y) * width + left) * 3
        return Buffer.from(rgb.subarray(start, start + across * 3))
      })
      cut = { left, top, width: across, rows }
    }
    const { left, top, rows } = cut
    rows.forEach((row, y) => void row.copy(rgb, ((top + y) * width + left) * 3))
  }
}
