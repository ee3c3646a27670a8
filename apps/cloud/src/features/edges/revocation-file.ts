import { join } from 'node:path'
import { loadAuthority } from '@vigia/link/pki/authority'
import { replaceFile } from '@vigia/link/pki/files'
import { createRevocationList } from '@vigia/link/pki/revocation-list'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import type { Replica } from '../../replicas/replica.ts'
import { listRevoked } from './certificates-store.ts'

const DAY_MS = 86_400_000
/** A broker refuses every edge after the list expires, so that it is renewed long before. */
const VALID_DAYS = 30
const RENEW_MS = 7 * DAY_MS
const CHECK_MS = 3_600_000
/** Certificates that expired this long ago leave the list: even a slow clock refuses them. */
const ENDED_MS = 30 * DAY_MS

export interface RevocationFile {
  /** Writes the list and renews it before it expires. */
  start(): Promise<void>
  /** Call it after a commit that may have revoked a certificate. Resolves when the file is written. Never rejects. */
  changed(): Promise<void>
  stop(): Promise<void>
}

/**
 * Maintains `pki/crl.pem`, the revoked certificates of the installation's CA (RFC 5280 section 5). It serves brokers
 * without support for the list of certificates in force.
 */
export function createRevocationFile({
  db,
  clock,
  dataDir,
  replica,
  log,
}: {
  readonly db: Database
  readonly clock: Clock
  /** VIGIA_DATA_DIR */
  readonly dataDir: string
  /** Of several replicas, the leader writes the file. */
  readonly replica: Pick<Replica, 'leads' | 'onLead'>
  readonly log: Logger
}): RevocationFile {
  let last: Promise<void> = Promise.resolve()
  let writtenAt: number | null = null
  /** Serial numbers in the file; null: not written by this process. */
  let written: string | null = null
  let timer: NodeJS.Timeout | undefined

  const isOld = (now: number) => writtenAt === null || Math.abs(now - writtenAt) >= RENEW_MS

  const write = async () => {
    if (!replica.leads) return
    const now = clock.now()
    const rows = await listRevoked(db, now - ENDED_MS)
    const revoked = rows.map(({ serial, revogado_em }) => ({ serial, revokedAt: new Date(revogado_em) }))
    const serials = rows.map(({ serial }) => serial).join()
    // Each new file restarts mosquitto, and every edge reconnects.
    if (serials === written && !isOld(now)) return
    const ca = await loadAuthority(dataDir)
    const list = await createRevocationList({ ca, revoked, now, validDays: VALID_DAYS })
    await replaceFile(join(dataDir, 'pki', 'crl.pem'), list)
    writtenAt = now
    written = serials
    log.info({ revogados: revoked.length }, 'revocation list written')
  }
  // Writes run in series, so that an older list never replaces a newer one.
  const changed = () => {
    last = last.then(write).catch((err: unknown) => {
      writtenAt = null
      log.error({ err }, 'revocation list not written')
    })
    return last
  }
  const check = () => {
    if (isOld(clock.now())) void changed()
  }

  return {
    async start() {
      replica.onLead(() => void changed())
      await changed()
      timer = setInterval(check, CHECK_MS)
      timer.unref()
    },
    changed,
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
