import { type ApiDocument, contentOf, type Endpoint, operationOf } from '../test/api-document.ts'
import type { CallerName } from './callers.ts'

export interface Asked {
  readonly route: Endpoint
  readonly caller: CallerName
  readonly path: string
  readonly status: number
  readonly mediaType: string
  readonly ms: number
  /** Of a refusal. */
  readonly text: string
}

/** Longest time of an answer of a route that waits for nothing, ms. */
export const ANSWER_MS = 2_000
/** Routes that wait for an edge, a recorder or a mail server, with the time that they may wait, ms. */
const waits: readonly { readonly path: RegExp; readonly ms: number }[] = [
  { path: /\/(descobrir|cadastrar|testar-conexao)$/, ms: 60_000 },
  { path: /\/(snapshot|aovivo|diagnostico|reiniciar)$/, ms: 20_000 },
  { path: /\/teste$/, ms: 30_000 },
  { path: /\/(ativar)$|\/edges\/\{\w+\}(\/codigo)?$/, ms: 6_000 },
  // A camera by a recorder's channel may ask the device for the address of its stream.
  { path: /^\/api\/v1\/cameras$/, ms: 30_000 },
  // An agent may call any of these.
  { path: /^\/mcp$/, ms: 60_000 },
]
const waitOf = ({ path }: Endpoint): number | null => waits.find((one) => one.path.test(path))?.ms ?? null

/** What is wrong with an answer; null: nothing. */
export function faultOf(document: ApiDocument, asked: Asked, answerMs: number): string | null {
  const { route, status, mediaType, ms } = asked
  const wait = waitOf(route)
  // No edge runs behind this cloud: a route that needs one says so.
  const isAway = status === 503 && wait !== null
  if (status >= 500 && !isAway) return `status ${status}`
  if (operationOf(document, route).responses[status] === undefined) return `status ${status} is not declared`
  const declared = Object.keys(contentOf(document, route, status))
  const hasType = declared.length === 0 ? mediaType === '' : declared.includes(mediaType) || declared.includes('*/*')
  if (status >= 400 && !hasType) return `${status} as ${mediaType || 'nothing'}`
  const limit = wait === null ? answerMs : wait + 1_000
  if (ms > limit) return `${Math.round(ms)} ms, more than ${limit}`
  return null
}

/** Before the input was looked at: who may call, which record, whether there is room. */
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

/** Share of the requests whose caller was let in and whose input was taken, among those whose caller was let in. */
export const takenShare = ({ asked, refusedAccess, refusedInput }: Counts): number =>
  (asked - refusedAccess - refusedInput) / Math.max(1, asked - refusedAccess)
