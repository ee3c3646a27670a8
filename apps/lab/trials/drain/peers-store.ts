import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Rows a second. */
export type Rate = number

export interface OutboxContent {
  readonly records: number
  /** Events with their own pictures. */
  readonly withPictures: number
  readonly extras: number
  /** Pages with content, which the quota counts. */
  readonly usedBytes: number
}

/** Reads the outbox file of a stopped edge. */
export function readOutbox(edgeDb: string): OutboxContent {
  const db = new Database(edgeDb, { readonly: true })
  try {
    const number = (text: string) => Number(db.prepare(text).pluck().get())
    return {
      records: number('select count(*) from records where is_gap = 0'),
      withPictures: number('select count(*) from records where is_gap = 0 and has_media = 1'),
      extras: number('select count(*) from extras'),
      usedBytes: number(
        `select (page_count - freelist_count) * page_size
         from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
      ),
    }
  } finally {
    db.close()
  }
}

/** Measures a plain SQL read of the whole outbox file, camera by camera, with pictures. */
export function rateOfPlainRead(edgeDb: string): Rate {
  const db = new Database(edgeDb)
  try {
    const cameras = db.prepare<[], number>('select distinct camera_id from records').pluck().all()
    const read = db.prepare<[number], { header: string; bytes: Buffer | null }>(
      `select header, bytes from records left join media on media.record = records.position
       where camera_id = ? order by seq`,
    )
    const begun = performance.now()
    let rows = 0
    for (const camera of cameras) for (const { header } of read.iterate(camera)) if (JSON.parse(header)) rows++
    return perSecond(rows, begun)
  } finally {
    db.close()
  }
}

/**
 * Measures inserts of the cloud's event rows into an empty table with the same indexes and durability. Each transaction
 * inserts `together` rows.
 */
export function rateOfPlainInsert(dataDir: string, together: number): Rate {
  const source = new Database(join(dataDir, 'cloud/vigia.db'), { readonly: true })
  const target = new Database(join(dataDir, 'pares.db'))
  try {
    target.pragma('journal_mode = WAL')
    target.pragma('synchronous = FULL')
    // The tables that events refer to are absent.
    target.pragma('foreign_keys = OFF')
    const schema = source
      .prepare<[], string>(
        "select sql from sqlite_master where tbl_name = 'eventos' and sql is not null order by type desc",
      )
      .pluck()
      .all()
    for (const statement of schema) target.exec(statement)
    const rows = source.prepare<[], Record<string, unknown>>('select * from eventos order by id').all()
    const columns = Object.keys(rows[0] ?? {})
    const insert = target.prepare(
      `insert into eventos (${columns.join(', ')}) values (${columns.map((column) => `@${column}`).join(', ')})`,
    )
    const store = target.transaction((some: readonly Record<string, unknown>[]) => {
      for (const row of some) insert.run(row)
    })
    const begun = performance.now()
    for (let at = 0; at < rows.length; at += together) store(rows.slice(at, at + together))
    return perSecond(rows.length, begun)
  } finally {
    source.close()
    target.close()
  }
}

export const perSecond = (rows: number, begun: number): Rate => (rows / (performance.now() - begun)) * 1000
