import type { NomeIa } from '@vigia/contracts/ias'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { EdgeDb } from '../db/edge-db.ts'

export interface AnalysisStateStore {
  /** Last saved analysis states of one camera, by IA. */
  states(cameraId: number): Partial<Record<NomeIa, unknown>>
  /** Saves states without an event (positions of alerted people) in one transaction. */
  saveStates(states: readonly { cameraId: number; ia: NomeIa; state: unknown }[]): void
  /** Forgets the states of removed cameras; their waiting records are still sent. */
  keepStatesOf(cameraIds: readonly number[]): void
}

/** States of the analyses, saved beside their events. `put` runs inside the caller's transaction. */
export function createAnalysisStateStore(db: EdgeDb): AnalysisStateStore & {
  put(cameraId: number, ia: NomeIa, state: unknown): void
} {
  const upsert = db.prepare(
    `INSERT INTO analysis_states (camera_id, ia, state) VALUES (?, ?, ?)
     ON CONFLICT (camera_id, ia) DO UPDATE SET state = excluded.state`,
  )
  const select = db.prepare<[number], { ia: NomeIa; state: string }>(
    'SELECT ia, state FROM analysis_states WHERE camera_id = ?',
  )
  const selectCameras = db.prepare<[], { camera_id: number }>('SELECT DISTINCT camera_id FROM analysis_states')
  const deleteOf = db.prepare('DELETE FROM analysis_states WHERE camera_id = ?')

  const put = (cameraId: number, ia: NomeIa, state: unknown) => {
    upsert.run(cameraId, ia, JSON.stringify(state ?? null))
  }
  const saveStates = db.transaction((states: readonly { cameraId: number; ia: NomeIa; state: unknown }[]) => {
    for (const { cameraId, ia, state } of states) put(cameraId, ia, state)
  })
  const keepStatesOf = db.transaction((cameraIds: readonly number[]) => {
    const gone = selectCameras.all().filter(({ camera_id }) => !cameraIds.includes(camera_id))
    for (const { camera_id } of gone) deleteOf.run(camera_id)
  })

  return {
    put,
    states: (cameraId) => Object.fromEntries(select.all(cameraId).map(({ ia, state }) => [ia, JSON.parse(state)])),
    saveStates: (states) => saveStates.immediate(states),
    keepStatesOf(cameraIds) {
      try {
        keepStatesOf.immediate(cameraIds)
      } catch (error) {
        // States of removed cameras are harmless and disappear with the next configuration.
        if (!isDiskFailure(error)) throw error
      }
    },
  }
}
