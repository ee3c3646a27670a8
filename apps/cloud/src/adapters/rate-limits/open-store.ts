import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openPostgresStore } from './postgres-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import type { CounterStore } from './store.ts'

/** Opens the counters in the database that holds all other data, except that SQLite has a file of their own. */
export const openCounterStore = ({ banco, cloudDir }: Pick<Config, 'banco' | 'cloudDir'>): CounterStore =>
  // A failed query reports the same failure.
  banco ? openPostgresStore(banco.reveal(), () => {}) : openSqliteStore(join(cloudDir, 'limites.db'))
