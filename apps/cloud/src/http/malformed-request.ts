import { randomUUID } from 'node:crypto'
import { oauthError } from './oauth-errors.ts'
import { setSecurityHeaders } from './security-headers.ts'

const SENTENCE =
  'A requisição não tem um endereço válido: confira o cabeçalho Host (o nome do servidor e a porta, sem mais ' +
  'nada) e o caminho.'

/** @param id as in the header X-Request-Id and in the log */
export type OnMalformed = (id: string, error: Error) => void

/**
 * The answer to a request without a valid URL (Host or request target), which reaches no route. OAuth paths get the
 * form of RFC 6749.
 */
export function malformedAnswer(path: string, error: Error, onMalformed: OnMalformed): Response {
  const id = randomUUID()
  onMalformed(id, error)
  const oauth = /^[^?]*\/(oauth|\.well-known)\//.test(path) ? oauthError('invalid_request', SENTENCE) : {}
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': id, connection: 'close' })
  setSecurityHeaders(headers, false)
  return new Response(JSON.stringify({ ...oauth, detail: SENTENCE, id }), { status: 400, headers })
}
