import { isArmed } from './agenda.ts'
import { threshold } from './calibration.ts'
import type { Detalhes, NomeIa } from './catalogue.ts'
import { createCooldown } from './cooldown.ts'
import { areaOf, clip } from './geometry.ts'
import type { AnalysisConfig, Fired, ObservedTrack } from './observation.ts'
import type { StopReason } from './replay/occasion.ts'
import type { ZoneInertia } from './zone-inertia.ts'

/** Thresholds, Agenda and cooldown of one IA on one camera. */
export interface Trigger {
  /** The threshold in force. */
  limit(name: string): number
  armed(epochMs: number): boolean
  /** Whether an event may fire now: armed and cooled down. Called at least once per frame, also without tracks. */
  mayFire(epochMs: number, streamMs: number): boolean
  /** Starts the cooldown after an event. */
  fired(epochMs: number, streamMs: number): void
  /** For the state: edge clock of the last event, in epoch ms. */
  lastFiredAt(): number | null
  /**
   * Whether the track is detected, not only predicted, with the confidence and the area that the calibration requires.
   */
  qualifies(track: ObservedTrack): boolean
  /** Why a track that meets its rule does not fire now; null: nothing stops it. */
  stopOf(track: ObservedTrack, at: StopContext): StopReason | null
}

interface StopContext {
  readonly epochMs: number
  readonly inZone: boolean
  /** Its visit has raised an event before. */
  readonly alerted: boolean
  /** It stays for less than the required time so far. */
  readonly short?: boolean
}

export function createTrigger(nome: NomeIa, config: AnalysisConfig, lastFiredAt: number | null): Trigger {
  const limit = (name: string) => threshold(nome, config.calibracao, name)
  const conf = limit('conf')
  const minArea = limit('area_min')
  const cooldown = createCooldown(limit('resfriamento_s') * 1000, lastFiredAt)
  const armed = (epochMs: number) => isArmed(config.agenda, config.fusoHorario, epochMs, config.feriados)
  const isClear = (track: ObservedTrack) => track.confianca >= conf && areaOf(track.box) >= minArea
  return {
    limit,
    armed,
    mayFire(epochMs, streamMs) {
      cooldown.follow(epochMs, streamMs)
      return armed(epochMs) && cooldown.ready(epochMs, streamMs)
    },
    fired: cooldown.start,
    lastFiredAt: cooldown.lastFiredAt,
    qualifies: (track) => !track.predicted && isClear(track),
    stopOf(track, { epochMs, inZone, alerted, short }) {
      if (!inZone) return 'zona'
      if (!isClear(track)) return 'conf'
      if (alerted) return 'alertado'
      if (short) return 'duracao'
      return armed(epochMs) ? 'resfriamento' : 'agenda'
    },
  }
}

/** Milliseconds in seconds, rounded to a tenth. */
export const tenths = (ms: number): number => Math.round(ms / 100) / 10

/** The event of one object, with its zone. */
export function objectEvent(ia: NomeIa, track: ObservedTrack, zones: ZoneInertia, detalhes: Detalhes = {}): Fired {
  const zona = zones.zoneOf(track.id)
  return {
    ia,
    trackIds: [track.id],
    caixas: [{ rotulo: track.rotulo, confianca: track.confianca, ...clip(track.box) }],
    confianca: track.confianca,
    rotulos: [track.rotulo],
    zona: zona === 'fora' ? null : zona,
    detalhes,
  }
}
