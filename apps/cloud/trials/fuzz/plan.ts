import fc from 'fast-check'
import type { OwnRecords } from '../../src/test/records/own-records.ts'
import { type ApiDocument, bodyOf, type Endpoint } from '../../src/test/walks/api-document.ts'
import { type GeneratedRequest, requestsTo } from '../../src/test/walks/request-arbitrary.ts'
import { type CallerName, callerNames } from './callers.ts'

/** Smallest number of requests of one caller to one route in a run. */
export const LEAST_EACH = 20
/** Share of the requests that are valid by the API reference. */
const VALID_SHARE = 0.65

/** Requests that share one record and one set of examples. */
export interface Chunk {
  readonly route: Endpoint
  readonly caller: CallerName
  readonly count: number
  readonly seed: number
}

/** Ends the session or the token of the request. */
export const endsSession = ({ path }: Endpoint): boolean => /\/(logout|auth\/renovar|me\/senha)$/.test(path)

/** Routes with a low rate limit: they get only the smallest number of requests, so that few answers are 429. */
const isScarce = (document: ApiDocument, route: Endpoint): boolean =>
  /\/(descobrir|imagem|cadastrar|testar-conexao|teste|ativar|convites|ver|aceitar)$/.test(route.path) ||
  bodyOf(document, route)?.mediaType === 'application/x-www-form-urlencoded' ||
  route.path.startsWith('/oauth/') ||
  endsSession(route)

const CHUNK = 10

/**
 * Distributes `total` requests equally over all pairs of caller and route; scarce routes get at most `least` each. The
 * seed determines the order of the chunks.
 */
export function planChunks(
  document: ApiDocument,
  routes: readonly Endpoint[],
  { total, seed, least }: { readonly total: number; readonly seed: number; readonly least: number },
): Chunk[] {
  const scarce = routes.filter((route) => isScarce(document, route))
  const plenty = routes.filter((route) => !scarce.includes(route))
  const left = total - scarce.length * callerNames.length * least
  const each = Math.max(least, Math.ceil(left / (plenty.length * callerNames.length)))
  const pairs = routes.flatMap((route) =>
    callerNames.flatMap((caller) => {
      const count = scarce.includes(route) ? least : each
      return Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => ({
        route,
        caller,
        count: Math.min(CHUNK, count - index * CHUNK),
      }))
    }),
  )
  const [order = []] = fc.sample(fc.shuffledSubarray(pairs, { minLength: pairs.length }), { seed, numRuns: 1 })
  return order.map((chunk, index) => ({ ...chunk, seed: seed + index }))
}

interface Sources {
  readonly document: ApiDocument
  readonly records: OwnRecords
  /** Creates an Empresa below that of the records and returns its id. */
  newEmpresa(): Promise<number>
}

/** The requests of a chunk. Equal seeds give equal requests, except for the ids of the records. */
export async function requestsOf(
  { route, count, seed }: Chunk,
  { document, records, newEmpresa }: Sources,
): Promise<GeneratedRequest[]> {
  // A request must not change the Empresa that all other requests use.
  const template = route.path.includes('/empresas/{')
    ? route.path.replace(/\{\w+\}/, String(await newEmpresa()))
    : route.path
  const path = await records.path(template)
  const arbitrary = await requestsTo(route, path, { document, records, validShare: VALID_SHARE })
  return fc.sample(arbitrary, { seed, numRuns: count })
}
