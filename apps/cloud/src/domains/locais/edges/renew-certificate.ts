import type { PedidoRenovacao, Renovado } from '@vigia/contracts/edge-state'
import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { addRenewed } from './certificates-store.ts'
import { describeCertificate, type SignRequest } from './edge-certificate.ts'
import type { AllowedCertificates } from './publish-allowed.ts'

/** The part of the cloud link (packages/link, cloud-link.ts) that this module uses. */
interface RenewalLink {
  onRenewal(listener: (edgeId: number, pedido: PedidoRenovacao) => Promise<void>): void
  publishRenewed(edgeId: number, renovado: Renovado): Promise<void>
}

interface RenewalDeps {
  readonly db: Database
  readonly clock: Clock
  readonly link: RenewalLink
  readonly sign: SignRequest
  readonly allowed: AllowedCertificates
  readonly log: Logger
}

/**
 * Shortest time between two renewals of an edge. Certificates last for years; more frequent requests indicate a fault.
 */
const BETWEEN_MS = 3 * 60_000

/**
 * Issues a certificate for a new key to a connected edge, whose connection proves its identity. The old certificate
 * stays in force until a report shows the new one in use (apply-report.ts). A lost answer therefore locks no edge out.
 */
export function connectRenewal({ db, clock, link, sign, allowed, log }: RenewalDeps): void {
  /** Last request and answer by edge; a repeated request gets the same certificate. */
  const known = new Map<number, { readonly at: number; readonly id: string; readonly renovado: Renovado | null }>()

  const renew = async (edgeId: number, { id, csr }: PedidoRenovacao, now: number): Promise<Renovado | null> => {
    const { certificado, ca } = await sign(edgeId, csr)
    if (!(await addRenewed(db, edgeId, describeCertificate(certificado), now))) {
      log.warn({ edge_id: edgeId }, 'certificate not renewed: edge not activated, or too many requests')
      return null
    }
    log.info({ edge_id: edgeId }, 'certificate renewed')
    return { v: 1, id, certificado, ca }
  }

  link.onRenewal(async (edgeId, pedido) => {
    const now = clock.now()
    const before = known.get(edgeId)
    if (before && Math.abs(now - before.at) < BETWEEN_MS) {
      log.warn({ edge_id: edgeId }, 'renewal request ignored: too soon after the last one')
      return
    }
    const same = before?.id === pedido.id ? before.renovado : null
    known.set(edgeId, { at: now, id: pedido.id, renovado: same })
    try {
      const renovado = same ?? (await renew(edgeId, pedido, now))
      if (renovado === null) return
      known.set(edgeId, { at: now, id: pedido.id, renovado })
      // This step precedes the answer, because the edge connects with the new certificate at once.
      await allowed.changed()
      await link.publishRenewed(edgeId, renovado)
    } catch (err) {
      if (err instanceof VigiaError && err.code === 'validacao')
        log.warn({ edge_id: edgeId, motivo: err.detalhe }, 'renewal refused: invalid request')
      else log.error({ err, edge_id: edgeId }, 'certificate not renewed; the edge will retry')
    }
  })
}
