import fc from 'fast-check'
import { type ApiDocument, bodyOf, type Endpoint } from '../test/api-document.ts'
import type { OwnRecords } from '../test/own-records.ts'
import { type GeneratedRequest, requestsTo } from '../test/request-arbitrary.ts'
import { type CallerName, callerNames } from './callers.ts'

/** Least requests of one caller to one route in a whole run. */
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

/** Ends the session that asks. */
export const endsSession = ({ path }: Endpoint): boolean => path.endsWith('/logout')

/** Routes whose own rate limit is small: they get no more than the least, so that few answers are 429. */
const isScarce = (document: ApiDocument, route: Endpoint): boolean =>
  /\/(descobrir|cadastrar|testar-conexao|teste|ativar)$/.test(route.path) ||
  bodyOf(document, route)?.mediaType === 'application/x-www-form-urlencoded' ||
  route.path.startsWith('/oauth/') ||
  endsSession(route)

const CHUNK = 10

/**
 * Which caller asks which route how often: `total` requests, all pairs alike, the scarce routes no more than `least` each.
 * The chunks come in an order that the seed gives.
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
  /** Id of a new Empresa below that of the records. */
  newEmpresa(): Promise<number>
}

/** The requests of a chunk. The same seed gives the same requests, but for the ids of the records. */
export async function requestsOf(
  { route, count, seed }: Chunk,
  { document, records, newEmpresa }: Sources,
): Promise<GeneratedRequest[]> {
  // A changed Empresa must not be the one that all other requests are about.
  const template = route.path.includes('/empresas/{')
    ? route.path.replace(/\{\w+\}/, String(await newEmpresa()))
    : route.path
  const path = await records.path(template)
  const arbitrary = await requestsTo(route, path, { document, records, validShare: VALID_SHARE })
  return fc.sample(arbitrary, { seed, numRuns: count })
}
