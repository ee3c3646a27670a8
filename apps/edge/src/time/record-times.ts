import type { Registro } from '@vigia/contracts/candidate'
import type { EdgeDb } from '../db/edge-db.ts'
import { createBootStore } from './boot-store.ts'
import type { StampRow } from './stamp.ts'

/** Changes the stored times of a record into the right ones. */
export interface Correction {
  readonly shiftMs: number
  /** The right time is at most this much later; null: it is known. */
  readonly uncertainMs: number | null
}

/** Smaller corrections are left out: the clock was as right as any other. */
const LEAST_SHIFT_MS = 1_000
const NONE: Correction = { shiftMs: 0, uncertainMs: null }

/** Finds the right times of records from before the time was known. */
export function createRecordTimes(db: EdgeDb) {
  const store = createBootStore(db)
  return {
    correction({ boot: id, ahead }: StampRow): Correction {
      if (id === null || ahead === null) return NONE
      const boots = store.list()
      const at = boots.findIndex((boot) => boot.id === id)
      const boot = boots[at]
      if (boot === undefined) return NONE
      if (boot.ahead !== null) {
        const shiftMs = boot.ahead - ahead
        return Math.abs(shiftMs) < LEAST_SHIFT_MS ? NONE : { shiftMs, uncertainMs: null }
      }
      const next = boots.slice(at + 1).find((later) => later.ahead !== null)
      // The clock of the present start is not known yet, or that of an earlier one came from its battery clock.
      if (next?.ahead == null || boot.assumed) return NONE
      // `next.ahead` is the time at which a later start began: this one had ended by then.
      const uncertainMs = Math.max(0, next.ahead - boot.lastMono - boot.earliest)
      return { shiftMs: boot.earliest - ahead, uncertainMs }
    },
  }
}

/** The record with its right times. */
export function withRightTimes(registro: Registro, { shiftMs, uncertainMs }: Correction): Registro {
  if (shiftMs === 0 && uncertainMs === null) return registro
  const right = (at: number) => Math.max(0, Math.round(at + shiftMs))
  if (registro.tipo === 'lacuna') {
    const ate = right(registro.ocorrido_ate) + (uncertainMs ?? 0)
    return { ...registro, ocorrido_de: right(registro.ocorrido_de), ocorrido_ate: ate }
  }
  const de = right(registro.ocorrido_em)
  const corrected = {
    ocorrido_em: de,
    relogio: { ...registro.relogio, desvio_ms: uncertainMs === null ? 0 : null },
    ...(uncertainMs !== null && { hora_incerta: { de, ate: de + uncertainMs } }),
  }
  if (registro.tipo === 'candidato') return { ...registro, ...corrected }
  const { inicio, fim } = registro
  return { ...registro, ...corrected, inicio: right(inicio), fim: fim === null ? null : right(fim) }
}
