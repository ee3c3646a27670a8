import type { LongStep } from '@vigia/runtime/heartbeat'
import type { Config } from './config.ts'
import { createHeavyReads, type HeavyReads } from './db/heavy-reads/heavy-reads.ts'
import { countLostFrames } from './db/lost-frames.ts'
import { type Database, openDatabase } from './db/open.ts'
import { databaseFile, databasePlace } from './db/place.ts'
import type { Logger } from './http/request-log.ts'

interface Deps {
  readonly config: Config
  readonly step: LongStep
  readonly onQuery: (ms: number, failed: boolean) => void
  readonly onError: (error: unknown) => void
  readonly log: Logger
}

/** Opens the database of the service and its connections for heavy reads. */
export async function openCloudDatabase({ config, step, onQuery, onError, log }: Deps): Promise<{
  readonly db: Database
  readonly reads: HeavyReads
}> {
  const file = config.banco === null ? databaseFile(config.cloudDir) : null
  const quadros = file === null ? 0 : countLostFrames(file)
  if (quadros > 0) log.error({ quadros }, 'write-ahead log damaged: SQLite ignores its last frames')
  const { bancoConexoes: maxConnections, bancoComandoMs: statementMs } = config
  const db = await openDatabase(databasePlace(config), { step, onQuery, onError, maxConnections, statementMs })
  return { db, reads: createHeavyReads({ db, file }) }
}
