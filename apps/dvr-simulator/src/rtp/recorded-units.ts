import type { AccessUnit, EncodedVideo } from '@vigia/video/testing/access-units'

/** A part of an archive, epoch ms. */
export interface RecordedSpan {
  readonly inicio: number
  readonly fim: number
}

export interface RecordedUnit {
  readonly unit: AccessUnit
  /** Time of its presentation, epoch ms. */
  readonly atMs: number
}

/**
 * The pictures that an archive holds from `fromMs` on, beginning with the keyframe before. Each span repeats the video
 * from its own beginning.
 */
export function* recordedUnits(
  { units, duration, timescale }: EncodedVideo,
  spans: readonly RecordedSpan[],
  fromMs: number,
): Generator<RecordedUnit, void> {
  const perMs = timescale / 1000
  for (const { inicio, fim } of spans) {
    if (fim <= fromMs) continue
    const begin = Math.max(0, fromMs - inicio) * perMs
    const within = begin % duration
    let offset = begin - within
    let index = units.findLastIndex(({ key, dts }) => key && dts <= within)
    for (;;) {
      const unit = units[index]
      if (!unit) {
        offset += duration
        index = 0
        continue
      }
      if (inicio + (offset + unit.dts) / perMs >= fim) break
      yield { unit, atMs: inicio + (offset + unit.pts) / perMs }
      index++
    }
  }
}
