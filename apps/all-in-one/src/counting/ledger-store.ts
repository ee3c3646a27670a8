import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** An event of the cloud's database. Lists have the order of the API (by id). */
export interface StoredEvent {
  readonly cameraId: number
  readonly seq: number
  /** Number given by the source. */
  readonly k: number
  /** State of the picture: stored, never made, dropped by the quota and recorded, or missing. */
  readonly picture: 'kept' | 'none' | 'dropped' | 'missing'
}

export interface StoredGap {
  readonly cameraId: number
  readonly from: number
  readonly to: number
  readonly reason: string
}

/** Last number of one camera's source: all numbers up to it are or were on the edge's disk. */
interface Produced {
  readonly cameraId: number
  readonly k: number
}

export interface Ledger {
  readonly produced: readonly Produced[]
  /** Number of records in the edge's outbox. */
  readonly waiting: number
  readonly events: readonly StoredEvent[]
  readonly gaps: readonly StoredGap[]
  /** Further pictures in the cloud's database, and those of them without a file. */
  readonly evidence: { readonly stored: number; readonly missing: number }
  /** Discarded candidates in the cloud's database. */
  readonly discards: number
  /** Extras in the edge's outbox. */
  readonly extrasWaiting: number
  /** Events without a clip and without a named reason, and clips that neither side has. */
  readonly clipsLost: number
}

/** Returns the number of events in the cloud's database. */
export function countStored(dataDir: string): number {
  return readOnly(join(dataDir, 'cloud/vigia.db'), (db) =>
    Number(db.prepare('select count(*) from eventos').pluck().get()),
  )
}

/** Returns the numbers of further pictures and of discarded candidates in the cloud's database. */
export function countExtras(dataDir: string): { readonly evidence: number; readonly discards: number } {
  return readOnly(join(dataDir, 'cloud/vigia.db'), (db) => ({
    evidence: countEvidence(dataDir, db).stored,
    discards: countRows(db, 'descartados'),
  }))
}

/**
 * Reads both databases. The edge must be stopped: it locks its file while it runs.
 * @param clips whether the source makes clips
 */
export function readLedger(dataDir: string, edgeDir: string, { clips = false } = {}): Ledger {
  const edge = readOnly(join(edgeDir, 'edge.db'), (db) => ({
    produced: db
      .prepare<[], { camera_id: number; state: string }>('select camera_id, state from analysis_states')
      .all()
      .map(({ camera_id, state }) => ({ cameraId: camera_id, k: Number(JSON.parse(state).k) })),
    waiting: countRows(db, 'records'),
    extrasWaiting: countRows(db, 'extras'),
  }))
  const held = new Set(
    readOnly(join(edgeDir, 'edge.db'), (db) =>
      hasTable(db, 'clips') ? db.prepare<[], string>('select id from clips').pluck().all() : [],
    ),
  )
  return readOnly(join(dataDir, 'cloud/vigia.db'), (db) => ({
    ...edge,
    events: db
      .prepare<[], EventRow>('select camera_id, seq, rotulos_json, crop_path, detalhes_json from eventos order by id')
      .all()
      .map((row) => viewEvent(dataDir, row)),
    gaps: db
      .prepare<[], { camera_id: number; de_seq: number; ate_seq: number; motivo: string }>(
        'select camera_id, de_seq, ate_seq, motivo from lacunas order by camera_id, de_seq',
      )
      .all()
      .map((row) => ({ cameraId: row.camera_id, from: row.de_seq, to: row.ate_seq, reason: row.motivo })),
    evidence: countEvidence(dataDir, db),
    discards: countRows(db, 'descartados'),
    clipsLost: clips ? countLostClips(dataDir, db, held) : 0,
  }))
}

const hasTable = (db: Database.Database, table: string): boolean =>
  db.prepare('select 1 from sqlite_master where name = ?').get(table) !== undefined

/** A former release lacks some tables. */
const countRows = (db: Database.Database, table: 'records' | 'extras' | 'descartados'): number =>
  hasTable(db, table) ? Number(db.prepare(`select count(*) from ${table}`).pluck().get()) : 0

function countEvidence(dataDir: string, db: Database.Database): Ledger['evidence'] {
  const paths = hasTable(db, 'evidencias')
    ? db.prepare<[], { caminho: string }>('select caminho from evidencias').all()
    : []
  const missing = paths.filter(({ caminho }) => !existsSync(join(dataDir, 'cloud/media', caminho)))
  return { stored: paths.length, missing: missing.length }
}

interface ClipRow {
  readonly uuid: string | null
  readonly estado: string | null
  readonly motivo: string | null
  readonly caminho: string | null
}

/** @param held clips on the edge */
function countLostClips(dataDir: string, db: Database.Database, held: ReadonlySet<string>): number {
  if (!hasTable(db, 'clipes_eventos')) return 0
  const rows = db
    .prepare<[], ClipRow>(
      `select c.uuid, c.estado, coalesce(e.motivo, c.motivo) as motivo, c.caminho from eventos
       left join clipes_eventos e on e.evento_id = eventos.id left join clipes c on c.id = e.clipe_id`,
    )
    .all()
  const isLost = ({ uuid, estado, motivo, caminho }: ClipRow): boolean => {
    if (estado === 'guardado') return !existsSync(join(dataDir, 'cloud/media', caminho ?? ''))
    if (uuid !== null && estado !== 'perdido') return !held.has(uuid)
    return motivo === null
  }
  return rows.filter(isLost).length
}

interface EventRow {
  readonly camera_id: number
  readonly seq: number
  readonly rotulos_json: string
  readonly crop_path: string | null
  readonly detalhes_json: string
}

function viewEvent(dataDir: string, { camera_id, seq, ...row }: EventRow): StoredEvent {
  const [number = '', noPicture] = JSON.parse(row.rotulos_json) as string[]
  const picture = () => {
    if (row.crop_path !== null) return existsSync(join(dataDir, 'cloud/media', row.crop_path)) ? 'kept' : 'missing'
    if (noPicture !== undefined) return 'none'
    return JSON.parse(row.detalhes_json).midia_descartada === true ? 'dropped' : 'missing'
  }
  return { cameraId: camera_id, seq, k: Number(number.slice(1)), picture: picture() }
}

function readOnly<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true, timeout: 10_000 })
  try {
    return read(db)
  } finally {
    db.close()
  }
}
