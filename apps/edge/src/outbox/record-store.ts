import { createHash } from 'node:crypto'
import type { Candidato } from '@vigia/contracts/candidate'
import { type Gravidade, gravidades, ia } from '@vigia/contracts/ias'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { EdgeDb } from '../db/edge-db.ts'
import { timeOfUuid } from '../db/uuid-v7.ts'
import { type Stamp, stampRow } from '../time/stamp.ts'
import { createGaps } from './gap-store.ts'
import type { Loss, NewEvent, NewPassage } from './outbox.ts'
import type { Sequences } from './sequence-store.ts'

/** The records of the outbox with their pictures and numbers. Each change runs inside the caller's transaction. */
export interface Records {
  /** Stores the record of an event. */
  insertEvent(event: NewEvent): Candidato
  /** Stores a record of a passage; returns its number. */
  insertPassage(passage: NewPassage): number
  /** Gives numbers to lost events and stores a gap record for them. */
  insertLost(loss: Loss): void
  /** Returns the number of records removed. */
  remove(ids: readonly string[]): number
  count(): number
  /** Time at which the oldest record was stored in epoch ms; null: none. */
  oldestAt(): number | null
}

export function createRecords(db: EdgeDb, sequences: Pick<Sequences, 'take'>): Records {
  const insert = db.prepare(
    `INSERT INTO records (id, camera_id, seq, last_seq, is_gap, severity, has_media, header, boot, ahead)
     VALUES (@id, @camera, @seq, @seq, 0, @severity, @media, @header, @boot, @ahead)`,
  )
  const insertMedia = db.prepare('INSERT INTO media (record, ordinal, bytes) VALUES (?, ?, ?)')
  const removeById = db.prepare('DELETE FROM records WHERE id = ?')
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM records')
  const oldest = db.prepare<[], { id: string }>(
    'SELECT id FROM records WHERE position = (SELECT min(position) FROM records)',
  )
  const gaps = createGaps(db)

  function insertRecord(
    header: Candidato | RegistroPassagem,
    gravidade: Gravidade,
    media: readonly { readonly bytes: Uint8Array }[],
    stamp: Stamp | null | undefined,
  ) {
    const { lastInsertRowid } = insert.run({
      id: header.id,
      camera: header.camera_id,
      seq: header.seq,
      severity: gravidades.indexOf(gravidade),
      media: media.length > 0 ? 1 : 0,
      header: JSON.stringify(header),
      ...stampRow(stamp),
    })
    for (const [ordinal, { bytes }] of media.entries()) insertMedia.run(lastInsertRowid, ordinal, bytes)
  }

  return {
    insertEvent({ candidate, media, mediaDropped, stamp }) {
      const header: Candidato = {
        tipo: 'candidato',
        v: 1,
        ...candidate,
        seq: sequences.take(candidate.camera_id, 1),
        midias: declared(media),
        midia_descartada: mediaDropped ?? false,
      }
      insertRecord(header, ia(header.ia).gravidade, media, stamp)
      return header
    },
    insertPassage({ passage, media, mediaDropped, stamp }) {
      const seq = sequences.take(passage.camera_id, 1)
      const header: RegistroPassagem = {
        tipo: 'passagem',
        v: 1,
        ...passage,
        seq,
        midias: declared(media),
        midia_descartada: mediaDropped ?? false,
      }
      insertRecord(header, PASSAGE_SEVERITY, media, stamp)
      return seq
    },
    insertLost({ cameraId, count: n, de, ate, stamp }) {
      const last = sequences.take(cameraId, n)
      const extent = {
        camera_id: cameraId,
        de_seq: last - n + 1,
        ate_seq: last,
        ocorrido_de: Math.min(de, ate),
        ocorrido_ate: Math.max(de, ate),
        motivo: 'disco_indisponivel',
      } as const
      gaps.insert(extent, stampRow(stamp))
    },
    remove: (ids) => ids.reduce((removed, id) => removed + removeById.run(id).changes, 0),
    count: () => count.get()?.n ?? 0,
    oldestAt: () => timeOfUuid(oldest.get()?.id),
  }
}

/** The list may block the vehicle: the edge does not know the lists. */
export const PASSAGE_SEVERITY: Gravidade = 'alta'

const declared = <T extends string>(media: readonly { readonly papel: T; readonly bytes: Uint8Array }[]) =>
  media.map(({ papel, bytes }) => ({
    papel,
    tipo: 'image/jpeg' as const,
    tamanho: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
