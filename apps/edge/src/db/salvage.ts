import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { type Lacuna, type Registro, registroSchema, stripMedia } from '@vigia/contracts/candidate'
import Database from 'better-sqlite3'
import { asGap, type HeaderRow } from './record-header.ts'
import { uuidV7 } from './uuid-v7.ts'

export interface Salvaged {
  /** Records that are sent unchanged, except for those in `withoutMedia`. */
  readonly records: number
  readonly withoutMedia: number
  /** Numbers that the damaged file names without their record; each has a gap record. */
  readonly lost: number
  /** Every page of the records was read. If false, the cloud finds the other missing records by their numbers. */
  readonly complete: boolean
}

interface RecordRow extends HeaderRow {
  /** Clock of its times (time/stamp.ts). */
  readonly boot: string | null
  readonly ahead: number | null
  readonly position: number
  readonly is_gap: number
  readonly severity: number
  readonly has_media: number
}
interface OutboxRow {
  readonly series: string
  readonly times?: string | null
  readonly host_limits?: string | null
}
interface MediaRow {
  readonly ordinal: number
  readonly bytes: Buffer
}

const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(error.code)
const isFull = (error: unknown): boolean => error instanceof Database.SqliteError && error.code === 'SQLITE_FULL'

/** Largest number of row numbers tried one by one between two damaged pages. */
const MOST_TRIES = 1_000_000
const HIGHEST = Number.MAX_SAFE_INTEGER

/**
 * Copies the readable content of a damaged `edge.db` (and its journal) into the new, empty one. The outbox keeps its
 * name only if all its counts were read. Otherwise the next number could be a duplicate, which a new name makes
 * harmless. Extras are not copied: they are the least valuable content.
 */
export function salvage(file: string, target: Database.Database): Salvaged {
  const source = openDamaged(file)
  if (source === null) return { records: 0, withoutMedia: 0, lost: 0, complete: false }
  try {
    target.pragma('synchronous = OFF')
    const counts = copyTable(source, target, 'sequences', ['camera_id', 'last'])
    copyTable(source, target, 'analysis_states', ['camera_id', 'ia', 'state'], ({ state }) => isJson(state))
    copyTable(source, target, 'desired', ['one', 'version', 'document'], ({ document }) => isJson(document))
    copyTable(source, target, 'commands', ['id', 'asked_at'])
    copyTable(source, target, 'cameras_away', ['camera_id'])
    copyTable(source, target, 'rtsp_clients', ['address_sha256', 'client'])
    const clip = ['id', 'camera_id', 'started_at', 'bytes', 'sha256', 'kept_at', 'boot', 'ahead']
    copyTable(source, target, 'clips', clip)
    copyTable(source, target, 'clip_events', ['event', 'camera_id', 'since', 'clip', 'seq'])
    const salvaged = copyRecords(source, target, statSync(file).mtimeMs)
    target.exec(`INSERT INTO sequences (camera_id, last) SELECT camera_id, max(last_seq) FROM records GROUP BY camera_id
      ON CONFLICT (camera_id) DO UPDATE SET last = max(last, excluded.last)`)
    eachRow<OutboxRow>(source, 'outbox', ({ series, times, host_limits: limits }) => {
      if (counts) rename(target, series)
      if (isJson(times)) target.prepare('UPDATE outbox SET times = ?').run(times)
      if (isJson(limits)) target.prepare('UPDATE outbox SET host_limits = ?').run(limits)
    })
    target.pragma('synchronous = FULL')
    target.pragma('wal_checkpoint(TRUNCATE)')
    return salvaged
  } finally {
    source.close()
  }
}

function openDamaged(file: string): Database.Database | null {
  const source = new Database(file, { readonly: true, fileMustExist: true })
  try {
    // Otherwise SQLite refuses to read a file that is shorter than its header states.
    source.unsafeMode()
    source.pragma('writable_schema = ON')
    source.prepare('SELECT count(*) FROM sqlite_master').get()
    return source
  } catch (error) {
    source.close()
    if (isDamage(error)) return null
    throw error
  }
}

const rename = (target: Database.Database, series: string) =>
  typeof series === 'string' && series !== '' && target.prepare('UPDATE outbox SET series = ?').run(series)

/**
 * Passes every readable row: from the first up, from the last down, then by number between two damaged pages. Returns
 * false if some page was unreadable.
 */
function eachRow<Row>(source: Database.Database, table: string, take: (row: Row) => void): boolean {
  type Numbered = Row & { readonly row_number: number }
  const select = (rest: string) => {
    const statement = source.prepare<[number], Numbered>(`SELECT rowid AS row_number, * FROM ${table} WHERE ${rest}`)
    return (number: number): Numbered | undefined | 'damaged' => {
      try {
        return statement.get(number)
      } catch (error) {
        if (isDamage(error)) return 'damaged'
        throw error
      }
    }
  }
  const statements = () => ({
    above: select('rowid > ? ORDER BY rowid LIMIT 1'),
    below: select('rowid < ? ORDER BY rowid DESC LIMIT 1'),
    at: select('rowid = ?'),
  })
  let read: ReturnType<typeof statements>
  try {
    read = statements()
  } catch {
    // The schema no longer contains the table.
    return false
  }
  let low = 0
  for (;;) {
    const row = read.above(low)
    if (row === undefined) return true
    if (row === 'damaged') break
    take(row)
    low = row.row_number
  }
  let high = HIGHEST
  for (;;) {
    const row = read.below(high)
    if (row === undefined || row === 'damaged' || row.row_number <= low) break
    take(row)
    high = row.row_number
  }
  if (high === HIGHEST) return false
  for (let number = Math.max(low + 1, high - MOST_TRIES); number < high; number++) {
    const row = read.at(number)
    if (row !== undefined && row !== 'damaged') take(row)
  }
  return false
}

/** true: the whole table was read. */
function copyTable(
  source: Database.Database,
  target: Database.Database,
  table: string,
  columns: readonly string[],
  isWhole: (row: Readonly<Record<string, unknown>>) => boolean = () => true,
): boolean {
  const values = columns.map((column) => `@${column}`).join(', ')
  const insert = target.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${values})`)
  return eachRow<Record<string, unknown>>(source, table, (row) => {
    // A file of an earlier version lacks some columns.
    if (isWhole(row)) insert.run(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))
  })
}

function copyRecords(source: Database.Database, target: Database.Database, lastWriteMs: number): Salvaged {
  const insert = target.prepare(
    `INSERT OR IGNORE INTO records (position, id, camera_id, seq, last_seq, is_gap, severity, has_media, header, boot,
       ahead)
     VALUES (@position, @id, @camera_id, @seq, @last_seq, @is_gap, @severity, @has_media, @header, @boot, @ahead)`,
  )
  const insertMedia = target.prepare('INSERT INTO media (record, ordinal, bytes) VALUES (?, ?, ?)')
  const taken = new Set<number>()
  let [records, withoutMedia, lost] = [0, 0, 0]

  const store = target.transaction((row: RecordRow, registro: Registro, media: readonly MediaRow[]) => {
    const isGap = registro.tipo === 'lacuna' ? 1 : 0
    const header = JSON.stringify(registro)
    const clock = { boot: row.boot ?? null, ahead: row.ahead ?? null }
    const columns = { ...row, ...clock, is_gap: isGap, has_media: media.length > 0 ? 1 : 0, header }
    if (insert.run(columns).changes === 0) return
    for (const { ordinal, bytes } of media) insertMedia.run(row.position, ordinal, bytes)
    taken.add(row.position)
    if (registro.tipo !== 'lacuna') records++
  })

  const complete = eachRow<RecordRow>(source, 'records', (row) => {
    const registro = registroOf(row)
    if (registro === null) return
    const media = registro.tipo === 'lacuna' ? [] : mediaOf(source, row.position, registro)
    try {
      if (media !== null) return store(row, registro, media)
    } catch (error) {
      // The other pictures do not fit on the disk beside the damaged file.
      if (!isFull(error)) throw error
    }
    store(row, stripMedia(registro), [])
    withoutMedia++
  })

  const before = target.prepare<[number, number], string>(
    'SELECT id FROM records WHERE camera_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1',
  )
  for (const { position, camera_id, seq } of namedByIndex(source)) {
    if (taken.has(position)) continue
    const previous = before.pluck().get(camera_id, seq)
    const from =
      previous === undefined ? lastWriteMs : asGap({ id: previous, camera_id, seq, last_seq: seq }).ocorrido_de
    const id = uuidV7(Math.min(from, lastWriteMs))
    const gap = { ...asGap({ id, camera_id, seq, last_seq: seq }), ocorrido_ate: Math.round(lastWriteMs) }
    const columns = {
      boot: null,
      ahead: null,
      position,
      seq,
      last_seq: seq,
      is_gap: 1,
      severity: 0,
      has_media: 0,
      header: '',
    }
    store({ ...gap, ...columns }, gap, [])
    lost++
  }
  return { records, withoutMedia, lost, complete }
}

/** Returns the record of a row, or a gap record if its content is damaged; null: its identity is damaged, too. */
function registroOf(row: RecordRow): Registro | null {
  const gap = registroSchema.safeParse(asGap(row))
  if (!gap.success || row.last_seq < row.seq) return null
  const header = jsonOf(row.header)
  const registro = registroSchema.safeParse(header)
  const isOurs = registro.success && registro.data.id === row.id && registro.data.camera_id === row.camera_id
  return isOurs ? (header as Registro) : gap.data
}

/** null: some of its pictures are unreadable or changed. */
function mediaOf(
  source: Database.Database,
  position: number,
  { midias }: Exclude<Registro, Lacuna>,
): readonly MediaRow[] | null {
  try {
    const rows = source
      .prepare<[number], MediaRow>('SELECT ordinal, bytes FROM media WHERE record = ? ORDER BY ordinal')
      .all(position)
    const isWhole = midias.every(({ sha256 }, at) => {
      const bytes = rows[at]?.bytes
      return bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === sha256
    })
    return isWhole && rows.length === midias.length ? rows : null
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}

/** The numbers of all records from the index of (camera_id, seq), which uses other pages than the records. */
function* namedByIndex(
  source: Database.Database,
): Generator<{ readonly camera_id: number; readonly seq: number; readonly position: number }> {
  let [camera, seq] = [0, 0]
  for (;;) {
    let row: { readonly camera_id: number; readonly seq: number; readonly position: number } | undefined
    try {
      row = source
        .prepare<[number, number], { camera_id: number; seq: number; position: number }>(
          `SELECT camera_id, seq, position FROM records INDEXED BY sqlite_autoindex_records_2
           WHERE (camera_id, seq) > (?, ?) ORDER BY camera_id, seq LIMIT 1`,
        )
        .get(camera, seq)
    } catch {
      // A damaged index yields only its readable entries; the cloud finds the other records by their numbers.
      return
    }
    if (row === undefined) return
    yield row
    ;[camera, seq] = [row.camera_id, row.seq]
  }
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
const isJson = (text: unknown): boolean => jsonOf(text) !== undefined
