import type { ErroVerificadorExterno } from '@vigia/contracts/verificador-externo'
import type OpenAI from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { VlmSettings } from './settings.ts'

/** Largest body of an answer: a completion of 150 tokens has some kB. */
const MAX_BODY_BYTES = 256 * 1024

type VlmReply =
  | { readonly ok: true; readonly completion: unknown }
  | {
      readonly ok: false
      readonly erro: ErroVerificadorExterno
      /** Delay that the server asks for; null: none. */
      readonly retryAfterMs: number | null
    }

export interface VlmClient {
  /** One request without retries. Never rejects. No text of a failure is in the result, because it may echo the key. */
  ask(request: ChatCompletionCreateParamsNonStreaming, signal: AbortSignal): Promise<VlmReply>
}

/** The official client, with a limited body and without redirects, which would carry key and pictures elsewhere. */
export function createVlmClient({ url, chave, timeoutMs }: VlmSettings): VlmClient {
  let opened: Promise<{ client: OpenAI; isStatus: (error: unknown) => error is ApiError }> | null = null

  // Loaded at the first call: a service without a VLM saves its memory.
  const open = () =>
    import('openai').then(({ default: Client, APIError }) => ({
      client: new Client({
        baseURL: url,
        apiKey: chave?.reveal() ?? 'none',
        // Without these values the client reads OPENAI_* of the environment.
        organization: null,
        project: null,
        webhookSecret: null,
        adminAPIKey: null,
        logLevel: 'off',
        ...(chave === null && { defaultHeaders: { authorization: null } }),
        maxRetries: 0,
        timeout: timeoutMs,
        fetch: limitedFetch,
      }),
      isStatus: (error: unknown): error is ApiError => error instanceof APIError && error.status !== undefined,
    }))

  return {
    async ask(request, signal) {
      opened ??= open()
      const { client, isStatus } = await opened
      // The client's own time limit covers the body too, because limitedFetch reads it. This one distinguishes a
      // time-out from a lost connection.
      const deadline = AbortSignal.timeout(timeoutMs)
      try {
        const completion: unknown = await client.chat.completions.create(request, {
          signal: AbortSignal.any([signal, deadline]),
        })
        return { ok: true, completion }
      } catch (error) {
        if (isStatus(error)) return { ok: false, ...failureOf(error) }
        if (deadline.aborted) return { ok: false, erro: 'tempo', retryAfterMs: null }
        return { ok: false, erro: isUnreadable(error) ? 'resposta' : 'conexao', retryAfterMs: null }
      }
    },
  }
}

interface ApiError {
  readonly status: number
  readonly headers: Headers | undefined
}

class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge'
}

/** A body that is no JSON, or too large. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof Error && error.cause instanceof ReplyTooLarge)

function failureOf({ status, headers }: ApiError): { erro: ErroVerificadorExterno; retryAfterMs: number | null } {
  const retryAfterMs = readRetryAfter(headers?.get('retry-after') ?? null)
  const of = (erro: ErroVerificadorExterno) => ({ erro, retryAfterMs })
  if (status >= 300 && status < 400) return of('redirecionou')
  if (status === 401 || status === 403) return of('chave')
  if (status === 404 || status === 405) return of('endereco')
  if (status === 429) return of('limite')
  return of(status < 500 ? 'pedido' : 'servico')
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** Statuses whose response has no body (Fetch standard). */
const WITHOUT_BODY = [204, 205, 304]

async function limitedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new ReplyTooLarge()
    chunks.push(chunk)
  }
  const headers = new Headers(response.headers)
  // The body is decoded.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const body = WITHOUT_BODY.includes(response.status) ? null : Buffer.concat(chunks)
  return new Response(body, { status: response.status, headers })
}
