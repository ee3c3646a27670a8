import type { Config } from '../../config.ts'
import { databaseClock, newestArrival } from '../../db/database-clock.ts'
import { inspectDatabase } from '../../db/inspect.ts'
import { migrationNames } from '../../db/migrate.ts'
import type { Database } from '../../db/open.ts'
import { databaseFile } from '../../db/place.ts'
import { sealedColumns } from '../../db/sealed-columns.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Whether the open database is complete; on SQLite, reads all of it. */
export async function checkDatabase({ banco, cloudDir }: Config): Promise<Finding> {
  if (banco) return ok(`PostgreSQL, com as ${migrationNames.length} migrações desta versão`)
  const state = inspectDatabase(databaseFile(cloudDir), sealedColumns)
  if (state.kind === 'danificado')
    return failure(`O banco está danificado (${state.detalhe}). Restaure uma cópia: vigia restaurar.`)
  if (state.kind !== 'em_ordem') return failure('O banco não pôde ser lido. Confira o disco.')
  return ok(`SQLite, inteiro, com as ${migrationNames.length} migrações desta versão`)
}

const LATE_MS = 2_000
const WRONG_MS = 30_000
const AHEAD_MS = 60_000

/** Compares the clock of this machine with that of the database, and with the newest event. */
export async function checkClock(db: Database, now: number, isSynchronized: boolean | null): Promise<Finding> {
  const other = await databaseClock(db)
  const apartMs = other === null ? 0 : Math.abs(other - now)
  const apart = `O relógio desta máquina e o do PostgreSQL diferem ${(apartMs / 1000).toFixed(0)} s`
  if (apartMs > WRONG_MS) return failure(`${apart}. Acerte os dois com NTP: sem isso códigos e prazos falham.`)
  if (apartMs > LATE_MS) return warning(`${apart}. Ligue o NTP nas duas máquinas.`)
  const newest = await newestArrival(db)
  if (newest !== null && newest > now + AHEAD_MS)
    return failure('O relógio voltou: há eventos com hora de chegada no futuro. Acerte-o com NTP.')
  if (isSynchronized === false) return warning('O relógio não está sincronizado. Ligue: timedatectl set-ntp true')
  return ok(new Date(now).toISOString())
}
