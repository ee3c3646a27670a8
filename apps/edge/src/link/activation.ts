import { setTimeout as delay } from 'node:timers/promises'
import { type Ativado, ativadoSchema } from '@vigia/contracts/edges'
import { backoffMs } from '@vigia/link/backoff'
import { createCsr } from '@vigia/link/pki/csr'
import { readIfExists } from '@vigia/link/pki/files'
import { createSealKeyPair } from '@vigia/link/sealed'
import type { Logger } from 'pino'
import type { EdgeIdentity } from './identity.ts'

export interface ActivationOptions {
  readonly cloudUrl: string
  readonly code: string | null
  readonly file: string | null
  readonly log: Logger
  readonly signal: AbortSignal
  /** How often to look whether the code has come or changed, ms. */
  readonly pollMs?: number
  readonly backoff?: { readonly minMs: number; readonly maxMs: number }
}

type Answer =
  | { readonly kind: 'activated'; readonly ativado: Ativado }
  /** The cloud knows this code and does not take it: only another one helps. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'later'; readonly why: string }

const REQUEST_MS = 15_000
const MAX_ANSWER_BYTES = 256 * 1024

/**
 * Makes this box's keys and trades the one-time code for a certificate. Goes on until it has one: a cloud that is away is tried
 * again, a refused code waits for another. null: `signal` aborted.
 */
export async function activate(options: ActivationOptions): Promise<EdgeIdentity | null> {
  const { log, signal } = options
  const backoff = options.backoff ?? { minMs: 1_000, maxMs: 60_000 }
  const [{ csrPem, privateKeyPem }, seal] = await Promise.all([createCsr(), createSealKeyPair()])
  let refused: string | null = null
  let failures = 0
  let announced = false

  while (!signal.aborted) {
    const code = await readCode(options)
    if (code === null || code === refused) {
      if (!announced && code === null) log.info('Aguardando o código de ativação deste edge.')
      announced = true
      await pause(options.pollMs ?? 2_000, signal)
      continue
    }
    const answer = await request(options, { codigo: code, csr: csrPem, chave_cifra: seal.publicJwk })
    if (answer.kind === 'activated') {
      return { ...answer.ativado, chave_tls: privateKeyPem, chave_cifra: seal.privateJwk }
    }
    if (answer.kind === 'refused') {
      refused = code
      failures = 0
      log.error(
        { status: answer.status },
        'O código de ativação foi recusado pela central. Gere um novo código para este edge e informe-o.',
      )
      continue
    }
    failures++
    const waitMs = backoffMs(failures - 1, backoff, Math.random)
    log.warn({ motivo: answer.why, esperaMs: waitMs }, 'A central não respondeu à ativação. Tentando de novo.')
    await pause(waitMs, signal)
  }
  return null
}

async function readCode({ code, file }: ActivationOptions): Promise<string | null> {
  if (file === null) return code
  const text = (await readIfExists(file))?.trim()
  return text ? text : code
}

async function request(options: ActivationOptions, body: object): Promise<Answer> {
  try {
    const response = await fetch(new URL('/api/v1/edges/ativar', options.cloudUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      // A code must not be carried on to wherever a redirect points.
      redirect: 'error',
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(REQUEST_MS)]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      const isRefusal = response.status >= 400 && response.status < 500 && ![408, 425, 429].includes(response.status)
      return isRefusal
        ? { kind: 'refused', status: response.status }
        : { kind: 'later', why: `HTTP ${response.status}` }
    }
    const text = await response.text()
    const parsed = ativadoSchema.safeParse(text.length <= MAX_ANSWER_BYTES ? JSON.parse(text) : null)
    return parsed.success ? { kind: 'activated', ativado: parsed.data } : { kind: 'later', why: 'resposta inesperada' }
  } catch (error) {
    // Only the name: the message of a network error may quote the request.
    return { kind: 'later', why: error instanceof Error ? causeOf(error) : 'erro de rede' }
  }
}

function causeOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  // Rejects only when `signal` aborts, which the loop looks at next.
  await delay(ms, undefined, { signal }).catch(() => {})
}
