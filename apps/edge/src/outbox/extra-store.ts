import { createHash } from 'node:crypto'
import { type Extra, MAX_SEM_CLIPES_MENSAGEM, MAX_SEQS_SEM_CLIPES } from '@vigia/contracts/extras'
import type { ExtraItem } from '@vigia/link/extras-batch'
import type { EdgeDb } from '../db/edge-db.ts'
import { type Correction, createRecordTimes } from '../time/record-times.ts'
import { type Stamp, type StampRow, stampRow } from '../time/stamp.ts'

/** An extra before the outbox adds the list of its picture. */
export type NewExtra = Extra extends infer One ? (One extends Extra ? Omit<One, 'imagem'> : never) : never

interface ExtraLimits {
  readonly records: number
  readonly bytes: number
  /** Cameras whose extras wait for the cloud. */
  readonly without?: readonly number[]
}

export interface ExtraReader {
  /**
   * The newest extras of these kinds whose candidates have left the outbox, within the limits. The first one may exceed
   * `bytes`. A header that a failing disk has damaged is skipped.
   */
  next(kinds: readonly string[], limits: ExtraLimits): readonly ExtraItem[]
  count(): number
}

/** The event that a note is about (null: from an earlier version), or the first number that a list may have. */
export interface EventNumber {
  readonly cameraId: number
  readonly seq: number | null
}

interface Row extends StampRow {
  readonly position: number
  readonly header: string
  readonly bytes: Buffer
}

/** Rows per query: a few fill a message. */
const FETCH = 16

/**
 * Extras of the edge (contracts, extras.ts). They have no sequence numbers, and the newest are sent first. The
 * transactions are those of store.ts.
 */
export function createExtras(db: EdgeDb): ExtraReader & {
  /** `picture`: null: none. */
  insert(extra: NewExtra, picture: Buffer | null, about?: EventNumber | null, stamp?: Stamp | null): void
  remove(ids: readonly string[]): void
} {
  const insert = db.prepare(
    `INSERT INTO extras (id, kind, candidate, header, bytes, camera_id, seq, boot, ahead)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const times = createRecordTimes(db)
  const removeById = db.prepare('DELETE FROM extras WHERE id = ?')
  const removeAt = db.prepare('DELETE FROM extras WHERE position = ?')
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM extras')
  // The cloud must have the event before a picture that belongs to it.
  const select = db.prepare<[string, number, string, number], Row>(
    `SELECT position, header, bytes, boot, ahead FROM extras
     WHERE kind IN (SELECT value FROM json_each(?)) AND position < ?
       AND NOT EXISTS (SELECT 1 FROM records WHERE records.id = extras.candidate)
       AND NOT EXISTS (SELECT 1 FROM clip_events JOIN records ON records.id = clip_events.event
         WHERE clip_events.clip = extras.id)
       AND (kind <> 'sem_clipes' OR NOT EXISTS (SELECT 1 FROM records WHERE is_gap = 0
         AND records.camera_id = extras.camera_id
         AND records.seq >= extras.seq AND records.seq < extras.seq + ${MAX_SEQS_SEM_CLIPES}))
       AND CASE WHEN json_valid(header) THEN json_extract(header, '$.camera_id') ELSE 0 END
         NOT IN (SELECT value FROM json_each(?))
     ORDER BY position DESC LIMIT ?`,
  )

  function* newest(kinds: readonly string[], without: readonly number[]): Generator<Row> {
    const listed = JSON.stringify(kinds)
    const cameras = JSON.stringify(without)
    let below = Number.MAX_SAFE_INTEGER
    for (;;) {
      const rows = select.all(listed, below, cameras, FETCH)
      yield* rows
      if (rows.length < FETCH) return
      below = rows.at(-1)?.position ?? 0
    }
  }

  return {
    insert(extra, picture, about, stamp) {
      const imagem = picture && {
        tipo: 'image/jpeg' as const,
        tamanho: picture.length,
        sha256: createHash('sha256').update(picture).digest('hex'),
      }
      // A discarded candidate waits for no event; a clip waits for those that `clip_events` assigns to it.
      const candidate = 'evento' in extra ? extra.evento : extra.id
      const header = JSON.stringify({ ...extra, imagem })
      const { cameraId = null, seq = null } = about ?? {}
      const { boot, ahead } = stampRow(stamp)
      insert.run(extra.id, extra.tipo, candidate, header, picture ?? Buffer.alloc(0), cameraId, seq, boot, ahead)
    },
    remove(ids) {
      for (const id of ids) removeById.run(id)
    },
    next(kinds, { records, bytes, without = [] }) {
      const taken: ExtraItem[] = []
      let [total, lists] = [0, 0]
      for (const row of newest(kinds, without)) {
        const size = row.header.length + row.bytes.length
        if (taken.length >= records || (taken.length > 0 && total + size > bytes)) break
        const extra = parseExtra(row.header)
        if (extra === null) {
          removeAt.run(row.position)
          continue
        }
        // The cloud reads many rows for each list.
        if (extra.tipo === 'sem_clipes' && ++lists > MAX_SEM_CLIPES_MENSAGEM) break
        taken.push({ extra: withRightStart(extra, times.correction(row)), imagem: row.bytes })
        total += size
      }
      return taken
    },
    count: () => count.get()?.n ?? 0,
  }
}

/** The extra with its right time; an uncertain one has the earliest possible, like its event. */
function withRightStart(extra: Extra, { shiftMs }: Correction): Extra {
  const right = (at: number) => Math.max(0, Math.round(at + shiftMs))
  if (extra.tipo === 'descartado') return { ...extra, ocorrido_em: right(extra.ocorrido_em) }
  return extra.tipo === 'clipe' ? { ...extra, inicio: right(extra.inicio) } : extra
}

/** null: a failing disk has damaged the header. */
export function parseExtra(header: string): Extra | null {
  try {
    return JSON.parse(header) as Extra
  } catch {
    return null
  }
}
