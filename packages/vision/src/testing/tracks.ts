import type { Box } from '@vigia/ias/geometry'
import type { Track } from '../track-state.ts'

/** A track of a walking person at `atMs`. */
export const trackAt = (id: number, box: Box, atMs = 0, more: Partial<Track> = {}): Track => ({
  id,
  rotulo: 'person',
  confianca: 0.8,
  box,
  hits: 10,
  firstSeenMs: atMs - 5_000,
  lastSeenMs: atMs,
  misses: 0,
  predicted: false,
  stillMs: 0,
  thing: false,
  trail: [{ atMs, box }],
  ...more,
})
