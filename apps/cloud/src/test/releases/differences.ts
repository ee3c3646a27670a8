import type { RecordedAnswer } from '@vigia/testing/release-folder'

/** A deliberate difference between the answers of an earlier release and of this one from the same data. */
interface Difference {
  readonly release: string
  /** Pattern of the path and query of the request. */
  readonly path: RegExp
  /** Path of the value in the body, `[]` for each item: `[].status`. */
  readonly value: string
  readonly why: string
}

const SAYS_CAIXA = 'The sentence names the box "caixa", no longer "edge".'

/**
 * All allowed differences. A new field in an answer is no difference: clients of an earlier release ignore it. An
 * unused entry fails the test.
 */
export const differences: readonly Difference[] = [
  ...[
    { path: /^\/api\/v1\/events(\?|$)/, value: '[].crop_url' },
    { path: /^\/api\/v1\/events\/14$/, value: 'crop_url' },
    { path: /^\/api\/v1\/events\/14$/, value: 'crop_path' },
    { path: /^\/api\/v1\/crops\/14$/, value: 'status' },
    { path: /^\/api\/v1\/crops\/14$/, value: 'sha256' },
    { path: /^\/api\/v1\/crops\/14$/, value: 'type' },
  ].map((one) => ({ release: '0007-seeing', ...one, why: 'A usuario sees no picture of a plate.' })),
  {
    release: '0056-traceparent',
    path: /^\/api\/v1\/empresas\/\d+\/exportar$/,
    value: 'sha256',
    why: 'The export of a period brings its passages.',
  },
  {
    release: '0056-traceparent',
    path: /^\/api\/v1\/treinamento\/exportacao$/,
    value: 'sha256',
    why: 'The archive has the time of the Empresa.',
  },
  {
    release: '0056-traceparent',
    path: /^\/api\/v1\/passagens\/exportar$/,
    value: 'sha256',
    why: 'The CSV has the interval of an uncertain time.',
  },
  {
    release: '0056-traceparent',
    path: /^\/api\/v1\/incidentes\/\d+\/exportar$/,
    value: 'sha256',
    why: 'incidente.json has the plate of the incidente.',
  },
  ...['0007-seeing', '0056-traceparent'].flatMap((release) =>
    [
      { path: /^\/api\/v1\/cameras$/, value: '[].status_detalhe' },
      { path: /^\/api\/v1\/cameras\/[23]$/, value: 'status_detalhe' },
      { path: /^\/api\/v1\/cameras\/[23]\/snapshot$/, value: 'detail' },
    ].map((one) => ({ release, ...one, why: SAYS_CAIXA })),
  ),
  ...[
    { path: /^\/api\/v1\/edges\/[123]\/varredura$/, value: 'detail' },
    { path: /^\/api\/v1\/cameras\/[123]\/gravacao$/, value: 'detail' },
  ].map((one) => ({ release: '0056-traceparent', ...one, why: SAYS_CAIXA })),
  {
    release: '0056-traceparent',
    path: /^\/api\/v1\/events\/\d+$/,
    value: 'clip_detalhe',
    why: 'The sentence names earlier releases only for an edge that has never announced a clip.',
  },
  {
    release: '0056-traceparent',
    path: /^\/api\/v1\/events\/\d+\/exportar$/,
    value: 'sha256',
    why: 'evento.json has the sentence about the clip.',
  },
  {
    release: '0056-traceparent',
    path: /^\/api\/v1\/events\/\d+$/,
    value: 'clip_estado',
    why: 'An event of a passage never has a clip.',
  },
]

interface Found {
  readonly value: string
  readonly was: unknown
  readonly is: unknown
}

/** Differences of `is` from `was`, without the fields that only `is` has. */
export function findDifferences(was: unknown, is: unknown, value = ''): Found[] {
  if (Array.isArray(was) && Array.isArray(is)) {
    if (was.length !== is.length) return [{ value: `${value}.length`, was: was.length, is: is.length }]
    return was.flatMap((item, index) => findDifferences(item, is[index], `${value}[]`))
  }
  if (isObject(was) && isObject(is))
    return Object.entries(was).flatMap(([key, inner]) =>
      findDifferences(inner, is[key], value === '' ? key : `${value}.${key}`),
    )
  return Object.is(was, is) ? [] : [{ value, was, is }]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The entry of `differences` that allows a difference. */
export const allowedBy = (release: string, { path }: RecordedAnswer, { value }: Found): Difference | undefined =>
  differences.find((one) => one.release === release && one.path.test(path) && one.value === value)
