import { join } from 'node:path'
import { loadAuthority } from '@vigia/link/pki/authority'
import { replaceFile } from '@vigia/link/pki/files'
import { createRevocationList } from '@vigia/link/pki/revocation-list'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { listRevoked } from './certificates-store.ts'

const DAY_MS = 86_400_000
/** A broker refuses every edge once the list is past its end: it is written anew long before. */
const VALID_DAYS = 30
const RENEW_MS = 7 * DAY_MS
const LOOK_MS = 3_600_000
/** One that ended so long ago is refused by every clock, also a slow one. */
const ENDED_MS = 30 * DAY_MS

export interface RevocationFile {
  /** Writes the list and keeps it fresh. */
  start(): Promise<void>
  /** A certificate may have been revoked: call after the commit. Resolves when the file says so. Never rejects. */
  changed(): Promise<void>
  stop(): Promise<void>
}

/**
 * `pki/crl.pem`: the certificates that the installation's CA has revoked (RFC 5280 section 5), for brokers that cannot be
 * told by a message which ones are in force.
 */
export function createRevocationFile({
  db,
  clock,
  dataDir,
  log,
}: {
  readonly db: Database
  readonly clock: Clock
  /** VIGIA_DATA_DIR */
  readonly dataDir: string
  readonly log: Logger
}): RevocationFile {
  let last: Promise<void> = Promise.resolve()
  let writtenAt: number | null = null
  /** What stands in the file; null: not written by this process. */
  let written: string | null = null
  let timer: NodeJS.Timeout | undefined

  const isOld = (now: number) => writtenAt === null || Math.abs(now - writtenAt) >= RENEW_MS

  const write = async () => {
    const now = clock.now()
    const rows = await listRevoked(db, now - ENDED_MS)
    const revoked = rows.map(({ serial, revogado_em }) => ({ serial, revokedAt: new Date(revogado_em) }))
    const serials = rows.map(({ serial }) => serial).join()
    // For each new file mosquitto is started anew, and every edge connects again.
    if (serials === written && !isOld(now)) return
    const ca = await loadAuthority(dataDir)
    const list = await createRevocationList({ ca, revoked, now, validDays: VALID_DAYS })
    await replaceFile(join(dataDir, 'pki', 'crl.pem'), list)
    writtenAt = now
    written = serials
    log.info({ revogados: revoked.length }, 'revocation list written')
  }
  // One after the other: an older list never replaces a newer one.
  const changed = () => {
    last = last.then(write).catch((err: unknown) => {
      writtenAt = null
      log.error({ err }, 'revocation list not written')
    })
    return last
  }
  const look = () => {
    if (isOld(clock.now())) void changed()
  }

  return {
    async start() {
      await changed()
      timer = setInterval(look, LOOK_MS)
      timer.unref()
    },
    changed,
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
