import { isArmed } from './agenda.ts'
import { threshold } from './calibration.ts'
import type { Detalhes, NomeIa } from './catalogue.ts'
import { createCooldown } from './cooldown.ts'
import { areaOf, clip } from './geometry.ts'
import type { AnalysisConfig, Fired, ObservedTrack } from './observation.ts'
import type { ZoneInertia } from './zone-inertia.ts'

/** What all IAs do alike: thresholds, Agenda and cooldown of one IA on one camera. */
export interface Watch {
  /** The threshold in force. */
  limit(name: string): number
  armed(epochMs: number): boolean
  /** Whether an event may fire now: armed and cooled down. Once a frame at least, whatever there is to see. */
  mayFire(epochMs: number, streamMs: number): boolean
  /** An event has fired: the cooldown begins. */
  fired(epochMs: number, streamMs: number): void
  /** For the state: edge clock of the last event, epoch ms. */
  lastFiredAt(): number | null
  /** Seen in this frame, not only expected, with the confidence and the size that the calibration asks. */
  qualifies(track: ObservedTrack): boolean
}

export function createWatch(nome: NomeIa, config: AnalysisConfig, lastFiredAt: number | null): Watch {
  const limit = (name: string) => threshold(nome, config.calibracao, name)
  const conf = limit('conf')
  const minArea = limit('area_min')
  const cooldown = createCooldown(limit('resfriamento_s') * 1000, lastFiredAt)
  const armed = (epochMs: number) => isArmed(config.agenda, config.fusoHorario, epochMs)
  return {
    limit,
    armed,
    mayFire(epochMs, streamMs) {
      cooldown.follow(epochMs, streamMs)
      return armed(epochMs) && cooldown.ready(epochMs, streamMs)
    },
    fired: cooldown.start,
    lastFiredAt: cooldown.lastFiredAt,
    qualifies: (track) => !track.predicted && track.confianca >= conf && areaOf(track.box) >= minArea,
  }
}

/** Seconds of so many ms, to a tenth. */
export const tenths = (ms: number): number => Math.round(ms / 100) / 10

/** The event of one object, in the zone where it is. */
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
