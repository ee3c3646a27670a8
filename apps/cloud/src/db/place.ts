import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { DataError } from './errors.ts'
import { type Database, openDatabase } from './open.ts'

/** Where `openDatabase` finds the database: the URL in VIGIA_BANCO, else the SQLite file of the data folder. */
export const databasePlace = ({ banco, cloudDir }: Pick<Config, 'banco' | 'cloudDir'>): string =>
  banco?.reveal() ?? databaseFile(cloudDir)

/** The SQLite file of the data folder. */
export const databaseFile = (cloudDir: string): string => join(cloudDir, 'vigia.db')

/**
 * Opens the database of an installation that exists, for a command of its operator. The schema stays as it is, because
 * the service may run.
 * @throws DataError if the data folder has no SQLite file, or the database is of another release
 */
export async function openInstallation(config: Pick<Config, 'banco' | 'cloudDir'>): Promise<Database> {
  const file = databaseFile(config.cloudDir)
  if (config.banco === null && !existsSync(file))
    throw new DataError(`Não há banco em ${file}. Confira VIGIA_DATA_DIR, ou VIGIA_BANCO se o banco é PostgreSQL.`)
  return openDatabase(databasePlace(config), { asIs: true, maxConnections: 4 })
}
