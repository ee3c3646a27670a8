import { readdirSync } from 'node:fs'
import { type LongStep, unwatchedStep } from '@vigia/runtime/heartbeat'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { DataError } from './errors.ts'
import type { Tables } from './tables.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The files `<number>-<name>.ts` of the folder, ordered by name; a released migration is never edited. */
const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  await Promise.all(
    readdirSync(folder)
      .filter((file) => /^\d{4}-[a-z-]+\.ts$/.test(file))
      .sort()
      .map(async (file) => {
        const [migration]: Migration[] = Object.values(await import(new URL(file, folder).href))
        if (!migration) throw new Error(`db/migrations/${file} exports no migration`)
        return [file.replace('.ts', ''), migration] as const
      }),
  ),
)

/** Sorted in the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrations).sort()

/** Whether these migrations are the first ones of this release, so that its later ones continue from there. */
export const isPrefixOfMigrations = (applied: readonly string[]): boolean =>
  applied.every((name, at) => name === migrationNames[at])

/** Table of a database that a move or a restore fills; it is dropped at the end (db/transfer). */
export const UNFINISHED = 'mudanca'

/** Maximum duration of one migration. SQLite blocks the event loop during it. */
const LONGEST_MIGRATION_MS = 3_600_000

/**
 * Runs the missing migrations up to the newest one or `last`, each in a transaction. Throws if one fails: the process
 * must not run on a partially migrated schema.
 * @throws DataError if a newer release has migrated the database, or if a move into it is unfinished
 */
export async function migrate(db: Kysely<Tables>, last?: string, step: LongStep = unwatchedStep): Promise<void> {
  await refuseNewer(db)
  const watched = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    { up: (tx) => step(`migração ${name}`, LONGEST_MIGRATION_MS, () => up(tx)) },
  ])
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(watched) },
    // Between releases a migration may arrive after one with a higher number.
    allowUnorderedMigrations: true,
  })
  // The commit may take long as well.
  const { error } = await step('migrações', LONGEST_MIGRATION_MS, () =>
    last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last),
  )
  if (error) throw new Error('database migration failed', { cause: error })
}

/** @throws DataError unless exactly the migrations of this release have run */
export async function requireMigrated(db: Kysely<Tables>): Promise<void> {
  requireComplete(await refuseNewer(db))
}

/** @throws DataError if a migration of this release is missing */
export function requireComplete(applied: readonly string[]): void {
  const names = new Set(applied)
  const missing = migrationNames.filter((name) => !names.has(name))
  if (missing.length > 0)
    throw new DataError(
      `O banco é de uma versão mais antiga da Vigia (falta ${missing[0]}). Use a versão que o serviço usa, ` +
        'ou inicie uma vez o serviço desta versão, que atualiza o banco.',
    )
}

/** @returns the names of the migrations that ran */
async function refuseNewer(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (tables.some(({ name }) => name === UNFINISHED))
    throw new DataError(
      'Este banco é o destino de uma mudança ou restauração que não terminou. Rode o mesmo comando vigia outra vez.',
    )
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const applied = rows.map(({ name }) => name)
  requireKnown(applied)
  return applied
}

/** @throws DataError if one of these migrations is of a newer release */
export function requireKnown(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0)
    throw new DataError(
      `Os dados desta pasta foram gravados por uma versão mais nova da Vigia (${unknown.join(', ')}). ` +
        'Instale essa versão ou uma mais nova, ou restaure a cópia de segurança feita antes da atualização.',
    )
}
