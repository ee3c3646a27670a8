import { Kysely } from 'kysely'
import type pg from 'pg'
import { DataError } from '../errors.ts'
import { migrate, UNFINISHED } from '../migrate.ts'
import { CloudPostgresDialect, createPool } from '../postgres-dialect.ts'
import { explainPostgres } from '../postgres-failures.ts'
import type { Tables } from '../tables.ts'
import { PAGE_ROWS, type Row, type RowSource, type RowTarget, requirePortable, type TargetOptions } from './rows.ts'
import type { TableSchema } from './schema.ts'

interface Connection {
  readonly client: pg.PoolClient
  close(): Promise<void>
}

async function connect(url: string): Promise<Connection> {
  // A lost connection fails the next query.
  const pool = createPool({ url, maxConnections: 1, onIdleError: () => {} })
  try {
    const client = await pool.connect()
    // A transaction waits while its rows are written elsewhere.
    await client.query('set idle_in_transaction_session_timeout = 0')
    const close = async () => {
      client.release(true)
      await pool.end()
    }
    return { client, close }
  } catch (error) {
    await pool.end()
    throw explainPostgres(error, url)
  }
}

/** Reads a PostgreSQL database in one REPEATABLE READ transaction. */
export async function readPostgres(url: string): Promise<RowSource> {
  const { client, close } = await connect(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    // The first query fixes the state that all later ones see.
    await client.query('select 1 from kysely_migration limit 1')
    return { ...sourceOf(client), close }
  } catch (error) {
    await close()
    throw error
  }
}

function sourceOf(client: pg.PoolClient): RowSource {
  const one = async (text: string): Promise<number> => {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
    return Number(rows[0]?.[0] ?? 0)
  }
  return {
    async migrations() {
      if (!(await hasTable(client, 'kysely_migration'))) return []
      const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
      return rows.map(({ name }) => name)
    },
    count: ({ name }) => one(`select count(*) from "${name}"`),
    async *pages(table, skip) {
      const order = quoted(table.key)
      const text = `select ${quoted(table.columns)} from "${table.name}" order by ${order}`
      await client.query(`declare linhas no scroll cursor for ${text}`)
      try {
        if (skip > 0) await client.query(`move ${skip} from linhas`)
        for (;;) {
          const fetch = { text: `fetch ${PAGE_ROWS} from linhas`, rowMode: 'array' as const }
          const { rows } = await client.query<unknown[]>(fetch)
          if (rows.length === 0) return
          yield rows.map((row): Row => requirePortable(table, row))
        }
      } finally {
        await client.query('close linhas').catch(() => {})
      }
    },
    async counter({ name, counter }) {
      if (counter === null) return 0
      const { rows } = await client.query<{ sequence: string }>('select pg_get_serial_sequence($1, $2) as sequence', [
        `"${name}"`,
        counter,
      ])
      const sequence = rows[0]?.sequence
      const given = sequence ? await one(`select case when is_called then last_value else 0 end from ${sequence}`) : 0
      return Math.max(given, await one(`select max("${counter}") from "${name}"`))
    },
    close: async () => {},
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

async function hasTable(client: pg.PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: number }>('select (to_regclass($1) is not null)::int as found', [name])
  return rows[0]?.found === 1
}

type PostgresTargetOptions = Omit<TargetOptions, 'place'> & { readonly url: string }

/**
 * Prepares an empty database, or continues the unfinished move of the same origin. The table `mudanca` has the origin,
 * and the number of stored rows of each table.
 * @throws DataError for a database with other data
 */
export async function openPostgresTarget(options: PostgresTargetOptions): Promise<RowTarget> {
  const resumed = await claim(options)
  const { client, close } = await connect(options.url)
  return {
    resumed,
    async stored({ name }) {
      const { rows } = await client.query<{ linhas: number }>(`select linhas from ${UNFINISHED} where nome = $1`, [
        name,
      ])
      return rows[0]?.linhas ?? 0
    },
    async insert(table, rows, stored) {
      await transaction(client, async () => {
        await insertRows(client, table, rows)
        const text = `insert into ${UNFINISHED} (nome, linhas) values ($1, $2)
          on conflict (nome) do update set linhas = excluded.linhas`
        await client.query(text, [table.name, stored + rows.length])
      })
    },
    async setCounter({ name, counter }, last) {
      if (counter === null || last === 0) return
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [`"${name}"`, counter, last])
    },
    async read() {
      await client.query('begin isolation level repeatable read read only')
      const end = async () => void (await client.query('commit'))
      return { ...sourceOf(client), close: end }
    },
    async finish() {
      await client.query(`drop table ${UNFINISHED}`)
      await client.query('analyze')
    },
    close,
  }
}

/** PostgreSQL reads the values of a page from one JSON text, with the types of the table. */
async function insertRows(client: pg.PoolClient, { name, columns }: TableSchema, rows: readonly Row[]): Promise<void> {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
  const list = quoted(columns)
  const text = `insert into "${name}" (${list}) select ${list} from json_populate_recordset(null::"${name}", $1::json)`
  try {
    await client.query(text, [JSON.stringify(objects)])
  } catch (error) {
    // invalid_text_representation, numeric_value_out_of_range, untranslatable_character
    if (error instanceof Error && 'code' in error && /^22/.test(String(error.code)))
      throw new DataError(`A tabela ${name} tem um valor que o PostgreSQL não guarda (${error.message}).`)
    throw error
  }
}

/** @returns whether an unfinished move of this origin was found */
async function claim({ url, tables, last, origin, action }: PostgresTargetOptions): Promise<boolean> {
  const first = await connect(url)
  try {
    const state = await stateOf(first.client, tables)
    if (state.kind === 'mudanca' && state.origem === origin) return true
    if (state.kind === 'mudanca')
      throw new DataError(
        `O banco de destino tem uma mudança inacabada de outra origem, ou a origem mudou desde então. ` +
          `Esvazie-o (drop database, create database) e rode ${action} de novo.`,
      )
    if (state.kind === 'usado')
      throw new DataError(
        `O banco de destino não está vazio: a tabela ${state.tabela} tem linhas. Use um banco vazio. ` +
          'Nada foi mudado. Se este comando já tinha terminado, inicie o serviço.',
      )
  } finally {
    await first.close()
  }
  await migrateTo(url, last)
  const second = await connect(url)
  try {
    await transaction(second.client, async () => {
      for (const { name } of tables.filter(({ seeded }) => seeded)) await second.client.query(`delete from "${name}"`)
      await second.client.query(
        `create table ${UNFINISHED} (nome text primary key, linhas bigint not null default 0, origem text)`,
      )
      await second.client.query(`insert into ${UNFINISHED} (nome, origem) values ('', $1)`, [origin])
    })
  } finally {
    await second.close()
  }
  return false
}

type State =
  | { readonly kind: 'vazio' }
  | { readonly kind: 'mudanca'; readonly origem: string }
  | { readonly kind: 'usado'; readonly tabela: string }

/** The rows of the migrations alone are no data: a killed run may have left them. */
async function stateOf(client: pg.PoolClient, tables: readonly TableSchema[]): Promise<State> {
  if (await hasTable(client, UNFINISHED)) {
    const { rows } = await client.query<{ origem: string }>(`select origem from ${UNFINISHED} where nome = ''`)
    return { kind: 'mudanca', origem: rows[0]?.origem ?? '' }
  }
  for (const { name, seeded } of tables) {
    if (seeded || !(await hasTable(client, name))) continue
    const { rows } = await client.query(`select 1 from "${name}" limit 1`)
    if (rows.length > 0) return { kind: 'usado', tabela: name }
  }
  return { kind: 'vazio' }
}

async function migrateTo(url: string, last: string): Promise<void> {
  const pool = createPool({ url, maxConnections: 2, onIdleError: () => {} })
  const db = new Kysely<Tables>({ dialect: new CloudPostgresDialect(pool) })
  try {
    await migrate(db, last)
  } finally {
    await db.destroy()
  }
}

async function transaction(client: pg.PoolClient, run: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await run()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Whether tables have rows other than those of migrations. An unfinished move does not count. */
export async function hasRows(url: string, tables: readonly TableSchema[]): Promise<boolean> {
  const { client, close } = await connect(url)
  try {
    return (await stateOf(client, tables)).kind === 'usado'
  } finally {
    await close()
  }
}
