import type { EsperaQuadroChave } from '@vigia/contracts/edge-state'
import type { Fluxo } from '@vigia/contracts/transmissao'
import type { StreamStatus } from '../capture/model.ts'

/** A shorter pause of the pictures is no wait. */
const LEAST_MS = 2_000

interface Wait {
  readonly fluxo: Fluxo
  readonly ms: number
}

/**
 * The streams of a camera whose pictures are of no use before their next keyframe. `seen`: last message of its capture
 * process, `ageMs` ago. `live`: its live streams that wait. Those of a masked camera are copies of the analysed stream.
 */
export function keyframeWaits(
  seen: { readonly stream: StreamStatus; readonly ageMs: number } | null,
  live: readonly Wait[],
  isMasked: boolean,
): EsperaQuadroChave[] {
  if (seen?.stream.choice === undefined) return []
  const fluxo: Fluxo = seen.stream.choice === 'sub' ? 'secundario' : 'principal'
  const copied = live.map((wait) => (isMasked ? { fluxo, ms: wait.ms } : wait))
  const waits: Wait[] = [...copied, { fluxo, ms: analysisWaitMs(seen.stream, seen.ageMs) }]
  const longest = Map.groupBy(
    waits.filter(({ ms }) => ms >= LEAST_MS),
    (wait) => wait.fluxo,
  )
  return [...longest].map(([key, found]) => ({ fluxo: key, ha_ms: Math.round(Math.max(...found.map(({ ms }) => ms))) }))
}

/** Time for which no picture is decoded although the connection has some; 0: none. */
const analysisWaitMs = ({ reading, keyframeAgeMs, lastFrameAgeMs }: StreamStatus, ageMs: number): number =>
  reading && keyframeAgeMs !== null ? Math.min(keyframeAgeMs, lastFrameAgeMs ?? Number.POSITIVE_INFINITY) + ageMs : 0
