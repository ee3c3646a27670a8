import { createHash } from 'node:crypto'
import pg from 'pg'

/** Environment variable with the URL of the PostgreSQL server of a test run; unset: tests run on SQLite. */
export const TEST_SERVER = 'VIGIA_TEST_POSTGRES'
/** Whether this test process uses PostgreSQL. */
export const onPostgres = (): boolean => process.env.VIGIA_TEST_BANCO === 'postgres'

const TEMPLATE = 'vigia_modelo'
/** Any number that no other advisory lock of the database `postgres` has. */
const LOCK = 4_203_117
/** Names of the databases that this test file has created. */
const created = new Set<string>()

/**
 * Returns the URL of the PostgreSQL database that stands for a SQLite file. The first call for a path creates the
 * database from a template, which the first test process of a run migrates.
 * @param path of the file; the same path is always the same database
 * @param migrate fills an empty database
 */
export async function testDatabaseUrl(path: string, migrate: (url: string) => Promise<void>): Promise<string> {
  const name = databaseName(path)
  if (created.has(name)) return urlOf(name)
  await withServer(async (server) => {
    // The lock also covers the copy, because nobody may be connected to the template during it.
    await server.query('select pg_advisory_lock($1)', [LOCK])
    const exists = async (database: string) =>
      (await server.query('select 1 from pg_database where datname = $1', [database])).rowCount === 1
    if (!(await exists(TEMPLATE))) {
      const building = `${TEMPLATE}_novo`
      await server.query(`drop database if exists ${building} with (force)`)
      await server.query(`create database ${building}`)
      await migrate(urlOf(building))
      await server.query(`alter database ${building} rename to ${TEMPLATE}`)
    }
    if (!(await exists(name))) await server.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  })
  created.add(name)
  return urlOf(name)
}

/** Returns the URL of a new database without tables. */
export async function emptyDatabaseUrl(path: string): Promise<string> {
  const name = databaseName(path)
  await withServer((server) => server.query(`create database ${name}`))
  created.add(name)
  return urlOf(name)
}

/** Deletes the databases that this process has created so far, with their connections. */
export async function dropTestDatabases(): Promise<void> {
  if (created.size === 0) return
  await withServer(async (server) => {
    for (const name of created) await server.query(`drop database if exists ${name} with (force)`)
  })
  created.clear()
}

const databaseName = (path: string) => `t_${createHash('sha256').update(path).digest('hex').slice(0, 24)}`

function urlOf(database: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${database}`
  return url.href
}

function serverUrl(): string {
  const url = process.env[TEST_SERVER]
  if (url === undefined) throw new Error(`${TEST_SERVER} is not set: run the tests with npm run test:postgres`)
  return url
}

async function withServer<T>(run: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: serverUrl() })
  await server.connect()
  try {
    return await run(server)
  } finally {
    await server.end()
  }
}
