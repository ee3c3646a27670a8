import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import { isSameClock, type Stamp, stampRow } from '../time/stamp.ts'
import type { Outbox } from './outbox.ts'

/** A passage with its right times, or those of the clock of its stamp. */
export type PlacedPassage = SeenPassage & { readonly stamp?: Stamp | null }
type Known = Omit<PlacedPassage, 'media'>

/** The passages whose vehicle is still in front of its camera, by their last record. They survive a restart. */
export interface OpenPassages {
  /** The record that continues a passage from before an interruption, or the same record. */
  continued(passage: PlacedPassage): PlacedPassage
  /** Remembers the record after it was accepted. */
  accepted(passage: PlacedPassage): void
  /** Last records of the open passages of a camera, whose capture was interrupted. They are open no longer. */
  interrupted(cameraId: number): readonly PlacedPassage[]
}

export interface OpenPassagesOptions {
  readonly outbox: Pick<Outbox, 'states' | 'saveStates'>
  onFailed(error: unknown): void
}

/** Time in which a vehicle with the same plate continues an interrupted passage, in ms. */
const SAME_MS = 60_000

/**
 * A capture process that ends unexpectedly cannot end its passages. The last known instant of such a passage is that of
 * its best frame. The following process may see the same vehicle again: with the same plate it is the same passage.
 */
export function createOpenPassages({ outbox, onFailed }: OpenPassagesOptions): OpenPassages {
  const open = new Map<number, Map<string, Known>>()
  const ended = new Map<number, readonly Known[]>()
  /** Passages of the following process, and the interrupted passages that they continue. */
  const continues = new Map<string, Known>()

  function ofCamera(cameraId: number): Map<string, Known> {
    const known = open.get(cameraId) ?? new Map(savedIn(outbox.states(cameraId).placa))
    open.set(cameraId, known)
    return known
  }

  function save(cameraId: number) {
    try {
      outbox.saveStates([{ cameraId, ia: 'placa', state: { abertas: [...ofCamera(cameraId).values()] } }])
    } catch (error) {
      onFailed(error)
    }
  }

  function earlierOf({ camera_id, placa, inicio, revisao, stamp }: PlacedPassage): Known | undefined {
    if (revisao > 1 || placa === null) return undefined
    // Times of two clocks have no known distance.
    const isSame = (one: Known) => isSameClock(stampRow(one.stamp), stampRow(stamp))
    const own = ended.get(camera_id)?.filter((one) => one.placa?.placa === placa.placa && isSame(one))
    return own?.find((one) => inicio - (one.fim ?? 0) <= SAME_MS)
  }

  return {
    continued(passage) {
      const earlier = continues.get(passage.passagem) ?? earlierOf(passage)
      if (!earlier) return passage
      if (passage.fim === null) continues.set(passage.passagem, earlier)
      else continues.delete(passage.passagem)
      const { passagem, inicio } = earlier
      return { ...passage, passagem, inicio, revisao: earlier.revisao + passage.revisao }
    },
    accepted({ media: _pictures, ...passage }) {
      const known = ofCamera(passage.camera_id)
      if (passage.fim === null) known.set(passage.passagem, passage)
      else known.delete(passage.passagem)
      save(passage.camera_id)
    },
    interrupted(cameraId) {
      const last = [...ofCamera(cameraId).values()].map((one) => ({
        ...one,
        revisao: one.revisao + 1,
        fim: one.ocorrido_em,
      }))
      ended.set(cameraId, last)
      return last.map((one) => ({ ...one, media: [] }))
    },
  }
}

function savedIn(state: unknown): [string, Known][] {
  const saved = typeof state === 'object' && state !== null && 'abertas' in state ? state.abertas : []
  return Array.isArray(saved) ? saved.map((one: Known) => [one.passagem, one]) : []
}
