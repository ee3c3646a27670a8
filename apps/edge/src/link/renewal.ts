import { createPublicKey, randomUUID, X509Certificate } from 'node:crypto'
import type { PedidoRenovacao, Renovado } from '@vigia/contracts/edge-state'
import type { EdgeLink } from '@vigia/link/edge-link'
import { belongsTo } from '@vigia/link/pki/certificate'
import { createCsr } from '@vigia/link/pki/csr'
import { RENEW_SHARE } from '@vigia/link/pki/edge-certificate'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import type { EdgeIdentity, HeldIdentity } from './identity.ts'

export interface RenewalOptions {
  readonly identity: HeldIdentity
  readonly link: Pick<EdgeLink, 'publishRenewal' | 'onRenewed' | 'reconnect' | 'onConnection'>
  readonly log: Logger
  /** The edge's clock, in epoch ms. */
  readonly now: () => number
  /** Edge clock minus cloud clock; null: unknown. */
  readonly offsetMs: () => number | null
  /** Interval of the certificate checks. */
  readonly checkEveryMs?: number
  /** Delays between two requests. The cloud ignores requests within 3 min of another. */
  readonly repeat?: BackoffLimits
  /** Time within which a new certificate must connect; otherwise the edge returns to the previous one. */
  readonly trialMs?: number
}

export interface Renewal {
  /** Call before the link starts. */
  start(): void
  stop(): void
}

const CHECK_MS = 3_600_000
const REPEAT: BackoffLimits = { minMs: 8 * 60_000, maxMs: 6 * 3_600_000 }
const TRIAL_MS = 10 * 60_000

/**
 * Renews the edge's certificate, for a new key, when less than RENEW_SHARE of its validity remains. The previous
 * certificate stays in force at the cloud until the new one is used. A lost answer or file therefore does not lock the
 * edge out.
 */
export function createRenewal(options: RenewalOptions): Renewal {
  const { identity, link, log } = options
  /** The request without an answer so far. */
  let asked: { readonly request: PedidoRenovacao; readonly privateKeyPem: string } | null = null
  let connected = false
  let tries = 0
  /** Earliest time of the next request (monotonic, in ms). */
  let nextAt = 0
  let expiredLogged: string | null = null
  let checking: NodeJS.Timeout | undefined
  let repeating: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const { certificado } = identity.current()
    const { validFromDate, validToDate } = new X509Certificate(certificado)
    const left = validToDate.getTime() - (options.now() - (options.offsetMs() ?? 0))
    if (left <= 0) {
      if (expiredLogged !== certificado) log.error({ vence_em: validToDate.toISOString() }, EXPIRED)
      expiredLogged = certificado
      return
    }
    if (left >= (validToDate.getTime() - validFromDate.getTime()) * RENEW_SHARE) return forget()
    if (asked === null) {
      const { csrPem, privateKeyPem } = await createCsr()
      asked ??= { request: { v: 1, id: randomUUID(), csr: csrPem }, privateKeyPem }
    }
    await ask()
  }

  function forget(): void {
    asked = null
    tries = 0
    nextAt = 0
    clearTimeout(repeating)
  }

  async function ask(): Promise<void> {
    if (asked === null || !connected || performance.now() < nextAt) return
    const waitMs = backoffMs(tries, options.repeat ?? REPEAT)
    tries += 1
    nextAt = performance.now() + waitMs
    clearTimeout(repeating)
    // The timer is set a little later than `nextAt`, because timers may fire a millisecond early.
    repeating = setTimeout(run(ask), waitMs + 5)
    repeating.unref()
    log.info({ tentativa: tries }, 'requesting a renewed certificate')
    await link.publishRenewal(asked.request)
  }

  async function take(answer: Renovado): Promise<void> {
    const waiting = asked
    if (waiting === null || answer.id !== waiting.request.id) return
    const before = identity.current()
    const next = {
      ...before,
      certificado: answer.certificado,
      ca: answer.ca,
      chave_tls: waiting.privateKeyPem,
    }
    if (!replaces(next, before)) {
      log.error('the renewed certificate does not fit this edge: ignored')
      return
    }
    asked = null
    try {
      await identity.replace(next)
    } catch (error) {
      asked = waiting
      throw error
    }
    forget()
    trial.begin(before, next)
    log.info('certificate renewed')
    link.reconnect()
  }

  const run = (work: () => Promise<void>) => () => {
    work().catch((err: unknown) => log.error({ err }, 'renewal of the certificate failed; retrying'))
  }

  const trial = createTrial({ identity, link, log, trialMs: options.trialMs ?? TRIAL_MS, run })

  link.onRenewed((answer) => run(() => take(answer))())
  link.onConnection((up) => {
    connected = up
    if (!up) return
    trial.end()
    run(ask)()
  })

  return {
    start() {
      checking = setInterval(run(check), options.checkEveryMs ?? CHECK_MS)
      checking.unref()
      run(check)()
    },
    stop() {
      clearInterval(checking)
      clearTimeout(repeating)
      trial.end()
    },
  }
}

interface TrialOptions extends Pick<RenewalOptions, 'identity' | 'link' | 'log'> {
  readonly trialMs: number
  /** Runs work and logs its failure. */
  run(work: () => Promise<void>): () => void
}

/** The trial of a new certificate: unless it connects in time, the edge returns to the previous one. */
function createTrial({ identity, link, log, trialMs, run }: TrialOptions) {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearTimeout(timer)
  return {
    begin(before: EdgeIdentity, next: EdgeIdentity): void {
      end()
      timer = setTimeout(
        run(async () => {
          if (identity.current() !== next) return
          log.error('no connection with the renewed certificate: returning to the previous one')
          await identity.replace(before)
          link.reconnect()
        }),
        trialMs,
      )
      timer.unref()
    },
    /** The certificate has connected, or the edge stops. */
    end,
  }
}

const EXPIRED =
  'O certificado desta caixa venceu, pelo relógio da caixa. Se o relógio está certo, ' +
  'gere um código de ativação novo para esta caixa e informe-o: a fila e a configuração são mantidas.'

/** Whether `next` is the same edge with its new key, signed by the same authority, and valid for longer. */
function replaces(next: EdgeIdentity, before: EdgeIdentity): boolean {
  if (!belongsTo(next.certificado, { privateKeyPem: next.chave_tls, caPem: next.ca })) return false
  const [renewed, old] = [new X509Certificate(next.certificado), new X509Certificate(before.certificado)]
  return (
    renewed.subject === old.subject &&
    renewed.validToDate.getTime() > old.validToDate.getTime() &&
    keyOf(next.ca) === keyOf(before.ca)
  )
}

/** The CA's certificate may be renewed, too, but its key stays the same. */
const keyOf = (caPem: string): string => createPublicKey(caPem).export({ type: 'spki', format: 'pem' }).toString()
