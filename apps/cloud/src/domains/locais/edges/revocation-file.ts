import { createHash, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { loadAuthority } from '@vigia/link/pki/authority'
import { replaceFile } from '@vigia/link/pki/files'
import { createRevocationList } from '@vigia/link/pki/revocation-list'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { listRevoked } from './certificates-store.ts'
import { readRevocationList, storeRevocationList } from './revocation-store.ts'

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
  /** Call it after a commit that may have revoked a certificate. Resolves when the list is written. Never rejects. */
  changed(): Promise<void>
  stop(): Promise<void>
}

/**
 * Maintains the list of revoked certificates of the installation's CA (RFC 5280 section 5), in the database and in
 * `pki/crl.pem`. It serves brokers without support for the list of certificates in force. Each new list restarts
 * mosquitto, and every edge reconnects. The list in the database therefore stays until it is old or incomplete, also
 * after a restart and a change of the leader.
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
  /** The leader of several replicas writes the list. */
  readonly replica: Pick<Replica, 'name' | 'leads' | 'onLead'>
  readonly log: Logger
}): RevocationFile {
  let last: Promise<void> = Promise.resolve()
  /** Content of the file; null: not written by this process. */
  let written: string | null = null
  /** When the list was signed; null: unknown. */
  let signedAt: number | null = null
  let timer: NodeJS.Timeout | undefined

  const isOld = (at: number | null, now: number) => at === null || Math.abs(now - at) >= RENEW_MS

  const write = async () => {
    if (!replica.leads) return
    const now = clock.now()
    const rows = await listRevoked(db, now - ENDED_MS)
    const ca = await loadAuthority(dataDir)
    const publicKey = new X509Certificate(ca.certificatePem).publicKey.export({ type: 'spki', format: 'der' })
    const serials = rows.map(({ serial }) => serial).join()
    const resumo = createHash('sha256').update(publicKey).update(serials).digest('hex')
    let { pem, ...stored } = await readRevocationList(db)
    signedAt = stored.criada_em
    if (pem === null || stored.resumo !== resumo || isOld(signedAt, now)) {
      const revoked = rows.map(({ serial, revogado_em }) => ({ serial, revokedAt: new Date(revogado_em) }))
      pem = await createRevocationList({ ca, revoked, now, validDays: VALID_DAYS })
      if (!(await storeRevocationList(db, { pem, resumo, criada_em: now }, replica.name))) return
      signedAt = now
      log.info({ revogados: revoked.length }, 'revocation list written')
    }
    if (pem === written) return
    await replaceFile(join(dataDir, 'pki', 'crl.pem'), pem)
    written = pem
  }
  // Writes run in series, so that an older list never replaces a newer one.
  const changed = () => {
    last = last.then(write).catch((err: unknown) => {
      signedAt = null
      log.error({ err }, 'revocation list not written')
    })
    return last
  }
  const check = () => {
    if (isOld(signedAt, clock.now())) void changed()
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
