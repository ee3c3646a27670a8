import { createHash } from 'node:crypto'
import type { Candidato, Midia, Registro } from '@vigia/contracts/candidate'
import { gravidades, ia, type NomeIa } from '@vigia/contracts/ias'
import type { EdgeDb } from '../db/edge-db.ts'
import { createQuota } from './quota-store.ts'

/** What the pipeline hands over; number, media list and identity of the record are the outbox's to give. */
export type NewCandidate = Omit<Candidato, 'tipo' | 'v' | 'seq' | 'midias' | 'midia_descartada'>

export interface NewMedia {
  readonly papel: Midia['papel']
  readonly bytes: Uint8Array
}

export interface NewEvent {
  readonly candidate: NewCandidate
  readonly media: readonly NewMedia[]
}

export interface StoredRecord {
  readonly registro: Registro
  readonly midias: readonly Buffer[]
}

export interface Outbox {
  /**
   * What one analysis of one camera fired, with pictures and numbers, and the state of that analysis after it, in one
   * transaction that is on the disk when this returns. So a restarted analysis either knows of the events and they are here,
   * or neither. Applies the quota. Returns the number of each.
   */
  add(events: readonly NewEvent[], state: unknown): readonly number[]
  /** Cameras that may have records. */
  cameras(): readonly number[]
  /** Oldest record of one camera: the next to send. */
  head(cameraId: number): StoredRecord | null
  /** The cloud has it, or never will. False: it was gone already. */
  remove(id: string): boolean
  /** Give up the pictures of one record (they can not be sent) and keep the rest. */
  stripMedia(id: string): void
  size(): number
  /** Analysis states of one camera, by IA, as last saved. */
  states(cameraId: number): Partial<Record<NomeIa, unknown>>
  /** Saves states outside an event (who was alerted stands where, now), in one transaction. */
  saveStates(states: readonly { cameraId: number; ia: NomeIa; state: unknown }[]): void
  /** Forgets the states of cameras that are no longer configured; their waiting records still go out. */
  keepStatesOf(cameraIds: readonly number[]): void
}

export interface OutboxOptions {
  readonly maxBytes: number
  /** Records that are on their way to the cloud right now: the quota leaves them alone. */
  inFlight(): ReadonlySet<string>
  onDropped?(dropped: { media: number; records: number }): void
}

interface Row {
  readonly position: number
  readonly header: string
}

/** The outbox over an open `edge.db`. Calls are synchronous and short; each change is one transaction. */
export function createOutbox(db: EdgeDb, options: OutboxOptions): Outbox {
  const nextSeq = db.prepare<[number], { last: number }>(
    `INSERT INTO sequences (camera_id, last) VALUES (?, 1)
     ON CONFLICT (camera_id) DO UPDATE SET last = last + 1 RETURNING last`,
  )
  const insert = db.prepare(
    `INSERT INTO records (id, camera_id, seq, last_seq, is_gap, severity, has_media, header)
     VALUES (@id, @camera, @seq, @seq, 0, @severity, @media, @header)`,
  )
  const insertMedia = db.prepare('INSERT INTO media (record, ordinal, bytes) VALUES (?, ?, ?)')
  const upsertState = db.prepare(
    `INSERT INTO analysis_states (camera_id, ia, state) VALUES (?, ?, ?)
     ON CONFLICT (camera_id, ia) DO UPDATE SET state = excluded.state`,
  )
  const selectCameras = db.prepare<[], { camera_id: number }>('SELECT camera_id FROM sequences ORDER BY camera_id')
  const selectHead = db.prepare<[number], Row>(
    'SELECT position, header FROM records WHERE camera_id = ? ORDER BY seq LIMIT 1',
  )
  const selectMedia = db.prepare<[number], { bytes: Buffer }>(
    'SELECT bytes FROM media WHERE record = ? ORDER BY ordinal',
  )
  const removeById = db.prepare('DELETE FROM records WHERE id = ?')
  const selectById = db.prepare<[string], Row>('SELECT position, header FROM records WHERE id = ?')
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM records')
  const selectStates = db.prepare<[number], { ia: NomeIa; state: string }>(
    'SELECT ia, state FROM analysis_states WHERE camera_id = ?',
  )
  const selectStateCameras = db.prepare<[], { camera_id: number }>('SELECT DISTINCT camera_id FROM analysis_states')
  const deleteStates = db.prepare('DELETE FROM analysis_states WHERE camera_id = ?')
  const quota = createQuota(db, options)

  const insertOne = ({ candidate, media }: NewEvent): number => {
    const seq = nextSeq.get(candidate.camera_id)?.last
    if (seq === undefined) throw new Error('no sequence number')
    const header: Candidato = {
      tipo: 'candidato',
      v: 1,
      ...candidate,
      seq,
      midias: media.map(({ papel, bytes }) => ({
        papel,
        tipo: 'image/jpeg',
        tamanho: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })),
      midia_descartada: false,
    }
    const { lastInsertRowid } = insert.run({
      id: header.id,
      camera: header.camera_id,
      seq,
      severity: gravidades.indexOf(ia(header.ia).gravidade),
      media: media.length > 0 ? 1 : 0,
      header: JSON.stringify(header),
    })
    for (const [ordinal, { bytes }] of media.entries()) insertMedia.run(lastInsertRowid, ordinal, bytes)
    return seq
  }

  const add = db.transaction((events: readonly NewEvent[], state: unknown) => {
    const seqs = events.map(insertOne)
    const about = events[0]?.candidate
    if (about) upsertState.run(about.camera_id, about.ia, JSON.stringify(state ?? null))
    return { seqs, dropped: quota.enforce() }
  })

  const saveStates = db.transaction((states: readonly { cameraId: number; ia: NomeIa; state: unknown }[]) => {
    for (const { cameraId, ia: name, state } of states) upsertState.run(cameraId, name, JSON.stringify(state ?? null))
  })

  const keepStatesOf = db.transaction((cameraIds: readonly number[]) => {
    const gone = selectStateCameras.all().filter(({ camera_id }) => !cameraIds.includes(camera_id))
    for (const { camera_id } of gone) deleteStates.run(camera_id)
  })

  return {
    add(events, state) {
      const { seqs, dropped } = add.immediate(events, state)
      if (dropped.media + dropped.records > 0) options.onDropped?.(dropped)
      return seqs
    },
    cameras: () => selectCameras.all().map(({ camera_id }) => camera_id),
    head(cameraId) {
      const row = selectHead.get(cameraId)
      if (!row) return null
      const registro = JSON.parse(row.header) as Registro
      return { registro, midias: selectMedia.all(row.position).map(({ bytes }) => bytes) }
    },
    remove(id) {
      const { changes } = removeById.run(id)
      quota.giveBack()
      return changes > 0
    },
    stripMedia(id) {
      const row = selectById.get(id)
      if (row) db.transaction(() => quota.strip(row)).immediate()
    },
    size: () => count.get()?.n ?? 0,
    states: (cameraId) =>
      Object.fromEntries(selectStates.all(cameraId).map(({ ia: name, state }) => [name, JSON.parse(state)])),
    saveStates: (states) => saveStates.immediate(states),
    keepStatesOf: (cameraIds) => keepStatesOf.immediate(cameraIds),
  }
}
