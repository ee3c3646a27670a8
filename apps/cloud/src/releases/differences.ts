import type { RecordedAnswer } from '@vigia/testing/release-folder'

/** A deliberate difference between what a former release answered and what this one answers from the same data. */
interface Difference {
  readonly release: string
  /** Of the path and query that was asked. */
  readonly path: RegExp
  /** Path of the value inside the body, `[]` for each item: `[].status`. */
  readonly value: string
  readonly why: string
}

/**
 * Everything that may differ. A field that is new in an answer is no difference: clients of a former release ignore it.
 * An entry that no recorded answer needs fails the test.
 */
export const differences: readonly Difference[] = []

interface Found {
  readonly value: string
  readonly was: unknown
  readonly is: unknown
}

/** What `is` lacks or has otherwise than `was`; fields that only `is` has are left out. */
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

/** The entry of `differences` that allows a found one. */
export const allowedBy = (release: string, { path }: RecordedAnswer, { value }: Found): Difference | undefined =>
  differences.find((one) => one.release === release && one.path.test(path) && one.value === value)
