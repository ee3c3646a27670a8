import type { Candidato, Lacuna } from '@vigia/contracts/candidate'
import type { EdgeDb } from '../db/edge-db.ts'
import { uuidV7 } from './uuid-v7.ts'

interface Row {
  readonly position: number
  readonly header: string
}

interface GapRow extends Row {
  readonly id: string
  readonly is_gap: number
  readonly last_seq: number
}

export interface Quota {
  /** Drops what is worth least until the quota holds. Inside the caller's transaction. */
  enforce(): { media: number; records: number }
  /** Takes the pictures off one record. Inside the caller's transaction. */
  strip(row: Row): void
  /** Returns pages to the file system when many lie free. */
  giveBack(): void
}

/** Free pages kept for the next events; more than these go back to the disk, some at a time (4 KiB pages). */
const SPARE_PAGES = 4096
const GIVE_BACK_PAGES = 1024

/**
 * Disk quota of the outbox, counted in pages that hold something, so that indexes and half-filled pages count too. What goes
 * first: the pictures of the oldest, least severe candidates; when no pictures are left, those candidates themselves, each
 * leaving a gap record in its place. Gap records of neighbours grow together.
 */
export function createQuota(
  db: EdgeDb,
  options: { readonly maxBytes: number; inFlight(): ReadonlySet<string> },
): Quota {
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  const pages = db.prepare<[], { used: number }>(
    'SELECT page_count - freelist_count AS used FROM pragma_page_count(), pragma_freelist_count()',
  )
  /** `is_gap = 0`, then by has_media, severity and age: the index `records_by_worth`. */
  const cheapest = db.prepare<[number], Row & { id: string; camera_id: number; seq: number }>(
    `SELECT position, header, id, camera_id, seq FROM records
     WHERE is_gap = 0 AND has_media = ? ORDER BY severity, position`,
  )
  const deleteMedia = db.prepare('DELETE FROM media WHERE record = ?')
  const rewrite = db.prepare('UPDATE records SET header = ?, has_media = 0 WHERE position = ?')
  const deleteRecord = db.prepare('DELETE FROM records WHERE position = ?')
  const before = db.prepare<[number, number], GapRow>(
    `SELECT position, header, id, is_gap, last_seq FROM records
     WHERE camera_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1`,
  )
  const after = db.prepare<[number, number], GapRow>(
    'SELECT position, header, id, is_gap, last_seq FROM records WHERE camera_id = ? AND seq = ?',
  )
  const insertGap = db.prepare(
    `INSERT INTO records (id, camera_id, seq, last_seq, is_gap, severity, has_media, header)
     VALUES (@id, @camera, @seq, @last, 1, 0, 0, @header)`,
  )

  const isOver = () => (pages.get()?.used ?? 0) * pageSize > options.maxBytes

  /** The cheapest record that is not on its way: at most as many are skipped as may be in flight. */
  const next = (hasMedia: 0 | 1) => {
    const busy = options.inFlight()
    for (const row of cheapest.iterate(hasMedia)) if (!busy.has(row.id)) return row
    return null
  }

  const strip = (row: Row) => {
    const header = JSON.parse(row.header) as Candidato
    deleteMedia.run(row.position)
    rewrite.run(JSON.stringify({ ...header, midias: [], midia_descartada: true } satisfies Candidato), row.position)
  }

  const drop = (row: Row & { camera_id: number; seq: number }) => {
    const { camera_id, ocorrido_em } = JSON.parse(row.header) as Candidato
    const busy = options.inFlight()
    deleteRecord.run(row.position)
    // A gap that is on its way keeps its extent: the cloud may have stored it already under that identity.
    const previous = before.get(camera_id, row.seq)
    const following = after.get(camera_id, row.seq + 1)
    const neighbours = [previous?.last_seq === row.seq - 1 ? previous : undefined, following].filter(
      (gap): gap is GapRow => gap?.is_gap === 1 && !busy.has(gap.id),
    )
    let gap: Lacuna = {
      tipo: 'lacuna',
      v: 1,
      id: uuidV7(ocorrido_em),
      camera_id,
      de_seq: row.seq,
      ate_seq: row.seq,
      ocorrido_de: ocorrido_em,
      ocorrido_ate: ocorrido_em,
      motivo: 'cota_de_disco',
    }
    for (const neighbour of neighbours) {
      const other = JSON.parse(neighbour.header) as Lacuna
      deleteRecord.run(neighbour.position)
      gap = {
        ...gap,
        de_seq: Math.min(gap.de_seq, other.de_seq),
        ate_seq: Math.max(gap.ate_seq, other.ate_seq),
        ocorrido_de: Math.min(gap.ocorrido_de, other.ocorrido_de),
        ocorrido_ate: Math.max(gap.ocorrido_ate, other.ocorrido_ate),
      }
    }
    insertGap.run({
      id: gap.id,
      camera: camera_id,
      seq: gap.de_seq,
      last: gap.ate_seq,
      header: JSON.stringify(gap),
    })
  }

  return {
    enforce() {
      const dropped = { media: 0, records: 0 }
      while (isOver()) {
        const pictured = next(1)
        if (pictured) {
          strip(pictured)
          dropped.media++
          continue
        }
        const bare = next(0)
        // Nothing left to drop: gap records alone are a few hundred bytes a camera.
        if (!bare) return dropped
        drop(bare)
        dropped.records++
      }
      return dropped
    },
    strip,
    giveBack() {
      const free = Number(db.pragma('freelist_count', { simple: true }))
      if (free > SPARE_PAGES) db.pragma(`incremental_vacuum(${GIVE_BACK_PAGES})`)
    },
  }
}
