import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PostgresServer } from '@vigia/testing/postgres-server'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'

/** Gives each event a picture of `bytes` bytes with a content of its own. */
export function addPictures(cloudDir: string, bytes: number): void {
  const sqlite = new SqliteDatabase(join(cloudDir, 'vigia.db'))
  try {
    sqlite.exec(`update eventos set crop_path = printf('eventos/2026/11/%02d/%s-crop.jpg', id % 28 + 1, uuid)`)
    const content = Buffer.alloc(bytes, 'quadro ')
    const folders = new Set<string>()
    for (const path of sqlite.prepare<[], string>('select crop_path from eventos').pluck().iterate()) {
      const file = join(cloudDir, 'media', path)
      if (!folders.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      folders.add(dirname(file))
      content.write(path)
      writeFileSync(file, content, { mode: 0o600 })
    }
  } finally {
    sqlite.close()
  }
}

/** Whether the cloud has counted the bytes of all pictures that it found at its start. */
export function hasCountedMedia(cloudDir: string): boolean {
  const sqlite = new SqliteDatabase(join(cloudDir, 'vigia.db'), { readonly: true })
  try {
    return sqlite.prepare<[], number>('select count(*) from contagem_midia where feita = 0').pluck().get() === 0
  } finally {
    sqlite.close()
  }
}

/** Rows of all tables, and the files of the media store. */
export function describeSource(cloudDir: string): { rows: number; files: number; bytes: number } {
  const sqlite = new SqliteDatabase(join(cloudDir, 'vigia.db'), { readonly: true })
  try {
    const names = sqlite
      .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all()
    const rows = names.map((name) => Number(sqlite.prepare(`select count(*) from "${name}"`).pluck().get()))
    const media = join(cloudDir, 'media')
    const files = readdirSync(media, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
    return { rows: sum(rows), files: files.length, bytes: sum(sizes) }
  } finally {
    sqlite.close()
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** @returns the URL of a new database without tables */
export async function createDatabase(server: PostgresServer, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
    return server.urlOf(name)
  } finally {
    await client.end()
  }
}
