import type { Appearance } from '@vigia/ias/appearance'
import type { Detection } from '@vigia/ias/detection'
import { TRACK_SURE } from '@vigia/ias/evidence'
import type { Box } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/frame'
import { appearanceOf } from '@vigia/vision/appearance'
import type { Track } from '@vigia/vision/track-state'

/** Width of the picture in which colours are measured, in pixels. */
const WIDTH = 320

/** Measures the colours in boxes of this frame; undefined: there is no person to measure. */
export async function measureColours(
  frame: VideoFrame,
  tracks: readonly Track[],
  found: readonly Detection[],
): Promise<((box: Box) => Appearance | null) | undefined> {
  const isPerson = ({ rotulo }: { readonly rotulo: string }) => rotulo === 'person'
  if (!tracks.some(isPerson) && !found.some((one) => isPerson(one) && one.confianca >= TRACK_SURE)) return undefined
  const height = Math.max(1, Math.round((WIDTH * frame.height) / frame.width))
  const picture = { rgb: await frame.toPacked('rgb', WIDTH, height), width: WIDTH, height }
  return (box) => appearanceOf(picture, box)
}
