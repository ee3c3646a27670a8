import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'

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
  /** Events on the edge whose clip may still come. */
  readonly clipsAwaited: number
  /** Events without a clip and without a named reason, and clips that neither side has. */
  readonly clipsLost: number
}

/** Where the cloud keeps its data. */
export interface CloudData {
  readonly dataDir: string
  /** URL of its PostgreSQL database; absent: SQLite in the data folder. */
  readonly banco?: string | undefined
}

/** Returns the number of events in the cloud's database. */
export const countStored = (cloud: CloudData): Promise<number> => readCloud(cloud, (db) => db.count('eventos'))

/** Returns the names of the migrations that ran, ordered. */
export const appliedMigrations = (cloud: CloudData): Promise<string[]> =>
  readCloud(cloud, async (db) => {
    const rows = await db.rows<{ name: string }>('select name from kysely_migration order by name')
    return rows.map(({ name }) => name)
  })

/** Returns the ids of the confirmed events, ordered. */
export const confirmedIds = (cloud: CloudData): Promise<number[]> =>
  readCloud(cloud, async (db) => {
    const rows = await db.rows<{ id: number }>(
      "select id from eventos where veredito_decisao = 'confirmado' order by id",
    )
    return rows.map(({ id }) => id)
  })

/** Returns the numbers of further pictures and of discarded candidates in the cloud's database. */
export const countExtras = (cloud: CloudData): Promise<{ readonly evidence: number; readonly discards: number }> =>
  readCloud(cloud, async (db) => ({
    evidence: (await countEvidence(cloud.dataDir, db)).stored,
    discards: await db.count('descartados'),
  }))

/**
 * Reads both databases. The edge must be stopped: it locks its file while it runs.
 * @param clips whether the source makes clips
 */
export function readLedger(cloud: CloudData, edgeDir: string, { clips = false } = {}): Promise<Ledger> {
  const { dataDir } = cloud
  const edge = readOnly(join(edgeDir, 'edge.db'), (db) => ({
    produced: db
      .prepare<[], { camera_id: number; state: string }>('select camera_id, state from analysis_states')
      .all()
      .map(({ camera_id, state }) => ({ cameraId: camera_id, k: Number(JSON.parse(state).k) })),
    waiting: countRows(db, 'records'),
    extrasWaiting: countRows(db, 'extras'),
    clipsAwaited: hasTable(db, 'clip_events')
      ? Number(db.prepare('select count(*) from clip_events where clip is null').pluck().get())
      : 0,
  }))
  const held = new Set(
    readOnly(join(edgeDir, 'edge.db'), (db) =>
      hasTable(db, 'clips') ? db.prepare<[], string>('select id from clips').pluck().all() : [],
    ),
  )
  return readCloud(cloud, async (db) => {
    const events = await db.rows<EventRow>(
      'select camera_id, seq, rotulos_json, crop_path, detalhes_json from eventos order by id',
    )
    const gaps = await db.rows<{ camera_id: number; de_seq: number; ate_seq: number; motivo: string }>(
      'select camera_id, de_seq, ate_seq, motivo from lacunas order by camera_id, de_seq',
    )
    return {
      ...edge,
      events: events.map((row) => viewEvent(dataDir, row)),
      gaps: gaps.map((row) => ({ cameraId: row.camera_id, from: row.de_seq, to: row.ate_seq, reason: row.motivo })),
      evidence: await countEvidence(dataDir, db),
      discards: await db.count('descartados'),
      clipsLost: clips ? await countLostClips(dataDir, db, held) : 0,
    }
  })
}

/** Reads of the cloud's database, which run on SQLite and on PostgreSQL. */
interface CloudReader {
  rows<T>(text: string): Promise<T[]>
  /** 0 for a table that a former release lacks. */
  count(table: 'eventos' | 'descartados'): Promise<number>
  has(table: string): Promise<boolean>
}

async function readCloud<T>({ dataDir, banco }: CloudData, read: (db: CloudReader) => Promise<T>): Promise<T> {
  if (banco === undefined) {
    const db = new Database(join(dataDir, 'cloud/vigia.db'), { readonly: true, timeout: 10_000 })
    try {
      return await read({
        rows: async <R>(text: string) => db.prepare<[], R>(text).all(),
        count: async (table) => countRows(db, table),
        has: async (table) => hasTable(db, table),
      })
    } finally {
      db.close()
    }
  }
  const client = new pg.Client({ connectionString: banco, types: { getTypeParser: numbers } })
  client.on('error', () => {})
  await client.connect()
  const rows = async <R>(text: string) => (await client.query(text)).rows as R[]
  try {
    return await read({
      rows,
      count: async (table) => Number((await rows<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n),
      has: async () => true,
    })
  } finally {
    await client.end()
  }
}

/** Object id of PostgreSQL's type `int8`. */
const INT8 = 20
const numbers: pg.CustomTypesConfig['getTypeParser'] = (id: number) =>
  id === INT8 ? Number : pg.types.getTypeParser(id, 'text')

const hasTable = (db: Database.Database, table: string): boolean =>
  db.prepare('select 1 from sqlite_master where name = ?').get(table) !== undefined

/** A former release lacks some tables. */
const countRows = (db: Database.Database, table: 'records' | 'extras' | 'descartados' | 'eventos'): number =>
  hasTable(db, table) ? Number(db.prepare(`select count(*) from ${table}`).pluck().get()) : 0

async function countEvidence(dataDir: string, db: CloudReader): Promise<Ledger['evidence']> {
  const has = await db.has('evidencias')
  const paths = has ? await db.rows<{ caminho: string }>('select caminho from evidencias') : []
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
async function countLostClips(dataDir: string, db: CloudReader, held: ReadonlySet<string>): Promise<number> {
  if (!(await db.has('clipes_eventos'))) return 0
  const rows = await db.rows<ClipRow>(
    `select c.uuid, c.estado, coalesce(e.motivo, c.motivo) as motivo, c.caminho from eventos
     left join clipes_eventos e on e.evento_id = eventos.id left join clipes c on c.id = e.clipe_id`,
  )
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
