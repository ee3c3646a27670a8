import type { Lacuna } from '@vigia/contracts/candidate'
import type { EdgeDb } from '../db/edge-db.ts'
import { type HeaderRow, readHeader } from '../db/record-header.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import { isSameClock, type StampRow } from '../time/stamp.ts'

export interface DroppedRow extends HeaderRow, StampRow {
  readonly position: number
}

interface NeighbourRow extends DroppedRow {
  readonly is_gap: number
}

type GapExtent = Omit<Lacuna, 'tipo' | 'v' | 'id'>

export interface Gaps {
  /** Replaces these records by gap records; `busy`: records in flight. Runs inside the caller's transaction. */
  putInPlaceOf(rows: readonly DroppedRow[], busy: ReadonlySet<string>): void
  /** Inserts a gap record for numbers without a record. */
  insert(extent: GapExtent, stamp: StampRow): void
}

/**
 * Gap records: neighbours of the same cause and clock merge, so that a few of them cover any number of dropped records.
 * `onCovered`: called with each new gap.
 */
export function createGaps(db: EdgeDb, onCovered: (gap: GapExtent) => void = () => {}): Gaps {
  const deleteRecord = db.prepare('DELETE FROM records WHERE position = ?')
  const columns = 'position, id, camera_id, seq, last_seq, is_gap, header, boot, ahead'
  const before = db.prepare<[number, number], NeighbourRow>(
    `SELECT ${columns} FROM records WHERE camera_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1`,
  )
  const after = db.prepare<[number, number], NeighbourRow>(
    `SELECT ${columns} FROM records WHERE camera_id = ? AND seq = ?`,
  )
  const insertRow = db.prepare(
    `INSERT INTO records (id, camera_id, seq, last_seq, is_gap, severity, has_media, header, boot, ahead)
     VALUES (@id, @camera, @seq, @last, 1, 0, 0, @header, @boot, @ahead)`,
  )

  function insert(extent: GapExtent, stamp: StampRow) {
    const gap: Lacuna = { tipo: 'lacuna', v: 1, id: uuidV7(extent.ocorrido_de), ...extent }
    onCovered(extent)
    insertRow.run({
      id: gap.id,
      camera: gap.camera_id,
      seq: gap.de_seq,
      last: gap.ate_seq,
      header: JSON.stringify(gap),
      boot: stamp.boot,
      ahead: stamp.ahead,
    })
  }

  /** Replaces records with consecutive numbers by one gap, merged with the gaps on both sides. */
  function closeOver(run: readonly DroppedRow[], busy: ReadonlySet<string>) {
    const [first, last] = [run[0], run.at(-1)]
    if (!first || !last) return
    for (const { position } of run) deleteRecord.run(position)
    const previous = before.get(first.camera_id, first.seq)
    const following = after.get(first.camera_id, last.last_seq + 1)
    const joined = [previous?.last_seq === first.seq - 1 ? previous : undefined, following].flatMap((row) => {
      // A gap in flight keeps its extent: the cloud may already have stored it under that identity.
      if (row?.is_gap !== 1 || busy.has(row.id) || !isSameClock(row, first)) return []
      const gap = readHeader(row)
      return gap.tipo === 'lacuna' && gap.motivo === 'cota_de_disco' ? [{ row, gap }] : []
    })
    for (const { row } of joined) deleteRecord.run(row.position)
    const instants = [
      ...run.map(readHeader).flatMap((one) => (one.tipo === 'lacuna' ? one.ocorrido_de : one.ocorrido_em)),
      ...joined.flatMap(({ gap }) => [gap.ocorrido_de, gap.ocorrido_ate]),
    ]
    const extent = {
      camera_id: first.camera_id,
      de_seq: Math.min(first.seq, ...joined.map(({ gap }) => gap.de_seq)),
      ate_seq: Math.max(last.last_seq, ...joined.map(({ gap }) => gap.ate_seq)),
      ocorrido_de: Math.min(...instants),
      ocorrido_ate: Math.max(...instants),
      motivo: 'cota_de_disco',
    } as const
    insert(extent, first)
  }

  return {
    putInPlaceOf(rows, busy) {
      const ordered = rows.toSorted((a, b) => a.camera_id - b.camera_id || a.seq - b.seq)
      let run: DroppedRow[] = []
      for (const row of ordered) {
        const end = run.at(-1)
        const isNext = end?.camera_id === row.camera_id && end.last_seq + 1 === row.seq
        if (end && !(isNext && isSameClock(end, row))) {
          closeOver(run, busy)
          run = []
        }
        run.push(row)
      }
      closeOver(run, busy)
    },
    insert,
  }
}
