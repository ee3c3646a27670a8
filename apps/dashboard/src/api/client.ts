import { type ErrorCode, type ItemValidacao, VigiaError } from '@vigia/contracts/errors'
import { failures } from '../texts/failures.ts'
import { ownAddress } from './base-path.ts'

/** The part of a zod schema that the client needs. */
export interface Schema<T> {
  safeParse(data: unknown): { success: true; data: T } | { success: false; error: unknown }
}

export interface Api {
  /** `path` below /api/v1. Throws VigiaError; rethrows AbortError when `signal` aborts. */
  get<T>(path: string, schema: Schema<T>, signal?: AbortSignal): Promise<T>
  /** Like `get` for a URL outside /api/v1; `path` begins with `/`. */
  getOutside<T>(path: string, schema: Schema<T>, signal?: AbortSignal): Promise<T>
  /** @param version of the record that the caller read; the cloud answers `conflito` if it has another one */
  send<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    schema: Schema<T>,
    version?: string,
  ): Promise<T>
  /** Whether the file of an answer is there; false: it is being made. Reads one byte of it. */
  isMade(path: string, signal: AbortSignal): Promise<boolean>
  /** A POST whose answer is a picture. */
  picture(path: string, body: unknown, signal: AbortSignal): Promise<Blob>
  /** A POST whose answer has no data. */
  order(path: string): Promise<void>
  remove(path: string): Promise<void>
  /**
   * Passes each chunk of the body to `onBytes` and resolves at its end; an endless stream never resolves. Throws like
   * `get`, and rethrows errors of `onBytes`.
   */
  stream(path: string, onBytes: (bytes: Uint8Array) => void, signal: AbortSignal): Promise<void>
}

const codes: Readonly<Record<number, ErrorCode>> = {
  401: 'nao_autenticado',
  403: 'proibido',
  404: 'nao_encontrado',
  409: 'conflito',
  413: 'corpo_grande',
  422: 'validacao',
  429: 'muitas_requisicoes',
  503: 'indisponivel',
}

/**
 * The only client of the API: same origin, session cookie, and each failure is a VigiaError with a sentence for the
 * user.
 */
export function createApi({ fetch }: { fetch: typeof globalThis.fetch }): Api {
  /** `path` begins after the origin. */
  async function call(path: string, init: RequestInit): Promise<Response> {
    const headers = {
      accept: 'application/json',
      ...(init.body ? { 'content-type': 'application/json' } : {}),
      ...init.headers,
    }
    let response: Response
    try {
      response = await fetch(path, { ...init, headers, credentials: 'same-origin' })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw new VigiaError('indisponivel', { detalhe: failures().semConexao, cause: error })
    }
    if (!response.ok) throw failure(response, await json(response))
    return response
  }

  async function read<T>(path: string, init: RequestInit, schema: Schema<T>): Promise<T> {
    const parsed = schema.safeParse(await json(await call(path, init)))
    if (parsed.success) return parsed.data
    throw new VigiaError('interno', { detalhe: failures().inesperada, cause: parsed.error })
  }

  const get: Api['get'] = (path, schema, signal) => read(path, { method: 'GET', ...(signal ? { signal } : {}) }, schema)
  const below = (path: string) => ownAddress(`/api/v1${path}`)

  return {
    get: (path, schema, signal) => get(below(path), schema, signal),
    getOutside: (path, schema, signal) => get(ownAddress(path), schema, signal),
    send: (method, path, body, schema, version) =>
      read(
        below(path),
        { method, body: JSON.stringify(body), ...(version && { headers: { 'if-match': `"${version}"` } }) },
        schema,
      ),
    async isMade(path, signal) {
      const headers = { range: 'bytes=0-0' }
      const { status, body } = await call(path, { method: 'GET', cache: 'no-store', headers, signal })
      await body?.cancel()
      return status !== 202
    },
    async picture(path, body, signal) {
      return await (await call(below(path), { method: 'POST', body: JSON.stringify(body), signal })).blob()
    },
    async order(path) {
      await call(below(path), { method: 'POST' })
    },
    async remove(path) {
      await call(below(path), { method: 'DELETE' })
    },
    async stream(path, onBytes, signal) {
      const { body } = await call(below(path), { method: 'GET', cache: 'no-store', signal })
      const reader = body?.getReader()
      for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
        try {
          onBytes(piece.value)
        } catch (error) {
          await reader?.cancel()
          throw error
        }
      }
    },
  }
}

/** Returns the body, or undefined if it is not JSON (a proxy's error page): no schema accepts undefined. */
async function json(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure(response: Response, body: unknown): VigiaError {
  const code = codes[response.status] ?? (response.status >= 502 ? 'indisponivel' : 'interno')
  const { detail, id } = (body ?? {}) as { detail?: unknown; id?: unknown }
  const cause = `HTTP ${response.status}`
  if (Array.isArray(detail)) {
    const itens = detail.filter(isItem)
    const general = itens.filter((item) => item.loc.length < 2).map((item) => item.msg)
    return new VigiaError(code, { detalhe: general.join(' ') || failures().reveja, itens, cause })
  }
  const sentence = typeof detail === 'string' && detail !== '' ? detail : failures().semDetalhe
  const reference = typeof id === 'string' ? ` ${failures().codigo(id)}` : ''
  return new VigiaError(code, { detalhe: `${sentence}${reference}`, cause })
}

function isItem(value: unknown): value is ItemValidacao {
  if (typeof value !== 'object' || value === null) return false
  const { loc, msg } = value as { loc?: unknown; msg?: unknown }
  return Array.isArray(loc) && typeof msg === 'string'
}
