import fc from 'fast-check'
import type { OwnRecords } from '../records/own-records.ts'
import { type ApiDocument, bodyOf, type Endpoint, operationOf, type RequestBody } from './api-document.ts'
import { contentTypes, hostileSegment, hostileText, spoilt } from './hostile.ts'
import { fromSchema } from './schema-arbitrary.ts'

/** One request without its credentials. */
export interface GeneratedRequest {
  readonly lastEventId: string
  readonly path: string
  readonly body: string | undefined
  readonly contentType: string | undefined
}

interface Generators {
  readonly document: ApiDocument
  readonly records: OwnRecords
  /** Share of the requests that are valid by the API reference, 0–1; the others have a fault. */
  readonly validShare?: number
}

/**
 * Requests to `route` at `path`, an existing record: valid by the API reference, at its bounds, with one fault, or
 * unrelated.
 */
export async function requestsTo(
  route: Endpoint,
  path: string,
  { document, records, validShare = 0 }: Generators,
): Promise<fc.Arbitrary<GeneratedRequest>> {
  const body = bodyOf(document, route)
  const examples = await Promise.all((body?.examples ?? []).map(records.example))
  const lastEventId = fc.constantFrom('', '0', '-1', '1e3', '99999999999999999999', 'x'.repeat(2000))
  const anything = fc
    .record({
      query: query(document, route),
      path: pathOf(route.path, path),
      body: body ? bodyText(document, body, examples) : fc.constant(undefined),
      other: contentTypes,
      lastEventId,
    })
    .map(({ query, path: chosen, body: text, other, lastEventId: last }) => ({
      lastEventId: last,
      path: `${chosen}${query}`,
      body: text,
      contentType: other ?? body?.mediaType,
    }))
  const exemplary = fc.record({
    lastEventId: fc.constant(''),
    path: validQuery(document, route).map((text) => `${path}${text}`),
    body:
      body && examples.length > 0
        ? fc.constantFrom(...examples).map((value) => encode(body, value))
        : fc.constant(undefined),
    contentType: fc.constant(body?.mediaType),
  })
  const hundredths = Math.round(validShare * 100)
  return fc.oneof({ weight: hundredths, arbitrary: exemplary }, { weight: 100 - hundredths, arbitrary: anything })
}

function bodyText(document: ApiDocument, body: RequestBody, examples: readonly unknown[]): fc.Arbitrary<string> {
  const valid = fc.oneof(fromSchema(document, body.schema), fc.constantFrom(...examples))
  const values = spoilt(valid).map((value) => encode(body, value))
  return fc.oneof({ weight: 8, arbitrary: values }, { weight: 1, arbitrary: hostileText })
}

const encode = ({ mediaType }: RequestBody, value: unknown): string =>
  mediaType === 'application/json'
    ? JSON.stringify(value)
    : new URLSearchParams(
        Object.entries(value ?? {}).map(([name, field]): [string, string] => [name, textOf(field)]),
      ).toString()

/** The text of a form field or query parameter. `String` fails on an object with an own `toString`. */
const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

/** The client resolves a dot segment, also as `%2E` (WHATWG URL, 4.4), so the path would belong to another route. */
const isSent = (segment: string) => !/^(\.|%2e){1,2}$/i.test(segment)

/** The path of an existing record, or one that never leads to a record of another account. */
const pathOf = (template: string, real: string): fc.Arbitrary<string> =>
  template === real
    ? fc.constant(real)
    : fc.oneof(
        { weight: 3, arbitrary: fc.constant(real) },
        {
          weight: 1,
          arbitrary: hostileSegment.filter(isSent).map((segment) => template.replaceAll(/\{\w+\}/g, () => segment)),
        },
      )

const queryParameters = (document: ApiDocument, route: Endpoint) =>
  (operationOf(document, route).parameters ?? []).filter((one) => one.in === 'query')

function query(document: ApiDocument, route: Endpoint): fc.Arbitrary<string> {
  const parameters = queryParameters(document, route)
  const value = (one: (typeof parameters)[number]) =>
    fc.oneof(
      fromSchema(document, one.schema).map((valid) => encodeURIComponent(textOf(valid))),
      hostileSegment,
    )
  const pairs = parameters.map((one) => value(one).map((text) => `${one.name}=${text}`))
  const stray = fc.constantFrom(
    'token=x',
    'nada=1',
    '__proto__=1',
    'limit=1&limit=2',
    '&&=',
    '%',
    '[]=1',
    'a[b]=1',
    '?',
  )
  return joined(fc.subarray([...pairs, stray]))
}

/** Some of the parameters, each with a valid value. */
const validQuery = (document: ApiDocument, route: Endpoint): fc.Arbitrary<string> => {
  // Optional ids are omitted, because a 404 for an invented id tests little.
  const free = queryParameters(document, route).filter(
    ({ name, required }) => required || !/(_id|cursor|token)$/.test(name),
  )
  const pairs = free.map((one) =>
    fromSchema(document, one.schema).map((valid) => `${one.name}=${encodeURIComponent(textOf(valid))}`),
  )
  return joined(fc.subarray(pairs, { maxLength: Math.min(1, pairs.length) }))
}

const joined = (some: fc.Arbitrary<fc.Arbitrary<string>[]>): fc.Arbitrary<string> =>
  some.chain((chosen) => fc.tuple(...chosen)).map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`))
