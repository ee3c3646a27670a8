import type { PedidoRenovacao, Renovado } from '@vigia/contracts/edge-state'
import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { addRenewed } from './certificates-store.ts'
import { describeCertificate, type SignRequest } from './edge-certificate.ts'
import type { AllowedCertificates } from './publish-allowed.ts'

/** What of the cloud's end of the link (packages/link, cloud-link.ts) is used here. */
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

/** A certificate lasts for years: who asks more often than this is out of order. */
const BETWEEN_MS = 3 * 60_000

/**
 * Gives an edge that is connected, and so has proved who it is, a certificate for the new key that it made. The old one stays in force until
 * a report shows that the new one is in use (apply-report.ts): an answer that gets lost locks nobody out.
 */
export function connectRenewal({ db, clock, link, sign, allowed, log }: RenewalDeps): void {
  /** The last request of each edge, with what it was answered: the same request again gets the same certificate. */
  const known = new Map<number, { readonly at: number; readonly id: string; readonly renovado: Renovado | null }>()

  const renew = async (edgeId: number, { id, csr }: PedidoRenovacao, now: number): Promise<Renovado | null> => {
    const { certificado, ca } = await sign(edgeId, csr)
    if (!(await addRenewed(db, edgeId, describeCertificate(certificado), now))) {
      log.warn({ edge_id: edgeId }, 'certificate not renewed: the edge is not activated, or asks too often')
      return null
    }
    log.info({ edge_id: edgeId }, 'certificate renewed')
    return { v: 1, id, certificado, ca }
  }

  link.onRenewal(async (edgeId, pedido) => {
    const now = clock.now()
    const before = known.get(edgeId)
    if (before && Math.abs(now - before.at) < BETWEEN_MS) {
      log.warn({ edge_id: edgeId }, 'renewal asked again too soon: ignored')
      return
    }
    const same = before?.id === pedido.id ? before.renovado : null
    known.set(edgeId, { at: now, id: pedido.id, renovado: same })
    try {
      const renovado = same ?? (await renew(edgeId, pedido, now))
      if (renovado === null) return
      known.set(edgeId, { at: now, id: pedido.id, renovado })
      // Before the answer: the box connects with it at once.
      await allowed.changed()
      await link.publishRenewed(edgeId, renovado)
    } catch (err) {
      if (err instanceof VigiaError && err.code === 'validacao')
        log.warn({ edge_id: edgeId, motivo: err.detalhe }, 'renewal refused: not a valid request')
      else log.error({ err, edge_id: edgeId }, 'certificate not renewed; the edge asks again')
    }
  })
}
