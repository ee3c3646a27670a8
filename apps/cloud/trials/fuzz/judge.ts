import { type ApiDocument, contentOf, type Endpoint, operationOf } from '../../src/test/walks/api-document.ts'
import type { CallerName } from './callers.ts'

export interface Asked {
  readonly route: Endpoint
  readonly caller: CallerName
  readonly path: string
  readonly status: number
  readonly mediaType: string
  readonly ms: number
  /** Text of a refusal. */
  readonly text: string
}

/** Longest response time of a route without external waits. */
export const ANSWER_MS = 2_000
/** Routes that wait for an edge, a gravador or a mail server, and their longest waits. */
const waits: readonly { readonly path: RegExp; readonly ms: number }[] = [
  { path: /\/(descobrir|cadastrar|testar-conexao)$/, ms: 60_000 },
  { path: /\/(snapshot|aovivo|miniaturas|diagnostico|reiniciar|varredura|imagem|ptz|gravacao|gravacoes)$/, ms: 20_000 },
  { path: /\/teste$/, ms: 30_000 },
  { path: /\/(ativar)$|\/edges\/\{\w+\}(\/codigo)?$/, ms: 6_000 },
  // Creating a camera for a canal of a gravador may request the stream address from the device.
  { path: /^\/api\/v1\/cameras$/, ms: 30_000 },
  // A tool call of an agent may run any of these.
  { path: /^\/mcp$/, ms: 60_000 },
]
const waitOf = ({ path }: Endpoint): number | null => waits.find((one) => one.path.test(path))?.ms ?? null

/** The fault of an answer; null: none. */
export function faultOf(document: ApiDocument, asked: Asked, answerMs: number): string | null {
  const { route, status, mediaType, ms } = asked
  const wait = waitOf(route)
  // No edge runs, so a route that needs one may answer with this error.
  const isAway = status === 503 && wait !== null
  if (status >= 500 && !isAway) return `status ${status}`
  if (operationOf(document, route).responses[status] === undefined) return `status ${status} is not declared`
  const declared = Object.keys(contentOf(document, route, status))
  const hasType = declared.length === 0 ? mediaType === '' : declared.includes(mediaType) || declared.includes('*/*')
  if (status >= 400 && !hasType) return `${status} as ${mediaType || 'nothing'}`
  const limit = wait === null ? answerMs : wait + answerMs / 2
  if (ms > limit) return `${Math.round(ms)} ms, more than ${limit}`
  return null
}

/** Refusals before the validation of the input: access, unknown record, limits. */
const ACCESS = new Set([401, 403, 429])
/** The input itself. */
const VALIDATION = new Set([400, 413, 415, 422])

export interface Counts {
  readonly asked: number
  readonly refusedAccess: number
  readonly refusedInput: number
  readonly limited: number
}

export const countAnswers = (answers: readonly { readonly status: number }[]): Counts => ({
  asked: answers.length,
  refusedAccess: answers.filter(({ status }) => ACCESS.has(status)).length,
  refusedInput: answers.filter(({ status }) => VALIDATION.has(status)).length,
  limited: answers.filter(({ status }) => status === 429).length,
})

/** Share of requests with accepted input among the requests with access. */
export const takenShare = ({ asked, refusedAccess, refusedInput }: Counts): number =>
  (asked - refusedAccess - refusedInput) / Math.max(1, asked - refusedAccess)
