import { randomUUID } from 'node:crypto'
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { createBallast } from '@vigia/runtime/ballast'
import { isDiskFailure, isDiskFull } from '@vigia/runtime/disk-failure'
import Database from 'better-sqlite3'
import { type Salvaged, salvage } from './salvage.ts'

export type EdgeDb = Database.Database

export type OpenedEdgeDb =
  | {
      readonly ok: true
      readonly db: EdgeDb
      /** Path of the renamed damaged file, and the content that was copied to the new file. */
      readonly damaged: { readonly file: string; readonly salvaged: Salvaged } | null
    }
  /** Another process holds the file: a data folder belongs to one edge. */
  | { readonly ok: false; readonly reason: 'em_uso' }
  /** The disk is full, read-only or failing. May be temporary: see spare-db.ts. */
  | { readonly ok: false; readonly reason: 'disco_indisponivel'; readonly detalhe: string; readonly cause: unknown }

/** Entry i migrates the file from version i to i + 1; released entries are never edited. */
const migrations = [
  `CREATE TABLE records (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     camera_id INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     last_seq INTEGER NOT NULL,
     is_gap INTEGER NOT NULL,
     severity INTEGER NOT NULL,
     has_media INTEGER NOT NULL,
     header TEXT NOT NULL,
     UNIQUE (camera_id, seq)
   ) STRICT;
   CREATE INDEX records_by_worth ON records (is_gap, has_media, severity, position);
   CREATE TABLE media (
     record INTEGER NOT NULL REFERENCES records (position) ON DELETE CASCADE,
     ordinal INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     UNIQUE (record, ordinal)
   ) STRICT;
   CREATE TABLE sequences (camera_id INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
   CREATE TABLE analysis_states (
     camera_id INTEGER NOT NULL,
     ia TEXT NOT NULL,
     state TEXT NOT NULL,
     PRIMARY KEY (camera_id, ia)
   ) STRICT;
   CREATE TABLE desired (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL,
     document TEXT NOT NULL) STRICT;`,
  // Adds the name of this outbox (contracts, candidate.ts: `serie`), and the executed commands, so that none runs
  // twice.
  `CREATE TABLE outbox (one INTEGER PRIMARY KEY CHECK (one = 1), series TEXT NOT NULL) STRICT;
   CREATE TABLE commands (id TEXT PRIMARY KEY, asked_at INTEGER NOT NULL) STRICT;
   CREATE INDEX commands_by_age ON commands (asked_at);`,
  // Adds the extras (contracts, extras.ts). `candidate`: id of the candidate that the cloud must have first.
  `CREATE TABLE extras (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     kind TEXT NOT NULL,
     candidate TEXT,
     header TEXT NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;`,
  // Adds the clips on the disk, and the events that have one or wait for one (`clip` is null). `upload_path` is null
  // until the cloud requests the clip.
  `CREATE TABLE clips (
     id TEXT PRIMARY KEY,
     camera_id INTEGER NOT NULL,
     started_at INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     sha256 TEXT NOT NULL,
     kept_at INTEGER NOT NULL,
     upload_path TEXT,
     upload_token TEXT,
     upload_location TEXT
   ) STRICT;
   CREATE INDEX clips_by_age ON clips (kept_at, id);
   CREATE TABLE clip_events (
     event TEXT PRIMARY KEY,
     camera_id INTEGER NOT NULL,
     since INTEGER NOT NULL,
     clip TEXT
   ) STRICT;
   CREATE INDEX clip_events_by_clip ON clip_events (clip, since);`,
  // Adds the PTZ cameras that are not at their home position.
  'CREATE TABLE cameras_away (camera_id INTEGER PRIMARY KEY) STRICT;',
  // Adds the sequence numbers of the events that extras and clips belong to (null: unknown), so that the quota can drop
  // them with their events.
  `ALTER TABLE clip_events ADD COLUMN seq INTEGER;
   ALTER TABLE extras ADD COLUMN camera_id INTEGER;
   ALTER TABLE extras ADD COLUMN seq INTEGER;
   CREATE INDEX extras_beside_clips ON extras (position) WHERE kind IN ('evidencia', 'descartado');
   CREATE INDEX extras_notes ON extras (position) WHERE kind = 'sem_clipe';
   CREATE INDEX extras_lists ON extras (camera_id, seq) WHERE kind = 'sem_clipes';
   CREATE INDEX extras_by_candidate ON extras (candidate);`,
  // Adds the addresses that FFmpeg's RTSP client reads, because the own client could not.
  'CREATE TABLE ffmpeg_addresses (address_sha256 TEXT PRIMARY KEY) STRICT;',
  // Names the client: the own one over UDP, too.
  `CREATE TABLE rtsp_clients (address_sha256 TEXT PRIMARY KEY, client TEXT NOT NULL) STRICT;
   INSERT INTO rtsp_clients SELECT address_sha256, 'ffmpeg' FROM ffmpeg_addresses;
   DROP TABLE ffmpeg_addresses;`,
  // Adds the starts of the machine (time/boot-store.ts), and the one under whose clock a record has its times while the
  // time is not known (time/record-times.ts). No table of its own: the whole schema fits on the first page, so that a
  // damaged file can be read.
  `ALTER TABLE outbox ADD COLUMN times TEXT;
   ALTER TABLE records ADD COLUMN boot TEXT;
   ALTER TABLE records ADD COLUMN ahead INTEGER;
   ALTER TABLE extras ADD COLUMN boot TEXT;
   ALTER TABLE extras ADD COLUMN ahead INTEGER;
   ALTER TABLE clips ADD COLUMN boot TEXT;
   ALTER TABLE clips ADD COLUMN ahead INTEGER;`,
  // Adds the learned limits of connections (supervisor/host-limit-store.ts). No table of its own, as above.
  'ALTER TABLE outbox ADD COLUMN host_limits TEXT;',
]

/**
 * Opens `edge.db`, creates it if it is missing, and migrates it to the current version. The file is locked for this
 * process. A damaged file is renamed, and its readable content is copied to a new file: an unattended edge must
 * continue to work. The integrity check reads the whole file. An intact file opens on a full disk too, so that its
 * records can be sent.
 */
export function openEdgeDb(file: string): OpenedEdgeDb {
  try {
    return openOrBeginAnew(file)
  } catch (error) {
    if (isSqlite(error, /^SQLITE_BUSY/)) return { ok: false, reason: 'em_uso' }
    if (!isDiskFailure(error)) throw error
    if (isDiskFull(error) && createBallast(file).drop()) return openEdgeDb(file)
    return { ok: false, reason: 'disco_indisponivel', detalhe: sentence(file, error), cause: error }
  }
}

function openOrBeginAnew(file: string): OpenedEdgeDb {
  const fresh = `${file}.salvo`
  // A previous start was interrupted between the two renames below.
  if (!existsSync(file) && existsSync(fresh)) renameSync(fresh, file)
  try {
    return { ok: true, db: open(file), damaged: null }
  } catch (error) {
    if (!isSqlite(error, /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/)) throw error
    const salvaged = salvageInto(fresh, file)
    const aside = `${file}.danificado-${Date.now()}`
    // The journal is renamed too: it contains the last commits.
    for (const suffix of ['-wal', '']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
    rmSync(`${file}-shm`, { force: true })
    renameSync(fresh, file)
    return { ok: true, db: open(file), damaged: { file: aside, salvaged } }
  }
}

/** Fills `fresh` with the readable content of `file` and completes it before it replaces `file`. */
function salvageInto(fresh: string, file: string): Salvaged {
  for (const suffix of ['', '-wal', '-shm']) rmSync(fresh + suffix, { force: true })
  const db = open(fresh)
  try {
    return salvage(file, db)
  } finally {
    db.close()
  }
}

const isSqlite = (error: unknown, codes: RegExp): boolean =>
  error instanceof Database.SqliteError && codes.test(error.code)

function sentence(file: string, error: unknown): string {
  const folder = dirname(file)
  if (isDiskFull(error)) return `O disco está cheio: libere espaço em ${folder}.`
  return (
    `Não é possível gravar em ${folder}: o disco está somente para leitura ou com defeito. ` +
    'Confira ou troque o disco.'
  )
}

function open(file: string): EdgeDb {
  // The file is created with this mode, so that only its owner can ever read it and SQLite's journals.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new Database(file, { timeout: 5_000 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    // Set only if different, because the statement writes, which fails on a full disk (2: incremental).
    if (db.pragma('auto_vacuum', { simple: true }) !== 2) db.pragma('auto_vacuum = INCREMENTAL')
    db.pragma('journal_mode = WAL')
    // A candidate is durable when `add` returns, also across a power cut.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma(`journal_size_limit = ${16 * 1024 * 1024}`)
    // Without this check, a later query would find the damage and end the program each time.
    const problem = db.pragma('quick_check(1)', { simple: true })
    if (problem !== 'ok') throw new Database.SqliteError(String(problem), 'SQLITE_CORRUPT')
    migrate(db)
    nameOutbox(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function migrate(db: EdgeDb): void {
  const run = db.transaction(() => {
    const version = Number(db.pragma('user_version', { simple: true }))
    if (version > migrations.length)
      throw new VigiaError('interno', {
        detalhe:
          `${db.name} foi gravado por uma versão mais nova do programa da caixa (${version}). ` +
          'Instale essa versão ou uma mais nova; o que espera para ser enviado continua guardado.',
      })
    // On a full disk even writing the unchanged version number fails.
    if (version === migrations.length) return
    for (const statement of migrations.slice(version)) db.exec(statement)
    db.pragma(`user_version = ${migrations.length}`)
  })
  run.exclusive()
}

/** The name is created with the file and never changes. */
function nameOutbox(db: EdgeDb): void {
  const named = db.prepare('SELECT 1 FROM outbox').get()
  if (named === undefined) db.prepare('INSERT INTO outbox (one, series) VALUES (1, ?)').run(randomUUID())
}
