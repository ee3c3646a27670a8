import { fileURLToPath } from 'node:url'
import { type EncodedVideo, readAccessUnits } from '@vigia/video/testing/access-units'

export const footageFile = (name: string): string => fileURLToPath(new URL(`../../footage/${name}`, import.meta.url))

/** The first GOPs (20 pictures, 2 s each) of a clip of the footage, played `speed` times as fast for a short loop. */
export async function shortClip(name: string, groups: number, speed: number): Promise<EncodedVideo> {
  const whole = await readAccessUnits(footageFile(name))
  const scale = (ticks: number) => ticks / speed
  const units = whole.units
    .slice(0, groups * 20)
    .map((unit) => ({ ...unit, pts: scale(unit.pts), dts: scale(unit.dts) }))
  return { ...whole, units, fps: whole.fps * speed, duration: scale(groups * 2 * whole.timescale) }
}
