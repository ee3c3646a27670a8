import { VigiaError } from '@vigia/contracts/errors'
import { BODY_LIMIT, readJson } from '../../../http/body.ts'

/** Messages in one request. Batches exist only in revisions before 2025-06-18, and clients send a few messages. */
export const MOST_MESSAGES = 20

/** The fields that this module reads; the library validates the rest. */
interface Message {
  readonly method?: unknown
  readonly params?: { readonly name?: unknown; readonly requestId?: unknown }
}

export type Read =
  | { readonly ok: true; readonly body: unknown; readonly messages: readonly Message[] }
  | { readonly ok: false; readonly response: Response }

/** Protocol error without a message to answer (JSON-RPC 2.0 section 5.1: `id` null). */
const refused = (status: number, code: number, message: string): Read => ({
  ok: false,
  response: Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status }),
})

/** Reads the JSON-RPC body of a request, with the limits of every JSON body (bytes, nesting). */
export async function readMessages(request: Request): Promise<Read> {
  let body: unknown
  try {
    body = await readJson(request, BODY_LIMIT)
  } catch (error) {
    if (!(error instanceof VigiaError)) throw error
    const [item] = error.itens
    if (error.code === 'corpo_grande') return refused(413, -32_000, error.detalhe)
    if (item?.type === 'content_type') return refused(415, -32_000, error.detalhe)
    return refused(400, -32_700, error.detalhe)
  }
  if (body === undefined) return refused(400, -32_700, 'Envie uma mensagem JSON-RPC no corpo.')
  const list: unknown[] = Array.isArray(body) ? body : [body]
  if (list.length > MOST_MESSAGES) return refused(400, -32_600, `Envie até ${MOST_MESSAGES} mensagens por vez.`)
  return { ok: true, body, messages: list.filter(isObject).map(shapeOf) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const shapeOf = ({ method, params }: Record<string, unknown>): Message => ({
  method,
  ...(isObject(params) && { params }),
})
