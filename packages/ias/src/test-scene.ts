import { createAnalysis } from './analysis.ts'
import { calibracaoPadrao, type NomeIa } from './catalogue.ts'
import type { Box, Point } from './geometry.ts'
import type { Analysis, AnalysisConfig, Fired, ObservedTrack } from './observation.ts'

/** A Monday at noon in São Paulo, in epoch ms. */
export const START = Date.parse('2026-11-09T15:00:00Z')
const STEP_MS = 200

/**
 * The default calibration of `ia` without cooldown, always armed, without geometry; `limits` and `rest` replace these
 * settings.
 */
export const sceneConfig = (
  ia: NomeIa,
  limits: Record<string, number | boolean> = {},
  rest: Partial<AnalysisConfig> = {},
): AnalysisConfig => ({
  ia,
  calibracao: { ...calibracaoPadrao[ia], resfriamento_s: 0, ...limits },
  agenda: null,
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
  ...rest,
})

/** A moving track with enough confidence and hits. */
export const seen = (id: number, rotulo: string, box: Box, rest: Partial<ObservedTrack> = {}): ObservedTrack => ({
  id,
  rotulo,
  confianca: 0.8,
  box,
  hits: 20,
  predicted: false,
  motion: 0.5,
  stillMs: 0,
  evidence: {},
  ...rest,
})

/** The box of an object of `w` × `h` that stands at `foot`. */
export const standing = ({ x, y }: Point, w = 0.06, h = 0.24): Box => ({ x: x - w / 2, y: y - h, w, h })

export interface Scene {
  readonly analysis: Analysis
  /** Shows the next frame. */
  show(...tracks: readonly ObservedTrack[]): Fired[]
  /** Repeats the same frame for this time. */
  hold(seconds: number, ...tracks: readonly ObservedTrack[]): Fired[]
  /** Skips this time without frames. */
  skip(seconds: number): void
  /** Seconds since the start of the scene. */
  elapsed(): number
  /** The scene after a restart: another stream clock, and the result of `state` as JSON. */
  restart(gapSeconds: number, config?: AnalysisConfig): Scene
}

/** Frames for the real analysis of `config.ia`, five a second or every `stepMs`. */
export function createScene(
  config: AnalysisConfig,
  state?: unknown,
  fromEpoch = START,
  fromStream = 1_000,
  stepMs = STEP_MS,
): Scene {
  const analysis = createAnalysis(config, state)
  if (!analysis) throw new Error(`no analysis ${config.ia}`)
  let at = 0
  const show = (...tracks: readonly ObservedTrack[]) => {
    const fired = analysis.update({ tracks, epochMs: fromEpoch + at, streamMs: fromStream + at, evidence: {} })
    at += stepMs
    return fired
  }
  return {
    analysis,
    show,
    hold: (seconds, ...tracks) =>
      Array.from({ length: Math.round((seconds * 1000) / stepMs) }, () => show(...tracks)).flat(),
    skip: (seconds) => {
      at += seconds * 1000
    },
    elapsed: () => at / 1000,
    restart: (gapSeconds, next = config) =>
      createScene(next, JSON.parse(JSON.stringify(analysis.state())), fromEpoch + at + gapSeconds * 1000, 5, stepMs),
  }
}

/** Numbers from 0 to 1, reproducible by seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `steps` points from `from` to `to`, both included. */
export const wayOf = (from: Point, to: Point, steps: number): Point[] =>
  Array.from({ length: steps }, (_, i) => ({
    x: from.x + ((to.x - from.x) * i) / (steps - 1),
    y: from.y + ((to.y - from.y) * i) / (steps - 1),
  }))
