import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Ativado, type Ativar, ativadoSchema } from '@vigia/contracts/edges'
import { createCsr } from '@vigia/link/pki/csr'
import { readIfExists } from '@vigia/link/pki/files'
import { createSealKeyPair } from '@vigia/link/sealed'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import { z } from 'zod'
import { belowCloud } from './cloud-address.ts'
import type { EdgeIdentity } from './identity.ts'

export interface ActivationOptions {
  readonly cloudUrl: string
  readonly code: string | null
  readonly file: string | null
  readonly log: Logger
  readonly signal: AbortSignal
  /** The identity to be replaced: its key for passwords is kept, and its code is not tried again. */
  readonly previous?: EdgeIdentity
  /**
   * Called before each attempt; if it returns false, the activation ends. A running attempt is completed, as it may
   * have used the code.
   */
  readonly wanted?: () => boolean
  /** Interval of the checks for a new or changed code. */
  readonly pollMs?: number
  readonly backoff?: { readonly minMs: number; readonly maxMs: number }
}

type Answer =
  | { readonly kind: 'activated'; readonly ativado: Ativado }
  /** The cloud refuses this code, so that another one is needed. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string | null }
  | { readonly kind: 'later'; readonly why: string }

const REQUEST_MS = 15_000
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_DETAIL = 300
const NO_CODE = 'Aguardando o código de ativação desta caixa.'
const NO_CONNECTION =
  'Sem conexão com a central. Se o certificado desta caixa foi revogado ou venceu, ' +
  'informe um código de ativação novo: a fila e a configuração são mantidas.'

const NO_ANSWER = 'A central não respondeu à ativação.'
const clock = () => `A hora desta caixa é ${new Date().toISOString().slice(0, 16).replace('T', ' ')} (UTC)`

/** Failures of HTTPS that a wrong clock explains, by the code of OpenSSL. */
const sentences: Readonly<Record<string, () => string>> = {
  CERT_NOT_YET_VALID: () =>
    `${clock()}, e o certificado da central ainda não vale nela: o relógio está atrasado. Acerte-o com ` +
    '"timedatectl set-time", ou espere o servidor de hora.',
  CERT_HAS_EXPIRED: () =>
    `${clock()}, e o certificado da central já venceu nela. Se a hora está adiantada, acerte-a com ` +
    '"timedatectl set-time"; se está certa, renove o certificado da central.',
}

/**
 * Creates the edge's keys and exchanges the one-time code for a certificate. Retries while the cloud is
 * offline; after a refused code it waits for another. null: `signal` aborted, or `wanted` returned false.
 */
export async function activate(options: ActivationOptions): Promise<EdgeIdentity | null> {
  const { log, signal, previous } = options
  const backoff = options.backoff ?? { minMs: 1_000, maxMs: 60_000 }
  let keys: Keys | null = null
  let refused: string | null = null
  let failures = 0
  let announced = false

  while (!signal.aborted && (options.wanted?.() ?? true)) {
    const code = await readCode(options)
    if (code === null || code === refused || sha256(code) === previous?.codigo_sha256) {
      if (!announced && (code === null || previous)) log.info(previous ? NO_CONNECTION : NO_CODE)
      announced = true
      await pause(options.pollMs ?? 2_000, signal)
      continue
    }
    keys ??= await createKeys(previous)
    const { tls, seal } = keys
    const answer = await request(options, { codigo: code, csr: tls.csrPem, chave_cifra: seal.publicJwk })
    if (answer.kind === 'activated') {
      return {
        ...answer.ativado,
        chave_tls: tls.privateKeyPem,
        chave_cifra: seal.privateJwk,
        codigo_sha256: sha256(code),
      }
    }
    if (answer.kind === 'refused') {
      refused = code
      failures = 0
      const why = answer.detail ?? 'Gere um código novo para esta caixa e informe-o.'
      log.error({ status: answer.status }, `O código de ativação foi recusado pela central. ${why}`)
      continue
    }
    failures++
    const waitMs = backoffMs(failures - 1, backoff)
    log.warn({ motivo: answer.why, esperaMs: waitMs }, `${sentences[answer.why]?.() ?? NO_ANSWER} Tentando de novo.`)
    await pause(waitMs, signal)
  }
  return null
}

const sha256 = (code: string): string => createHash('sha256').update(code).digest('hex')

interface Keys {
  readonly tls: Awaited<ReturnType<typeof createCsr>>
  readonly seal: Awaited<ReturnType<typeof createSealKeyPair>>
}

async function createKeys(previous: EdgeIdentity | undefined): Promise<Keys> {
  const tls = await createCsr()
  if (!previous) return { tls, seal: await createSealKeyPair() }
  const { d: _, ...publicJwk } = previous.chave_cifra
  return { tls, seal: { publicJwk, privateJwk: previous.chave_cifra } }
}

async function readCode({ code, file }: ActivationOptions): Promise<string | null> {
  if (file === null) return code
  const text = (await readIfExists(file))?.trim()
  return text ? text : code
}

async function request(options: ActivationOptions, body: Ativar): Promise<Answer> {
  try {
    const response = await fetch(belowCloud('/api/v1/edges/ativar', options.cloudUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      // The code must not be sent to the target of a redirect.
      redirect: 'error',
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(REQUEST_MS)]),
    })
    if (!response.ok) {
      const isRefusal = response.status >= 400 && response.status < 500 && ![408, 425, 429].includes(response.status)
      if (isRefusal) {
        const detail = detailOf(await response.text(), body.codigo)
        return { kind: 'refused', status: response.status, detail }
      }
      await response.body?.cancel()
      return { kind: 'later', why: `HTTP ${response.status}` }
    }
    const text = await response.text()
    const parsed = ativadoSchema.safeParse(text.length <= MAX_ANSWER_BYTES ? JSON.parse(text) : null)
    return parsed.success ? { kind: 'activated', ativado: parsed.data } : { kind: 'later', why: 'resposta inesperada' }
  } catch (error) {
    // Logs only the name: the message of a network error may quote the request.
    return { kind: 'later', why: error instanceof Error ? causeOf(error) : 'erro de rede' }
  }
}

/** The cloud's explanation; null: it is missing or must not be logged, for example because it contains the code. */
function detailOf(text: string, code: string): string | null {
  try {
    const { detail } = z.object({ detail: z.string() }).parse(JSON.parse(text))
    const bare = (value: string) => value.toUpperCase().replace(/[^0-9A-Z]/g, '')
    return bare(detail).includes(bare(code)) ? null : detail.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_DETAIL)
  } catch {
    return null
  }
}

function causeOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  // Rejects only when `signal` aborts, which the loop checks next.
  await delay(ms, undefined, { signal }).catch(() => {})
}
