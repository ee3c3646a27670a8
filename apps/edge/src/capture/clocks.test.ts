import { calibracaoPadrao } from '@vigia/contracts/ias'
import { createAnalysis } from '@vigia/ias/analysis'
import type { ObservedTrack } from '@vigia/ias/observation'
import { expect, it } from 'vitest'
import { createTimeline, takenAt } from './timeline.ts'

/** A new person is always visible: an event is due as soon as the cooldown ends. */
const somebody = (id: number, frames: number): ObservedTrack => ({
  id,
  rotulo: 'person',
  confianca: 0.9,
  // Each person stands at a new position.
  box: { x: (id * 0.37) % 0.95, y: (id * 0.23) % 0.9, w: 0.03, h: 0.09 },
  hits: frames,
  predicted: false,
  motion: 1,
  stillMs: 0,
  evidence: {},
})

const FRAME_MS = 200
const COOLDOWN_MS = 10_000
const EPOCH_0 = Date.UTC(2026, 10, 9, 15)
/**
 * Simulates a loaded machine: frames are processed late, sometimes by seconds, and then several at once. The delays
 * come from a fixed seed.
 */
function arrivals(frames: number): number[] {
  let seed = 7
  let last = 0
  return Array.from({ length: frames }, (_, i) => {
    seed = (seed * 48_271) % 2_147_483_647
    const late = seed % 25 === 0 ? 4_000 : seed % 300
    last = Math.max(last, i * FRAME_MS + late)
    return last
  })
}

it('keeps the cooldown on the edge clock and on the stream clock however late frames are processed', () => {
  const calibracao = { ...calibracaoPadrao.invasao, resfriamento_s: COOLDOWN_MS / 1000 }
  const scene = { agenda: null, zonas: [], linha: [], fusoHorario: 'UTC' }
  const analysis = createAnalysis({ ia: 'invasao', calibracao, ...scene })
  const timeline = createTimeline()
  const events: { epochMs: number; streamMs: number; arrivedMs: number }[] = []
  for (const [i, arrivedMs] of arrivals(1_500).entries()) {
    const streamMs = timeline.at(i * FRAME_MS, arrivedMs)
    const epochMs = takenAt(streamMs, arrivedMs, EPOCH_0 + arrivedMs)
    expect(epochMs).toBeLessThanOrEqual(EPOCH_0 + arrivedMs)
    const tracks = [somebody(Math.floor(i / 10) + 1, (i % 10) + 1)]
    const fired = analysis?.update({ epochMs, streamMs, tracks, evidence: {} }) ?? []
    events.push(...fired.map(() => ({ epochMs, streamMs, arrivedMs })))
  }
  const gaps = (key: keyof (typeof events)[number]) =>
    events.slice(1).map((event, i) => event[key] - (events[i]?.[key] ?? 0))
  expect(events.length).toBeGreaterThan(20)
  expect(Math.min(...gaps('epochMs'))).toBeGreaterThanOrEqual(COOLDOWN_MS)
  expect(Math.min(...gaps('streamMs'))).toBeGreaterThanOrEqual(COOLDOWN_MS)
  const [byEpoch, byStream] = [gaps('epochMs'), gaps('streamMs')]
  for (const [i, gap] of byEpoch.entries()) expect(gap).toBeCloseTo(byStream[i] ?? 0, 3)
  // By their processing times some events are closer than the cooldown, so the scenario exposes a wrong clock.
  expect(Math.min(...gaps('arrivedMs'))).toBeLessThan(COOLDOWN_MS)
})
